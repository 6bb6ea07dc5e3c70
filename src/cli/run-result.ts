/** A run with what was folded from its journal: what commands tell, and what apps measure. */
import type { RunView } from '../core/fold.ts';
import type { Json } from '../core/json.ts';
import type { RunRow } from '../core/store.ts';
import type { Output } from './output.ts';

export type RunResult = {
  readonly row: RunRow;
  readonly view: RunView;
  /** Null where the app of the run has no measures for it. */
  readonly metrics: RunMetrics | null;
};

export type RunMetrics = {
  /** The field `metrics` of `--json`. */
  readonly json: Json;
  /** What the table of stages does not say, for people. */
  table(output: Output): string;
  /** All of them by name, for the comparison of two runs. */
  readonly rows: Readonly<Record<string, string>>;
};
