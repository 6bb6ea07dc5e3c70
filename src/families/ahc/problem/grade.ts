/** What a program that was handed in is worth: its score over the cases, as the contest counts them. */
import type { EffectContext, Grade, Submission } from '../../../core/problem.ts';
import { type CaseOutcome, pointsOf } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { Contest } from '../workspace.ts';
import { type ContestProblem, type Measurement, measureProgram } from './measure.ts';

/** Neither right nor wrong, unless nothing of it works. */
export async function gradeProgram(
  problem: ContestProblem,
  { answer, withinMs }: Submission,
  context: EffectContext,
): Promise<Grade> {
  if (answer?.type !== 'source')
    return {
      correct: false,
      explanation: answer ? 'The answer is no program.' : 'No program was handed in.',
    };
  const { cases: names, contest } = problem.facts;
  const isEnough = timeOver(context, withinMs);
  const measured = await measureProgram(problem, { source: answer.source, names, isEnough }, context);
  const { compiled, message, cases, backend } = measured;
  if (!compiled) {
    return {
      correct: false,
      explanation: `It does not compile: ${message.split('\n')[0]}`,
      data: { backend },
    };
  }
  const failed = cases.filter(({ verdict }) => verdict !== 'AC');
  const score = scoreOf(measured, contest);
  return {
    score: score ?? undefined,
    correct: failed.length === cases.length ? false : undefined,
    explanation: explanationOf(cases, failed, { score, contest, all: names.length }),
    data: { backend, failed: failed.length, cases: [...cases] },
  };
}

/** Fewer would say too little of it, however late it is. */
const fewest = 10;

/** Once it was so, it stays so: what is in flight then may still end. */
function timeOver(
  { io }: EffectContext,
  withinMs: number | undefined,
): ((done: number) => boolean) | undefined {
  if (withinMs === undefined) return undefined;
  const endMs = io.clock.now() + withinMs;
  let isOver = false;
  return (done) => {
    isOver ||= done >= fewest && io.clock.now() >= endMs;
    return isOver;
  };
}

/**
 * The mean of the cases; of a contest with relative scores in points of 10^9. A case that is not AC is worth nothing,
 * which is no number where less is better and scores are added up as they are.
 */
export function scoreOf({ cases, best }: Measurement, contest: Contest): number | null {
  const isRelative = contest.scoring === 'relative';
  const points = cases.map((each) => pointsOf(each, contest, best[each.name] ?? null));
  if (cases.every(({ score }) => score === null)) return null;
  if (isRelative) return Math.round(1e9 * (mean(points.map((each) => each ?? 0)) ?? 0));
  if (contest.direction === 'minimise' && points.includes(null)) return null;
  return mean(cases.map(({ score }) => score ?? 0));
}

function explanationOf(
  cases: readonly CaseOutcome[],
  failed: readonly CaseOutcome[],
  { score, contest, all }: { readonly score: number | null; readonly contest: Contest; readonly all: number },
): string {
  const unit = contest.scoring === 'relative' ? ' points of 1,000,000,000 for the best known' : '';
  const worth = score === null ? 'It has no score' : `Mean ${told(score)}${unit}`;
  const [first] = failed;
  const verdicts = first
    ? `${failed.length} not AC, the first is ${first.name}: ${first.verdict} ${first.message}`.trim()
    : 'all AC';
  const many = cases.length < all ? `${cases.length} of ${all} cases, for want of time` : `${all} cases`;
  return `${worth} over ${many}; ${verdicts}.`;
}

const told = (score: number): string => score.toLocaleString('en-US', { maximumFractionDigits: 2 });
