/**
 * The best of N on problems that are no contest. With `samples`: N programs, ranked by the samples that they pass. With `check`:
 * answers one after the other, until one passes. It repairs nothing. Usual cost: N calls, and with `check` as many as are needed.
 */
import type { Run, Solution } from '../../core/agent.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { modelSettings, orAtLimit } from '../kit/asking.ts';
import { drawAnswer, drawPrompts } from '../kit/drawn-answer.ts';
import {
  isSameOutput,
  programPrompts,
  samplesOf,
  solveByPrograms,
  type TriedProgram,
  tryPrograms,
  writePrograms,
} from '../kit/programs.ts';

export const bestAnswerPrompts = { ...programPrompts, ...drawPrompts };

export function bestAnswer(
  problem: Problem,
  run: Run,
  count: number,
  temperature: number | undefined,
): Promise<Solution> {
  if (!problem.samples) return firstThatPasses(problem, run, count, temperature);
  return solveByPrograms({ problem, run, temperature }, async (stage) => {
    const samples = await samplesOf(stage);
    const programs = await writePrograms(stage, count);
    const inputs = samples.map(({ input }) => input);
    const passed = ({ outputs }: TriedProgram) =>
      samples.filter(({ output }, at) => isSameOutput(outputs[at] ?? null, output)).length;
    return (await tryPrograms(stage, programs, inputs)).toSorted((a, b) => passed(b) - passed(a));
  });
}

/** Drawn one after the other, so that none is paid behind one that passes; the last one if none does. */
async function firstThatPasses(
  problem: Problem,
  run: Run,
  count: number,
  temperature: number | undefined,
): Promise<Solution> {
  const settings = modelSettings({ temperature });
  let last: Answer | undefined;
  const draw = async (): Promise<string | undefined> => {
    for (let sample = 1; sample <= count; sample += 1) {
      const answer = await drawAnswer({ problem, run, role: 'solver', settings });
      if (!answer) continue;
      last = answer;
      if ((await run.check(answer)).pass) return undefined;
    }
    return `None of ${count} answers passed.`;
  };
  const detail = await orAtLimit(draw, (message) => message);
  return { end: last && detail === undefined ? 'answered' : 'gave-up', answer: last, detail };
}
