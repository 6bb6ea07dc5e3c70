/** An effect as its kind describes it, and what its end means: as the settlement that is journaled, and to the agent. */
import { Cancelled, describeError, type EffectError, errorOf, LimitReached } from '../core/errors.ts';
import type { EffectKind, Header, Position, Settlement } from '../core/event.ts';
import { type Json, type JsonObject, toJson } from '../core/json.ts';
import type { Capacity, Ledger, LimitRejection, Reservation } from '../core/limits.ts';
import type { Message, ModelFailure } from '../core/model.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { BlobRow } from '../core/store.ts';
import type { Usage } from '../core/usage.ts';

/** One effect, as its kind describes it. */
export type EffectSpec = {
  readonly effect: EffectKind;
  readonly position: Position;
  /** What the intent says besides what is reserved; compared on resume. */
  readonly request: JsonObject;
  /** What the intent says besides, for the record: never compared. */
  readonly recorded?: JsonObject;
  /** What it may use at most, where so much is left; null where it uses nothing that is limited by amount. */
  readonly reserve: ((capacity: Capacity) => Reservation) | null;
  /** It is refused from outside: by a budget that this run shares. */
  readonly refusal?: LimitRejection | null;
  /** The grading of a run is never refused. */
  readonly isExempt?: boolean;
  /** The settlement must survive a power loss. */
  readonly durable: boolean;
  readonly conversation?: readonly Message[];
  readonly signal: AbortSignal;
  perform(context: PerformContext): Promise<Performed>;
};

export type PerformContext = {
  readonly signal: AbortSignal;
  /** An earlier life may have begun it. */
  readonly isRepeat: boolean;
  readonly stage: string;
  readonly reservation: Reservation | null;
};

/** The reason why effects in flight are cancelled; every abort in a run has such a reason. */
export class Abort extends Error {
  readonly by: 'branch' | 'end' | 'limit';

  constructor(by: 'branch' | 'end' | 'limit') {
    super(by === 'branch' ? 'another branch won' : by === 'end' ? 'the run is ending' : 'the time is over');
    this.by = by;
  }
}

