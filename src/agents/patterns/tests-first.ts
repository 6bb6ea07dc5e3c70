/**
 * Tests first (CodeT, Chen et al., arXiv 2207.10397): the model writes tests from the statement, then programs; programs are held
 * against tests and tests against programs. Programs that pass the same tests are a group, whose score is its size times the
 * number of its tests (dual execution agreement). Differences: a test that contradicts an example of the statement is dropped;
 * the examples go before the score; and the best program is corrected once where it fails tests, as a test-driven author
 * would (TiCoder has a person decide there, arXiv 2208.05950). Usual cost, a stage: `programs` + 3 calls.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import type { SamplePair } from '../../core/problem.ts';
import { system } from '../kit/asking.ts';
import {
  isSameOutput,
  type ProgramStage,
  programPrompts,
  requestJson,
  samplesOf,
  solveByPrograms,
  type TriedProgram,
  trustedSamples,
  tryPrograms,
  writeProgram,
  writePrograms,
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

  solve(problem, run, { tests: count, programs: programCount, correct, temperature }) {
    return solveByPrograms({ problem, run, temperature }, async (stage) => {
      const samples = await samplesOf(stage);
      const tests = [...samples, ...(await writeTests(stage, samples, count))];
      const inputs = tests.map(({ input }) => input);
      const programs = await writePrograms(stage, programCount);
      const attempts = await tryPrograms(stage, programs, inputs);
      const trusted = trustedSamples(tests, attempts).map((isTrusted, at) => {
        return isTrusted || (at < samples.length && stage.samples.pairs !== null);
      });
      const ranked = rankByAgreement(attempts, tests, { sampleCount: samples.length, trusted });
      const dropped = trusted.filter((isTrusted) => !isTrusted).length;
      run.note('agreement', { text: `${tests.length} tests, ${dropped} refuted by programs that agree` });
      const [best] = ranked;
      const failures = best ? tests.filter((test, at) => trusted[at] && !isPassed(best, test, at)) : [];
      if (!best || !correct || failures.length === 0) return ranked;
      const source = await writeProgram(stage, run.prompt('correct', correctionOf(best, tests, failures)));
      if (source === null) return ranked;
      const corrected = await tryPrograms(stage, [{ number: programCount + 1, source }], inputs, 'corrected');
      return rankByAgreement([...ranked, ...corrected], tests, { sampleCount: samples.length, trusted });
    });
  },
});

const isPassed = ({ outputs }: TriedProgram, { output }: SamplePair, at: number): boolean =>
  isSameOutput(outputs[at] ?? null, output);

/** Without those that contradict an example of the statement or one another. */
async function writeTests(
  { run, samples, statement }: ProgramStage,
  examples: readonly SamplePair[],
  count: number,
): Promise<readonly SamplePair[]> {
  const read = await requestJson(run, 'tests', testsForm, [
    system(run.prompt('tests', { format: samples.format, count: String(count) })),
    { role: 'user', content: statement },
  ]);
  const outputs = (read?.tests ?? []).slice(0, count);
  const isKnown = (test: SamplePair) => examples.some(({ input }) => input.trim() === test.input.trim());
  const contradicting = outputs.filter((test) =>
    examples.some(
      ({ input, output }) => input.trim() === test.input.trim() && output.trim() !== test.output.trim(),
    ),
  );
  run.note('tests', {
    text: `${outputs.length} written; dropped because they contradict an example: ${contradicting.length}`,
  });
  return outputs.filter((test) => !isKnown(test));
}

const testsForm = z.object({ tests: z.array(z.object({ input: z.string(), output: z.string() })) });

type Ranking = { readonly sampleCount: number; readonly trusted: readonly boolean[] };

/** By the examples passed, then by the score of the group; of equal ones the earlier program first. */
export function rankByAgreement(
  programs: readonly TriedProgram[],
  tests: readonly SamplePair[],
  { sampleCount, trusted }: Ranking,
): readonly TriedProgram[] {
  const scored = programs.map((program) => {
    const passed = tests.flatMap((test, at) => (trusted[at] && isPassed(program, test, at) ? [at] : []));
    return { program, passed, key: passed.join() };
  });
  const score = ({ passed, key }: (typeof scored)[number]) =>
    scored.filter((other) => other.key === key).length * passed.length;
  const examples = ({ passed }: (typeof scored)[number]) => passed.filter((at) => at < sampleCount).length;
  return scored
    .toSorted((a, b) => examples(b) - examples(a) || score(b) - score(a))
    .map(({ program }) => program);
}

function correctionOf(
  { source, outputs }: TriedProgram,
  tests: readonly SamplePair[],
  failures: readonly SamplePair[],
) {
  const lines = failures.slice(0, 3).map((test) => {
    const output = outputs[tests.indexOf(test)] ?? 'it failed';
    return `Input:\n${test.input}\nExpected: ${test.output}\nPrinted: ${output}`;
  });
  return { program: source, failures: lines.join('\n\n') };
}
