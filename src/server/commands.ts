/** Calls Polya as its user would: each command in a process of its own, its words as a list, never through a shell. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { extname, join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { Environment } from '../io/home.ts';

export type Answer = { readonly code: number; readonly out: string; readonly err: string };

export type Commands = {
  /** How its user calls Polya, as it is typed: `polya`, `./polya`. */
  readonly calledAs: string;
  /** The working folder of the command. */
  readonly folder: string;
  /** Resolves when the command has ended. */
  call(words: readonly string[]): Promise<Answer>;
  /** The process continues when we end. */
  launch(words: readonly string[]): { readonly pid: number; readonly ended: Promise<Answer> };
};

type CommandsOptions = Pick<Commands, 'calledAs' | 'folder'> & {
  /** Keys of providers are found in it: none is ever a word of a command. */
  readonly env: Environment;
};

export const entry = join(import.meta.dirname, '..', `main${extname(import.meta.filename)}`);

export function commandsIn({ calledAs, folder, env }: CommandsOptions): Commands {
  const start = (words: readonly string[], isDetached: boolean) =>
    spawn(process.execPath, [entry, ...words], {
      cwd: folder,
      env: { ...env, POLYA_CALLED_AS: calledAs, NO_COLOR: '1' },
      detached: isDetached,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    calledAs,
    folder,
    call: (words) => answerOf(start(words, false)),
    launch: (words) => {
      // In a session of its own: Ctrl-C at our terminal does not reach it.
      const child = start(words, true);
      const ended = answerOf(child);
      child.unref();
      for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
      return { pid: child.pid ?? 0, ended };
    },
  };
}

/** What it printed, up to so much: a result of a run is far shorter. */
const mostBytes = 64 * 2 ** 20;

function answerOf(child: ChildProcess): Promise<Answer> {
  const printed = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (printed.out.length < mostBytes) printed.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (printed.err.length < mostBytes) printed.err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) =>
      reject(
        new UnavailableError({
          code: 'command-not-started',
          what: 'Polya could not be started once more.',
          why: message,
          fix: 'Type the command that is shown in a terminal.',
        }),
      ),
    );
    child.once('close', (code) => resolve({ code: code ?? 1, ...printed }));
  });
}
