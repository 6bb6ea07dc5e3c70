/**
 * The best of N on problems that are no contest. With `samples`: N programs, ranked by the samples that they pass. With `check`:
 * answers, until one passes. It repairs nothing. Usual cost: N calls, and with `check` as many as are needed, `atOnce` at a time.
 */
import type { Run, Solution } from '../../core/agent.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { modelSettings, orAtLimit } from '../kit/asking.ts';
import { drawAnswer, drawPrompts, inBranches } from '../kit/drawn-answer.ts';
import { draftPrograms, passedTests, programPrompts, samplesOf, solveByPrograms } from '../kit/programs.ts';

export const bestAnswerPrompts = { ...programPrompts, ...drawPrompts };

type Settings = {
  readonly programs: number;
  readonly atOnce: number;
  readonly temperature?: number | null | undefined;
};

export function bestAnswer(problem: Problem, run: Run, settings: Settings): Promise<Solution> {
  if (!problem.samples) return firstThatPasses(problem, run, settings);
  const { programs: count, atOnce, temperature } = settings;
  return solveByPrograms({ problem, run, temperature: temperature ?? undefined, atOnce }, async (stage) => {
    const samples = await samplesOf(stage);
    const programs = await draftPrograms(stage, count, samples);
    return programs.toSorted((a, b) => passedTests(b, samples).length - passedTests(a, samples).length);
  });
}

/** The last answer if none passes. */
async function firstThatPasses(
  problem: Problem,
  run: Run,
  { programs: count, atOnce, temperature }: Settings,
): Promise<Solution> {
  const draw = { problem, role: 'solver', settings: modelSettings({ temperature }) };
  let last: Answer | undefined;
  const work = async (): Promise<string | undefined> => {
    for (let drawn = 0; drawn < count; drawn += atOnce) {
      const items = Array.from({ length: Math.min(atOnce, count - drawn) }, (_, at) => at);
      const batch = { name: `answers-${drawn + 1}`, items };
      for (const answer of await inBranches(run, batch, () => (here) => drawAnswer(draw, here))) {
        last = answer ?? last;
        if (answer && (await run.check(answer)).pass) return undefined;
      }
    }
    return `None of ${count} answers passed.`;
  };
  const detail = await orAtLimit(work, (message) => message);
  return { end: last && detail === undefined ? 'answered' : 'gave-up', answer: last, detail };
}
