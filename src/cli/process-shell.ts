/** The shell of the real process. */
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import { randomInt } from 'node:crypto';
import { existsSync, rmdirSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { exitCodes, UserCodeError } from '../core/errors.ts';
import { onLongWait, pendingWaits } from '../open/user-code/guard.ts';
import { shellWord } from '../text/format.ts';
import { escapeForTerminal, markerPaint, useColor, withoutColour } from '../text/paint.ts';
import type { Program } from './commands.ts';
import type { Output, Shell } from './contract.ts';
import { requireDescriptors } from './descriptors.ts';
import { printFailure } from './failure.ts';
import { pipeToPager } from './pager.ts';
import { runProgram } from './program.ts';

/** Of this process: nothing that it reads can hold it. */
const mark = String(randomInt(2 ** 40, 2 ** 47));
const paint = markerPaint(mark);
const escaped = (text: string): string => escapeForTerminal(text, mark);

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function processShell({ name: program, apps }: Pick<Program, 'name' | 'apps'>): Shell {
  const { env } = process;
  // Some runners of CI give a terminal, at which nobody sits.
  const isInCi = !['', '0', 'false'].includes(env.CI ?? '');
  const isInteractive = Boolean(process.stdin.isTTY && process.stderr.isTTY) && !isInCi;
  const claim = { isHeld: false };
  return {
    apps,
    env,
    folder: workingFolder(program),
    out: outputTo(process.stdout, { isHeld: false }, (error) => printWriteError(program, error)),
    err: outputTo(process.stderr, claim),
    ...callsOf(program, env),
    async readInput() {
      // Loaded here because hardly any command reads it.
      const { gatherBounded } = await import('./exec/program.ts');
      return gatherBounded(process.stdin, 'What comes on standard input');
    },
    isInteractive,
    confirm,
    person: isInteractive ? createTerminal(process.stdin, process.stderr, claim) : null,
    onInterrupt(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    isRoot: process.getuid?.() === 0,
    spawn: spawnHere,
    ...(process.stdin.isTTY && process.stdout.isTTY
      ? { page: (pager: string, text: string) => pipeToPager(pager, escaped(text), env) }
      : {}),
    streams: () => ({
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    }),
    exit: (code) => process.exit(code),
  };
}

/** One that was removed has no path, and one whose name is no UTF-8 has none that leads to it. */
function workingFolder(program: string): string {
  try {
    const folder = process.cwd();
    if (existsSync(folder)) return folder;
  } catch {}
  const why = 'It was removed, it may not be read, or its name is no UTF-8.';
  process.stderr.write(
    `${program}: There is no path to the working folder.\n  ${why}\n  Go to another folder, then try again.\n`,
  );
  process.exit(exitCodes.usage);
}

type HeldOutput = { isHeld: boolean };

function outputTo(stream: NodeJS.WriteStream, claim: HeldOutput, onFailure?: (error: Error) => void): Output {
  const isTerminal = Boolean(stream.isTTY);
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Its reader has had enough (`| head`): no reason to complain, nor to break off a run.
    if (!isClosed && error.code !== 'EPIPE') onFailure?.(error);
    isClosed = true;
  });
  return {
    write: (text) => void (isClosed || stream.write(escaped(text))),
    ...(isTerminal ? {} : { writeBytes: (bytes) => void (isClosed || stream.write(bytes)) }),
    isTerminal,
    get columns() {
      return stream.columns || 100;
    },
    get rows() {
      return stream.rows || undefined;
    },
    paint: useColor(isTerminal, process.env) ? paint : withoutColour(paint),
    get isClosed() {
      return isClosed;
    },
    get isHeld() {
      return claim.isHeld;
    },
  };
}

/** A result that cannot be written is none, however well its run went: what had succeeded, or is told in it, has failed. */
function printWriteError(program: Program['name'], { message }: Error): void {
  process.stderr.write(`${program}: The result cannot be written to standard output: ${message}.\n`);
  process.once('exit', (code) => {
    if (code === exitCodes.ok || code === exitCodes.unsolved) process.exitCode = exitCodes.unavailable;
  });
}

