/** One life of a run, new, resumed or forked: from taking ownership to its end or interruption. */
import { UserError } from '../core/errors.ts';
import type { Header, RunEnd } from '../core/event.ts';
import type { History } from '../core/history.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { toJson } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import type { Ownership, Store } from '../core/store.ts';
import { type Controls, type Execution, execute } from './execute.ts';
import { hashText } from './hash.ts';
import { LiveStream } from './live-stream.ts';
import { summaryOf } from './summary.ts';
import { type CodeFiles, type Observer, tellChangedCode, type World } from './world.ts';
import { JournalWriter, type Preface } from './writer.ts';

export type RunHandle = {
  readonly id: string;
  readonly header: Header;
  /** The end; rejects where the run could not go on (divergence, damage, lost ownership, full disk). */
  readonly done: Promise<RunEnd>;
  /** Breaks off what is in flight and closes the journal; the run can be resumed. */
  stop(): void;
};

type Life = {
  readonly world: World;
  readonly header: Header;
  readonly history: History;
  readonly ownership: Ownership;
  readonly models: ReadonlyMap<string, Model>;
  readonly observer: Observer;
  /** Written before this life's first event; null where the journal has just begun. */
  readonly preface: Preface | null;
};

export async function live(life: Life): Promise<RunHandle> {
  const { world, history, ownership, models } = life;
  const { problem: problemSpec, agent: chosen, code } = life.header;
  const [family, agent] = await Promise.all([
    world.family(problemSpec.family, code),
    world.agent(chosen.name, code),
  ]);
  tellChangedCode(world, life.header, { family, agent, models }, life.observer);
  const liveStream = new LiveStream(world.store, ownership);
  const observer = streamedBy(liveStream, life.observer);
  // As a resume will read it: what the agent is told of problem and settings must not change with the life.
  const encoder = new JournalEncoder(hashText, world.redact);
  const header = encoder.redacted(toJson(life.header)) as unknown as Header;
  const bornAtMs = world.io.clock.now();
  const writer = new JournalWriter({
    store: world.store,
    ownership,
    encoder,
    clock: world.io.clock,
    lastSeq: history.lastSeq,
    preface: life.preface,
    onWritten: (event) => observer.onEvent?.(event),
  });
  const problem = family.open(header.problem);
  let isStopped = false;
  let stopNow: () => void = () => {
    isStopped = true;
  };
  const aliveMs = (): number => history.aliveMs + world.io.clock.now() - bornAtMs;
  const execution: Execution = { ...life, header, encoder, writer, agent, problem, observer, aliveMs };
  const done = (async () => {
    let controls: Controls | null = null;
    const release = await hold(world.store, ownership, {
      remainingMs: header.limits.wallMs === undefined ? null : header.limits.wallMs - history.aliveMs,
      onStop: () => controls?.stop(),
      onTimeOver: () => controls?.exhaust(),
      onLost: (error) => controls?.fail(error),
    });
    try {
      const ending = await execute(execution, (given) => {
        controls = given;
        stopNow = given.stop;
        if (isStopped) stopNow();
      });
      const end: RunEnd = { ...ending, aliveMs: aliveMs() };
      const summary = summaryOf(header, end);
      await writer.add([{ kind: 'run-end', body: end }], { durable: true, summary, ended: true }).written;
      return end;
    } finally {
      liveStream.close();
      await release();
    }
  })();
  // The holder of the handle may look at `done` late.
  done.catch(() => undefined);
  return { id: header.runId, header, done, stop: () => stopNow() };
}

/** Tells other processes what the run's own observer is told. */
function streamedBy(liveStream: LiveStream, observer: Observer): Observer {
  return {
    onEvent(event) {
      liveStream.settled(event);
      observer.onEvent?.(event);
    },
    onDelta(delta) {
      liveStream.hear(delta);
      observer.onDelta?.(delta);
    },
    onNotice: (notice) => observer.onNotice?.(notice),
    onWait: (position, reason) => observer.onWait?.(position, reason),
  };
}

/** By role; undefined where the environment says where a model is. */
export type BaseUrls = Readonly<Record<string, string | undefined>>;

/** The models of all roles; a wrong name is told before anything is begun. */
export async function resolveModels(
  world: World,
  specs: Readonly<Record<string, string>>,
  place: { baseUrls: BaseUrls; code?: CodeFiles | undefined },
): Promise<Map<string, Model>> {
  const models = new Map<string, Model>();
  for (const [role, spec] of Object.entries(specs)) {
    models.set(role, await world.model(spec, { baseUrl: place.baseUrls[role], code: place.code }));
  }
  return models;
}

/** A budget in dollars means nothing where a price is not known. */
export function refuseUnknownPrices(header: Pick<Header, 'models' | 'limits'>): void {
  if (header.limits.costUsd === undefined) return;
  const unknown = Object.values(header.models).find((model) => model.price === null);
  if (!unknown) return;
  throw new UserError({
    code: 'price-unknown',
    what: `The price of ${unknown.spec} is unknown, so a budget in dollars cannot be kept.`,
    why: 'It is in no table, or the model is at another address than its provider’s own, where other prices hold.',
    fix: 'Give its price in ~/.config/polya/prices.yaml (or the file that POLYA_PRICES names), or limit tokens or tool calls instead.',
  });
}

const heartbeatEveryMs = 2_000;
const lookForStopEveryMs = 500;
/** Node's timers fire at once for anything longer; no life of a run lasts these 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Says that the owner is alive and watches for a stop; returns how to give the run up. Earlier mail stops nothing. */
async function hold(
  store: Store,
  ownership: Ownership,
  watch: {
    remainingMs: number | null;
    onStop(): void;
    onTimeOver(): void;
    /** The run has another owner now, or the store has failed. */
    onLost(error: Error): void;
  },
): Promise<() => Promise<void>> {
  const { remainingMs } = watch;
  const before = await store.mail(ownership.runId, 0);
  const lastId = before.at(-1)?.id ?? 0;
  const timers = [
    setInterval(() => store.heartbeat(ownership).catch(watch.onLost), heartbeatEveryMs),
    setInterval(() => {
      store.mail(ownership.runId, lastId).then((mail) => {
        if (mail.some(({ kind }) => kind === 'stop')) watch.onStop();
      }, watch.onLost);
    }, lookForStopEveryMs),
  ];
  if (remainingMs !== null && remainingMs <= longestTimerMs)
    timers.push(setTimeout(watch.onTimeOver, Math.max(0, remainingMs)));
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    // The run has ended or failed already, and a dead process owns nothing.
    await store.release(ownership).catch(() => undefined);
  };
}
