/**
 * A hypothesis as a program, as a graph: the programmer writes Python, the sandbox runs it on every input, the verifier
 * compares what it made of the train inputs; and again, with what differed, until it is right or the versions are used
 * up. The conversation goes on from version to version.
 *
 *   programmer → execution → verifier → programmer … → end
 */
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import type { Message } from '../../core/model.ts';
import { note } from '../../notes/induction.ts';
import { takeHints, user } from '../kit/asking.ts';
import { ask, type Line, notedGrids } from './asking.ts';
import { follow, goOn, verified } from './follow.ts';
import { programRequest, readTransformed, type Transformed } from './harness.ts';
import { type Program, programForm, readProgram } from './replies.ts';
import type { Candidate, Finished, Status, Verification } from './state.ts';
import { difference, shown, text, userMessage } from './words.ts';

const channels = Annotation.Root({
  /** Versions that were verified. */
  version: Annotation<number>,
  /** What was said so far; what the programmer is told next is its last message. */
  talk: Annotation<readonly Message[]>,
  program: Annotation<Program | null>,
  /** The program that it was asked about, when its train pairs were right: the same again means that it stays. */
  settled: Annotation<Program | null>,
  made: Annotation<readonly Transformed[]>,
  verification: Annotation<Verification | null>,
  candidates: Annotation<readonly Candidate[]>,
  status: Annotation<Status>,
});
type State = typeof channels.State;
type Update = Partial<State>;

export function induceAProgram(line: Line): Promise<Finished> {
  return follow<State>(line, {
    first: initialState(line),
    visits: 3 * versionsOf(line) + 1,
    compile: (node) =>
      new StateGraph(channels)
        .addNode('programmer', node(programmer))
        .addNode('execution', node(execution))
        .addNode('verifier', node(verifier))
        .addEdge(START, 'programmer')
        .addConditionalEdges('programmer', goOn('execution'))
        .addEdge('execution', 'verifier')
        .addConditionalEdges('verifier', goOn('programmer'))
        .compile(),
    finished: ({ status, version, candidates }) => ({ status, detail: '', steps: version, candidates }),
  });
}

function versionsOf({ settings }: Line): number {
  return settings.revisions + 1;
}

function initialState(line: Line): State {
  const nothing = { program: null, settled: null, made: [], verification: null, candidates: [] };
  return { version: 0, talk: openingOf(line), ...nothing, status: 'running' };
}

async function programmer(line: Line, state: State): Promise<Update> {
  const { run, hints } = line;
  const known = hints.length;
  await takeHints(run, hints);
  const news = state.version === 0 ? hints : hints.slice(known);
  const messages = [...state.talk, ...news.map((hint) => user(run.prompt('hint', { hint })))];
  const asked = { role: 'programmer', messages, form: programForm, read: readProgram } as const;
  const { value: program, messages: talk } = await ask(line, asked);
  note(run, 'program', { step: state.version + 1, ...program });
  const isSame = program.source.trim() === state.settled?.source.trim();
  return isSame ? { talk, program, status: 'completed' } : { talk, program };
}

async function execution(line: Line, { program, version }: State): Promise<Update> {
  const { run, examples, settings } = line;
  const inputs = [...examples.pairs.map(({ input }) => input), ...examples.queries];
  const request = programRequest(program?.source ?? '', inputs, settings.programSeconds);
  const made = readTransformed(await run.exec(request), inputs);
  const grids = made.map(({ grid }) => grid);
  const noted = notedGrids(line, grids);
  const count = examples.pairs.length;
  const errors = made.map(({ error }) => error);
  const [train, test] = [noted.slice(0, count), noted.slice(count)];
  note(run, 'execution', { step: version + 1, train, test, errors });
  return { made };
}

async function verifier(line: Line, state: State): Promise<Update> {
  const version = state.version + 1;
  const count = line.examples.pairs.length;
  const [train, test] = [state.made.slice(0, count), state.made.slice(count)];
  const made = { train: train.map(({ grid }) => grid), test: test.map(({ grid }) => grid) };
  const step = { step: version, candidates: state.candidates };
  const { verification, ...after } = verified(line, step, made, versionsOf(line));
  const { passed } = verification;
  const talk = [...state.talk, passed ? lookAtTests(line, test) : results(line, train, verification)];
  const settled = passed && line.settings.afterPass === 'decide' ? state.program : null;
  return { version, verification, ...after, settled, talk };
}

function openingOf({ run, problem, samples, settings, number, count }: Line): Message[] {
  const { task, criteria } = problem.spec.brief;
  const system = run.prompt('programmer', { task, criteria });
  const form = settings.replies === 'text' ? `\n\n${run.prompt('programText')}` : '';
  const another = run.prompt('another', { number: `${number}`, count: `${count}` });
  return [
    { role: 'system', content: `${system}${form}` },
    samples({ withOutputs: true }),
    userMessage([...(number > 1 ? [text(another)] : []), text(run.prompt('program'))]),
  ];
}

function results(
  { run, examples, settings }: Line,
  train: readonly Transformed[],
  verification: Verification,
) {
  const { pairs } = verification;
  const told = train.flatMap((made, at) => {
    const expected = examples.pairs[at]?.output;
    if (!expected || pairs[at]?.isRight) return [text(`Train ${at + 1}: right.`)];
    if (made.error !== null) return [text(`Train ${at + 1}: ${made.error}`)];
    return difference(at, expected, made.grid, settings);
  });
  const right = `${pairs.filter(({ isRight }) => isRight).length}`;
  return around(run.prompt('revise', { right, total: `${pairs.length}`, results: here }), told);
}

function lookAtTests({ run, settings }: Line, test: readonly Transformed[]): Message {
  const told = test.flatMap(({ grid, error }, at) =>
    grid ? shown(`Test ${at + 1}`, grid, settings) : [text(`Test ${at + 1}: ${error}`)],
  );
  return around(run.prompt('decideProgram', { results: here }), told);
}

/** Where pictures are to stand among the words of a prompt. */
const here = '\u0000';

function around(words: string, parts: Parameters<typeof userMessage>[0]): Message {
  const [before = '', after = ''] = words.split(here).map((each) => each.trim());
  return userMessage([text(before), ...parts, text(after)]);
}
