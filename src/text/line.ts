/** An event as one line for people. */
import type { Tone } from './paint.ts';

export type EventLine = {
  readonly text: string;
  readonly tone: Tone;
  /** Of no interest to a user who watches a run live. */
  readonly isQuiet: boolean;
};
