/** One effect as its kind describes it and as the engine takes it through its life. Types only. */
import type { EffectKind, Position } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import type { Reservation } from '../core/limits.ts';
import type { Message } from '../core/model.ts';
import type { Performed } from './settling.ts';

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
