/**
 * Two systems on the questions that both have answered: the difference of their accuracies, an interval for it, and how
 * likely such a difference is by chance. Asked once, McNemar's exact test; asked several times, a permutation test on the
 * shares of the questions. Pure.
 */
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { mcnemarExact, permutationTest } from '../../core/statistics/paired.ts';
import type { Interval } from '../../core/statistics/proportion.ts';
import { type Chances, fewestResampled, type Graded, sharesByQuestion } from './accuracy.ts';

export type Comparison = {
  /** In common. */
  readonly questions: number;
  readonly first: number | null;
  readonly second: number | null;
  /** Second less first. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Questions that one answers right more often than the other. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly test: 'mcnemar' | 'permutation';
  readonly p: number;
};

export function compare(first: readonly Graded[], second: readonly Graded[], chances: Chances): Comparison {
  const [a, b] = [sharesByQuestion(first), sharesByQuestion(second)];
  const pairs = [...a].flatMap(([question, share]) => {
    const other = b.get(question);
    return other === undefined ? [] : [[share, other] as const];
  });
  const differences = pairs.map(([before, after]) => after - before);
  const onlyFirst = differences.filter((each) => each < 0).length;
  const onlySecond = differences.filter((each) => each > 0).length;
  const isOnce = pairs.flat().every((share) => share === 0 || share === 1);
  return {
    questions: pairs.length,
    first: mean(pairs.map(([before]) => before)),
    second: mean(pairs.map(([, after]) => after)),
    difference: mean(differences),
    interval: differences.length < fewestResampled ? null : bootstrapMean(differences, { random: chances() }),
    onlyFirst,
    onlySecond,
    test: isOnce ? 'mcnemar' : 'permutation',
    p: isOnce ? mcnemarExact(onlyFirst, onlySecond) : permutationTest(differences, { random: chances() }),
  };
}
