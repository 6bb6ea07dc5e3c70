/** A turn at a live model: what is asked for it, and what is in its way. */
import type { ProviderPace } from '../../core/model.ts';
import type { CallEnd, Obstacle, PaceLimits } from './lane.ts';

export type TurnRequest = {
  readonly model: string;
  /** Where it is, if its user said so: one name at two addresses is two servers. */
  readonly address?: string | undefined;
  readonly run: string;
  /** What it is likely to use. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** Called when it has to wait, and whenever the reason changes. */
  readonly onWait: (reason: string) => void;
};

export type Turn = {
  /** Waiting is in vain: the reason, in a sentence. The call is not to be made. */
  readonly refused: string | null;
  hear(pace: ProviderPace): void;
  /** At the end of the call; nothing: it was never made. */
  end(end?: CallEnd): void;
};

/** `key` names a lane for all processes, `name` for a person. */
export type LanePlan = { readonly key: string; readonly name: string; readonly limits: PaceLimits };
export type Entry = Turn | Obstacle | 'out of service';

/** One that only another call's end removes is the longest of all. */
export function longestWait(obstacles: readonly (Obstacle | null)[]): Obstacle | null {
  const found = obstacles.flatMap((each) => each ?? []);
  return found.toSorted((a, b) => (b.waitMs ?? Infinity) - (a.waitMs ?? Infinity))[0] ?? null;
}
