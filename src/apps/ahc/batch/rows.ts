/** The sessions of a batch: each combination on each problem, so often as is asked for, by names that tell them apart. Pure. */
import type { Batch, Combination } from './file.ts';

export type BatchRow = {
  /** The name of its session; no other row of the same problem has it. */
  readonly name: string;
  /** As its user named it; null: where they stand. */
  readonly problem: string | null;
  /** By its number, from 0, in the batch. */
  readonly combination: number;
  /** From 1. */
  readonly repeat: number;
  readonly seed: string;
  /** What holds in it, what is the same in all included. */
  readonly values: Combination;
};

/**
 * Repeats come last, so that a batch that is broken off has tried everything some times and not some things often. The
 * seed is that of the repeat: combinations meet the same chances.
 */
export function rowsOf(batch: Batch, name: string): readonly BatchRow[] {
  const { problems = [null], combinations, repeat, base } = batch;
  const rounds = Array.from({ length: repeat }, (_, index) => index + 1);
  return rounds.flatMap((round) =>
    problems.flatMap((problem) =>
      combinations.map((values, combination) => ({
        name: [name, `c${combination + 1}`, ...(repeat > 1 ? [`r${round}`] : [])].join('-'),
        problem,
        combination,
        repeat: round,
        seed: `${name} ${round}`,
        values: { ...base, ...values },
      })),
    ),
  );
}

/** `llm.model=gpt-5 islands=3`; the one that says nothing is called so. */
export function combinationText(combination: Combination): string {
  const said = Object.entries(combination).map(
    ([key, value]) =>
      `${key.replace(/^(llm|evolution)\./, '')}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return said.length === 0 ? 'as it is configured' : said.join(' ');
}
