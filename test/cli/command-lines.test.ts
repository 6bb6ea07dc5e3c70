/**
 * What documents name is there: commands with their options, options that stand alone, run-sets in YAML. All blocks of commands
 * are typed by documents.long.test.ts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { parseRunSet } from '../../src/studies/run-set/file.ts';
import { root } from './process.ts';
import { newPlace, polya } from './shell.ts';

const { commands } = polyaProgram(apps);
const paths = commands.map(({ path }) => path);
const documents = globSync(
  ['README*.md', 'CONTRIBUTING.md', 'AGENTS.md', 'docs/**/*.md', 'bench/README.md'],
  {
    cwd: root,
  },
);

type Line = { readonly text: string; readonly words: readonly string[] };

/** Lines of code that begin with one of our programs, and code between ticks that does. */
function linesOf(page: string): readonly Line[] {
  const inBlocks = [...page.matchAll(/^(?: {4}|\$ )?((?:npx )?(?:\.\/)?(?:polya|ahc-agent) .*)$/gm)];
  const inText = [...page.matchAll(/`((?:npx )?(?:\.\/)?(?:polya|ahc-agent) [^`\n]*)`/g)];
  return [...inBlocks, ...inText].map(([, text = '']) => {
    const typed = text.replace(/\s#.*$|\s{2,}.*$|\s[|>&;].*$/, '').replace(/^npx /, '');
    const [program = '', ...words] = typed.split(/\s+/);
    return { text, words: program.endsWith('ahc-agent') ? ['ahc', ...words] : words };
  });
}

/** The longest command that its words name. */
function pathOf(words: readonly string[]): string | undefined {
  const named = [3, 2, 1].map((count) => words.slice(0, count).join(' '));
  return named.find((path) => paths.includes(path));
}

/** `polya ahc docker`, `polya runs …`: the words of a sentence, not a line to type. */
function isOfAGroup(words: readonly string[]): boolean {
  const end = words.findIndex((word) => /[…|]|^[A-Z<[(-]/.test(word));
  const named = words.slice(0, end === -1 ? words.length : end).join(' ');
  return named === '' || paths.some((path) => path.startsWith(`${named} `));
}

const helps = new Map<string, Promise<string>>();

function helpOf(path: string): Promise<string> {
  const known =
    helps.get(path) ?? polya(newPlace(), `${path} --help`.trim().split(' ')).then(({ out }) => out);
  helps.set(path, known);
  return known;
}

/** Given behind `--`, they are another program's. */
const optionsOf = (text: string) =>
  [...(text.split(' -- ')[0] ?? '').matchAll(/(?<=[\s[`])--[a-z][a-z0-9-]*/g)].map(([option]) => option);

async function wrongIn(page: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { text, words } of linesOf(page)) {
    const path = pathOf(words);
    if (path === undefined) {
      if (!isOfAGroup(words)) wrong.push(`${text}: no such command`);
      continue;
    }
    const help = await helpOf(path);
    const unknown = optionsOf(text).filter((option) => !new RegExp(`${option}(?![a-z-])`).test(help));
    wrong.push(...unknown.map((option) => `${text}: no ${option}`));
  }
  return wrong;
}

const pages = documents.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

test.each(pages.filter(([, page]) => linesOf(page).length > 0))('%s', async (_file, page) => {
  expect(await wrongIn(page)).toEqual([]);
});

test('what is wrong is found, in blocks and in sentences', async () => {
  expect(pages.flatMap(([, page]) => linesOf(page)).length).toBeGreaterThan(300);
  expect(
    await wrongIn('    ./polya runs show last --shine\n\n`ahc-agent tost` and `polya aoc run --moddel x`'),
  ).toEqual([
    './polya runs show last --shine: no --shine',
    'ahc-agent tost: no such command',
    'polya aoc run --moddel x: no --moddel',
  ]);
});

/** Options of `npm run bench` and of docker. */
const ofOthers = /^--(?:write|check|security-opt|enable-auto-tool-choice|tool-call-parser|jinja)$/;

test('an option that stands alone is one of a command', async () => {
  const helps = await Promise.all(['', ...paths].map(helpOf));
  const known = new Set(helps.flatMap((help) => help.match(/--[a-z][a-z0-9-]*/g) ?? []));
  const named = pages.flatMap(([file, page]) =>
    [...page.matchAll(/`(--[a-z][a-z0-9-]*)[^`]*`/g)].map(([, option = '']) => `${file}: ${option}`),
  );
  expect(named.length).toBeGreaterThan(200);
  const isKnown = (option: string) => known.has(option) || ofOthers.test(option);
  expect(named.filter((each) => !isKnown(each.split(': ')[1] ?? ''))).toEqual([]);
});

test('a run-set in YAML is one', () => {
  const sets = pages.flatMap(([file, page]) =>
    [...page.matchAll(/```yaml\n([^`]*?^rows:[\s\S]*?)```/gm)].map(([, text = '']) => ({ file, text })),
  );
  expect(sets.length).toBeGreaterThan(1);
  for (const { file, text } of sets)
    expect(parseRunSet(text, { file, modelName: (name) => name, promptsOf: () => ({}) }).rows).not.toEqual(
      [],
    );
});
