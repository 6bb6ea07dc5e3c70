/**
 * The life of one effect, for all effects alike: look into the history, else write the intent, ask the ledger, wait
 * until everything before is delivered, perform, write the settlement, deliver. It knows what may be repeated and what
 * was cancelled, and nothing of what an effect does.
 */
import type { EffectError, LimitName } from '../core/errors.ts';
import { Cancelled, DivergenceError, describeError, LimitReached } from '../core/errors.ts';
import {
  type EffectKind,
  effectPairs,
  type Header,
  type Position,
  positionName,
  type Settlement,
} from '../core/event.ts';
import { type History, type PastEffect, positionKey, type SettlementEvent } from '../core/history.ts';
import type { JournalEncoder } from '../core/journal.ts';
import { type Json, type JsonObject, toJson } from '../core/json.ts';
import type { Ledger, Refusal, Reservation } from '../core/limits.ts';
import type { Message } from '../core/model.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { Usage } from '../core/usage.ts';
import type { Activity } from './activity.ts';
import { Delivery } from './delivery.ts';
import type { JournalWriter, NewEvent } from './writer.ts';

/** Why effects in flight are broken off; the reason of every abort in a run. */
export class Abort extends Error {
  readonly by: 'branch' | 'end' | 'limit';

  constructor(by: 'branch' | 'end' | 'limit') {
    super(by === 'branch' ? 'another branch won' : by === 'end' ? 'the run is ending' : 'the time is over');
    this.by = by;
  }
}

/** A replay came to where the journal ends. */
export class JournalEnds extends Error {
  constructor(position: Position) {
    super(`The journal ends before ${positionName(position)}.`);
  }
}

export type Performed = {
  readonly result: Json;
  readonly usage?: Usage;
  readonly advance?: StageAdvance;
};

/** An effect's failure that is journaled with its usage. */
export class PerformFailed extends Error {
  readonly error: EffectError;
  readonly usage: Usage | null;

  constructor(error: EffectError, usage: Usage | null) {
    super(error.message);
    this.error = error;
    this.usage = usage;
  }
}

export type EffectSpec = {
  readonly effect: EffectKind;
  readonly position: Position;
  /** What the intent says; compared on resume. */
  readonly request: JsonObject;
  readonly reservation: Reservation | null;
  /** The grading of a run is never refused. */
  readonly isExempt?: boolean;
  /** The settlement must survive a power loss. */
  readonly durable: boolean;
  readonly conversation?: readonly Message[];
  readonly signal: AbortSignal;
  /** `isRepeat`: an earlier life may have begun it. */
  perform(context: { signal: AbortSignal; isRepeat: boolean; stage: string }): Promise<Performed>;
};

/** How long an effect may take to notice that it was broken off. */
const abortGraceMs = 10_000;
/** How often an agent may go on asking after it was told that there is nothing more to be had. */
const deafAfter = 1_000;

export class Engine {
  readonly mode: 'live' | 'replay';
  readonly header: Header;
  readonly #history: History;
  readonly #encoder: JournalEncoder;
  readonly #ledger: Ledger;
  readonly #writer: JournalWriter | null;
  readonly #delivery: Delivery;
  readonly #activity: Activity;
  /** What a limit may break off, and what only the run's end may: its grading. */
  readonly #flying = new Map<AbortController, { isExempt: boolean }>();
  /** Effects of the history that the agent has not asked for yet. */
  readonly #unasked: Map<string, PastEffect>;
  #asked = 0;
  #askedInVain = 0;
  /** Failures for want of something, with what had been asked for until then. */
  readonly #wants: { position: Position; asked: number }[] = [];
  readonly #failed = Promise.withResolvers<void>();
  /** The stage of the journal's end; the agent learns of it with the delivery. */
  #stages: History['stages'];
  readonly #broken: { spec: EffectSpec; settlement: Settlement; stage: string }[] = [];
  #isExhausted = false;
  #open = 0;
  #onQuiet: (() => void)[] = [];
  /** What the agent has been told so far. */
  deliveredStage: string;
  failure: Error | null = null;
  readonly #onBrokenOff: () => void;
  readonly #onSettled: (event: SettlementEvent, request: JsonObject, stage: string) => void;

