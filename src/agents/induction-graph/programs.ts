/**
 * A hypothesis as a program, as a graph: the programmer writes Python, the sandbox runs it on every input, the verifier
 * compares what it made of the train inputs; and again, with what differed, until it is right or the versions are used
 * up. The program sees inputs alone; what it raises is told with its last lines.
 *
 *   programmer → execution → verifier → programmer … → end
 */
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import type { ProgramRequest, ProgramResult } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import type { Grid } from '../../core/problem.ts';
import { isGrid, validateGrid } from '../../grids/grid.ts';
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
import { harness } from './prompts.ts';
import { keepForm, type Program, programForm, readDecision, readProgram } from './replies.ts';
import type { Candidate, Finished, Status, Verification } from './state.ts';
import { difference, testParts, text, userMessage } from './words.ts';

const channels = Annotation.Root({
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
  detail: Annotation<string>,
});
type State = typeof channels.State;
type Update = Partial<State>;

export function induceProgram(line: Line): Promise<Finished> {
  return follow<State>(line, {
    first: initialState(line),
    visits: 3 * versionsOf(line) + 1,
    compile: (node) =>
      new StateGraph(channels)
        .addNode('programmer', node(runProgrammer))
        .addNode('execution', node(execution))
        .addNode('verifier', node(verifier))
        .addEdge(START, 'programmer')
        .addConditionalEdges('programmer', goOn('execution'))
        .addEdge('execution', 'verifier')
        .addConditionalEdges('verifier', goOn('programmer'))
        .compile(),
    finished: ({ status, detail, version, candidates, program }) => {
      return { status, detail, steps: version, candidates, rule: program?.source ?? '' };
    },
  });
}

function versionsOf({ settings }: Line): number {
  return settings.revisions + 1;
}

function initialState(line: Line): State {
  const empty = { program: null, settled: null, made: [], verification: null, candidates: [], detail: '' };
  return { version: 0, talk: firstMessages(line), ...empty, status: 'running' };
}

async function runProgrammer(line: Line, state: State): Promise<Update> {
  const { run, hints } = line;
  const known = hints.length;
  await takeHints(run, hints);
  const updates = state.version === 0 ? hints : hints.slice(known);
  const messages = [...state.talk, ...updates.map((hint) => user(run.prompt('hint', { hint })))];
  const may = state.settled
    ? { form: keepForm, read: readDecision(state.settled) }
    : { form: programForm, read: readProgram };
  const { value: program, messages: talk } = await requestReply(line, {
    role: 'programmer',
    messages,
    ...may,
  });
  note(run, 'program', { step: state.version + 1, ...program });
  const isSame = program.source.trim() === state.settled?.source.trim();
  return isSame ? { talk, program, status: 'completed' } : { talk, program };
}

/** What a program makes of each train and then each test input. */
export async function executed({ run, examples, settings }: Line, source: string) {
  const inputs = [...examples.pairs.map(({ input }) => input), ...examples.queries];
  return readTransformed(await run.exec(programRequest(source, inputs, settings.programSeconds)), inputs);
}

async function execution(line: Line, { program, version }: State): Promise<Update> {
  const { run, examples } = line;
  const created = await executed(line, program?.source ?? '');
  const grids = created.map(({ grid }) => grid);
  const noted = recordGrids(line, grids);
  const count = examples.pairs.length;
  const errors = created.map(({ error }) => error);
  const [train, test] = [noted.slice(0, count), noted.slice(count)];
  note(run, 'execution', { step: version + 1, train, test, errors });
  return { made: created };
}

async function verifier(line: Line, state: State): Promise<Update> {
  const version = state.version + 1;
  const count = line.examples.pairs.length;
  const [train, test] = [state.made.slice(0, count), state.made.slice(count)];
  const made = { train: train.map(({ grid }) => grid), test: test.map(({ grid }) => grid) };
  const step = { step: version, candidates: state.candidates };
  const errors = test.map(({ error }) => error);
  const { verification, ...after } = verified(line, step, made, { mostSteps: versionsOf(line), errors });
  const isComplete = after.candidates.at(-1)?.passed ?? false;
  const message = verification.passed
    ? inspectTests(line, test, isComplete)
    : results(line, train, verification);
  const messages = [...state.talk, message];
  const settled = isComplete && line.settings.afterPass === 'decide' ? state.program : null;
  return { version, verification, ...after, settled, talk: messages };
}

