/**
 * Sample and select (AlphaCode, Li et al., arXiv 2203.07814; CodeT, Chen et al., arXiv 2207.10397): many programs, filtered by
 * the examples of the statement, grouped by what they print on generated inputs; the largest group answers, the next ones if it
 * is not accepted. Differences: tens of programs and not a million, one call generates the inputs in the place of a trained
 * model, and if no program passes all examples, those remain that pass most. Selection sees no hidden grade. Usual cost, a
 * stage: `programs` + 2 calls, and runs of each program on the examples and the inputs.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import { system } from '../kit/asking.ts';
import {
  isSameOutput,
  type Program,
  type ProgramStage,
  programPrompts,
  requestJson,
  samplesOf,
  solveByPrograms,
  type TriedProgram,
  trustedSamples,
  tryPrograms,
  writePrograms,
} from '../kit/programs.ts';

const settingsSchema = z.object({
  programs: z.int().min(1).max(100).default(8).describe('Programs for each stage.'),
  inputs: z.int().min(0).max(50).default(6).describe('Generated inputs on which programs are compared.'),
  temperature: z.number().min(0).max(2).default(0.8),
});

export const sampleAndSelect = defineAgent({
  name: 'sample-and-select',
  settings: settingsSchema,
  needs: ['samples'],
  usual: ({ programs }) => ({ turns: programs + 2, outputTokens: 900, carriedTokens: 0 }),
  prompts: {
    ...programPrompts,
    inputs: `You write inputs on which programs for the following problem may differ: small ones, and edge cases. You need not know their outputs.

{{format}}

Reply with JSON: {"inputs": ["…"]}, {{count}} of them, each complete and of the statement's form.`,
  },

  solve(problem, run, { programs: count, inputs: inputCount, temperature }) {
    return solveByPrograms({ problem, run, temperature }, async (stage) => {
      const samples = await samplesOf(stage);
      const inputs = await generateInputs(stage, inputCount);
      const programs = await writePrograms(stage, count);
      const attempts = await tryPrograms(stage, programs, [...samples.map(({ input }) => input), ...inputs]);
      const trusted = stage.samples.pairs ? samples.map(() => true) : trustedSamples(samples, attempts);
      const passed = ({ outputs }: TriedProgram) =>
        samples.filter(({ output }, at) => trusted[at] && isSameOutput(outputs[at] ?? null, output)).length;
      const most = Math.max(0, ...attempts.map(passed));
      const kept = attempts.filter((program) => passed(program) === most);
      const groups = groupByBehaviour(kept, samples.length);
      const sizes = groups.map((group) => group.length).join(', ');
      run.note('selection', {
        text: `${kept.length} of ${attempts.length} programs pass ${most} of ${trusted.filter(Boolean).length} examples; groups of ${sizes || 'none'}`,
      });
      // The others of a group follow: on the problem's own input the first one may fail.
      return [...groups.map((group) => group.slice(0, 1)), ...groups.map((group) => group.slice(1))].flat();
    });
  },
});

async function generateInputs(
  { run, samples, statement }: ProgramStage,
  count: number,
): Promise<readonly string[]> {
  if (count === 0) return [];
  const read = await requestJson(run, 'inputs', inputsForm, [
    system(run.prompt('inputs', { format: samples.format, count: String(count) })),
    { role: 'user', content: statement },
  ]);
  return (read?.inputs ?? []).slice(0, count);
}

const inputsForm = z.object({ inputs: z.array(z.string()) });

/** By their outputs on the generated inputs, the largest group first; of equal ones that of the earlier program. */
export function groupByBehaviour(
  programs: readonly TriedProgram[],
  sampleCount: number,
): readonly (readonly Program[])[] {
  const groups = Map.groupBy(programs, ({ outputs }) => JSON.stringify(outputs.slice(sampleCount)));
  return [...groups.values()].toSorted((a, b) => b.length - a.length);
}
