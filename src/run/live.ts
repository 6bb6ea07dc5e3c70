/** One life of a run, new, resumed or forked: from taking ownership to its end or interruption. */
import type { EventBodies, Header, RunEnd, StopCause } from '../core/event.ts';
import type { History } from '../core/history.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { toJson } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import type { Ownership, Store } from '../core/store.ts';
import { limitMessages } from './changed-limits.ts';
import { type Execution, execute, type RunControls } from './execute.ts';
import { hashText } from './hash.ts';
import { LiveStream } from './live-stream.ts';
import { looks } from './looking.ts';
import { summaryOf } from './summary.ts';
import { type CodeFiles, type Observer, type Runtime, reportChangedCode } from './world.ts';
import { JournalWriter, type Preface } from './writer.ts';

export type RunHandle = {
  readonly id: string;
  readonly header: Header;
  /** The end; rejects where the run could not go on (divergence, damage, lost ownership, full disk). */
  readonly done: Promise<RunEnd>;
  /** Breaks off what is in flight and closes the journal; the run can be resumed. */
  stop(cause?: StopCause): void;
  /** Breaks off what is in flight and leaves the journal as it is, free for another process: `done` rejects. */
  letGo(): void;
};

/** The run's process gave it up, so that another can continue it. */
export class Detached extends Error {}

type Attempt = {
  readonly world: Runtime;
  readonly header: Header;
  readonly history: History;
  readonly ownership: Ownership;
  readonly models: ReadonlyMap<string, Model>;
  readonly observer: Observer;
  /** Written before this life's first event; null where the journal has just begun. */
  readonly preface: Preface | null;
  /** The blobs that the store holds for it: what else it refers to is written again. */
  readonly stored?: Iterable<string>;
};

export async function live(attempt: Attempt): Promise<RunHandle> {
  const { world, history, ownership, models } = attempt;
  const { problem: problemSpec, agent: selected, code } = attempt.header;
  const [family, agent] = await Promise.all([
    world.family(problemSpec.family, code),
    world.agent(selected.name, code),
  ]);
  reportChangedCode(world, attempt.header, { family, agent, models }, attempt.observer);
  const liveStream = new LiveStream(world.store, ownership);
  const observer = streamedBy(liveStream, attempt.observer);
  // As a resume will read it: what the agent is told of problem and settings must not change with the life.
  const encoder = new JournalEncoder(hashText, world.redact, { links: history.links, given: attempt.stored });
  const header = encoder.redacted(toJson(attempt.header)) as unknown as Header;
  const clock = { ...world.io.clock, now: monotonic(world.io.clock.now) };
  const bornAtMs = clock.now();
  const writer = new JournalWriter({
    store: world.store,
    ownership,
    encoder,
    clock,
    lastSeq: history.lastSeq,
    preface: attempt.preface,
    onWritten: (event) => {
      history.meter.add(event);
      observer.onEvent?.(event);
    },
    onLateReply: (delayed) => world.spool?.keep(delayed),
  });
  const problem = family.open(header.problem);
  let stoppedBy: StopCause | null = null;
  let isLetGo = false;
  let controls: RunControls | null = null;
  const stop = (cause: StopCause = 'user'): void => {
    stoppedBy ??= cause;
    controls?.stop(cause);
  };
  const letGo = (): void => {
    isLetGo = true;
    controls?.fail(new Detached(`Run ${header.runId} was let go.`));
  };
  const aliveMs = (): number => history.aliveMs + clock.now() - bornAtMs;
  const execution: Execution = { ...attempt, header, encoder, writer, agent, problem, observer, aliveMs };
  const mail = await world.store.mail(ownership.runId, 0);
  const early = limitMessages(mail.filter(({ id }) => id > history.limits.mail));
  const limits: Header['limits'] = Object.assign({}, history.limits.now, ...early.map((each) => each.limits));
  const done = (async () => {
    const release = holdOwnership(world.store, ownership, {
      lastId: mail.at(-1)?.id ?? 0,
      limitsAfter: early.at(-1)?.mail ?? history.limits.mail,
      onLimits: (change) => controls?.limit(change),
      remainingMs: header.limits.wallMs === undefined ? null : header.limits.wallMs - history.aliveMs,
      onStop: () => controls?.stop(),
      onTimeOver: () => controls?.exhaust(),
      onLost: (error) => controls?.fail(error),
    });
    try {
      // Whoever gets the handle can stop the run before its first effect.
      await new Promise((resolve) => setImmediate(resolve));
      const ending = await execute(execution, (input) => {
        controls = input;
        for (const change of early) input.limit(change);
        if (stoppedBy) stop(stoppedBy);
        if (isLetGo) letGo();
      });
      const end: RunEnd = { ...ending, aliveMs: aliveMs() };
      const summary = summaryOf(header, { ...end, spent: history.meter.spent });
      await writer.add([{ kind: 'run-end', body: end }], { durable: true, summary, ended: true }).written;
      return end;
    } finally {
      liveStream.close();
      // Another must not begin again what is just being settled.
      await writer.idle();
      await release();
    }
  })();
  // The holder of the handle may look at `done` late.
  done.catch(() => undefined);
  return { id: header.runId, header: { ...header, limits }, done, stop, letGo };
}