  constructor(options: {
    header: Header;
    history: History;
    encoder: JournalEncoder;
    ledger: Ledger;
    activity: Activity;
    /** Null in a replay, which never writes. */
    writer: JournalWriter | null;
    /** A settlement says that the run was broken off here. */
    onBrokenOff: () => void;
    /** A settlement was written. */
    onSettled: (event: SettlementEvent, request: JsonObject, stage: string) => void;
  }) {
    this.header = options.header;
    this.mode = options.writer ? 'live' : 'replay';
    this.#history = options.history;
    this.#encoder = options.encoder;
    this.#ledger = options.ledger;
    this.#writer = options.writer;
    this.#stages = options.history.stages;
    this.#onBrokenOff = options.onBrokenOff;
    this.#onSettled = options.onSettled;
    this.deliveredStage = options.header.problem.stages[0] ?? '';
    this.#activity = options.activity;
    const past = options.history.effects().filter(({ effect }) => effect !== 'grade');
    this.#unasked = new Map(past.map((each) => [positionKey(each.position), each]));
    this.#delivery = new Delivery({
      history: options.history.settlements(),
      activity: options.activity,
      isNew: options.history.effects().length === 0,
      onFront: () => this.#refuseUnasked(),
      onDeliver: (event) => this.#beforeDelivery(event),
      onUnclaimed: (event) =>
        this.fail(new DivergenceError(positionName(event), event.kind, 'nothing at this position')),
    });
  }

  /** Resolves when the settlement's turn has come. Throws `Cancelled` where the branch is cancelled already. */
  async perform(spec: EffectSpec): Promise<Settlement> {
    if (this.failure || spec.signal.aborted) return this.#turnAway(spec);
    const key = positionKey(spec.position);
    const past = this.#history.at(key);
    if (past) this.#compare(spec, past);
    this.#unasked.delete(key);
    this.#asked += 1;
    this.#open += 1;
    const wakeBranch = this.#activity.wait(spec.position.branch);
    try {
      const delivered = this.#delivery.expect(key);
      if (!past) this.#begin(spec);
      else if (!past.settlement) this.#schedule(spec, past);
      return (await delivered).body;
    } finally {
      wakeBranch();
      this.#open -= 1;
      if (this.#open === 0) for (const quiet of this.#onQuiet.splice(0)) quiet();
    }
  }

  /** The run cannot go on: whoever waits for an effect gets this error, and nothing more is written. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const flight of this.#flying.keys()) flight.abort(new Abort('end'));
    this.#delivery.fail(this.failure);
    this.#failed.resolve();
  }

  /** Resolves when the run cannot go on, whatever its agent makes of that. */
  get failed(): Promise<void> {
    return this.#failed.promise;
  }

  /** Calls `work` when the agent has gone through all that its journal holds; at once where that is so. */
  whenAtFront(work: () => void): void {
    this.#delivery.whenAtFront(() => {
      if (!this.failure) work();
    });
  }

  front(): Promise<void> {
    return this.#delivery.front();
  }

  /** The wall time is over: effects in flight are broken off, later ones refused. */
  exhaust(limit: LimitName, max: number): void {
    this.#ledger.exhaust({ limit, max });
    this.#isExhausted = true;
    for (const [flight, { isExempt }] of this.#flying) if (!isExempt) flight.abort(new Abort('limit'));
  }

  /** Resolves when no effect is open any more. */
  async quiet(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#onQuiet.push(resolve));
    const left = this.#delivery.leftover();
    if (left)
      this.fail(new DivergenceError(positionName(left), left.kind, 'nothing more: the agent has ended'));
    else this.#refuseUnasked();
  }

  get stagesDone(): readonly string[] {
    return this.#stages.done;
  }

  /** What failed for want of something, and nothing was asked for since: see `RunEnd.again`. */
  get wanting(): readonly Position[] {
    return this.#wants.filter(({ asked }) => asked === this.#asked).map(({ position }) => position);
  }

  /** Nothing more is to be had. An agent that does not listen is left waiting, or it would never end. */
  #turnAway(spec: EffectSpec): Promise<never> {
    if (this.#isDeaf()) return new Promise(() => {});
    throw this.failure ?? new Cancelled(reasonOf(spec.signal).message);
  }

  #isDeaf(): boolean {
    this.#askedInVain += 1;
    if (this.#askedInVain <= deafAfter) return false;
    this.fail(new Error(`The agent went on asking ${deafAfter} times after it was told to end.`));
    return true;
  }

  /** At the journal's front an agent has asked for all that an earlier life of it asked for. */
  #refuseUnasked(): void {
    const [unasked] = this.#unasked.values();
    if (!unasked || this.#activity.hasParked) return;
    this.fail(
      new DivergenceError(positionName(unasked.position), unasked.effect, 'nothing at this position'),
    );
  }

  #compare(spec: EffectSpec, past: PastEffect): void {
    const { intent } = past;
    if (past.effect !== spec.effect) this.#diverge(spec, past.effect, spec.effect);
    if (!intent || past.seq <= (this.header.fork?.seq ?? 0)) return;
    const asked = this.#encoder.fingerprint(intent.kind, spec.request);
    if (asked !== intent.body) this.#diverge(spec, `${intent.kind} ${brief(intent.body)}`, brief(asked));
  }

  #diverge(spec: EffectSpec, expected: string, actual: string): never {
    this.fail(new DivergenceError(positionName(spec.position), expected, actual));
    throw this.failure;
  }

  #begin(spec: EffectSpec): void {
    const writer = this.#writer;
    try {
      if (writer && this.#delivery.isAtFront) return this.#intend(spec, writer);
      // Throws where `#intend` would: a request that cannot be written down, because it is no JSON.
      this.#encoder.fingerprint(effectPairs[spec.effect].intent ?? 'note', spec.request);
      if (writer) this.whenAtFront(() => this.#intend(spec, writer));
      else this.#delivery.whenCaughtUp(() => this.#endReplay(spec));
    } catch (error) {
      this.#delivery.refuse(positionKey(spec.position), asError(error));
    }
  }

  /** A run that was stopped between two effects holds no trace of the next one. */
  #endReplay(spec: EffectSpec): void {
    if (this.#history.end?.outcome !== 'cancelled') return this.fail(new JournalEnds(spec.position));
    this.#onBrokenOff();
    this.#delivery.refuse(positionKey(spec.position), new Cancelled(new Abort('end').message));
  }

  /** Something new: the intent, and a refusal in the same breath where there is no room. */
  #intend(spec: EffectSpec, writer: JournalWriter): void {
    const stage = this.#stages.open;
    const refusal = spec.isExempt ? null : this.#ledger.refusal(spec.effect, spec.reservation);
    const kind = effectPairs[spec.effect].intent;
    if (kind) {
      const { written } = writer.add([{ kind, body: spec.request, ...spec.position }]);
      written.catch((error: Error) => this.fail(error));
      if (refusal) return this.#refuse(spec, refusal, stage);
      this.#ledger.begin(spec.effect, spec.reservation);
      written.then(
        () => this.#start(spec, { isRepeat: false, stage }),
        () => undefined,
      );
    } else if (refusal) this.#refuse(spec, refusal, stage);
    else this.#start(spec, { isRepeat: false, stage });
  }

  #refuse(spec: EffectSpec, refusal: Refusal, stage: string): void {
    this.#settle(spec, { status: 'refused', ...refusal }, stage);
    this.#isDeaf();
  }

  /** Something that an earlier life began and did not finish. */
  #schedule(spec: EffectSpec, past: PastEffect): void {
    if (!this.#writer) this.#delivery.whenCaughtUp(() => this.#endReplay(spec));
    else this.#start(spec, { isRepeat: true, stage: past.stage });
  }

  #start(spec: EffectSpec, context: { isRepeat: boolean; stage: string }): void {
    this.#delivery.whenCaughtUp(() => {
      const abort = this.#abortOf(spec);
      if (abort) this.#settle(spec, broken(abort, this.header), context.stage);
      else void this.#fly(spec, context);
    });
  }

  #abortOf(spec: EffectSpec): Abort | null {
    if (spec.signal.aborted) return reasonOf(spec.signal);
    return this.#isExhausted && !spec.isExempt ? new Abort('limit') : null;
  }

  async #fly(spec: EffectSpec, context: { isRepeat: boolean; stage: string }): Promise<void> {
    const flight = new AbortController();
    const forward = (): void => flight.abort(spec.signal.reason);
    spec.signal.addEventListener('abort', forward, { once: true });
    this.#flying.set(flight, { isExempt: spec.isExempt ?? false });
    let settlement: Settlement;
    let advance: StageAdvance | undefined;
    try {
      const performed = await withGrace(spec.perform({ ...context, signal: flight.signal }), flight.signal);
      advance = performed.advance;
      const { result, usage } = performed;
      settlement = asJournaled({ status: 'ok', result, ...(usage ? { usage } : {}) });
    } catch (error) {
      settlement = flight.signal.aborted
        ? broken(reasonOf(flight.signal), this.header)
        : asJournaled(failed(error));
    }
    this.#flying.delete(flight);
    spec.signal.removeEventListener('abort', forward);
    this.#settle(spec, settlement, context.stage, advance);
  }

  #settle(spec: EffectSpec, settlement: Settlement, stage: string, advance?: StageAdvance): void {
    if (settlement.status !== 'cancelled') return this.#write(spec, settlement, stage, advance);
    // What is broken off together is written in the order of positions, not in that in which each noticed.
    if (this.#broken.length === 0) setImmediate(() => this.#writeBroken());
    this.#broken.push({ spec, settlement, stage });
  }

  #writeBroken(): void {
    const together = this.#broken
      .splice(0)
      .sort((a, b) => comparePositions(a.spec.position, b.spec.position));
    for (const { spec, settlement, stage } of together) this.#write(spec, settlement, stage);
  }

  #write(spec: EffectSpec, settlement: Settlement, stage: string, advance?: StageAdvance): void {
    if (this.failure || !this.#writer) return;
    const kind = effectPairs[spec.effect].settlement;
    const news: NewEvent[] = [
      {
        kind,
        body: settlement,
        ...spec.position,
        ...(spec.conversation ? { conversation: spec.conversation } : {}),
      },
    ];
    if (advance) news.push(...this.#advance(advance));
    const { events, written } = this.#writer.add(news, {
      durable: spec.durable && settlement.status !== 'refused',
    });
    const event = events[0] as SettlementEvent;
    if (settlement.status !== 'refused') this.#ledger.settle(spec.reservation, settlement);
    this.#onSettled(event, spec.request, stage);
    written.then(
      () => this.#delivery.push(event),
      (error: Error) => this.fail(error),
    );
  }

  #advance({ to }: StageAdvance): NewEvent[] {
    const ended = this.#stages.open;
    this.#stages = { done: [...this.#stages.done, ended], open: to ?? '' };
    const end: NewEvent = { kind: 'stage-end', body: { stage: ended } };
    return to === null ? [end] : [end, { kind: 'stage-start', body: { stage: to } }];
  }

  #beforeDelivery(event: SettlementEvent): void {
    const { kind, body } = event;
    if (body.status === 'error' && body.error.unavailable) {
      const { branch, ordinal, attempt } = event;
      this.#wants.push({ position: { branch, ordinal: ordinal ?? 0, attempt }, asked: this.#asked });
    }
    if (body.status === 'cancelled' && body.by === 'end') this.#onBrokenOff();
    if (kind !== 'tool-result' || body.status !== 'ok') return;
    const { advance } = body.result as { advance?: StageAdvance };
    if (advance) this.deliveredStage = advance.to ?? '';
  }
}

