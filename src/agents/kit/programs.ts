/**
 * What agents share that draw programs for one stage of a problem with `samples`: they are written in branches, run on tests
 * and compared by what they print, and the first that answers is handed in. It knows no rule by which programs are chosen.
 */
import { z } from 'zod';
import type { Run, Solution } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import { type ImagePart, isCutOff, type Message, type TextPart, textOf } from '../../core/model.ts';
import type { Problem, SamplePair, Samples, StageAdvance } from '../../core/problem.ts';
import { codeBlocks, selectProgram } from '../../text/code-blocks.ts';
import { modelSettings, outputForm, parsedJson, system, user } from './asking.ts';
import { inBranches, requestOnce } from './drawn-answer.ts';

export const programPrompts = {
  program: `You solve problems by writing one program.

The task: {{task}}

{{environment}}

Write a complete program in {{language}}. {{format}} Reason first if it helps, then give the program in one fenced block: a program is what is wanted, whatever else the statement asks for.`,

  samples: `You copy the examples out of a statement: each input of a program that it shows completely, with the output that it gives for the question that is asked last. Copy word for word. Leave out examples of which the input or the output is missing.

{{format}}

Reply with JSON: {"samples": [{"input": "…", "output": "…"}]}.`,

  missingProgram:
    'Your reply holds no complete program in a fenced block. Send the program again, complete and in one fenced block.',
};

/** One part of a problem, and how it is worked on. */
export type ProgramStage = {
  readonly run: Run;
  readonly problem: Problem;
  readonly samples: Samples;
  readonly statement: readonly (TextPart | ImagePart)[];
  readonly temperature: number | undefined;
  /** Programs that are written side by side; absent: all. */
  readonly atOnce?: number | undefined;
};

/** An input, and the output if it is known. */
export type ProgramTest = { readonly input: string; readonly output: string | null };

export type Program = {
  readonly source: string;
  /** What it printed on each test; null where it failed. */
  readonly outputs: readonly (string | null)[];
};

/** Solves stage after stage; `choose` returns programs, the best first. */
export async function solveByPrograms(
  { problem, ...parts }: Omit<ProgramStage, 'samples' | 'statement'>,
  choose: (stage: ProgramStage) => Promise<readonly Program[]>,
): Promise<Solution> {
  const { samples } = problem;
  if (!samples) throw new Error('Only agents whose problem offers samples come here.');
  let statement = problem.spec.statement;
  for (;;) {
    const stage = { ...parts, problem, samples, statement };
    const ended = await handIn(stage, await choose(stage));
    if ('end' in ended) return ended;
    if (ended.to === null) return { end: 'answered', detail: 'All parts are answered.' };
    statement = [...statement, { type: 'text', text: ended.statement }];
  }
}

/** Another program with other outputs is a second attempt, or follows where the first answer is not accepted. */
async function handIn(
  { run, samples }: ProgramStage,
  programs: readonly Program[],
): Promise<Solution | StageAdvance> {
  const { target } = samples;
  const attempts: (readonly string[])[] = [];
  const isNew = (outputs: readonly string[]) =>
    !attempts.some((attempt) => JSON.stringify(attempt) === JSON.stringify(outputs));
  for (const { source } of programs) {
    if (target.type === 'inputs') {
      const outputs = (await outputsOf(run, samples, source, target.inputs)).filter((each) => each !== null);
      const isComplete = outputs.length === target.inputs.length;
      if (isComplete && isNew(outputs) && target.answer([outputs]).type !== 'misfit') attempts.push(outputs);
      if (attempts.length === maxAttempts) break;
    } else {
      const call = target.run(source);
      const output = target.output(await run.tool(call.name, call.args));
      if (output === null || !isNew([output])) continue;
      attempts.push([output]);
      const submission = target.handIn(output);
      const { advance } = await run.tool(submission.name, submission.args);
      if (advance) return advance;
    }
  }
  const answer = target.type === 'inputs' && attempts.length > 0 ? target.answer(attempts) : null;
  if (answer && answer.type !== 'misfit') return { end: 'answered', answer };
  const detail =
    attempts.length === 0
      ? 'No program came to an output.'
      : `No answer was accepted: ${attempts.flat().join(', ')}.`;
  return { end: 'gave-up', detail };
}

/** As many as count of an answer. */
const maxAttempts = 2;

/** Programs written side by side, and run on the tests; a branch that comes to a limit, or to no program, is left out. */
export async function draftPrograms(
  stage: ProgramStage,
  count: number,
  tests: readonly ProgramTest[],
): Promise<readonly Program[]> {
  const { run, atOnce } = stage;
  const items = Array.from({ length: count }, (_, at) => at);
  const sources = await inBranches(
    run,
    { name: 'program', items, atOnce },
    () => (here) => writeProgram({ ...stage, run: here }),
  );
  return tryPrograms(
    stage,
    sources.filter((source) => source !== null),
    tests,
  );
}

