/** The architecture of ARCHITECTURE.md, held against the code; and proof that each rule would notice a breach. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkHouse, findCycles, mayImport, type Source } from './rules.ts';

const root = join(import.meta.dirname, '../..');

const sources: readonly Source[] = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path: join('src', path), text: readFileSync(join(root, 'src', path), 'utf8') }));

test('the house keeps its rules', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(checkHouse(sources)).toEqual([]);
});

test('the table here is the one in ARCHITECTURE.md', () => {
  expect(tableOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))).toEqual(
    Object.fromEntries(Object.entries(mayImport).map(([room, others]) => [room, [...others].sort()])),
  );
});

test('no room is empty', () => {
  for (const folder of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    expect(
      sources.some(({ path }) => path.startsWith(`src/${folder.name}/`)),
      folder.name,
    ).toBe(true);
  }
});

describe('a planted violation is found', () => {
  const planted: readonly (readonly [string, Source, RegExp])[] = [
    [
      'an agent that knows a family',
      at('src/agents/a.ts', "import { x } from '../families/aoc/x.ts';"),
      /agents may not/,
    ],
    [
      'a type counts too',
      at('src/run/a.ts', "import type { S } from '../store/sqlite.ts';"),
      /run may not import store/,
    ],
    ['a re-export', at('src/core/a.ts', "export { x } from '../io/io.ts';"), /core may not import io/],
    [
      'a command line that knows an app',
      at('src/cli/a.ts', "import { x } from '../apps/aoc/app.ts';"),
      /cli may not import apps/,
    ],
    [
      'a command line that knows a family',
      at('src/cli/a.ts', "import { x } from '../families/aoc/metrics.ts';"),
      /cli may not import families/,
    ],
    [
      'a core that knows the notes of an agent',
      at('src/core/a.ts', "import { x } from '../notes/proof.ts';"),
      /core may not import notes/,
    ],
    [
      'a library that knows an app',
      at('src/index.ts', "export { x } from './apps/aoc/app.ts';"),
      /index.ts may not import apps/,
    ],
    [
      'an agent that knows another',
      at('src/agents/proof/a.ts', "import { x } from '../search/x.ts';"),
      /proof may not import its neighbour search/,
    ],
    [
      'a family that knows another',
      at('src/families/qa/a.ts', "import { x } from '../aoc/x.ts';"),
      /qa may not import its neighbour aoc/,
    ],
    [
      'an app that knows another',
      at('src/apps/qa/a.ts', "import { x } from '../aoc/x.ts';"),
      /qa may not import its neighbour aoc/,
    ],
    [
      'an app that knows the family of another',
      at('src/apps/qa/a.ts', "import { x } from '../../families/aoc/x.ts';"),
      /app qa may not import the family aoc/,
    ],
    [
      'a page of JSX counts too',
      at('src/web/a.tsx', "import { x } from '../run/x.ts';"),
      /web may not import run/,
    ],
    ['an unknown room', at('src/attic/a.ts', 'export {};'), /not in the table/],
    ['a timer in an agent', at('src/agents/a.ts', 'setTimeout(() => {}, 1);'), /a timer/],
    ['a race of promises in a family', at('src/families/a.ts', 'await Promise.race([]);'), /Promise.race/],
    ['the clock in core', at('src/core/a.ts', 'const now = Date.now();'), /Date/],
    ['the time of day in notes', at('src/notes/a.ts', 'const now = new Date();'), /Date/],
    ['chance in core', at('src/core/a.ts', 'Math.random();'), /Math.random/],
    ['fetch in a family', at('src/families/a.ts', "await fetch('x');"), /fetch/],
    ['files in an agent', at('src/agents/a.ts', "import { readFileSync } from 'node:fs';"), /node:fs/],
    [
      'a bare import inside a function',
      at('src/run/a.ts', "const f = () => import('./b.ts');"),
      /without its reason/,
    ],
  ];

  test.each(planted)('%s', (_name, source, expected) => {
    expect(checkHouse([source]).join('\n')).toMatch(expected);
  });

  test('a cycle', () => {
    const a = at('src/core/a.ts', "import { b } from './b.ts';");
    const b = at('src/core/b.ts', "import { a } from './a.ts';");
    expect(findCycles([a, b])).toEqual([['src/core/a.ts', 'src/core/b.ts', 'src/core/a.ts']]);
  });

  test('a kit that agents share, and a date that is made of a number, are none', () => {
    const kit = at('src/agents/proof/a.ts', "import { x } from '../kit/x.ts';\nnew Date(ms);");
    expect(checkHouse([kit])).toEqual([]);
  });

  test('and what stands in a comment is not', () => {
    const innocent = at(
      'src/core/a.ts',
      "// Math.random() and import('./x.ts')\n/* Date.now() */\nexport {};",
    );
    expect(checkHouse([innocent])).toEqual([]);
  });
});

/** Room → rooms, as the table's rows say it: names in backquotes, and a sentence for none, and for all. */
function tableOf(text: string): Record<string, string[]> {
  const rows = [...text.matchAll(/^\| (`[^|]*|`web`[^|]*) \| ([^|]*) \|$/gm)].map(
    ([, rooms = '', others = '']) => ({
      rooms: namesIn(rooms),
      others: namesIn(others),
      isAll: others.startsWith('all of the above'),
    }),
  );
  const table: Record<string, string[]> = {};
  for (const { rooms, others, isAll } of rows) {
    const above = Object.keys(table).filter((room) => !others.includes(room));
    for (const room of rooms) table[room] = (isAll ? above : others).toSorted();
  }
  return table;
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function at(path: string, text: string): Source {
  return { path, text };
}
