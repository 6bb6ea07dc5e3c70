/**
 * Each command line of each page, typed in the order of the page: in an empty folder, with the real programs as processes.
 * It ends as the page says (0 where it says nothing), and what the page shows of its output comes. What a page leaves to its
 * reader stands in one table (`document-pages.ts`), and so does what no test can type, with the reason.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/core/errors.ts';
import { kotlinFolder } from '../../src/sandbox/languages/kotlin-compiler.ts';
import { serveModels } from '../support/model-server/serve.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { endsWithTests } from '../support/session-worker.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Line, linesOf, shownBy } from './document-lines.ts';
import { notTyped, type Page, pages, prices } from './document-pages.ts';
import { root } from './process.ts';
import { newPlace, type Place } from './shell.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/README.md'], { cwd: root });
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const withCommands = documents.filter((file) => linesOf(read(file)).length > 0);

/** What a page in Japanese says to type is what the English one says (test/house/japanese.test.ts). */
const isTranslation = (file: string) => file.endsWith('.ja.md');

/** They go on until they are ended: by Ctrl-C, once these words came. */
const untilEnded: readonly (readonly [command: RegExp, words: RegExp, code: number])[] = [
  [/polya view\b(?!.*--export)/, /Ctrl-C ends it/, exitCodes.ok],
  [/--view$/, /Ctrl-C ends it/, exitCodes.ok],
  [/polya worker\b(?!.*--list)/, /Ctrl-C stops it/, exitCodes.cancelled],
  [/--watch/, /Session/, exitCodes.cancelled],
  [/--model manual$/, /Type the answer/, exitCodes.cancelled],
  [/curl .*-N/, /event:/, exitCodes.cancelled],
];

// One takes minutes on a busy machine, and has no more patience than that of its commands.
describe.concurrent('the command lines of', { timeout: 1_800_000 }, () => {
  test.for(withCommands.filter((file) => !isTranslation(file)))(
    '%s',
    async (file, { expect, onTestFinished }) => {
      const page = await withPostgres(pages[file] ?? { why: 'It stands on nothing.' });
      const server = page.model === undefined ? null : await serverOf(page.model);
      onTestFinished(() => server?.end());
      const place = placeFor(page, server?.env);
      const kept: string[] = [];
      let told = '';
      const wrong: string[] = [];
      for (const line of linesOf(read(file))) {
        for (const text of asTyped(line, page)) {
          if (/^(?:cd|export) /.test(text)) kept.push(text);
          else {
            const { code, output } = await type(kept, text, place, onTestFinished);
            const end = endOf(line.text, page);
            told += `${output}\n`;
            if (code !== end)
              wrong.push(`${file}:${line.at}: ${text}: ends with ${code}\n${output.slice(-2000)}`);
          }
        }
      }
      for (const path of globSync('**/manifest.json', { cwd: place.folder }))
        endsWithTests(JSON.parse(readFileSync(join(place.folder, path), 'utf8')).writer?.pid);
      const said = plain(told);
      for (const line of shownBy(read(file)))
        if (!line.split('…').every((part) => said.includes(plain(part))))
          wrong.push(`${file}: no output has: ${line}`);
      expect(wrong).toEqual([]);
    },
  );
});

test('what is not typed, and what the table supplies, stands in a page', () => {
  const typedLines = withCommands.flatMap((file) =>
    linesOf(read(file)).flatMap(({ text }) => piecesOf(text)),
  );
  expect(Object.keys(notTyped).filter((piece) => !typedLines.includes(piece))).toEqual([]);
  for (const [file, { typed = {}, ends = {}, before = {} }] of Object.entries(pages)) {
    const text = linesOf(read(file))
      .map((line) => line.text)
      .join('\n');
    for (const word of [typed, ends, before].flatMap(Object.keys)) expect(text, file).toContain(word);
    for (const [, says] of Object.values(ends)) expect(read(file).replaceAll(/\s+/g, ' ')).toContain(says);
  }
});

const piecesOf = (text: string): readonly string[] => text.split(' && ');

async function withPostgres(page: Page): Promise<Page> {
  const { postgres, typed } = page;
  return postgres === undefined
    ? page
    : { ...page, typed: { ...typed, [postgres]: `'${await newStoreUrl()}'` } };
}

