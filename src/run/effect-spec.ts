/** One effect as its kind describes it and as the engine takes it through its life. Types only. */
import type { EffectKind, Position } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import type { Refusal, Reservation, Room } from '../core/limits.ts';
import type { Message } from '../core/model.ts';
import type { Performed } from './settling.ts';

export type EffectSpec = {
  readonly effect: EffectKind;
  readonly position: Position;
  /** What the intent says besides what is reserved; compared on resume. */
  readonly request: JsonObject;
  /** What it may use at most, where so much is left; null where it uses nothing that is limited by amount. */
  readonly reserve: ((room: Room) => Reservation) | null;
  /** It is refused from outside: by a budget that this run shares. */
  readonly refusal?: Refusal;
  /** The grading of a run is never refused. */
  readonly isExempt?: boolean;
  /** The settlement must survive a power loss. */
  readonly durable: boolean;
  readonly conversation?: readonly Message[];
  readonly signal: AbortSignal;
  /** `isRepeat`: an earlier life may have begun it. */
  perform(context: PerformContext): Promise<Performed>;
};

export type PerformContext = {
  readonly signal: AbortSignal;
  readonly isRepeat: boolean;
  readonly stage: string;
  readonly reservation: Reservation | null;
};
