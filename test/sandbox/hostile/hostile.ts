/** What the hostile programs' tests are given: a way to run them, and what the sandbox says of itself. */
import type { Bench } from '../bench.ts';

export type Hostile = Bench & {
  /** False for a back-end that gives no isolation: what it promises of limits is tested, what it does not promise is not. */
  readonly isolates: boolean;
};