/** What its reader types before it, and the line itself. */
function asTyped({ text }: Line, { typed = {}, before = {} }: Page): readonly string[] {
  const first = Object.entries(before).filter(([words]) => text.includes(words));
  const kept = piecesOf(text)
    .filter((piece) => !(piece in notTyped))
    .join(' && ');
  const line = Object.entries(typed).reduce((line, [word, instead]) => line.replaceAll(word, instead), kept);
  return [...first.map(([, command]) => command), line].filter((command) => command !== '');
}

function endOf(text: string, { ends = {} }: Page): number {
  const told = Object.entries(ends).find(([words]) => text.includes(words))?.[1][0];
  return told ?? untilEnded.find(([command]) => command.test(text))?.[2] ?? exitCodes.ok;
}

function placeFor({ files = {}, links = [] }: Page, more?: Record<string, string>): Place {
  const { folder, env } = newPlace();
  const { HOME = '', PATH = '' } = env;
  for (const [name, text] of Object.entries({ ...files, ...(more && prices) }))
    put(name.replace(/^~/, HOME), text);
  for (const name of ['polya', 'ahc-agent', ...links]) symlinkSync(join(root, name), join(folder, name));
  const toolchains = dirname(kotlinFolder());
  mkdirSync(join(HOME, '.cache/polya'), { recursive: true });
  if (existsSync(toolchains)) symlinkSync(toolchains, join(HOME, '.cache/polya/toolchains'));
  return {
    folder,
    env: {
      ...env,
      PATH: `${root}:${PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...more,
    },
  };

  function put(name: string, text: string): void {
    const path = resolve(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

type Typed = { readonly code: number | null; readonly output: string };

/** Lets a command be typed at a terminal of its own, with the standard input of a test as its keyboard. */
const terminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** In a group of processes of its own. What goes on until it is ended gets a Ctrl-C at its first words. */
function type(
  before: readonly string[],
  line: string,
  { folder, env }: Place,
  onEnd: (clear: () => void) => void,
): Promise<Typed> {
  const firstWords = untilEnded.find(([words]) => words.test(line))?.[1];
  const text = [...before, firstWords ? `exec ${line}` : line].join(' && ');
  const needsTerminal = /--model manual$/.test(line);
  const command = needsTerminal ? ['python3', '-c', terminal, 'sh', '-c', text] : ['sh', '-c', text];
  const [program = '', ...argv] = command;
  const stdio = [needsTerminal ? 'pipe' : 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, argv, { cwd: folder, env, stdio: [...stdio], detached: true });
  // What was left beside it.
  if (line.includes(' & ')) onEnd(() => endGroup(child.pid));
  let [output, isEnded] = ['', false];
  const hear = (text: string) => {
    output += text;
    if (isEnded || !firstWords?.test(output)) return;
    isEnded = true;
    if (needsTerminal) child.stdin?.write('\x03');
    else child.kill('SIGINT');
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code: signal === 'SIGINT' ? exitCodes.cancelled : code, output }),
    );
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A server of models, the variables that point every provider at it, and keys. */
async function serverOf(script: string): Promise<{ env: Record<string, string>; end(): Promise<void> }> {
  const file = join(temporaryFolder('script'), 'script.yaml');
  if (script !== 'echo') writeFileSync(file, script);
  const { env, close } = await serveModels(script === 'echo' ? {} : { script: file });
  const keys = ['OPENAI', 'GEMINI', 'ANTHROPIC'].map((name) => [`${name}_API_KEY`, 'a-key-of-mine']);
  return { env: { ...env, ...Object.fromEntries(keys) }, end: close };
}

/** Without what differs from run to run: ids, times, sizes, costs, and how wide a column is. */
const plain = (text: string) =>
  text
    .replace(/\d{8}-\d{6}-\w{4}/g, 'ID')
    .replace(/\+?\b\d+(?:\.\d+)? ?(?:ms|s|MiB|min)\b|\+\d+\.\d+/g, '')
    .replace(/\$\d+(?:\.\d+)?|-?\b\d[\d,]{2,}\b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
