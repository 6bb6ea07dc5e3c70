/** Goes on with a run whose process died, was stopped, or ended for want of something. The id is all it needs. */
import { JournalError, UserError } from '../core/errors.ts';
import type { Header } from '../core/event.ts';
import { canReopen } from '../core/history.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import { live, type RunHandle, resolveModels } from './live.ts';
import { loadHistory } from './load.ts';
import { loadProblem } from './load-problem.ts';
import { assertValidSettings } from './start.ts';
import { summaryOf } from './summary.ts';
import type { Observer, Runtime } from './world.ts';

export type ResumeChanges = {
  /** Replaces that of the header. */
  readonly context?: Header['context'];
  /** Put into the run's mailbox once it is this process's. */
  readonly messages?: readonly string[];
};

export async function resumeRun(
  runtime: Runtime,
  runId: string,
  observer: Observer = {},
  { context, messages = [] }: ResumeChanges = {},
): Promise<RunHandle> {
  const before = await runtime.store.get(runId);
  // Nothing is written to a damaged journal, not even who owns it.
  const early = before?.owner ? null : await loadHistory(runtime.store, runId);
  const ownership = await runtime.store.acquire(runId, runtime.owner);
  try {
    const hasGoneOn = early?.history.lastSeq !== (await runtime.store.get(runId))?.lastSeq;
    const { history, header } = early && !hasGoneOn ? early : await loadHistory(runtime.store, runId);
    if (before?.heartbeatAtMs) history.wasAliveAt(before.heartbeatAtMs);
    if (history.end && !canReopen(history.end)) throw endedError(runId, history.end.outcome);
    assertValidSettings(await runtime.agent(header.agent.name, header.code), header);
    await assertSandboxNotWeaker(runtime, header);
    const specs = Object.entries(header.models).map(([role, { spec }]) => [role, spec] as const);
    const baseUrls = Object.entries(header.models).map(([role, { baseUrl }]) => [role, baseUrl] as const);
    const models = await resolveModels(runtime, Object.fromEntries(specs), {
      baseUrls: Object.fromEntries(baseUrls),
      code: header.code,
    });
    await assertProblemUnchanged(runtime, header, observer);
    for (const text of messages)
      await runtime.store.post(runId, { kind: 'tell', text, atMs: runtime.io.clock.now() });
    history.reopenHistory();
    const { host } = runtime.owner;
    const body = {
      aliveMs: history.aliveMs,
      ...(host === undefined ? {} : { host }),
      ...(context === undefined ? {} : { context }),
    };
    const preface = {
      event: { kind: 'run-resume', body } as const,
      atMs: runtime.io.clock.now(),
      summary: summaryOf(header, null),
    };
    const stored = await runtime.store.blobNames(runId);
    return await live({ world: runtime, header, history, ownership, models, observer, preface, stored });
  } catch (error) {
    await runtime.store.release(ownership);
    throw error;
  }
}

/** What its header promises of its programs holds for all of them. */
async function assertSandboxNotWeaker({ io }: Runtime, { runId, sandbox }: Header): Promise<void> {
  if (!sandbox || unsafeLabel(sandbox)) return;
  const now = await io.sandbox.info().catch(() => null);
  if (!unsafeLabel(now)) return;
  throw new UserError({
    code: 'sandbox-differs',
    what: `Run ${runId} began in a sandbox, and would go on without one.`,
    why: 'Its journal would say of programs that they ran isolated which did not.',
    fix: 'Leave out `--backend none` and POLYA_SANDBOX, or fork the run: a fork has a sandbox of its own.',
  });
}

/** A source that cannot be read now is no change: the journal holds what it said. */
async function assertProblemUnchanged(runtime: Runtime, header: Header, observer: Observer): Promise<void> {
  const { family, reference, contentHash, title } = header.problem;
  let hash: string;
  try {
    const current = await loadProblem(runtime, await runtime.family(family, header.code), reference);
    hash = current.contentHash;
  } catch (error) {
    observer.onNotice?.(
      `The problem could not be read again: ${error instanceof Error ? error.message : error}`,
    );
    return;
  }
  if (hash === contentHash) return;
  throw new JournalError({
    code: 'problem-changed',
    what: `${title} has changed since run ${header.runId} began.`,
    why: 'Going on would mix two problems in one journal.',
    fix: 'Start a new run. `polya runs replay` still works.',
  });
}

function endedError(runId: string, outcome: string): UserError {
  return new UserError({
    code: 'run-ended',
    what: `Run ${runId} has ended: ${outcome}.`,
    fix: `\`polya runs show ${runId}\` shows it, \`polya runs fork ${runId} --at N\` goes on from one of its events.`,
  });
}
