/**
 * Sample and select (AlphaCode, Li et al., arXiv 2203.07814): many programs, filtered by the examples of the statement, grouped by
 * what they print on generated inputs; the largest group answers, the next ones if it is not accepted. Differences: tens of
 * programs of one model and not a million; one call generates the inputs in the place of a trained model; nothing varies in the
 * prompt but the sampling; if no program passes all examples, those remain that pass most. Selection sees no hidden grade.
 * Usual cost, a stage: `programs` + 2 calls, and runs of each program on the examples and the inputs.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import {
  draftPrograms,
  type Program,
  passedTests,
  programPrompts,
  requestJson,
  samplesOf,
  solveByPrograms,
  trustedTests,
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

  solve(problem, run, { programs: programCount, inputs: inputCount, temperature }) {
    return solveByPrograms({ problem, run, temperature }, async (stage) => {
      const samples = await samplesOf(stage);
      const prompt = run.prompt('inputs', { format: stage.samples.format, count: String(inputCount) });
      const read = inputCount > 0 ? await requestJson(stage, 'inputs', inputsForm, prompt) : null;
      const inputs = (read?.inputs ?? []).slice(0, inputCount).map((input) => ({ input, output: null }));
      const programs = await draftPrograms(stage, programCount, [...samples, ...inputs]);
      const examples = trustedTests(stage.samples, samples, programs);
      const passed = (program: Program) => passedTests(program, examples).length;
      const most = Math.max(0, ...programs.map(passed));
      const kept = programs.filter((program) => passed(program) === most);
      const groups = groupByBehaviour(kept, samples.length);
      const known = examples.filter(({ output }) => output !== null).length;
      const sizes = groups.map((group) => group.length).join(', ') || 'none';
      run.note('selection', {
        text: `${kept.length} of ${programs.length} programs pass ${most} of ${known} examples; groups of ${sizes}`,
      });
      // The others of a group follow: on the problem's own input the first one may fail.
      return [...groups.map((group) => group.slice(0, 1)), ...groups.map((group) => group.slice(1))].flat();
    });
  },
});

const inputsForm = z.object({ inputs: z.array(z.string()) });

/** By their outputs on the generated inputs, the largest group first; of equal ones that of the earlier program. */
function groupByBehaviour(programs: readonly Program[], sampleCount: number): readonly Program[][] {
  const groups = Map.groupBy(programs, ({ outputs }) => JSON.stringify(outputs.slice(sampleCount)));
  return [...groups.values()].toSorted((a, b) => b.length - a.length);
}
