/**
 * How much there is of Polya (`npm run size`): lines by kind and by room, commands, exports, words of the documents. What lies
 * beside the source is counted beside it, so that moving a line shows as moving. It knows nothing of what the lines do.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Command } from 'commander';
import { apps } from '../src/apps/all.ts';
import { factsOf } from '../src/cli/agents.ts';
import { type Program, polyaProgram } from '../src/cli/commands.ts';
import { commonOptions, ownOptions } from '../src/cli/common-options.ts';
import { noPaint } from '../src/text/paint.ts';
import { table } from '../src/text/table.ts';
import { withBuiltIn } from './agents-page.ts';

const root = join(import.meta.dirname, '..');

type Amount = { readonly files: number; readonly lines: number };
type Counted = {
  readonly path: string;
  readonly lines: number;
  readonly words: number;
  readonly text: string;
};

/** One thing in several rooms. */
const contests = /^src\/(apps\/ahc|families\/ahc|open\/families\/ahc|agents\/search)\//;
const isGenerated = /page is (generated|made from [^.]*) by `npm run /;

/** What the repository holds, and what was added to it and is not committed yet. */
export function readFiles(folder = root): readonly Counted[] {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const list = execFileSync('git', 'ls-files -z --cached --others --exclude-standard'.split(' '), options);
  const paths = [...new Set(list.split('\0'))].filter((path) => path && existsSync(join(folder, path)));
  return paths.map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    // A picture or an archive has no lines.
    if (text.includes('\0')) return { path, lines: 0, words: 0, text: '' };
    return { path, lines: text.split('\n').length - 1, words: text.match(/\S+/g)?.length ?? 0, text };
  });
}

/** The kind of each file: every line stands in one of them. */
export function kindOf(path: string): string {
  const isCode = /\.(ts|tsx|js|mjs|cjs)$/.test(path);
  if (isCode && (/\.test\.tsx?$/.test(path) || path.startsWith('test/'))) return 'tests';
  if (/^src\/.*\.tsx?$/.test(path)) return 'production';
  if (path.startsWith('src/')) return 'beside the source';
  if (path.startsWith('test/')) return 'fixtures and data of tests';
  const folder = /^(bench|examples|scripts|docs|site)\//.exec(path)?.[1];
  if (folder) return folder;
  return /\.md$/.test(path) ? 'documents at the root' : 'other files at the root';
}

export function sizeOfFiles(files: readonly Counted[]) {
  const production = files.filter(({ path }) => kindOf(path) === 'production');
  const inContests = production.filter(({ path }) => contests.test(path));
  const documents = files.filter(({ path }) => /^docs\/.*\.md$/.test(path));
  const generated = documents.filter(({ text }) => isGenerated.test(text.slice(0, 600)));
  const words = (pages: readonly Counted[]) => pages.reduce((sum, page) => sum + page.words, 0);
  return {
    kinds: amounts(files, ({ path }) => kindOf(path)),
    beside: amounts(
      files.filter(({ path }) => kindOf(path) === 'beside the source'),
      ({ path }) => extname(path),
    ),
    rooms: amounts(production, ({ path }) => path.split('/').slice(1, -1)[0] ?? 'src'),
    contests: amounts(inContests, () => 'all').all ?? none,
    documents: {
      pages: documents.length,
      generatedPages: generated.length,
      wordsByHand: words(documents) - words(generated),
      wordsGenerated: words(generated),
      wordsAtTheRoot: words(files.filter(({ path }) => kindOf(path) === 'documents at the root')),
    },
  };
}

const none: Amount = { files: 0, lines: 0 };

function amounts(files: readonly Counted[], by: (file: Counted) => string): Record<string, Amount> {
  const all: Record<string, Amount> = {};
  for (const file of files) {
    const before = all[by(file)] ?? none;
    all[by(file)] = { files: before.files + 1, lines: before.lines + file.lines };
  }
  return Object.fromEntries(Object.entries(all).sort(([, one], [, other]) => other.lines - one.lines));
}

/** A command counts once; where its first word chooses among acts, each act counts. An option line is one that `--help` prints. */
export async function sizeOfCommands(program: Program) {
  let commands = 0;
  let options = 0;
  for (const { load } of program.commands) {
    const command = new Command();
    (await load()).define(command, { apps: program.apps });
    commands += command.registeredArguments[0]?.argChoices?.length ?? 1;
    // The common options are one line.
    options += ownOptions(command).length + Math.sign(commonOptions(command).length);
  }
  return { commands, options };
}

function sizeOfLibrary() {
  const index = readFileSync(join(root, 'src/index.ts'), 'utf8');
  const named = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(','),
  );
  const headings = readFileSync(join(root, 'docs/api.md'), 'utf8').match(/^### /gm) ?? [];
  return { exports: named.filter((name) => name.trim()).length, headingsOfApi: headings.length };
}

async function size() {
  const { agents } = await withBuiltIn(factsOf);
  const settings = agents.reduce((sum, agent) => sum + agent.settings.length, 0);
  const called = { ...(await sizeOfCommands(polyaProgram(apps))), settingsOfAgents: settings };
  return { ...sizeOfFiles(readFiles()), commands: called, library: sizeOfLibrary() };
}

function sizeText({
  kinds,
  beside,
  rooms,
  contests,
  documents,
  commands,
  library,
}: Awaited<ReturnType<typeof size>>) {
  const drawn = (head: string, all: Record<string, Amount>) => {
    const rows = Object.entries(all).map(([name, { files, lines }]) => [name, files, lines]);
    return table({ paint: noPaint }, [head, 'files', 'lines'], rows);
  };
  return [
    drawn('kind', kinds),
    drawn('beside the source', beside),
    drawn('room', { ...rooms, 'of them for contests': contests }),
    `${commands.commands} commands, ${commands.options} options in their --help, ${commands.settingsOfAgents} settings for --set`,
    `${library.exports} named exports, ${library.headingsOfApi} headings in docs/api.md`,
    `${documents.pages} pages in docs, ${documents.generatedPages} of them generated: ${documents.wordsByHand} words by hand, ` +
      `${documents.wordsGenerated} generated; ${documents.wordsAtTheRoot} at the root`,
  ].join('\n');
}

if (import.meta.main) {
  const all = await size();
  console.log(process.argv.includes('--json') ? JSON.stringify(all, null, 2) : sizeText(all));
}
