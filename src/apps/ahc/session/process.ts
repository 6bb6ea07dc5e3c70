/**
 * A session in a process of its own, both ends: `detach` starts it, without terminal and with its output in a log, and
 * waits until it has begun its run or says why not; `workAsOrdered` is what that process does. This file is its entry.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { newsOfRun, notifying } from '../../../cli/notify.ts';
import { processShell } from '../../../cli/process-shell.ts';
import { ExplainedError, exitCodes, UnavailableError } from '../../../core/errors.ts';
import type { Environment } from '../../../io/home.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { openJournals } from '../../../open/journals.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import type { RunHandle } from '../../../run/live.ts';
import { exitCodeOf } from '../../../text/labels.ts';
import { attachSession, type ManifestChange, type SessionJob } from './live.ts';
import { appLogOf } from './log.ts';
import { sessionNamed, sessionsIn } from './manifest.ts';

type WorkerExtras = Pick<JournalsOptions, 'agents' | 'families' | 'models'>;

/** What `solve` sends to the process: plain data, without a key. */
type WorkerOrder = {
  /** Absolute path. */
  readonly workspace: string;
  /** By its name. */
  readonly session: string;
  readonly job: SessionJob;
  readonly change: ManifestChange;
  readonly backend?: string;
  readonly notify?: string;
  /** Variables of its environment that come from `.env` or the configuration: no other program gets them. */
  readonly unshared: readonly string[];
};

type WorkerReply =
  | { readonly type: 'begun'; readonly run: string }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly what: string;
      readonly why?: string;
      readonly fix?: string;
      readonly exitCode: number;
    };

type Detachment = {
  readonly order: WorkerOrder;
  readonly env: Environment;
  /** Standard output and error of the process. */
  readonly logFile: string;
  /** Another entry, for tests. */
  readonly entry?: string;
};

/** Resolves when the process has begun its run. Throws what kept it from that. */
export async function detach({
  order,
  env,
  logFile,
  entry = import.meta.filename,
}: Detachment): Promise<{ readonly pid: number; readonly run: string }> {
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(process.execPath, [entry], {
      cwd: order.workspace,
      env,
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
    code: 'session-process-failed',
    what: 'The process of the session did not begin its work.',
    why,
    fix: `What it said is in ${logFile}.`,
  });
}

/** The whole of the process: waits for its order, and ends with the exit code of the run. A test may bring agents and families. */
export function workAsOrdered(more: WorkerExtras = {}): void {
  // It outlives its terminal.
  process.on('SIGHUP', () => undefined);
  process.once('message', (order: WorkerOrder) => {
    work(order, more).then(
      (code) => process.exit(code),
      (error: unknown) => process.exit(tellFailed(error)),
    );
  });
}

async function work(
  { workspace, session, job, change, backend, notify, unshared }: WorkerOrder,
  more: WorkerExtras,
): Promise<number> {
  const opened = openWorkspace({ folder: workspace, env: process.env, workspace });
  const place = sessionNamed(await sessionsIn(opened), session);
  const polya = openJournals({
    folder: workspace,
    env: process.env,
    create: true,
    code: { onNotice: (notice) => process.stderr.write(`${notice}\n`) },
    backend,
    ...more,
  });
  try {
    const attachment = {
      world: polya.world,
      place,
      workspace: opened.folder,
      job,
      change,
      env: process.env,
      log: appLogOf(opened.config, process.env),
      observer: { onNotice: (notice: string) => process.stderr.write(`${notice}\n`) },
    };
    const ownEnv = Object.entries(process.env).filter(([name]) => !unshared.includes(name));
    const shell = { ...processShell({ name: 'polya', apps: [] }), ownEnv: Object.fromEntries(ownEnv) };
    const end = await notifying(
      shell,
      { notify },
      {
        what: 'run',
        work: async () => {
          const handle = await attachSession(attachment);
          stopWhenAsked(handle);
          await reply({ type: 'begun', run: handle.id });
          return { id: handle.id, end: await handle.done };
        },
        newsOf: newsOfRun,
      },
    );
    return exitCodeOf(end.end);
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
function reply(message: WorkerReply): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) return resolve();
    process.send(message, () => {
      if (process.connected) process.disconnect?.();
      resolve();
    });
  });
}

function tellFailed(error: unknown): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${stack}\n`);
  const explained =
    error instanceof ExplainedError
      ? { ...error.explanation, exitCode: error.exitCode }
      : {
          code: 'defect',
          what: `This is a defect of Polya: ${stack.split('\n')[0]}`,
          exitCode: exitCodes.bug,
        };
  if (process.connected) process.send?.({ type: 'failed', ...explained } satisfies WorkerReply);
  return explained.exitCode;
}

if (import.meta.main) workAsOrdered();