/** The launcher and the package's bin say how they were called; a program on the PATH is called by its name. */
function callsOf(
  program: Program['name'],
  { POLYA_CALLED_AS: path = '', PATH = '' }: NodeJS.ProcessEnv,
): Pick<Shell, 'calledAs' | 'ahcCalledAs'> {
  const isOnPath = path.includes('/') && PATH.split(delimiter).includes(dirname(path));
  const own = (isOnPath ? basename(path) : path) || program;
  if (program === 'polya') return { calledAs: asTyped(own) };
  // The other program is in the same folder.
  const polya = own.endsWith(program) ? `${own.slice(0, -program.length)}polya` : 'polya';
  return { calledAs: asTyped(polya), ahcCalledAs: asTyped(own) };
}

/** A path; `npx ahc-agent` is two words. */
function asTyped(call: string): string {
  return call.includes('/') ? shellWord(call) : call;
}

function spawnHere([program = '', ...args]: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['inherit', process.stderr, process.stderr] });
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function confirm(message: string, initialValue: boolean): Promise<boolean> {
  // Loaded here because hardly any command asks.
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: escaped(message), initialValue, output: process.stderr });
  return answer === true;
}

export function createTerminal(
  input: Readable,
  output: Pick<Writable, 'write'>,
  claim: HeldOutput,
): NonNullable<Shell['person']> {
  let lines: AsyncIterator<string> | null = null;
  return {
    write: (text) => void output.write(escaped(text)),
    readLine: async (signal) => {
      const line = await Promise.race([lines?.next(), abortOf(signal)]);
      return line?.done === false ? line.value : null;
    },
    async alone(work) {
      claim.isHeld = true;
      // What was drawn there last is not part of the question.
      output.write('\r\x1b[2K');
      // Loaded here because hardly any run asks a person.
      const { createInterface } = await import('node:readline');
      const reader = createInterface({ input, terminal: false });
      lines = reader[Symbol.asyncIterator]();
      try {
        return await work();
      } finally {
        lines = null;
        reader.close();
        input.pause();
        claim.isHeld = false;
      }
    },
  };
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What the user's own code does to the process is told too: it throws where nothing awaits it, exits, or never goes on. */
export async function runProcess(program: Program): Promise<void> {
  // A relative home would be wherever the command is called, with what a stranger has put there.
  if (process.env.HOME?.startsWith('/') === false) delete process.env.HOME;
  const argv = process.argv.slice(2);
  const isJson = argv.includes('--json');
  let isOver = false;
  const exit = (code: number): never => {
    isOver = true;
    process.exit(code);
  };
  const shell: Shell = { ...processShell(program), exit };
  // Standard output is for results alone.
  if (isJson) globalThis.console = new Console(process.stderr, process.stderr);
  const fail = (error: unknown): never => exit(printFailure(shell, error, isJson));
  process.on('uncaughtException', fail);
  process.once('beforeExit', () => void (isOver || fail(waitsForeverError(pendingWaits()))));
  process.once('exit', () => {
    if (!isOver) process.exitCode = printFailure(shell, exited, isJson);
  });
  try {
    requireDescriptors();
  } catch (error) {
    fail(error);
  }
  onLongWait((what) => shell.err.write(`Still waiting for ${what}. Ctrl-C ends it.\n`));
  const fills = process.env.POLYA_FILLS_CACHE;
  delete process.env.POLYA_FILLS_CACHE;
  process.exitCode = await runProgram(argv, shell, program);
  isOver = true;
  if (fills) fillCache(fills);
}

/** The launcher chose this process to write what Node has compiled; the others that began meanwhile wrote nothing. */
function fillCache(lock: string): void {
  try {
    flushCompileCache();
    writeFileSync(join(dirname(lock), 'filled'), '');
    rmdirSync(lock);
  } catch {
    // The next process tries again.
  }
}

function waitsForeverError(waited: readonly string[]): UserCodeError {
  const what = `Polya waits for ${waited.join(', ') || 'something'}, which never comes: nothing is under way.`;
  return new UserCodeError({ code: 'user-code-waits', what });
}

const exited = new UserCodeError({
  code: 'user-code-unfit',
  what: 'Code of yours ended the process (`process.exit`), and no result was told.',
  fix: 'Throw an error, or return. A run that was at work goes on with `polya runs resume ID`.',
});