/** What an unhappy settlement means to the agent. */
export function throwUnlessOk(
  settlement: Settlement,
): asserts settlement is Extract<Settlement, { status: 'ok' | 'error' }> {
  if (settlement.status === 'refused') throw new LimitReached(settlement.limit, settlement.max);
  if (settlement.status !== 'cancelled') return;
  if (settlement.by === 'limit') throw new LimitReached(settlement.limit, settlement.max);
  throw new Cancelled(new Abort(settlement.by).message);
}

function comparePositions(a: Position, b: Position): number {
  if (a.branch !== b.branch) return a.branch < b.branch ? -1 : 1;
  return a.ordinal - b.ordinal;
}

function broken({ by }: Abort, header: Header): Settlement {
  if (by !== 'limit') return { status: 'cancelled', by };
  return { status: 'cancelled', by, limit: 'wallMs', max: header.limits.wallMs ?? 0 };
}

function failed(error: unknown): Settlement {
  if (!(error instanceof PerformFailed)) return { status: 'error', error: describeError(error) };
  return { status: 'error', error: error.error, ...(error.usage ? { usage: error.usage } : {}) };
}

function reasonOf(signal: AbortSignal): Abort {
  return signal.reason instanceof Abort ? signal.reason : new Abort('end');
}

/** As it will come back from the journal: an agent must not see now what it cannot see again. */
function asJournaled(settlement: Settlement): Settlement {
  return toJson(settlement) as unknown as Settlement;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** An effect that does not notice its abort is given up after a while: the run must be able to end. */
function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (): void => {
      timer = setTimeout(() => reject(signal.reason), abortGraceMs);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
}

function brief(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
