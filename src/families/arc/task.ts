/**
 * One ARC task as its file has it: train pairs, and test inputs. Outputs of test pairs are left out here, once, so that
 * nothing behind this can show them. All that is wrong is said with pair and cell.
 */
import { isJsonObject } from '../../core/json.ts';
import type { Grid, GridPair } from '../../core/problem.ts';
import { isGrid, validateGrid } from '../../grids/grid.ts';

export type ArcTask = {
  readonly id: string;
  readonly train: readonly GridPair[];
  /** The inputs alone. */
  readonly test: readonly Grid[];
};

/** One thing that is wrong with a task: `train pair 2, output: row 3 has 4 cells, row 1 has 5`. */
export type TaskIssue = { readonly task: string; readonly what: string };

export function readTask(id: string, value: unknown): { task: ArcTask } | { faults: readonly TaskIssue[] } {
  const issues: TaskIssue[] = [];
  const report = (what: string) => issues.push({ task: id, what });
  if (!isJsonObject(value))
    return { faults: [{ task: id, what: 'it is not an object with train and test' }] };
  const train = pairsIn(value.train, 'train', report).flatMap((pair, at) => {
    const input = gridAt(pair, 'input', `train pair ${at + 1}`, report);
    const output = gridAt(pair, 'output', `train pair ${at + 1}`, report);
    return input && output ? [{ input, output }] : [];
  });
  const test = pairsIn(value.test, 'test', report).flatMap((pair, at) => {
    const input = gridAt(pair, 'input', `test pair ${at + 1}`, report);
    return input ? [input] : [];
  });
  return issues.length > 0 ? { faults: issues } : { task: { id, train, test } };
}

/** The form of one task alone, as the official repositories have one in each file. */
export function isSingleTask(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value.train) && Array.isArray(value.test);
}

/** The outputs that a task's test pairs carry; undefined where none does. For a file that is named as solutions. */
export function outputsIn(value: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.test)) return undefined;
  const outputs = value.test.map((pair: unknown) => (isJsonObject(pair) ? pair.output : undefined));
  return outputs.some((output) => output !== undefined) ? outputs : undefined;
}

/** The number of test inputs as far as it is readable; at least one. */
export function testsIn(value: unknown): number {
  return isJsonObject(value) && Array.isArray(value.test) ? Math.max(1, value.test.length) : 1;
}

type ReportIssue = (what: string) => void;

function pairsIn(value: unknown, name: 'train' | 'test', report: ReportIssue): readonly unknown[] {
  if (value === undefined) report(`it has no ${name}`);
  else if (!Array.isArray(value)) report(`its ${name} is no list of pairs`);
  else if (value.length === 0) report(`its ${name} is empty`);
  return Array.isArray(value) ? value : [];
}

function gridAt(pair: unknown, side: 'input' | 'output', place: string, tell: ReportIssue): Grid | null {
  if (!isJsonObject(pair)) {
    if (side === 'input') tell(`${place} is not an object`);
    return null;
  }
  const value: unknown = pair[side];
  if (isGrid(value)) return value;
  tell(`${place}, ${side}: ${validateGrid(value)}`);
  return null;
}
