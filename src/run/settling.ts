/** What an effect's end means: as the settlement that is journaled, and to the agent. */
import { Cancelled, describeError, type EffectError, LimitReached } from '../core/errors.ts';
import type { Header, Settlement } from '../core/event.ts';
import { type Json, toJson } from '../core/json.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { BlobRow } from '../core/store.ts';
import type { Usage } from '../core/usage.ts';

/** Why effects in flight are broken off; the reason of every abort in a run. */
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

export function succeeded({ result, usage }: Performed): Settlement {
  return asJournaled({ status: 'ok', result, usage });
}

export function failed(error: unknown): Settlement {
  if (error instanceof PerformFailed) {
    return asJournaled({ status: 'error', error: error.error, usage: error.usage ?? undefined });
  }
  return asJournaled({ status: 'error', error: describeError(error) });
}

export function brokenOff({ by }: Abort, header: Header): Settlement {
  if (by !== 'limit') return { status: 'cancelled', by };
  return { status: 'cancelled', by, limit: 'wallMs', max: header.limits.wallMs ?? 0 };
}

/** As it will come back from the journal: an agent must not see now what it cannot see again. */
function asJournaled(settlement: Settlement): Settlement {
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
export function forgettable<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
