/**
 * One life of a run: from the moment this process owns it to its end or its interruption. New runs, resumed ones and
 * forks differ in how they come here, not in what happens then.
 */
import { UserError } from '../core/errors.ts';
import type { Header, RunEnd } from '../core/event.ts';
import type { History } from '../core/history.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { toJson } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import type { Ownership, Store } from '../core/store.ts';
import { tellChangedCode } from './code.ts';
import { type Controls, type Ending, type Execution, execute } from './execute.ts';
import { hashText } from './hash.ts';
import { LiveStream } from './live-stream.ts';
import { summaryOf } from './summary.ts';
import type { CodeFiles, Observer, World } from './world.ts';
import { JournalWriter, type Preface } from './writer.ts';

export type RunHandle = {
  readonly id: string;
  readonly header: Header;
  /** The end; rejects where the run could not go on (divergence, damage, lost ownership, full disk). */
  readonly done: Promise<RunEnd>;
  /** Breaks off what is in flight and closes the journal; the run can be resumed. */
  stop(): void;
};

export type Life = {
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
  const { world, history, ownership } = life;
  const { problem: problemSpec, agent: chosen } = life.header;
  const { code } = life.header;
  const [family, agent] = await Promise.all([
    world.family(problemSpec.family, code),
    world.agent(chosen.name, code),
  ]);
  tellChangedCode(world, life.header, { family, agent, models: life.models }, life.observer);
  const liveStream = new LiveStream(world.store, ownership);
  const observer = streamedBy(liveStream, life.observer);
  // As a resume will read it: what the agent is told of problem and settings must not change with the life.
  const header = toJson(life.header) as unknown as Header;
  const bornAtMs = world.io.clock.now();
  const encoder = new JournalEncoder(hashText);
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
    const keeper: { controls: Controls | null } = { controls: null };
    const held = await hold({
      store: world.store,
      ownership,
      remainingMs: header.limits.wallMs === undefined ? null : header.limits.wallMs - history.aliveMs,
      onStop: () => keeper.controls?.stop(),
      onTimeOver: () => keeper.controls?.exhaust(),
      onLost: (error) => keeper.controls?.fail(error),
    });
    try {
      const ending = await execute(execution, (controls) => {
        keeper.controls = controls;
        stopNow = controls.stop;
        if (isStopped) stopNow();
      });
      return await writeEnd(writer, header, { ...ending, aliveMs: aliveMs() });
    } finally {
      liveStream.close();
      await held.release();
    }
  })();
  // Whoever holds the handle may look at `done` late.
  done.catch(() => undefined);
  return { id: header.runId, header, done, stop: () => stopNow() };
}

/** Whoever watches from another process hears what the run's own observer hears. */
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

async function writeEnd(
  writer: JournalWriter,
  header: Header,
  end: Ending & { aliveMs: number },
): Promise<RunEnd> {
  const summary = summaryOf(header, end);
  await writer.add([{ kind: 'run-end', body: end }], { durable: true, summary, ended: true }).written;
  return end;
}

/** The models of all roles; a wrong name is told before anything is begun. */
export async function resolveModels(
  world: World,
  specs: Readonly<Record<string, string>>,
  /** The addresses by role, as `ModelHeader` has them. */
  { baseUrls = {}, code }: { baseUrls?: Readonly<Record<string, string>>; code?: CodeFiles } = {},
): Promise<Map<string, Model>> {
  const models = new Map<string, Model>();
  for (const [role, spec] of Object.entries(specs)) {
    const baseUrl = baseUrls[role];
    const place = { ...(baseUrl === undefined ? {} : { baseUrl }), ...(code ? { code } : {}) };
    models.set(role, await world.model(spec, place));
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
    why: 'Nobody has told it, or the model is at another address than its provider’s own, where other prices hold.',
    fix: 'Give its price in ~/.config/polya/prices.yaml (or the file that POLYA_PRICES names), or limit tokens or tool calls instead.',
  });
}

const heartbeatEveryMs = 2_000;
const lookForStopEveryMs = 500;
/** Node's timers fire at once for anything longer; no life of a run lasts these 24 days. */
const longestTimerMs = 2 ** 31 - 1;

export type HoldOptions = {
  readonly store: Store;
  readonly ownership: Ownership;
  /** Milliseconds of wall time that are left, or null. */
  readonly remainingMs: number | null;
  onStop(): void;
  onTimeOver(): void;
  /** We are the owner no more, or the store has failed. */
  onLost(error: Error): void;
};

/** Mail that was there before does not stop a run that is resumed. */
export async function hold(options: HoldOptions): Promise<{ release(): Promise<void> }> {
  const { store, ownership, remainingMs } = options;
  const before = await store.mail(ownership.runId, 0);
  const lastId = before.at(-1)?.id ?? 0;
  const timers = [
    setInterval(() => store.heartbeat(ownership).catch(options.onLost), heartbeatEveryMs),
    setInterval(() => {
      store.mail(ownership.runId, lastId).then((mail) => {
        if (mail.some(({ kind }) => kind === 'stop')) options.onStop();
      }, options.onLost);
    }, lookForStopEveryMs),
  ];
  if (remainingMs !== null && remainingMs <= longestTimerMs)
    timers.push(setTimeout(options.onTimeOver, Math.max(0, remainingMs)));
  return {
    release: async () => {
      for (const timer of timers) clearTimeout(timer);
      // The run has ended or failed already, and a dead process owns nothing.
      await store.release(ownership).catch(() => undefined);
    },
  };
}
