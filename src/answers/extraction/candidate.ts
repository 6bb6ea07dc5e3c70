/** A stretch of a reply that may be its answer. */
import type { Place } from './profiles.ts';

export type Candidate = {
  readonly place: Place;
  readonly text: string;
  /** It was set as mathematics; null where that has to be found out. */
  readonly isMath: boolean | null;
  /** Where it stands in what was searched: the end of the reply, long gaps closed. */
  readonly start: number;
  readonly end: number;
};
