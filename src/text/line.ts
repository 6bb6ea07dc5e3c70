/** An event as one line for people. */
import type { Tone } from './paint.ts';

export type EventLine = {
  readonly text: string;
  readonly tone: Tone;
  /** A live view leaves it out. */
  readonly isQuiet: boolean;
};
