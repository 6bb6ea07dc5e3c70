/**
 * What agents share that draw programs for one stage of a problem with `samples`: they are written in branches, run on inputs
 * and compared by what they print, and the first that answers is handed in. It knows no rule by which programs are chosen.
 */
import { z } from 'zod';
import type { BranchFunction, Run, Solution } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import { LimitReached } from '../../core/errors.ts';
import { type ImagePart, isCutOff, type Message, type TextPart, textOf } from '../../core/model.ts';
import type { Problem, SamplePair, Samples, StageAdvance } from '../../core/problem.ts';
import { codeBlocks, selectProgram } from '../../text/code-blocks.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import { modelSettings, outputForm, parsedJson, system, user } from './asking.ts';

export const programPrompts = {
  program: `You solve problems by writing one program.

The task: {{task}}

{{environment}}

Write a complete program in {{language}}. {{format}} Reason first if it helps, then give the program in one fenced block.`,

  samples: `You copy the examples out of a statement: each input of a program that it shows completely, with the output that it gives for the question that is asked last. Copy word for word. Leave out examples of which the input or the output is missing.

{{format}}

Reply with JSON: {"samples": [{"input": "…", "output": "…"}]}.`,
};

/** One part of a problem, and how it is worked on. */
export type ProgramStage = {
  readonly run: Run;
  readonly problem: Problem;
  readonly samples: Samples;
  readonly statement: readonly (TextPart | ImagePart)[];
  readonly temperature: number | undefined;
};

export type Program = { readonly number: number; readonly source: string };

/** What a program printed on each input; null where it failed. */
export type TriedProgram = Program & { readonly outputs: readonly (string | null)[] };

/** Solves stage after stage; `choose` returns programs, the best first. */
export async function solveByPrograms(
  { problem, run, temperature }: Pick<ProgramStage, 'problem' | 'run' | 'temperature'>,
  choose: (stage: ProgramStage) => Promise<readonly Program[]>,
): Promise<Solution> {
  const { samples } = problem;
  if (!samples) throw new Error('Only agents whose problem offers samples come here.');
  let statement = problem.spec.statement;
  for (;;) {
    const stage = { run, problem, samples, statement, temperature };
    const ended = await handIn(stage, await choose(stage));
    if ('end' in ended) return ended;
    if (ended.to === null) return { end: 'answered', detail: 'All parts are answered.' };
    statement = [...statement, { type: 'text', text: ended.statement }];
  }
}

async function handIn(
  { run, samples }: ProgramStage,
  programs: readonly Program[],
): Promise<Solution | StageAdvance> {
  const { target, language } = samples;
  if (target.type === 'inputs') {
    const attempts: (readonly string[])[] = [];
    for (const { source } of programs) {
      const outputs = await outputsOf(run, { language }, source, target.inputs);
      const complete = outputs.flatMap((output) => output ?? []);
      const isNew = !attempts.some((attempt) => attempt.join('\n\n') === complete.join('\n\n'));
      if (isNew && complete.length === target.inputs.length) attempts.push(complete);
      const answer = attempts.length > 0 ? target.answer(attempts) : null;
      if (answer && answer.type !== 'misfit' && attempts.length === 2) return { end: 'answered', answer };
    }
    const answer = attempts.length > 0 ? target.answer(attempts) : null;
    if (answer && answer.type !== 'misfit') return { end: 'answered', answer };
    return { end: 'gave-up', detail: answer?.feedback ?? noProgram };
  }
  const seen = new Set<string>();
  for (const { source } of programs) {
    const call = target.run(source);
    const output = target.output(await run.tool(call.name, call.args));
    if (output === null || seen.has(output)) continue;
    seen.add(output);
    const submission = target.handIn(output);
    const { advance } = await run.tool(submission.name, submission.args);
    if (advance) return advance;
  }
  return {
    end: 'gave-up',
    detail: seen.size === 0 ? noProgram : `No answer was accepted: ${[...seen].join(', ')}.`,
  };
}

const noProgram = 'No program came to an output.';

/** Written side by side; a branch that comes to a limit, or to no program, is left out. */
export async function writePrograms(stage: ProgramStage, count: number): Promise<readonly Program[]> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const outputs = await inBranches(stage.run, 'program', numbers, (number) => async (here) => {
    const source = await writeProgram({ ...stage, run: here });
    return source === null ? null : { number, source };
  });
  return outputs.filter((program) => program !== null);
}