/** Words behind the statement may say what is to be changed. */
export function writeProgram(stage: ProgramStage, words = ''): Promise<string | null> {
  const { run, problem, samples, statement, temperature } = stage;
  const { task, environment } = problem.spec.brief;
  const { language, format } = samples;
  const messages: Message[] = [
    // Where nothing is said of the environment, no gap is left.
    system(run.prompt('program', { task, environment, language, format }).replaceAll(/\n{3,}/g, '\n\n')),
    { role: 'user', content: statement },
    ...(words === '' ? [] : [user(words)]),
  ];
  const read = (text: string) => {
    const blocks = codeBlocks(text).filter(({ isClosed, code }) => isClosed && code.trim() !== '');
    const value = blocks.length === 0 ? undefined : selectProgram(blocks.map(({ code }) => code));
    return value === undefined ? noProgram : ({ ok: true, value } as const);
  };
  const noProgram = { ok: false, problem: run.prompt('missingProgram') } as const;
  const request = { messages, settings: modelSettings({ temperature }) };
  return requestOnce(run, 'solver', request, read, (feedback) => feedback);
}

export async function tryPrograms(
  { run, samples, atOnce }: ProgramStage,
  sources: readonly string[],
  tests: readonly ProgramTest[],
  name = 'try',
): Promise<readonly Program[]> {
  const inputs = tests.map(({ input }) => input);
  return inBranches(run, { name, items: sources, atOnce }, (source) => async (here) => {
    return { source, outputs: await outputsOf(here, samples, source, inputs) };
  });
}

async function outputsOf(
  run: Run,
  { language }: Samples,
  source: string,
  inputs: readonly string[],
): Promise<readonly (string | null)[]> {
  const outputs: (string | null)[] = [];
  for (const input of inputs) {
    const request = { language, source, stdin: input, files: { 'input.txt': input } };
    const { run: stepResult } = await run.exec(request);
    outputs.push(stepResult?.verdict === 'ok' ? stepResult.stdout.text.trim() : null);
  }
  return outputs;
}

/** The tests that a program passes, by number; a program may print more lines before an answer of one line. */
export function passedTests({ outputs }: Program, tests: readonly ProgramTest[]): readonly number[] {
  return tests.flatMap(({ output: expected }, at) => {
    const [output, wanted] = [outputs[at] ?? null, expected?.trim()];
    if (output === null || wanted === undefined) return [];
    const last = wanted.includes('\n') ? output : output.split('\n').at(-1)?.trim();
    return output === wanted || last === wanted ? [at] : [];
  });
}

/** Outputs that were read or written by a model are left out if no program prints them and most agree on another one. */
export function trustedTests(
  { pairs }: Pick<Samples, 'pairs'>,
  tests: readonly ProgramTest[],
  programs: readonly Program[],
): readonly ProgramTest[] {
  return tests.map((test, at) => {
    const isPassed = programs.some((program) => passedTests(program, tests).includes(at));
    if (isPassed || pairs?.some((pair) => pair === test)) return test;
    const outputs = programs.flatMap((program) => program.outputs[at] ?? []);
    const votes = outputs.map((each) => outputs.filter((other) => other === each).length);
    return Math.max(0, ...votes) > Math.max(1, programs.length / 2) ? { ...test, output: null } : test;
  });
}

/** Those of the problem's data, else those that one call reads from the statement. */
export async function samplesOf(stage: ProgramStage): Promise<readonly SamplePair[]> {
  const { run, samples, statement } = stage;
  if (samples.pairs) return samples.pairs;
  const prompt = run.prompt('samples', { format: samples.format });
  const read = await requestJson(stage, 'samples', samplesForm, prompt);
  const words = unspaced(statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  const found = (read?.samples ?? []).filter(({ input, output }) =>
    [...input.split('\n'), output].every((line) => words.includes(unspaced(line))),
  );
  run.note('samples', { text: `${found.length} read from the statement` });
  return found;
}

const samplesForm = z.object({ samples: z.array(z.object({ input: z.string(), output: z.string() })) });
const unspaced = (text: string): string => text.replaceAll(/\s+/g, '');

/** Of the statement, under the given instructions. Null where no reply can be read: the run itself has then asked again. */
export async function requestJson<T>(
  { run, statement }: ProgramStage,
  name: string,
  schema: z.ZodType<T>,
  instructions: string,
): Promise<T | null> {
  const messages: Message[] = [system(instructions), { role: 'user', content: statement }];
  const received = await run.generate('solver', { messages, output: outputForm(name, schema) });
  if (received.ok ? isCutOff(received) : received.error.kind === 'malformed') return null;
  return schema.safeParse(parsedJson(textOf(requireReply(received).message))).data ?? null;
}
