/** The shell of the real process. */
import { spawn } from 'node:child_process';
import { basename, delimiter, dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { exitCodes } from '../core/errors.ts';
import type { Streams as ContainerStreams } from '../sandbox/docker/workspace-shell.ts';
import { shellWord } from '../text/format.ts';
import { ansiPaint, noPaint, wantsColour } from '../text/paint.ts';
import type { Program } from './commands.ts';
import type { Shell } from './contract.ts';
import { gatherBounded } from './exec/input.ts';
import type { Output } from './output.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function processShell({ name: program, apps }: Pick<Program, 'name' | 'apps'>): Shell {
  const { env } = process;
  const isInteractive = Boolean(process.stdin.isTTY && process.stderr.isTTY);
  const held = { isHeld: false };
  return {
    apps,
    env,
    folder: process.cwd(),
    out: outputTo(process.stdout, (error) => tellUnwritten(program, error)),
    err: outputTo(process.stderr, undefined, held),
    ...callsOf(program, env),
    readInput: () => gatherBounded(process.stdin, 'What comes on standard input'),
    isInteractive,
    confirm,
    person: isInteractive ? personAt(process.stdin, process.stderr, held) : null,
    onInterrupt(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    isRoot: process.getuid?.() === 0,
    spawn: spawnHere,
    streams: ownStreams,
    exit: (code) => process.exit(code),
  };
}

type Held = { isHeld: boolean };

function outputTo(
  stream: NodeJS.WriteStream,
  onFailure: (error: Error) => void = () => undefined,
  held: Held = { isHeld: false },
): Output {
  const isTerminal = Boolean(stream.isTTY);
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads has had enough (`| head`): no reason to complain, nor to break off a run.
    if (!isClosed && error.code !== 'EPIPE') onFailure(error);
    isClosed = true;
  });
  return {
    write: (text) => {
      if (!isClosed) stream.write(text);
    },
    isTerminal,
    get columns() {
      return stream.columns || 100;
    },
    get rows() {
      return stream.rows || undefined;
    },
    paint: wantsColour(isTerminal, process.env) ? ansiPaint : noPaint,
    get isClosed() {
      return isClosed;
    },
    get isHeld() {
      return held.isHeld;
    },
  };
}

/** A result that nobody can read is none, however well its run went: what had succeeded, or is told in it, has failed. */
function tellUnwritten(program: Program['name'], { message }: Error): void {
  process.stderr.write(`${program}: The result cannot be written to standard output: ${message}.\n`);
  process.once('exit', (code) => {
    if (code === exitCodes.ok || code === exitCodes.unsolved) process.exitCode = exitCodes.unavailable;
  });
}

/** The launcher and the package's bin say how they were called; who is found on the PATH is called by his name. */
function callsOf(program: Program['name'], env: NodeJS.ProcessEnv): Pick<Shell, 'calledAs' | 'ahcCalledAs'> {
  const own = calledAs(program, env);
  if (program === 'polya') return { calledAs: asTyped(own) };
  // The other program lies beside it.
  return {
    calledAs: own.endsWith(program) ? asTyped(`${own.slice(0, -program.length)}polya`) : 'polya',
    ahcCalledAs: asTyped(own),
  };
}

function calledAs(program: Program['name'], { POLYA_CALLED_AS: path, PATH = '' }: NodeJS.ProcessEnv): string {
  if (!path) return program;
  if (!path.includes('/')) return path;
  return PATH.split(delimiter).includes(dirname(path)) ? basename(path) : path;
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

function ownStreams(): ContainerStreams {
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY || !stdout.isTTY) return { stdin, stdout, stderr, terminal: null };
  const terminal = {
    size: () => ({ rows: stdout.rows, columns: stdout.columns }),
    onResize: (listener: () => void) => {
      stdout.on('resize', listener);
      return () => void stdout.off('resize', listener);
    },
    setRaw: (isRaw: boolean) => void stdin.setRawMode(isRaw),
  };
  return { stdin, stdout, stderr, terminal };
}

async function confirm(message: string, initialValue: boolean): Promise<boolean> {
  // Loaded here because hardly any command asks.
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message, initialValue, output: process.stderr });
  return answer === true;
}

export function personAt(
  input: Readable,
  output: Pick<Writable, 'write'>,
  held: { isHeld: boolean },
): NonNullable<Shell['person']> {
  let lines: Lines | null = null;
  return {
    write: (text) => {
      output.write(text);
    },
    readLine: async (signal) => lines?.next(signal) ?? null,
    async alone(work) {
      held.isHeld = true;
      // What was drawn there last is not part of the question.
      output.write('\r\x1b[2K');
      // Loaded here because hardly any run asks a person.
      const { createInterface } = await import('node:readline');
      const reader = createInterface({ input, terminal: false });
      lines = new Lines(reader);
      try {
        return await work();
      } finally {
        lines = null;
        reader.close();
        input.pause();
        held.isHeld = false;
      }
    },
  };
}

type Reader = {
  on(event: 'line', listener: (line: string) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
};

class Lines {
  readonly #typed: string[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(reader: Reader) {
    reader.on('line', (line) => {
      this.#typed.push(line);
      this.#wake();
    });
    reader.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  async next(signal: AbortSignal): Promise<string | null> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (this.#typed.length === 0 && !this.#isClosed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
    signal.throwIfAborted();
    return this.#typed.shift() ?? null;
  }
}