/** When the machine's clock is set back, time goes on from where it was: a run gets no younger, and nothing ends before it began. */
function monotonic(now: () => number): () => number {
  let [lastMs, aheadMs] = [now(), 0];
  return () => {
    const nowMs = now();
    aheadMs += Math.max(0, lastMs - nowMs);
    lastMs = nowMs;
    return nowMs + aheadMs;
  };
}

/** Sends the events of the run's own observer to other processes too. */
function streamedBy(liveStream: LiveStream, observer: Observer): Observer {
  return {
    onEvent(event) {
      liveStream.settled(event);
      observer.onEvent?.(event);
    },
    onDelta(delta) {
      liveStream.push(delta);
      observer.onDelta?.(delta);
    },
    onNotice: (notice) => observer.onNotice?.(notice),
    onWait: (position, reason) => observer.onWait?.(position, reason),
  };
}

/** By role; undefined where the environment says where a model is. */
export type BaseUrls = Readonly<Record<string, string | undefined>>;

/** The models of all roles; a wrong name is an error before anything begins. */
export async function resolveModels(
  runtime: Runtime,
  specs: Readonly<Record<string, string>>,
  place: { baseUrls: BaseUrls; code?: CodeFiles | undefined },
): Promise<Map<string, Model>> {
  const models = new Map<string, Model>();
  for (const [role, spec] of Object.entries(specs)) {
    models.set(role, await runtime.model(spec, { baseUrl: place.baseUrls[role], code: place.code }));
  }
  return models;
}

const heartbeatEveryMs = 2_000;
const lookForStopEveryMs = 500;
/** Node's timers fire at once for anything longer; no life of a run lasts these 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Says that the owner is alive and watches for a stop; returns how to give the run up. Earlier mail stops nothing. */
function holdOwnership(
  store: Store,
  ownership: Ownership,
  watch: {
    remainingMs: number | null;
    /** Of the mail before this life. */
    lastId: number;
    /** Letters about limits up to this one are known. */
    limitsAfter: number;
    onLimits(change: EventBodies['run-limits']): void;
    onStop(): void;
    onTimeOver(): void;
    /** The run has another owner now, or the store has failed. */
    onLost(error: Error): void;
  },
): () => Promise<void> {
  const { remainingMs, lastId } = watch;
  let known = watch.limitsAfter;
  const timers = [setInterval(() => store.heartbeat(ownership).catch(watch.onLost), heartbeatEveryMs)];
  const ending = new AbortController();
  const isOurs = (topic: string): boolean => topic === `mail ${ownership.runId}`;
  const watchMail = async (): Promise<void> => {
    const { signal } = ending;
    for await (const _ of looks(store, { isOurs, everyMs: lookForStopEveryMs, signal })) {
      const messages = await store.mail(ownership.runId, Math.min(known, lastId));
      if (signal.aborted) return;
      for (const change of limitMessages(messages.filter(({ id }) => id > known))) {
        known = change.mail;
        watch.onLimits(change);
      }
      if (messages.some(({ kind, id }) => kind === 'stop' && id > lastId)) watch.onStop();
    }
  };
  watchMail().catch((error) => ending.signal.aborted || watch.onLost(error));
  if (remainingMs !== null && remainingMs <= longestTimerMs)
    timers.push(setTimeout(watch.onTimeOver, Math.max(0, remainingMs)));
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    ending.abort();
    // The run has ended or failed already, and a dead process owns nothing.
    await store.release(ownership).catch(() => undefined);
  };
}
