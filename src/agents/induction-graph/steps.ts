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
import { ask, follow, goOn, type Line, notedGrids, verified } from './asking.ts';
import {
  type GeneratorReply,
  generatorForm,
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
import { formatWords, numbered, outputParts, text, userMessage } from './words.ts';

const channels = Annotation.Root({
  step: Annotation<number>,
  instructions: Annotation<readonly Instruction[]>,
  next: Annotation<NextInstruction | null>,
  outputs: Annotation<Outputs>,
  generatorStatus: Annotation<string | null>,
  verification: Annotation<Verification | null>,
  candidates: Annotation<readonly Candidate[]>,
  status: Annotation<Status>,
  detail: Annotation<string>,
});
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
    finished: ({ status, detail, step, candidates }) => ({ status, detail, steps: step, candidates }),
  });
}

function initialState({ examples }: Line): State {
  const nothing = { next: null, generatorStatus: null, verification: null, candidates: [], instructions: [] };
  return { step: 0, outputs: noOutputs(examples), ...nothing, status: 'running', detail: '' };
}

async function instruction(line: Line, state: State): Promise<Update> {
  await takeHints(line.run, line.hints);
  const asked = { role: 'instruction', form: instructionForm, read: readInstruction } as const;
  const first = await ask(line, { ...asked, messages: instructionMessages(line, state) });
  const isRight = state.verification?.passed ?? false;
  // An instructor that sees no way on is shown once more what is wrong.
  const again = first.value.text === '' && !isRight;
  const messages = [...first.messages, user(notYet(line, state))];
  const { value } = again ? await ask(line, { ...asked, messages }) : first;
  const revises = isRevision(state.instructions, value.revises) ? value.revises : null;
  const next = { ...value, revises };
  note(line.run, 'instruction', { step: state.step + 1, ...next });
  if (next.done && isRight) return { status: 'completed' };
  if (next.text === '')
    return { status: 'failed', detail: 'The instructor sees no way on, and train outputs are still wrong.' };
  return { next, instructions: withInstruction(state.instructions, next) };
}

async function generator(line: Line, state: State): Promise<Update> {
  const { outputs, status } = await generated(line, state);
  const merged = mergeOutputs(state.outputs, outputs);
  const [train, test] = [notedGrids(line, merged.train), notedGrids(line, merged.test)];
  note(line.run, 'generator', { step: state.step + 1, status, train, test });
  return { outputs: merged, generatorStatus: status };
}

/** What can be read of a reply counts, even where the rest has to be asked for again. */
async function generated(line: Line, state: State) {
  const counts = { train: line.examples.pairs.length, test: line.examples.queries.length };
  let outputs = noOutputs(line.examples);
  let tries = 0;
  const read = (reply: ModelSuccess) => {
    const made = readOutputs(reply, counts);
    outputs = mergeOutputs(outputs, made.outputs);
    if (made.extra > 0) note(line.run, 'extra-outputs', { count: made.extra });
    tries += 1;
    const problem = problemOf(made, tries > line.settings.repairs);
    return problem === null ? { ok: true as const, value: made.status } : { ok: false as const, problem };
  };
  const form = generatorForm(line.settings.grids);
  const messages = generatorMessages(line, state);
  const { value: status } = await ask(line, { role: 'generator', messages, form, read });
  return { outputs, status };
}

/** When it was asked for often enough, one grid that can be read is better than none. */
function problemOf({ isReadable, problems }: GeneratorReply, isLast: boolean): string | null {
  if (isReadable && (problems.length === 0 || isLast)) return null;
  return problems.length > 0 ? problems.join(' ') : 'It holds no output of any sample.';
}

async function verifier(line: Line, state: State): Promise<Update> {
  const step = state.step + 1;
  return { step, ...verified(line, { ...state, step }, state.outputs, line.settings.maxSteps) };
}

function instructionMessages(line: Line, state: State): Message[] {
  const { run, problem, examples, settings, hints } = line;
  const { task, criteria } = problem.spec.brief;
  const isRight = state.verification?.passed ?? false;
  const context = run.prompt('context', {
    step: `${state.step + 1}`,
    maxSteps: `${settings.maxSteps}`,
    reasoning: settings.reasoning ?? 'its own',
    instructions: numbered(state.instructions),
    status: state.generatorStatus || 'nothing yet',
  });
  const words = system(line, run.prompt('instruction', { task, criteria }), 'instructionText');
  const another = run.prompt('another', { number: `${line.number}`, count: `${line.count}` });
  return [
    { role: 'system', content: words },
    line.samples({ withOutputs: true }),
    userMessage([
      ...(line.number > 1 ? [text(another)] : []),
      ...hints.map((hint) => text(run.prompt('hint', { hint }))),
      text(context),
      ...outputParts(examples, state.outputs, { ...settings, withDifferences: true }),
      text(run.prompt(isRight ? 'decide' : 'next')),
    ]),
  ];
}

/** Without any expected output: what it could copy, it would. */
function generatorMessages(line: Line, state: State): Message[] {
  const { run, examples, settings } = line;
  const format = formatWords[settings.grids];
  const form = run.prompt(settings.replies === 'structured' ? 'generatorForm' : 'generatorText', { format });
  const apply = run.prompt('apply', { instructions: numbered(state.instructions), news: news(line, state) });
  const outputs = outputParts(examples, state.outputs, { ...settings, withDifferences: false });
  return [
    { role: 'system', content: `${run.prompt('generator')}\n\n${form}` },
    line.samples({ withOutputs: false }),
    userMessage([text(apply), ...outputs]),
  ];
}

function news({ run }: Line, { next, instructions }: State): string {
  const number = `${next?.revises ?? instructions.length}`;
  return run.prompt(next?.revises ? 'applyRevised' : 'applyNew', { number, instruction: next?.text ?? '' });
}

function notYet({ run }: Line, { verification }: State): string {
  const pairs = verification?.pairs ?? [];
  const wrong = pairs.flatMap(({ isRight }, at) => (isRight ? [] : [`train ${at + 1}`]));
  return run.prompt('notYet', { pairs: wrong.join(', ') || 'all, since there is no output yet' });
}

function system({ run, settings }: Line, words: string, form: string): string {
  return settings.replies === 'text' ? `${words}\n\n${run.prompt(form)}` : words;
}
