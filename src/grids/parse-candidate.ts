/** What the readers of a reply hand to one another: a grid or a fault, where it stands, and what makes it doubtful. */
import type { Grid } from '../core/problem.ts';

export type Found = {
  /** Counted from 1. */
  readonly line: number;
  /** What stands before it: `Test output 1`. Empty where nothing does. */
  readonly label: string;
  readonly fenced: boolean;
  /** A single row outside of any fence and without brackets: beside other grids it is more likely something else. */
  readonly isLoneRow: boolean;
} & ({ readonly grid: Grid } | { readonly fault: string });

export type Candidate = Found & {
  /** Only empty lines lie between it and the one before. */
  readonly continues: boolean;
};

const longestLabel = 60;

/** Without the marks of Markdown and JSON around it. */
export function labelText(text: string): string {
  const bare = text
    .replaceAll(/[#*_`>"]/g, '')
    .trim()
    .replace(/(?<![\s:=,{[(-])[\s:=,{[(-]+$/, '');
  return bare.length > longestLabel ? `…${bare.slice(-longestLabel)}` : bare;
}
