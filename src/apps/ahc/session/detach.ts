/**
 * Starts the process of a session, in a session of its own without terminal, its words in a log; and waits until it has
 * begun its run, or says why it could not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { ExplainedError, UnavailableError } from '../../../core/errors.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import type { WorkerOrder, WorkerReply } from './message.ts';

export type Detachment = {
  readonly order: WorkerOrder;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the process says that no journal has. */
  readonly logFile: string;
  /** Another entry, for tests. */
  readonly entry?: string;
};

export type Detached = { readonly pid: number; readonly run: string };

const ownEntry = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);

export async function detach({ order, env, logFile, entry = ownEntry }: Detachment): Promise<Detached> {
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(process.execPath, [entry], {
      cwd: order.workspace,
      env: { ...env },
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    const run = await begun(child, order, logFile);
    child.unref();
    return { pid: child.pid ?? 0, run };
  } finally {
    closeSync(log);
  }
}

function begun(child: ChildProcess, order: WorkerOrder, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(gone(error.message, logFile)));
    child.once('exit', (code, signal) => reject(gone(`It ended with ${signal ?? code}.`, logFile)));
    child.once('message', (message) => {
      const told = message as WorkerReply;
      child.removeAllListeners('exit');
      if (child.connected) child.disconnect();
      if (told.type === 'begun') resolve(told.run);
      else reject(failureOf(told));
    });
    child.send(order);
  });
}

function failureOf({
  type: _,
  exitCode,
  ...explanation
}: Extract<WorkerReply, { type: 'failed' }>): ExplainedError {
  return new ExplainedError(explanation, exitCode);
}

function gone(why: string, logFile: string): Error {
  return new UnavailableError({
    code: 'gone',
    what: 'The process of the session did not begin its work.',
    why,
    fix: `What it said is in ${logFile}.`,
  });
}
