/**
 * A session in a process of its own, both ends: `detach` starts it, without terminal and with its output in a log, and
 * waits until it has begun its run or says why not; `workAsOrdered` is what that process does. This file is its entry.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExplainedError, type Explanation, exitCodes, UnavailableError } from '../../../core/errors.ts';
import type { Environment } from '../../../io/home.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { openJournals } from '../../../open/journals.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import type { RunHandle } from '../../../run/live.ts';
import { harmless } from '../../../text/format.ts';
import { exitCodeOf } from '../../../text/labels.ts';
import { attachSession, type ManifestChange, type SessionJob } from './live.ts';
import { appLogOf } from './log.ts';
import { sessionNamed, sessionsIn } from './manifest.ts';

type WorkerExtras = Pick<JournalsOptions, 'agents' | 'families' | 'models'>;

/** What `solve` sends to the process: plain data, without a key. */
type WorkerOrder = {
  /** Absolute path. */
  readonly workspace: string;
  readonly session: string;
  readonly job: SessionJob;
  readonly change: ManifestChange;
  readonly backend?: string;
  /** Receives its standard output and error. */
  readonly logFile: string;
};

/** `asks`: addresses at which a person answers for models. */
type Begun = { readonly run: string; readonly asks?: readonly string[] };
type WorkerReply = Begun | { readonly failed: Explanation; readonly exitCode: number };

/** Resolves when the process has begun its run. Throws what kept it from that. `entry`: another program, for tests. */
export async function detach(
  order: WorkerOrder,
  env: Environment,
  entry = import.meta.filename,
): Promise<Begun & { readonly pid: number }> {
  const { logFile } = order;
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(process.execPath, [entry], {
      cwd: order.workspace,
      env,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    const told = await begun(child, order);
    child.unref();
    return { pid: child.pid ?? 0, ...told };
  } finally {
    closeSync(log);
  }
}

function begun(child: ChildProcess, order: WorkerOrder): Promise<Begun> {
  const { promise, resolve, reject } = Promise.withResolvers<Begun>();
  const fail = (why: string): void =>
    reject(
      new UnavailableError({
        code: 'session-process-failed',
        what: 'The process of the session did not begin its work.',
        why,
        fix: `What it said is in ${order.logFile}.`,
      }),
    );
  child.once('error', ({ message }) => fail(message));
  child.once('exit', (code, signal) => fail(`It ended with ${signal ?? code}.`));
  child.once('message', (message) => {
    const told = message as WorkerReply;
    child.removeAllListeners('exit');
    if (child.connected) child.disconnect();
    if ('run' in told) resolve(told);
    else reject(new ExplainedError(told.failed, told.exitCode));
  });
  child.send(order);
  return promise;
}

/** The whole of the process: waits for its order, and ends with the exit code of the run. A test may bring agents and families. */
export function workAsOrdered(more: WorkerExtras = {}): void {
  // It outlives its terminal.
  process.on('SIGHUP', () => undefined);
  process.once('message', (order: WorkerOrder) => {
    work(order, more).then(
      (code) => process.exit(code),
      (error: unknown) => process.exit(replyFailed(error)),
    );
  });
}

async function work(
  { workspace, session, job, change, backend }: WorkerOrder,
  more: WorkerExtras,
): Promise<number> {
  const { env } = process;
  const opened = openWorkspace({ folder: workspace, env, workspace });
  const place = sessionNamed(await sessionsIn(opened), session);
  const onNotice = (notice: string): unknown => process.stderr.write(`${harmless(notice)}\n`);
  const asks: string[] = [];
  // Into its log, where `status` finds it.
  const announce = (line: string): void => {
    asks.push(...(/https?:\S+/.exec(line) ?? []));
    onNotice(line);
  };
  const person = { terminal: null, announce };
  const opening = { folder: workspace, env, create: true, code: { onNotice }, backend, person };
  const polya = openJournals({ ...opening, ...more });
  try {
    const { world } = polya;
    const log = appLogOf(opened.config, env);
    const keeping = { world, place, workspace: opened.folder, env, log, observer: { onNotice } };
    const handle = await attachSession({ ...keeping, job, change });
    stopWhenAsked(handle);
    await replyBegun({ run: handle.id, asks });
    return exitCodeOf(await handle.done);
  } finally {
    await polya.close();
  }
}

/** A second signal ends the process. */
function stopWhenAsked(handle: RunHandle): void {
  let calls = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      calls += 1;
      if (calls > 1) process.exit(exitCodes.cancelled);
      handle.stop();
    });
  }
}

/** The process that began it may be gone already. */
function replyBegun(begun: Begun): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) return resolve();
    process.send(begun satisfies WorkerReply, () => {
      if (process.connected) process.disconnect?.();
      resolve();
    });
  });
}

function replyFailed(error: unknown): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${stack}\n`);
  const what = `This is a defect of Polya: ${stack.split('\n')[0]}`;
  const reply =
    error instanceof ExplainedError
      ? { failed: error.explanation, exitCode: error.exitCode }
      : { failed: { code: 'defect', what }, exitCode: exitCodes.bug };
  if (process.connected) process.send?.(reply satisfies WorkerReply);
  return reply.exitCode;
}

if (import.meta.main) workAsOrdered();