/** Its own words behind the statement may say what is to be changed. */
export async function writeProgram(stage: ProgramStage, request = ''): Promise<string | null> {
  const { run, problem, samples, statement, temperature } = stage;
  const { task, environment } = problem.spec.brief;
  const { language, format } = samples;
  const received = await run.generate('solver', {
    messages: [
      system(run.prompt('program', { task, environment, language, format })),
      { role: 'user', content: statement },
      ...(request === '' ? [] : [user(request)]),
    ],
    settings: modelSettings({ temperature }),
  });
  if (received.ok && isCutOff(received)) return null;
  const text = withoutThoughts(textOf(requireReply(received).message));
  const programs = codeBlocks(text)
    .filter(({ isClosed, code }) => isClosed && code.trim() !== '')
    .map(({ code }) => code);
  return programs.length === 0 ? null : (selectProgram(programs) ?? null);
}

/** Those of the problem's data, else those that one call reads from the statement. */
export async function samplesOf(stage: ProgramStage): Promise<readonly SamplePair[]> {
  const { run, samples, statement } = stage;
  if (samples.pairs) return samples.pairs;
  const read = await requestJson(run, 'samples', samplesForm, [
    system(run.prompt('samples', { format: samples.format })),
    { role: 'user', content: statement },
  ]);
  const words = unspaced(statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  const found = (read?.samples ?? []).filter(({ input, output }) =>
    [...input.split('\n'), output].every((line) => words.includes(unspaced(line))),
  );
  run.note('samples', { text: `${found.length} read from the statement` });
  return found;
}

const samplesForm = z.object({ samples: z.array(z.object({ input: z.string(), output: z.string() })) });
const unspaced = (text: string): string => text.replaceAll(/\s+/g, '');

/**
 * Samples that were read from a statement may be wrong: one is dropped if no program passes it, and most programs agree on
 * another output.
 */
export function trustedSamples(
  pairs: readonly SamplePair[],
  programs: readonly TriedProgram[],
): readonly boolean[] {
  return pairs.map(({ output }, at) => {
    const outputs = programs.map(({ outputs }) => outputs[at] ?? null);
    if (outputs.some((each) => isSameOutput(each, output))) return true;
    return !outputs.some(
      (each) =>
        each !== null && outputs.filter((other) => other === each).length > Math.max(1, outputs.length / 2),
    );
  });
}

/** `null` where no reply can be read. */
export async function requestJson<T>(
  run: Run,
  name: string,
  schema: z.ZodType<T>,
  messages: readonly Message[],
): Promise<T | null> {
  const received = await run.generate('solver', { messages, output: outputForm(name, schema) });
  if (received.ok && isCutOff(received)) return null;
  return schema.safeParse(parsedJson(textOf(requireReply(received).message))).data ?? null;
}

export async function tryPrograms(
  { run, samples }: ProgramStage,
  programs: readonly Program[],
  inputs: readonly string[],
  name = 'try',
): Promise<readonly TriedProgram[]> {
  return inBranches(run, name, programs, (program) => async (here) => ({
    ...program,
    outputs: await outputsOf(here, samples, program.source, inputs),
  }));
}

async function outputsOf(
  run: Run,
  { language }: Pick<Samples, 'language'>,
  source: string,
  inputs: readonly string[],
): Promise<readonly (string | null)[]> {
  const outputs: (string | null)[] = [];
  for (const input of inputs) {
    const { run: stepResult } = await run.exec({
      language,
      source,
      stdin: input,
      files: { 'input.txt': input },
    });
    outputs.push(stepResult?.verdict === 'ok' ? stepResult.stdout.text.trim() : null);
  }
  return outputs;
}

/** A program may print more lines before an answer of one line. */
export function isSameOutput(output: string | null, expected: string): boolean {
  const requested = expected.trim();
  if (output === null) return false;
  return (
    output === requested || (!requested.includes('\n') && output.split('\n').at(-1)?.trim() === requested)
  );
}

/** In the order of `items`. What a limit ended is left out, unless it ended all. */
export async function inBranches<Item, T>(
  run: Run,
  name: string,
  items: readonly Item[],
  work: (item: Item) => BranchFunction<T>,
): Promise<readonly T[]> {
  const prefix = `${run.stage === '' ? '' : `${run.stage}-`}${name}`;
  const branches = items.map((item, at) => [`${prefix}-${at + 1}`, work(item)] as const);
  if (branches.length === 0) return [];
  const ended = await run.until(Object.fromEntries(branches), (results) => results.length === items.length);
  const failed = ended.flatMap((result) => (result.ok ? [] : [result.error]));
  const other = failed.find((error) => !(error instanceof LimitReached));
  if (other || (failed.length === items.length && failed[0])) throw other ?? failed[0];
  return branches.flatMap(([branch]) => {
    const result = ended.find((each) => each.name === branch);
    return result?.ok ? [result.value] : [];
  });
}
