/**
 * A hypothesis in words, as a graph: the instructor gives one instruction, the generator applies it to every sample,
 * the verifier compares the train outputs cell by cell; and again, until they are right or the steps are used up.
 *
 *   instruction → generator → verifier → instruction … → end
 */
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import type { Message, ModelSuccess } from '../../core/model.ts';
import { note } from '../../notes/induction.ts';
import { takeHints, user } from '../kit/asking.ts';
import {
  alternativeLineHint,
  follow,
  goOn,
  inText,
  type Line,
  recordGrids,
  requestReply,
  verified,
} from './asking.ts';
import {
  type GeneratorReply,
  generatorForms,
  instructionForm,
  readInstruction,
  readOutputs,
} from './replies.ts';
import {
  type Candidate,
  type Finished,
  type Instruction,
  isRevision,
  mergeOutputs,
  type NextInstruction,
  noOutputs,
  type Outputs,
  type Status,
  type Verification,
  withInstruction,
} from './state.ts';
import { formatWords, numberInstructions, outputParts, text, userMessage } from './words.ts';

const channels = Annotation.Root({
  step: Annotation<number>,
  instructions: Annotation<readonly Instruction[]>,
  /** The attempts of all steps with their results. */
  tried: Annotation<readonly Tried[]>,
  next: Annotation<NextInstruction | null>,
  outputs: Annotation<Outputs>,
  generatorStatus: Annotation<string | null>,
  verification: Annotation<Verification | null>,
  candidates: Annotation<readonly Candidate[]>,
  status: Annotation<Status>,
  detail: Annotation<string>,
});
type Tried = { readonly instruction: string; readonly score: number };
type State = typeof channels.State;
type Update = Partial<State>;

export function induceInSteps(line: Line): Promise<Finished> {
  return follow<State>(line, {
    first: initialState(line),
    visits: 3 * line.settings.maxSteps + 1,
    compile: (node) =>
      new StateGraph(channels)
        .addNode('instruction', node(instruction))
        .addNode('generator', node(generator))
        .addNode('verifier', node(verifier))
        .addEdge(START, 'instruction')
        .addConditionalEdges('instruction', goOn('generator'))
        .addEdge('generator', 'verifier')
        .addConditionalEdges('verifier', goOn('instruction'))
        .compile(),
    finished: ({ status, detail, step, candidates, instructions }) => {
      return { status, detail, steps: step, candidates, rule: numberInstructions(instructions) };
    },
  });
}

function initialState({ examples }: Line): State {
  const empty = { next: null, generatorStatus: null, verification: null, candidates: [], instructions: [] };
  return { step: 0, outputs: noOutputs(examples), ...empty, tried: [], status: 'running', detail: '' };
}

async function instruction(line: Line, state: State): Promise<Update> {
  await takeHints(line.run, line.hints);
  const asked = { role: 'instruction', form: instructionForm, read: readInstruction } as const;
  const first = await requestReply(line, { ...asked, messages: instructionMessages(line, state) });
  const isRight = hasPassed(state);
  // An instructor that sees no way on is shown once more what is wrong.
  const isRetry = isEmpty(first.value, state) && !isRight;
  const messages = [...first.messages, user(explainFailure(line, state))];
  const { value } = isRetry ? await requestReply(line, { ...asked, messages }) : first;
  const revises = isRevision(state.instructions, value.revises) ? value.revises : null;
  const next = { ...value, revises: value.mind ? null : revises };
  note(line.run, 'instruction', { step: state.step + 1, ...next });
  if (next.done && isRight) return { status: 'completed' };
  if (isEmpty(next, state))
    return { status: 'failed', detail: 'The instructor sees no way on, and train outputs are still wrong.' };
  return { next, instructions: withInstruction(state.instructions, next) };
}

/** What passed is whole: it has an output of each test sample, too. */
function hasPassed({ candidates, verification }: State): boolean {
  return (candidates.at(-1)?.passed ?? false) && (verification?.passed ?? false);
}

function isEmpty({ text, mind }: NextInstruction, { instructions }: State): boolean {
  return text === '' && !(mind && instructions.length > 0);
}

/** What the generator goes on from; null where it begins from the inputs: then it is to send every sample. */
function outputsBefore({ next, outputs, step }: State): Outputs | null {
  const isAnew = step === 0 || next?.mind || next?.revises;
  return isAnew ? null : outputs;
}

async function generator(line: Line, state: State): Promise<Update> {
  const { outputs, status } = await generated(line, state);
  const merged = mergeOutputs(outputsBefore(state) ?? noOutputs(line.examples), outputs);
  const [train, test] = [recordGrids(line, merged.train), recordGrids(line, merged.test)];
  note(line.run, 'generator', { step: state.step + 1, status, train, test });
  return { outputs: merged, generatorStatus: status };
}

