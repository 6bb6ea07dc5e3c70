/**
 * A run in a process of its own that outlives its terminal, both ends: `runInBackground` starts the process, its output in a
 * file, and waits until its run has begun; `workInBackground` is what that process does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { ExplainedError, type Explanation, exitCodes, UnavailableError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import type { Environment } from '../io/home.ts';
import { makeFolder } from '../io/write-whole.ts';
import { openJournals } from '../open/journals.ts';
import type { JournalsOptions } from '../open/options.ts';
import { type RunJob, startJob } from '../run/job.ts';
import type { RunHandle } from '../run/live.ts';
import { escapeControls } from '../text/format.ts';
import { exitCodeOf } from '../text/labels.ts';
import type { App } from './contract.ts';
import { joinedObserver, keepRunFiles } from './run-files.ts';

export type BackgroundOrder = {
  /** Absolute: where the journals are looked for. */
  readonly folder: string;
  readonly job: RunJob;
  readonly backend?: string;
  /** Files of the user's that bring agents, families and models. */
  readonly code?: readonly string[];
  /** Receives the process's standard output and error. */
  readonly logFile: string;
};

type Begun = { readonly run: string; readonly addresses: readonly string[] };
type Reply = Begun | { readonly failed: Explanation; readonly exitCode: number };

const entryFile = join(import.meta.dirname, `../background${extname(import.meta.filename)}`);

/** Resolves when the run has begun. Throws what kept it from that. `entry`: another program, for tests. */
export async function runInBackground(
  order: BackgroundOrder,
  env: Environment,
  entry = entryFile,
): Promise<Begun & { readonly pid: number }> {
  const { logFile, folder } = order;
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(process.execPath, [entry], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    const started = await untilBegun(child, order);
    child.unref();
    return { pid: child.pid ?? 0, ...started };
  } finally {
    closeSync(log);
  }
}

function untilBegun(child: ChildProcess, order: BackgroundOrder): Promise<Begun> {
  const { promise, resolve, reject } = Promise.withResolvers<Begun>();
  const fail = (why: string): void =>
    reject(
      new UnavailableError({
        code: 'background-process-failed',
        what: 'The background process did not start its run.',
        why,
        fix: `Its output is in ${order.logFile}.`,
      }),
    );
  child.once('error', ({ message }) => fail(message));
  child.once('exit', (code, signal) => fail(`It ended with ${signal ?? code}.`));
  child.once('message', (message) => {
    const reply = message as Reply;
    child.removeAllListeners('exit');
    if (child.connected) child.disconnect();
    if ('run' in reply) resolve(reply);
    else reject(new ExplainedError(reply.failed, reply.exitCode));
  });
  child.send(order);
  return promise;
}

/** All that the process does: it waits for its order and ends with the exit code of the run. A test may bring parts of its own. */
export function workInBackground(
  apps: readonly App[],
  parts: Pick<JournalsOptions, 'agents' | 'families' | 'models'> = {},
): void {
  // It outlives its terminal.
  process.on('SIGHUP', () => undefined);
  process.once('message', (order: BackgroundOrder) => {
    work(order, apps, parts).then(
      (code) => process.exit(code),
      (error: unknown) => process.exit(replyFailed(error)),
    );
  });
}

async function work(
  { folder, backend, code = [], job }: BackgroundOrder,
  apps: readonly App[],
  parts: Pick<JournalsOptions, 'agents' | 'families' | 'models'>,
): Promise<number> {
  const { env } = process;
  const onNotice = (notice: string): unknown => process.stderr.write(`${escapeControls(notice)}\n`);
  const asks: string[] = [];
  const announce = (line: string, address: string): void => {
    asks.push(address);
    onNotice(line);
  };
  const person = { terminal: null, announce };
  const user = { files: code, onNotice };
  // Its user typed them.
  const addresses = { named: job.how === 'resume' ? [] : Object.values(job.spec.baseUrls ?? {}) };
  const start = { folder, env, create: true, backend, code: user, person, addresses };
  const polya = openJournals({ ...start, ...parts });
  const { world } = polya;
  const files = keepRunFiles({ apps, env }, polya, onNotice);
  try {
    const handle = await startJob(world, job, joinedObserver({ onNotice }, files.observer));
    stopOnSignal(handle);
    for (const text of asks)
      await world.store.post(handle.id, { kind: 'address', text, atMs: world.io.clock.now() });
    await files.begin(handle.header);
    await replyBegun({ run: handle.id, addresses: asks });
    return exitCodeOf(await handle.done.finally(() => files.settle()));
  } finally {
    await polya.close();
  }
}

/** Where a person answers for the models of a run in the background; null where nobody is asked. */
export async function answerAddress(store: Store, runId: string): Promise<string | null> {
  const messages = await store.mail(runId, 0);
  return messages.findLast(({ kind }) => kind === 'address')?.text ?? null;
}

/** A second signal ends the process. */
function stopOnSignal(handle: RunHandle): void {
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(exitCodes.cancelled);
      handle.stop();
    });
  }
}

/** The process that started it may have ended already. */
function replyBegun(started: Begun): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) return resolve();
    process.send(started satisfies Reply, () => {
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
  if (process.connected) process.send?.(reply satisfies Reply);
  return reply.exitCode;
}
