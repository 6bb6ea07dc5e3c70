/**
 * Tests first (CodeT, Chen et al., arXiv 2207.10397): the model writes tests from the statement, then programs; programs are held
 * against tests and tests against programs. Programs that pass the same tests are a group, whose score is its size times the
 * number of its tests, as there. Differences: a few programs and tests instead of a hundred; tests are whole inputs and outputs,
 * not assertions; a test that contradicts an example of the statement is dropped, and so is one that programs refute; the
 * examples go before the score; and the best program is corrected once where it fails tests, as a test-driven author would.
 * Usual cost, a stage: `programs` + 3 calls.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import type { SamplePair } from '../../core/problem.ts';
import { orAtLimit } from '../kit/asking.ts';
import {
  draftPrograms,
  type Program,
  type ProgramStage,
  type ProgramTest,
  passedTests,
  programPrompts,
  requestJson,
  samplesOf,
  solveByPrograms,
  trustedTests,
  tryPrograms,
  writeProgram,
} from '../kit/programs.ts';

const settingsSchema = z.object({
  tests: z.int().min(1).max(50).default(6).describe('Tests that are written for each stage.'),
  programs: z.int().min(1).max(100).default(4).describe('Programs for each stage.'),
  correct: z.boolean().default(true).describe('The best program is corrected once where it fails tests.'),
  temperature: z.number().min(0).max(2).default(0.8),
});

export const testsFirst = defineAgent({
  name: 'tests-first',
  settings: settingsSchema,
  needs: ['samples'],
  usual: ({ programs }) => ({ turns: programs + 3, outputTokens: 900, carriedTokens: 0 }),
  prompts: {
    ...programPrompts,
    tests: `You write tests for programs that solve the following problem: small inputs with the outputs that the statement demands, edge cases among them. Work each output out by hand.

{{format}}

Reply with JSON: {"tests": [{"input": "…", "output": "…"}]}, {{count}} of them.`,
    correct: `This program was written for it:

\`\`\`
{{program}}
\`\`\`

It fails these tests, which were written from the statement; a test may be wrong as well.

{{failures}}

Where the program is wrong, correct it. Give the complete program.`,
  },

  solve(problem, run, { tests: testCount, programs: programCount, correct, temperature }) {
    return solveByPrograms({ problem, run, temperature }, async (stage) => {
      const samples = await samplesOf(stage);
      const written = [...samples, ...(await writeTests(stage, samples, testCount))];
      const programs = await draftPrograms(stage, programCount, written);
      const tests = trustedTests(stage.samples, written, programs);
      const refuted = tests.filter(({ output }) => output === null).length;
      run.note('agreement', { text: `${tests.length} tests, ${refuted} refuted by programs that agree` });
      const ranked = rankByAgreement(programs, tests, samples.length);
      const corrected = correct && ranked[0] ? await correctProgram(stage, ranked[0], tests) : [];
      return rankByAgreement([...ranked, ...corrected], tests, samples.length);
    });
  },
});

/** Without those that contradict an example of the statement. */
async function writeTests(
  stage: ProgramStage,
  examples: readonly SamplePair[],
  count: number,
): Promise<readonly SamplePair[]> {
  const { run, samples } = stage;
  const prompt = run.prompt('tests', { format: samples.format, count: String(count) });
  const tests = (await requestJson(stage, 'tests', testsForm, prompt))?.tests.slice(0, count) ?? [];
  const knownOutput = ({ input }: SamplePair) =>
    examples.find((example) => example.input.trim() === input.trim())?.output.trim();
  const dropped = tests.filter((test) => (knownOutput(test) ?? test.output.trim()) !== test.output.trim());
  run.note('tests', {
    text: `${tests.length} written; dropped because they contradict an example: ${dropped.length}`,
  });
  return tests.filter((test) => knownOutput(test) === undefined);
}

const testsForm = z.object({ tests: z.array(z.object({ input: z.string(), output: z.string() })) });

/** By the examples passed, then by the score of the group; of equal ones the earlier program first. */
function rankByAgreement(
  programs: readonly Program[],
  tests: readonly ProgramTest[],
  sampleCount: number,
): readonly Program[] {
  const scored = programs.map((program) => ({ program, passed: passedTests(program, tests) }));
  const sizes = Map.groupBy(scored, ({ passed }) => passed.join());
  const score = ({ passed }: (typeof scored)[number]) =>
    passed.length * (sizes.get(passed.join())?.length ?? 0);
  const examples = ({ passed }: (typeof scored)[number]) => passed.filter((at) => at < sampleCount).length;
  return scored
    .toSorted((a, b) => examples(b) - examples(a) || score(b) - score(a))
    .map(({ program }) => program);
}

/** None if it passes all tests, if no correction came, or if there is no call left for one. */
async function correctProgram(
  stage: ProgramStage,
  program: Program,
  tests: readonly ProgramTest[],
): Promise<readonly Program[]> {
  const passed = passedTests(program, tests);
  const failures = tests.flatMap(({ input, output }, at) => {
    if (output === null || passed.includes(at)) return [];
    return [`Input:\n${input}\nExpected: ${output}\nPrinted: ${program.outputs[at] ?? 'it failed'}`];
  });
  if (failures.length === 0) return [];
  const places = { program: program.source, failures: failures.slice(0, 3).join('\n\n') };
  const work = async () => {
    const source = await writeProgram(stage, stage.run.prompt('correct', places));
    return source === null ? [] : tryPrograms(stage, [source], tests, 'corrected');
  };
  return orAtLimit(work, () => []);
}
