/**
 * The shared state of a hypothesis and what its nodes do to it: instructions that are added or revised, outputs that
 * are merged, the exact verification. Pure; it knows neither models nor the graph engine.
 *
 * An output is null until a hypothesis has made one: there is no grid yet, and none is pretended.
 */
import type { Examples, Grid } from '../../core/problem.ts';
import { gridScore } from '../../grids/diff.ts';
import { sameGrid } from '../../grids/grid.ts';

export type Status = 'running' | 'completed' | 'failed' | 'failed_max_steps';

export type Instruction = {
  readonly text: string;
  readonly rationale: string;
  readonly confidence: 'low' | 'medium' | 'high';
};

export type NextInstruction = Instruction & {
  readonly done: boolean;
  /** The number of an earlier instruction, from 1, whose place it takes. */
  readonly revises: number | null;
  /** No new instruction: those that there are, carried out once more, minding this. */
  readonly mind?: string;
};

export type Outputs = { readonly train: readonly (Grid | null)[]; readonly test: readonly (Grid | null)[] };

export type Verification = {
  /** One a train pair; `score` is the share of its cells that are right. */
  readonly pairs: readonly { readonly isRight: boolean; readonly score: number }[];
  readonly passed: boolean;
  readonly score: number;
};

/** What a hypothesis answered at one of its steps: a vote, or a runner-up. */
export type Candidate = {
  readonly step: number;
  /** The train pairs are reproduced, and there is a grid for each test input. */
  readonly passed: boolean;
  readonly score: number;
  readonly test: readonly (Grid | null)[];
};

export type Finished = {
  readonly status: Status;
  /** One sentence on why it failed; empty where it did not. */
  readonly detail: string;
  readonly steps: number;
  /** Its instructions, or its program. */
  readonly rule: string;
  /** In the order of their steps; the last one is what it hands in. */
  readonly candidates: readonly Candidate[];
  readonly isRefused?: boolean;
  /** It ended because the context of its model was full. */
  readonly isContextFull?: boolean;
};

export function noOutputs({ pairs, queries }: Examples): Outputs {
  return { train: pairs.map(() => null), test: queries.map(() => null) };
}

/** Every sample keeps its place: what is missing stays as it was, what belongs to no sample is left out. */
export function mergeOutputs(before: Outputs, outputs: Outputs): Outputs {
  const merge = (old: readonly (Grid | null)[], now: readonly (Grid | null)[]) =>
    old.map((grid, at) => now[at] ?? grid);
  return { train: merge(before.train, outputs.train), test: merge(before.test, outputs.test) };
}

/** A revision takes the place of what it revises; one of an instruction that does not exist is a new one. */
export function withInstruction(
  before: readonly Instruction[],
  { done: _, mind, revises, ...instruction }: NextInstruction,
): readonly Instruction[] {
  if (mind) return before;
  return isRevision(before, revises) ? before.with(revises - 1, instruction) : [...before, instruction];
}

export function isRevision(before: readonly Instruction[], revises: number | null): revises is number {
  return revises !== null && revises >= 1 && revises <= before.length;
}

/** Cell by cell; nothing but equality passes. */
export function verify({ pairs }: Examples, train: readonly (Grid | null)[]): Verification {
  const verdicts = pairs.map(({ output }, at) => {
    const actual = train[at] ?? null;
    return { isRight: actual !== null && sameGrid(output, actual), score: gridScore(output, actual) };
  });
  const sum = verdicts.reduce((total, { score }) => total + score, 0);
  return {
    pairs: verdicts,
    passed: verdicts.length > 0 && verdicts.every(({ isRight }) => isRight),
    score: sum / Math.max(1, verdicts.length),
  };
}

/** What a hypothesis hands in: the last of those that reproduced the train pairs, else its last. */
export function bestCandidate(candidates: readonly Candidate[]): Candidate | null {
  return candidates.findLast(({ passed }) => passed) ?? candidates.at(-1) ?? null;
}
