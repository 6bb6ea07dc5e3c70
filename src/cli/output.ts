/** Where a command writes: standard output or standard error, with what is known of the reader. */
import { harmlessJson } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';

export type Output = {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Of a terminal; undefined where it is not known. */
  readonly rows?: number | undefined;
  readonly paint: Paint;
  /** Its reader has gone: `| head`. */
  readonly isClosed: boolean;
  /** A person is typing there: nothing may be drawn on it. */
  readonly isHeld?: boolean;
};

/** Prints a result: a text is for people, any other value is for programs and printed as JSON. */
export function print(out: Output, result: string | object): void {
  out.write(typeof result === 'string' ? result : `${harmlessJson(result, 2)}\n`);
}
