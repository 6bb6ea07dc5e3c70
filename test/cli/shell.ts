/** A command line without a process: folders of its own, outputs that are kept, signals that a test sends. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { ahcProgram, apps } from '../../src/apps/all.ts';
import { type Program, polyaProgram } from '../../src/cli/commands.ts';
import type { Output, Shell } from '../../src/cli/contract.ts';
import { runProgram } from '../../src/cli/program.ts';
import { escapeForTerminal, markerPaint, withoutColour } from '../../src/text/paint.ts';
import { RUSTUP_HOME } from '../support/own-rust.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export type Answer = { readonly code: number; readonly out: string; readonly err: string };

export type Place = { readonly folder: string; readonly env: Record<string, string> };

/** The real one is a secret of each process. */
const mark = '4711';
const paint = markerPaint(mark);

const leftovers: (() => void)[] = [];
process.on('exit', () => {
  for (const clear of leftovers) clear();
});

/** Not when a test finishes: those that run at once would take one another's away. */
export function atExit(clear: () => void): void {
  leftovers.push(clear);
}

/** An empty folder, with a home elsewhere. What processes there load was compiled by the first of the suite. */
export function newPlace(): Place {
  const root = temporaryFolder('cli');
  const folder = join(root, 'work');
  mkdirSync(folder);
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  // What a test writes there is trusted; test/hostile/strangers-folder.test.ts is about what is not.
  const POLYA_TRUST = '1';
  return { folder, env: { HOME: join(root, 'home'), PATH, NODE_COMPILE_CACHE, RUSTUP_HOME, POLYA_TRUST } };
}

export type ShellOptions = {
  readonly isTerminal?: boolean;
  /** Of the terminal; default: 100, and no end of rows. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Told of what is shown by a pager. */
  readonly onPage?: (pager: string, text: string) => boolean;
  readonly isInteractive?: boolean;
  readonly confirms?: boolean;
  readonly isRoot?: boolean;
  readonly person?: Shell['person'];
  /** What stands on standard input. */
  readonly input?: string | Uint8Array;
  readonly onSpawn?: (command: readonly string[]) => number | null;
  /** A server in the place of adventofcode.com. */
  readonly aoc?: NonNullable<NonNullable<Shell['familyOptions']>['aoc']>;
  readonly onWrite?: (text: string, interrupt: () => void) => void;
};

/** Runs one command to its end. */
export function polya(place: Place, argv: readonly string[], options: ShellOptions = {}): Promise<Answer> {
  return called(polyaProgram(apps), place, argv, options);
}

/** The same by its other name. */
export function ahcAgent(place: Place, argv: readonly string[], options: ShellOptions = {}): Promise<Answer> {
  return called(ahcProgram, place, argv, options);
}

async function called(
  program: Program,
  place: Place,
  argv: readonly string[],
  options: ShellOptions,
): Promise<Answer> {
  const kept = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const interrupt = () => {
    for (const listener of listeners) listener();
  };
  const keep = (name: 'out' | 'err', text: string): void => {
    kept[name] += text;
    options.onWrite?.(text, interrupt);
  };
  const output = (name: 'out' | 'err'): Output => ({
    write: (text) => keep(name, escapeForTerminal(text, mark)),
    isTerminal: options.isTerminal ?? false,
    columns: options.size?.columns ?? 100,
    rows: options.size?.rows,
    ...(options.isTerminal ? {} : { writeBytes: (bytes: string | Uint8Array) => keep(name, String(bytes)) }),
    paint: options.isTerminal ? paint : withoutColour(paint),
    isClosed: false,
  });
  const keepIn = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        output(name).write(String(chunk));
        done();
      },
    });
  const shell: Shell = {
    ...place,
    apps,
    calledAs: './polya',
    ...(program === ahcProgram ? { ahcCalledAs: './ahc-agent' } : {}),
    out: output('out'),
    err: output('err'),
    readInput: async () => Buffer.from(options.input ?? ''),
    isInteractive: options.isInteractive ?? false,
    confirm: async (question) => {
      kept.err += `${question}\n`;
      return options.confirms ?? false;
    },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    person: options.person ?? null,
    isRoot: options.isRoot ?? true,
    streams: () => ({
      stdin: Readable.from([Buffer.from(options.input ?? '')]),
      stdout: keepIn('out'),
      stderr: keepIn('err'),
      isTerminal: false,
    }),
    ...(options.aoc ? { familyOptions: { aoc: options.aoc } } : {}),
    ...(options.onPage ? { page: async (pager, text) => options.onPage?.(pager, text) ?? false } : {}),
    spawn: async (command) => options.onSpawn?.(command) ?? null,
    exit: (code) => {
      throw new Error(`The process would end with ${code}.`);
    },
  };
  return { code: await runProgram(argv, shell, program), ...kept };
}

export const day1 = ['aoc', 'run', '--site', 'practice', '--year', '2000', '--day', '1', '--lang', 'python'];

/** Solves day 1 without a wrong answer, which would have to be waited out. */
export function solvingScript(place: Place, delayMs = 0, year = 2000): string {
  return written(place, `solving-${delayMs}-${year}`, { delayMs, replies: solvingReplies(year) });
}

/**
 * The same as far as its reply of that number (0 is the first), which never comes: whoever plays it is met at work,
 * however busy the machine is. `goesOn` writes the file anew, for a resume that comes to its end.
 */
export function stallingScript(place: Place, at: number): { model: string; goesOn(): void } {
  const replies = solvingReplies(2000);
  const stalling = replies.map((reply, index) => (index === at ? { ...reply, delayMs: 3_600_000 } : reply));
  return {
    model: written(place, 'stalling', { replies: stalling }),
    goesOn: () => void written(place, 'stalling', { replies }),
  };
}

function solvingReplies(year: number) {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
  const code = (lines: readonly string[]) => ({ lang: 'python', code: [...opening, ...lines].join('\n') });
  return [
    { text: 'I read first.', ...call('DownloadProblemStatement', { year, day: 1, part: 1 }) },
    call('RunGeneratedCode', code(['print(sum(abs(b - a) * p for a, b, p in stubs))'])),
    call('SubmitAnswer', { year, day: 1, answer: '{{tool.stdout}}' }),
    call('RunGeneratedCode', code(mostCarried)),
    call('SubmitAnswer', { year, day: 1, answer: '{{tool.stdout}}' }),
  ];
}

type ScriptOf = { readonly delayMs?: number; readonly replies: readonly object[] };

function written({ folder }: Place, name: string, { replies, ...more }: ScriptOf): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...more, roles: { solver: { '': replies } } }));
  return `scripted:${file}`;
}

const opening = [
  'import sys, re',
  'from collections import Counter',
  'stubs = [tuple(map(int, re.findall("[0-9]+", line))) for line in sys.stdin.read().split()]',
];

const mostCarried = [
  'carried = Counter()',
  'for a, b, p in stubs:',
  '    for stretch in range(min(a, b), max(a, b)): carried[stretch] += p',
  'stretch, people = carried.most_common(1)[0]',
  'print(stretch * people)',
];