/** What can be read of a reply counts, even where the rest has to be asked for again. */
async function generated(line: Line, state: State) {
  const counts = { train: line.examples.pairs.length, test: line.examples.queries.length };
  let outputs = noOutputs(line.examples);
  const read = (reply: ModelSuccess, retryCount: number) => {
    const generatorReply = readOutputs(reply, counts);
    outputs = mergeOutputs(outputs, generatorReply.outputs);
    if (generatorReply.extra > 0) note(line.run, 'extra-outputs', { count: generatorReply.extra });
    const missing =
      outputsBefore(state) || !generatorReply.isReadable ? [] : missingIn(outputs, generatorReply.problems);
    const problem = problemOf(
      { ...generatorReply, problems: [...generatorReply.problems, ...missing] },
      retryCount >= line.settings.repairs,
    );
    return problem === null
      ? { ok: true as const, value: generatorReply.status }
      : { ok: false as const, problem };
  };
  const form = generatorForms[line.settings.grids];
  const messages = generatorMessages(line, state);
  const { value: status } = await requestReply(line, { role: 'generator', messages, form, read });
  return { outputs, status };
}

/** When it was asked for often enough, one grid that can be read is better than none. */
function problemOf({ isReadable, problems }: GeneratorReply, isLast: boolean): string | null {
  if (isReadable && (problems.length === 0 || isLast)) return null;
  return problems.length > 0 ? problems.join(' ') : 'It holds no output of any sample.';
}

/** The samples without an output or a reported problem. */
function missingIn({ train, test }: Outputs, problems: readonly string[]): readonly string[] {
  const names = [
    ...train.map((grid, at) => (grid ? '' : `train ${at + 1}:`)),
    ...test.map((grid, at) => (grid ? '' : `test ${at + 1}:`)),
  ];
  const missing = names.filter(
    (name) => name !== '' && !problems.some((problem) => problem.startsWith(name)),
  );
  return missing.map((name) => `${name} its output is missing.`);
}

async function verifier(line: Line, state: State): Promise<Update> {
  const step = state.step + 1;
  const { maxSteps } = line.settings;
  const after = verified(line, { ...state, step }, state.outputs, { mostSteps: maxSteps });
  const { text: words = '', mind } = state.next ?? {};
  const instruction = mind ? `the same again, minding: ${mind}` : words;
  return { step, ...after, tried: [...state.tried, { instruction, score: after.verification.score }] };
}

function instructionMessages(line: Line, state: State): Message[] {
  const { run, examples, settings, hints } = line;
  const isRight = hasPassed(state);
  const context = run.prompt(state.step === 0 ? 'begin' : 'now', {
    step: `${state.step + 1}`,
    maxSteps: `${settings.maxSteps}`,
    instructions: numberInstructions(state.instructions),
    tried: formatAttempts(state),
    status: state.generatorStatus || 'nothing yet',
  });
  return [
    ...instructorMessages(line),
    userMessage([
      ...alternativeLineHint(line),
      ...hints.map((hint) => text(run.prompt('hint', { hint }))),
      text(context),
      ...outputParts(examples, state.outputs, { ...settings, withDifferences: true }),
      text(run.prompt(isRight ? 'decide' : 'next')),
    ]),
  ];
}

/** How every talk with an instructor begins. */
export function instructorMessages(line: Line, prompt: 'instruction' | 'checker' = 'instruction'): Message[] {
  const { run, problem, samples } = line;
  const { task, criteria } = problem.spec.brief;
  const words = run.prompt(prompt, { task, criteria });
  const form = prompt === 'instruction' ? inText(line, 'instructionText') : '';
  return [{ role: 'system', content: `${words}${form}` }, samples({ withOutputs: true })];
}

/** Without any expected output: what it could copy, it would. */
function generatorMessages(line: Line, state: State): Message[] {
  const { run, examples, settings } = line;
  const format = formatWords[settings.grids];
  const form = run.prompt(settings.replies === 'structured' ? 'generatorForm' : 'generatorText', { format });
  const before = outputsBefore(state);
  const places = { instructions: numberInstructions(state.instructions), news: describeChanges(line, state) };
  const apply = run.prompt(before ? 'apply' : 'applyFromInputs', places);
  const outputs = before ? outputParts(examples, before, { ...settings, withDifferences: false }) : [];
  return [
    { role: 'system', content: `${run.prompt('generator')}\n\n${form}` },
    line.samples({ withOutputs: false }),
    userMessage([text(apply), ...outputs]),
  ];
}

/** Instructions that are still in the list are not repeated. */
function formatAttempts({ tried, instructions }: State): string {
  const lines = tried.map(({ instruction, score }, at) => {
    const number = instructions.findIndex(({ text: words }) => words === instruction) + 1;
    const what = number > 0 ? `instruction ${number}` : instruction;
    return `Step ${at + 1}: ${(100 * score).toFixed(1)}% after ${what}`;
  });
  return lines.join('\n');
}

function describeChanges({ run }: Line, { next, instructions }: State): string {
  const places = {
    number: `${next?.revises ?? instructions.length}`,
    mind: next?.mind ?? '',
  };
  return run.prompt(next?.mind ? 'applyAgain' : next?.revises ? 'replaced' : 'added', places);
}

function explainFailure({ run }: Line, { verification, outputs }: State): string {
  const pairs = verification?.pairs.flatMap(({ isRight }, at) => (isRight ? [] : [`train ${at + 1}`])) ?? [];
  const tests = outputs.test.flatMap((grid, at) => (grid ? [] : [`test ${at + 1} has none`]));
  const incorrect = verification?.passed ? tests : pairs;
  return run.prompt('notYet', { pairs: incorrect.join(', ') || 'all, since there is no output yet' });
}