export type Performed = {
  readonly result: Json;
  readonly usage?: Usage;
  readonly advance?: StageAdvance;
  /** What the result names and does not hold; written with it. */
  readonly blobs?: readonly BlobRow[];
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

export function toSuccess({ result, usage }: Performed): Settlement {
  return toJournaled({ status: 'ok', result, usage });
}

export function failed(error: unknown): Settlement {
  if (error instanceof PerformFailed) {
    return toJournaled({ status: 'error', error: error.error, usage: error.usage ?? undefined });
  }
  return toJournaled({ status: 'error', error: describeError(error) });
}

export function abortedSettlement({ by }: Abort, header: Header): Settlement {
  if (by !== 'limit') return { status: 'cancelled', by };
  return { status: 'cancelled', by, limit: 'wallMs', max: header.limits.wallMs ?? 0 };
}

/** As it will come back from the journal: an agent must not see now what it cannot see again. */
function toJournaled(settlement: Settlement): Settlement {
  return toJson(settlement) as unknown as Settlement;
}

/** What an unhappy settlement means to the agent. */
export function throwUnlessOk(
  settlement: Settlement,
): asserts settlement is Extract<Settlement, { status: 'ok' | 'error' }> {
  if (settlement.status === 'refused') throw new LimitReached(settlement.limit, settlement.max);
  if (settlement.status !== 'cancelled') return;
  if (settlement.by === 'limit') throw new LimitReached(settlement.limit, settlement.max);
  throw settlement.by === 'late' ? new Cancelled('it came too late') : cancelledBy(new Abort(settlement.by));
}

export function cancelledBy(abort: Abort): Cancelled {
  return new Cancelled(abort.message);
}

export function reasonOf(signal: AbortSignal): Abort {
  return signal.reason instanceof Abort ? signal.reason : new Abort('end');
}

/** An agent may leave an effect or a branch behind: that it was cancelled then is no unhandled rejection. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** How long an effect may take to notice that it was cancelled. */
const abortGraceMs = 5_000;

/** `signal` is the branch's; only the run's end breaks off what is exempt from limits. */
type Flight = Pick<EffectSpec, 'signal' | 'isExempt'> & { perform(signal: AbortSignal): Promise<Performed> };

export type Settled = Pick<Performed, 'advance' | 'blobs'> & { readonly settlement: Settlement };

export class InFlight {
  readonly #header: Header;
  readonly #flying = new Map<AbortController, Flight>();
  #isExhausted = false;

  constructor(header: Header) {
    this.#header = header;
  }

  /** Never rejects. What was cancelled before it began is not begun. */
  async start(flight: Flight): Promise<Settled> {
    const abort = this.#abortOf(flight);
    if (abort) return { settlement: abortedSettlement(abort, this.#header) };
    const controller = new AbortController();
    const forward = (): void => controller.abort(flight.signal.reason);
    flight.signal.addEventListener('abort', forward, { once: true });
    this.#flying.set(controller, flight);
    try {
      const performed = await withGrace(flight.perform(controller.signal), controller.signal);
      const { advance, blobs } = performed;
      return { settlement: toSuccess(performed), advance, blobs };
    } catch (thrown) {
      const error = errorOf(thrown);
      const { aborted } = controller.signal;
      if (aborted) return { settlement: abortedSettlement(reasonOf(controller.signal), this.#header) };
      return { settlement: error instanceof TooLateError ? lateSettlement : failed(error) };
    } finally {
      this.#flying.delete(controller);
      flight.signal.removeEventListener('abort', forward);
    }
  }

  /** Whether some were cancelled and have not noticed yet. */
  get isAborting(): boolean {
    return [...this.#flying.keys()].some(({ signal }) => signal.aborted);
  }

  /** The wall time is over: only the grading may continue or begin. */
  markExhausted(): void {
    this.#isExhausted = true;
    for (const [controller, { isExempt }] of this.#flying)
      if (!isExempt) controller.abort(new Abort('limit'));
  }

  abortAll(): void {
    for (const controller of this.#flying.keys()) controller.abort(new Abort('end'));
  }

  #abortOf({ signal, isExempt }: Flight): Abort | null {
    if (signal.aborted) return reasonOf(signal);
    return this.#isExhausted && !isExempt ? new Abort('limit') : null;
  }
}

/** An effect that does not notice its abort is given up after a while: the run must be able to end. */
function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const abandon = (): void => {
      timer = setTimeout(() => reject(signal.reason), abortGraceMs);
    };
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    });
  });
}

export type Deadline = {
  readonly aliveMs: () => number;
  /** How long the run may have been alive; null: as long as it likes. */
  readonly until: () => number | null;
};

/** The call was sent, and its answer is of no use any more. */
class TooLateError extends Error {}

const message = 'Its answer would have come too late to be of use.';

/** Not begun at all where it is late already: then nothing was billed. */
export async function withDeadline<T>(
  deadline: Deadline | null,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (deadline === null) return call(signal);
  if (leftMs(deadline) <= 0) {
    const model = { kind: 'aborted', retryable: false } as const;
    throw new PerformFailed({ name: 'TooLate', message, model }, null);
  }
  const delayed = new AbortController();
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const watch = watchFor(deadline, () => {
    delayed.abort(new TooLateError(message));
    reject(delayed.signal.reason);
  });
  isLate.catch(() => undefined);
  const answer = call(AbortSignal.any([signal, delayed.signal]));
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    watch.end();
  }
}

/** A wait is no longer than what comes after it is of use. */
export function withinUse(deadline: Deadline | null, waitMs: number): number {
  return deadline === null ? waitMs : Math.max(0, Math.min(waitMs, leftMs(deadline)));
}

function leftMs({ aliveMs, until }: Deadline): number {
  const end = until();
  return end === null ? Number.POSITIVE_INFINITY : end - aliveMs();
}

/** What a timer can wait for, and how often it looks at least: the end may be put off without notice. */
const [longestMs, shortestMs] = [60_000, 20];

function watchFor(deadline: Deadline, onLate: () => void): { end(): void } {
  let timer: NodeJS.Timeout;
  const poll = (): void => {
    const left = leftMs(deadline);
    if (left <= 0) onLate();
    else timer = setTimeout(poll, Math.min(longestMs, Math.max(shortestMs, left)));
  };
  poll();
  return { end: () => clearTimeout(timer) };
}

export const lateSettlement: Settlement = { status: 'cancelled', by: 'late' };

/** It may have been billed. */
export const lateReply: ModelFailure = {
  ok: false,
  error: { kind: 'aborted', message, retryable: false },
  usage: null,
};

export function intentOf({ request, recorded }: EffectSpec, reservation: Reservation | null): JsonObject {
  return { ...request, ...recorded, ...(reservation ? { reserve: reservation } : {}) };
}

/** Why something new may not begin; null where it may. */
export function checkLimits(
  ledger: Ledger,
  spec: EffectSpec,
  reservation: Reservation | null,
): LimitRejection | null {
  if (spec.isExempt) return null;
  if (spec.refusal) ledger.markExhausted(spec.refusal);
  return ledger.rejection(spec.effect, reservation);
}

/** The same of something that an earlier life began: what it used is charged already, what it will use is not. */
export function checkRepeatLimits(
  ledger: Ledger,
  spec: EffectSpec,
  reservation: Reservation | null,
): LimitRejection | null {
  if (spec.isExempt) return null;
  if (spec.refusal) ledger.markExhausted(spec.refusal);
  return spec.refusal ?? ledger.recheck(reservation);
}
