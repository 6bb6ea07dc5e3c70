/**
 * The work of a session's own process: it owns the run, keeps the folder, and survives its terminal. The entry that the
 * process starts with is `session-worker.ts`; a test may bring agents and families of its own.
 */

import { newsOfRun, notifying } from '../../../cli/notify.ts';
import { processShell } from '../../../cli/process-shell.ts';
import { ExplainedError, exitCodes } from '../../../core/errors.ts';
import { openJournals } from '../../../open/journals.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import type { RunHandle } from '../../../run/live.ts';
import { exitCodeOf } from '../../../text/labels.ts';
import { loadAhcSession } from '../load/session.ts';
import type { WorkerOrder, WorkerReply } from './message.ts';

/** Waits for its order, and ends the process with the code of the run. */
export function workAsOrdered(more: Pick<JournalsOptions, 'agents' | 'families' | 'models'> = {}): void {
  // Its terminal may go; it stays.
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
  more: Pick<JournalsOptions, 'agents' | 'families' | 'models'>,
): Promise<number> {
  const ahc = await loadAhcSession();
  const opened = ahc.openWorkspace({ folder: workspace, env: process.env, workspace });
  const place = ahc.sessionNamed(await ahc.sessionsIn(opened), session);
  const log = ahc.appLogOf(opened.config, process.env);
  const polya = openJournals({
    folder: workspace,
    env: process.env,
    create: true,
    code: { onNotice: (notice) => process.stderr.write(`${notice}\n`) },
    ...(backend === null ? {} : { backend }),
    ...more,
  });
  try {
    const begin = (): Promise<RunHandle> =>
      ahc.attachSession({
        world: polya.world,
        place,
        workspace: opened.folder,
        job,
        change,
        env: process.env,
        log,
        observer: { onNotice: (notice) => process.stderr.write(`${notice}\n`) },
      });
    const ownEnv = Object.entries(process.env).filter(([name]) => !unshared.includes(name));
    const shell = { ...processShell({ name: 'polya', apps: [] }), ownEnv: Object.fromEntries(ownEnv) };
    const end = await notifying(shell, notify === null ? {} : { notify }, {
      what: 'run',
      work: async () => {
        const handle = await begin();
        stopWhenAsked(handle);
        await reply({ type: 'begun', run: handle.id });
        return { id: handle.id, end: await handle.done };
      },
      newsOf: newsOfRun,
    });
    return exitCodeOf(end.end);
  } finally {
    await polya.close();
  }
}

/** The second call ends the process. */
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

/** Whoever began it may be gone already. */
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
