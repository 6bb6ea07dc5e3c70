/** Where a command writes: standard output or standard error, with what is known of the reader. */
import type { Paint } from '../text/paint.ts';

export type Output = {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Of a terminal; undefined where nobody knows how many. */
  readonly rows?: number | undefined;
  readonly paint: Paint;
  /** Whoever read it has gone: `| head`. */
  readonly isClosed: boolean;
  /** Somebody is typing there: nobody else draws on it. */
  readonly isHeld?: boolean;
};
