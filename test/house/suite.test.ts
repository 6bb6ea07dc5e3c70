/**
 * The suite itself. Tests leave nothing behind: they make folders in one way, below a folder that goes with the run. None
 * is tried twice: one that passes at the second try is a defect, of itself or of the product. None draws by chance without
 * a seed. Which of them are fast, long, or need public data is said by what they are called and import.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesByKind, slow } from '../support/kinds.ts';
import { leftOutLine, tags } from '../support/left-out.ts';
import { longest } from '../support/longest-first.ts';
import { runFolderVariable, temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const makers = ['test/support/run-folder.ts', 'test/support/temporary-folder.ts'];
// In two pieces: this file, too, is one of those that are looked at.
const maker = new RegExp(`\\b${'mk'}dtemp`);

test('no test makes a temporary folder on its own', () => {
  const found = sources().filter((path) => maker.test(readFileSync(join(root, path), 'utf8')));
  expect(found).toEqual(makers);
});

test('what a test makes lies in the folder of its run', () => {
  const [one, other] = [temporaryFolder('house'), temporaryFolder('house')];
  expect(one).not.toBe(other);
  expect(join(one, '..')).toBe(process.env[runFolderVariable]);
  expect(readdirSync(one)).toEqual([]);
});

test('no test is tried twice', () => {
  const again = new RegExp(`\\b${'ret'}ry: \\d|--${'ret'}ry\\b`);
  const files = [...sources(), 'vitest.config.ts', 'package.json', '.ci/run'];
  expect(files.filter((path) => again.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('what is drawn by chance is drawn the same each time: else one run of many is red, and nobody finds out why', () => {
  const unseeded = sources().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const blocks = [...text.matchAll(/^( *)(?:await )?fc\.assert\((?:.*\);$|[\s\S]*?^\1\);$)/gm)];
    return blocks.filter(([block]) => !/seed/i.test(block)).map(() => path);
  });
  expect(unseeded).toEqual([]);
});

test('the files that begin first are there', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('kinds of test files', () => {
  const kinds = filesByKind(root);

  test('a file is fast if nothing that it imports starts a process, nor does it run the command line', () => {
    const files = {
      'src/outside.ts': "import { spawn } from 'node:child_process';\nexport const start = spawn;\n",
      'src/chain.ts': "export { start } from './outside.ts';\n",
      'src/typed.ts':
        "import type { start } from './outside.ts';\nexport { type start as S } from './outside.ts';\n",
      'src/pure.test.ts': "import { x } from './typed.ts';\nimport { test } from 'vitest';\n",
      'src/chain.test.ts': "import { start } from './chain.ts';\n",
      'test/cli/shell.ts': 'export const polya = 1;\n',
      'test/a/cli.test.ts': "import {\n  polya,\n} from '../cli/shell.ts';\n",
      'test/a/bare.test.ts': "import '../../src/outside.ts';\n",
      'test/a/text.test.ts': 'const source = `\nimport { x } from "./nowhere.ts";\n`;\n',
      'test/sandbox/a.test.ts': "import '../../src/outside.ts';\n",
      'test/a/page.ts': 'afterAll(() => {});\n',
      'test/a/page.test.ts': "import './page.ts';\nimport { chromium } from 'playwright-core';\n",
      'test/a/many-kills.long.test.ts': "import { x } from '../../src/typed.ts';\n",
      'test/a/sets.public.test.ts': "import { x } from '../../src/typed.ts';\n",
    };
    const folder = temporaryFolder('kinds');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(filesByKind(folder)).toEqual({
      fast: ['src/pure.test.ts', 'test/a/text.test.ts'],
      rest: ['src/chain.test.ts', 'test/a/bare.test.ts', 'test/a/cli.test.ts'],
      alone: ['test/a/page.test.ts', 'test/sandbox/a.test.ts'],
      public: ['test/a/sets.public.test.ts'],
      long: ['test/a/many-kills.long.test.ts'],
    });
  });

  test('what makes a file slow is where the rule looks for it', () => {
    expect(slow.filter((each) => each.startsWith('test/') && !existsSync(join(root, each)))).toEqual([]);
  });

  test('more than half of all files are fast', () => {
    const all = Object.values(kinds).flat().length;
    expect(kinds.fast.length / all).toBeGreaterThan(0.5);
  });

  test('those that share a process replace no module for one another', () => {
    const replacing = new RegExp(`\\bvi\\.(?:do)?${'Mo'}ck\\(`, 'i');
    const sharing = [...kinds.fast, ...kinds.rest];
    expect(sharing.filter((path) => replacing.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  test('public data are read by files that are called so, and by no other', () => {
    const reading = new RegExp(`\\bshared${'Fi'}le\\(|\\bshared${'Li'}nes\\(`);
    const found = sources().filter((path) => reading.test(readFileSync(join(root, path), 'utf8')));
    expect(found.filter((path) => path !== 'test/support/shared-data.ts')).toEqual(kinds.public);
  });
});

describe('what is left out', () => {
  test('is said by a tag, which the end of the run tells: no test is passed over in silence', () => {
    const silent = new RegExp(
      `\\b(?:test|describe|it)\\b[^\\n]*\\.(?:${'sk'}ip|${'sk'}ipIf|${'ru'}nIf|${'to'}do|${'on'}ly)\\b`,
    );
    expect(sources().filter((path) => silent.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
    const texts = sources().map((path) => readFileSync(join(root, path), 'utf8'));
    for (const { name } of tags)
      expect(
        texts.some((text) => text.includes(`tags: ['${name}']`)),
        name,
      ).toBe(true);
  });

  test('is told in one line, file by file; nothing where nothing was', () => {
    const line = leftOutLine([
      { reason: 'only root may', files: new Map([['a.test.ts', 2]]) },
      { reason: 'there is no such thing', files: new Map() },
      {
        reason: 'there are no data',
        files: new Map([
          ['b.public.test.ts', null],
          ['c.public.test.ts', null],
        ]),
      },
    ]);
    expect(line).toBe(
      'Left out, because only root may: a.test.ts (2); because there are no data: b.public.test.ts, c.public.test.ts',
    );
    expect(leftOutLine([{ reason: 'x', files: new Map() }])).toBeNull();
  });
});

function sources(): readonly string[] {
  const inRoom = (room: string) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`);
  const ofTests = [...inRoom('test'), ...inRoom('src').filter((path) => path.endsWith('.test.ts'))];
  return ofTests.filter((path) => path.endsWith('.ts')).sort();
}
