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

/** A result, for programs or for people. */
export function print(
  out: Output,
  isJson: boolean | undefined,
  json: () => unknown,
  text: () => string,
): void {
  out.write(isJson ? `${harmlessJson(json(), 2)}\n` : text());
}