function firstMessages(line: Line): Message[] {
  const asked = userMessage([...alternativeLineHint(line), text(line.run.prompt('program'))]);
  return [...programmerMessages(line), asked];
}

/** How every talk with a programmer begins. */
export function programmerMessages(line: Line): Message[] {
  const { run, problem, samples, settings } = line;
  const { task, criteria } = problem.spec.brief;
  const system = run.prompt('programmer', { task, criteria, seconds: `${settings.programSeconds}` });
  const content = `${system}${inText(line, 'programText')}`;
  return [{ role: 'system', content }, samples({ withOutputs: true })];
}

function results({ run, examples }: Line, train: readonly Transformed[], { pairs }: Verification) {
  const lines = train.flatMap((transformed, at) => {
    const expected = examples.pairs[at]?.output;
    if (!expected || pairs[at]?.isRight) return [text(`Train ${at + 1}: right.`)];
    if (transformed.error !== null) return [text(`Train ${at + 1}: ${transformed.error}`)];
    return difference(at, expected, transformed.grid);
  });
  const right = `${pairs.filter(({ isRight }) => isRight).length}`;
  return wrapParts(run.prompt('revise', { right, total: `${pairs.length}`, results: here }), lines);
}

function inspectTests({ run, settings, examples }: Line, test: readonly Transformed[], isComplete: boolean) {
  const name = isComplete ? 'decideProgram' : 'failsOnTests';
  return wrapParts(run.prompt(name, { results: here }), testParts(examples, test, settings));
}

/** Marks the places of pictures in the words of a prompt. */
export const here = '\u0000';

export function wrapParts(words: string, parts: Parameters<typeof userMessage>[0]): Message {
  const [before = '', after = ''] = words.split(here).map((each) => each.trim());
  return userMessage([text(before), ...parts, text(after)]);
}

/** What a program made of one grid: a grid, or what went wrong, in words for the model. */
type Transformed = { readonly grid: Grid | null; readonly error: string | null };

const mostErrorCharacters = 1_200;

/** For what needs no processor: to begin, to sleep, to wait for one that others have. What a program may take is CPU time. */
const idleMs = 30_000;

export function programRequest(source: string, inputs: readonly Grid[], seconds: number): ProgramRequest {
  const cpuMs = Math.ceil(seconds * 1000 * inputs.length) + 2_000;
  return {
    language: 'python',
    source: harness,
    files: { 'solution.py': source },
    stdin: JSON.stringify({ inputs, seconds }),
    limits: { cpuMs, wallMs: cpuMs * 2 + idleMs, outputBytes: 1_000_000 },
  };
}

export function readTransformed({ run }: ProgramResult, inputs: readonly Grid[]): readonly Transformed[] {
  const results = run ? resultsIn(run.stdout.text) : [];
  const end = run ? endText(run) : 'It did not compile.';
  return inputs.map((_, at) => results.find(({ index }) => index === at)?.made ?? { grid: null, error: end });
}

/** A line an input: what a killed program had finished by then counts. */
function resultsIn(stdout: string) {
  return stdout.split('\n').flatMap((line) => {
    try {
      const { index, grid, error } = JSON.parse(line) as Record<string, unknown>;
      return typeof index === 'number' ? [{ index, made: toTransformed(grid, error) }] : [];
    } catch {
      return [];
    }
  });
}

function toTransformed(grid: unknown, error: unknown): Transformed {
  if (typeof error === 'string') return { grid: null, error: tail(error) };
  if (isGrid(grid)) return { grid, error: null };
  return { grid: null, error: `What transform returned is no grid: ${validateGrid(grid)}.` };
}

function endText({ verdict, exitCode, stderr }: NonNullable<ProgramResult['run']>): string {
  const text = stderr.text.trim();
  const how: Readonly<Record<string, string>> = {
    ok: 'It ended before it came to this grid.',
    exit: `It ended with exit status ${exitCode}.`,
    cpu: 'Its CPU time was used up.',
    wall: 'Its time was used up.',
    memory: 'It took more memory than there is.',
    output: 'It wrote more than it may.',
  };
  return `${how[verdict] ?? `It was ended (${verdict}).`}${text ? `\n${tail(text)}` : ''}`;
}

/** Python says what matters last. */
function tail(text: string): string {
  return text.length > mostErrorCharacters ? `…${text.slice(-mostErrorCharacters)}` : text;
}
