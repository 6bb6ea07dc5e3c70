/** A contest as the capability `program`: what a search over programs is given of it. */
import type { Evaluation } from '../../../core/problem.ts';
import type { ProgramEvaluation, ProgramTask } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { freshNames } from './fresh.ts';
import { measureProgram } from './measure.ts';
import type { Measuring } from './work.ts';

export function programTask(measuring: Measuring): ProgramTask {
  const { contest, template, templateTold, cases, best } = measuring.facts;
  const { direction, scoring, timeLimitMs, tools } = contest;
  return {
    language: 'cpp',
    ...{ direction, scoring, template, templateTold, cases, best, timeLimitMs },
    casesAtOnce: measuring.desk.cores,
    ...(tools?.generator ? { fresh: freshNames } : {}),
    async evaluate(source, names, context): Promise<Evaluation> {
      const { best: _best, ...evaluation } = await measureProgram(measuring, { source, names }, context);
      return { score: meanScore(evaluation), data: evaluation };
    },
  };
}

/** Null unless every case has a score: what is a mean over some of them is none over all. */
function meanScore({ cases }: ProgramEvaluation): number | null {
  const scores = cases.flatMap(({ score }) => (score === null ? [] : [score]));
  return scores.length === cases.length ? mean(scores) : null;
}
