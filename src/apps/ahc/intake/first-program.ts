/**
 * The program that a search begins with, found once, when a workspace is made: by the official tools where they work here,
 * else by the statement and its samples. It stands in `problem/`, and `main.cpp` begins as it is. `init` looks for it
 * because answers have to be tried, and a problem is loaded without running anything.
 */
import { UnavailableError } from '../../../core/errors.ts';
import type { ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import {
  buildWhole,
  evaluate,
  type TestCase,
  ToolsDoNotBuild,
  toolProgram,
} from '../../../families/ahc/judge/evaluate.ts';
import { type Judged, judgeOutput } from '../../../families/ahc/judge/verdict.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { bankOf, guessAnswer, type Tried } from '../../../families/ahc/plain/bank.ts';
import { answeringProgram, readingProgram, talkingProgram } from '../../../families/ahc/plain/cpp.ts';
import {
  accountText,
  type FirstProgram,
  type FirstProgramAccount,
  leftFor,
  readFirstProgram,
} from '../../../families/ahc/plain/first-program.ts';
import { talksOf } from '../../../families/ahc/plain/talk.ts';
import {
  type Question,
  questionIn,
  type Understood,
  understand,
} from '../../../families/ahc/plain/understanding.ts';
import { type Walk, walksOf } from '../../../families/ahc/plain/walks.ts';
import { type Contest, type ContestFile, contestOf, readCrate } from '../../../families/ahc/workspace.ts';
import { hashText } from '../../../run/hash.ts';
import { sha256 } from './source.ts';
import type { ToolsWork } from './tools.ts';

type FirstWork = Pick<ToolsWork, 'keeper' | 'parts' | 'signal'> & {
  readonly contest: ContestFile;
  readonly config: Pick<Resolved, 'get'>;
  /** Whether the tools work here. */
  readonly isBuilt: boolean;
};

export async function bringFirstProgram(work: FirstWork): Promise<FirstProgramAccount> {
  const { keeper } = work;
  const key = await keyOf(work);
  const known = await readFirstProgram(keeper.folder);
  const isLeft = known?.account.key === leftFor(key);
  const found = known?.account.key === key ? known : await find(work, key, isLeft ? patientMs : mostMs);
  await keeper.renew(layout.firstProgram, found.source);
  await keeper.renew(layout.firstProgramAccount, accountText(found.account));
  // What nobody has changed since it was put there goes with what it came from.
  const isOurs = known !== null && (await keeper.folder.read(layout.solution)) === known.source;
  await keeper[isOurs ? 'renew' : 'add'](layout.solution, found.source);
  return found.account;
}

/** What decides which answers there are, and whether they were tried. */
async function keyOf({ keeper: { folder }, contest, config, isBuilt }: FirstWork): Promise<string> {
  const { isInteractive, tools } = contestOf(contest, config);
  const format = await folder.read(layout.inputFormat);
  const isThere = (await folder.files(layout.inputs)).length > 0;
  return sha256(JSON.stringify([1, format, isInteractive, tools, isBuilt, isThere])).slice(0, 16);
}

async function find(work: FirstWork, whole: string, withinMs: number): Promise<FirstProgram> {
  const { keeper, contest, config } = work;
  const { isInteractive } = contestOf(contest, config);
  const statement = (await keeper.folder.read(layout.statement)) ?? '';
  const question = await questionIn(keeper.folder, { isInteractive, statement });
  const understood = understand(question);
  const choice = await tryAll(work, question, understood, withinMs);
  const isLeft = choice?.isLeft === true && choice.source === null && withinMs < patientMs;
  if (isLeft)
    work.parts.onProgress('a first program is left for later: `polya ahc init` again goes on looking');
  const key = isLeft ? leftFor(whole) : whole;
  const tried = choice?.tried ?? 0;
  const common = { version: 1 as const, key, isInteractive, cases: 0, score: null, tried };
  if (choice && choice.source !== null) {
    const { source, told, score, cases } = choice;
    return { source, account: { ...common, how: 'judged', told, score, cases } };
  }
  const guess = choice ? null : guessAnswer(question, understood);
  if (guess) return { source: guess.source, account: { ...common, how: 'read', told: guess.told } };
  return { source: readingProgram(understood), account: { ...common, how: 'none', told: '' } };
}

/** Inputs on which the program has to be valid. */
const mostCases = 30;

/** Null where no tool can be asked. */
async function tryAll(
  work: FirstWork,
  question: Question,
  understood: Understood,
  withinMs: number,
): Promise<(Choice & { readonly cases: number }) | null> {
  const { keeper, parts, signal, isBuilt, config } = work;
  const contest = contestOf(work.contest, config);
  const tool = contest.isInteractive ? contest.tools?.tester : contest.tools?.judge;
  const crate = await readCrate(keeper);
  const cases = await casesIn(work);
  if (!isBuilt || !tool || !crate || cases.length === 0) return null;
  try {
    const { sandbox, clock } = parts;
    // Building it may take a minute, which does not count for the search.
    await buildWhole(sandbox, toolProgram(crate, tool), signal);
    parts.onProgress('trying plain answers for a first program');
    // A third of the time is for what was found to be proved on all inputs.
    const endMs = clock.now() + (withinMs * 2) / 3;
    const isLate = () => clock.now() >= endMs;
    const { onProgress } = parts;
    const timeOver = AbortSignal.timeout(withinMs);
    const ended = { isOver: () => timeOver.aborted, signal: AbortSignal.any([signal, timeOver]) };
    const trial = { ...ended, isLate, onProgress, sandbox, contest, crate, question, understood, cases };
    const choice = await (contest.isInteractive
      ? unlessOver(trial, chooseTalk(trial), { source: null, tried: 0, isLeft: true })
      : chooseAnswer(trial));
    signal.throwIfAborted();
    return { ...choice, cases: cases.length };
  } catch (error) {
    // If programs cannot run here, the step for the tools reports it.
    if (error instanceof UnavailableError || error instanceof ToolsDoNotBuild) return null;
    throw error;
  }
}

async function casesIn({ keeper: { folder } }: FirstWork): Promise<readonly TestCase[]> {
  const names = (await folder.files(layout.inputs)).filter((name) => /^[^/]+\.txt$/.test(name));
  const inputOf = async (name: string) => (await folder.read(`${layout.inputs}/${name}`)) ?? '';
  const first = names.toSorted().slice(0, mostCases);
  const cases = await Promise.all(first.map(async (name) => ({ name, input: await inputOf(name) })));
  return cases.filter(({ input }) => input !== '');
}

type Trial = {
  readonly sandbox: Sandbox;
  readonly contest: Contest;
  readonly crate: ProgramFiles;
  readonly question: Question;
  readonly understood: Understood;
  /** On which the program has to be valid in the end. */
  readonly cases: readonly TestCase[];
  readonly signal: AbortSignal;
  /** Nothing more is tried: what is valid so far is proved and taken. */
  readonly isLate: () => boolean;
  /** All of its time is over, and `signal` aborted for it. */
  readonly isOver: () => boolean;
  readonly onProgress: (line: string) => void;
};

/** `source` is null where none is valid. */
type Choice = { readonly tried: number; readonly isLeft?: boolean } & (
  | { readonly source: string; readonly told: string; readonly score: number | null }
  | { readonly source: null }
);

/** Tools that draw may take a second for each output: the likeliest have been tried by then. */
const mostMs = 30_000;
const patientMs = 300_000;
const judgedAtOnce = 8;

/** Programs that are run, of those whose output was valid. */
const mostRun = 6;

/** Cancels slow judges and programs that wait. */
async function unlessOver<T>({ isOver }: Trial, work: Promise<T>, left: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isOver()) return left;
    throw error;
  }
}

async function chooseAnswer(trial: Trial): Promise<Choice> {
  const walks = walksOf(trial.question, trial.understood).slice(0, mostTalks);
  const isSaid = walks.some((each) => each.isSaid);
  const first = isSaid ? await chooseWalk(trial, walks) : null;
  const before = first?.tried ?? 0;
  const left: Choice = { source: null, tried: before, isLeft: true };
  const plain = trial.isOver() ? left : await unlessOver(trial, choosePlain(trial, before), left);
  // Where the statement names no moves, what walks is the less likely answer.
  const walk = first ?? (plain.source === null ? await chooseWalk(trial, walks) : { source: null, tried: 0 });
  if (plain.source === null && walk.source === null) return { ...plain, isLeft: trial.isLate() };
  const sign = trial.contest.direction === 'maximise' ? 1 : -1;
  const [ours, theirs] = [walk, plain].map((each) =>
    each.source === null ? null : (each.score ?? 0) * sign,
  );
  const isWalk = ours !== null && ours !== undefined && (theirs ?? Number.NEGATIVE_INFINITY) <= ours;
  return { ...(isWalk ? walk : plain), tried: plain.tried + (first ? 0 : walk.tried) };
}

/** Each is compiled: those are run on all inputs that are valid on the first one. */
async function chooseWalk(trial: Trial, walks: readonly Walk[]): Promise<Choice> {
  const sign = trial.contest.direction === 'maximise' ? 1 : -1;
  let best: Choice = { source: null, tried: 0 };
  for (const [at, { source, told }] of walks.entries()) {
    if (trial.isLate()) break;
    const probe = { ...trial, cases: trial.cases.slice(0, 1) };
    const proved = async () => (await runOn(probe, source, endsMs)) && (await runOn(trial, source, endsMs));
    const run = await unlessOver(trial, proved(), null);
    const isBetter: boolean =
      run !== null && (best.source === null || sign * (run?.score ?? 0) > sign * (best.score ?? 0));
    if (run && isBetter) best = { source, told, score: run.score, tried: 0 };
    best = { ...best, tried: at + 1 };
  }
  return best;
}

async function choosePlain(trial: Trial, walks: number): Promise<Choice> {
  const { question, understood, isLate, onProgress } = trial;
  let tried = walks;
  for (const tier of bankOf(question, understood)) {
    const valid: Valid[] = [];
    for (let from = 0; from < tier.length && !isLate(); from += judgedAtOnce) {
      const some = tier.slice(from, from + judgedAtOnce);
      tried += some.length;
      valid.push(...(await validOnes(trial, some)));
      if ((tried - walks) % (5 * judgedAtOnce) === 0)
        onProgress(`${tried} plain answers tried, ${valid.length} valid`);
    }
    for (const answer of bestFirst(trial, valid).slice(0, isLate() ? 1 : mostRun)) {
      const source = answeringProgram(understood, answer);
      const run = await runOn(trial, source, endsMs);
      if (run) return { source, told: answer.told, score: run.score, tried };
    }
    if (isLate()) return { source: null, tried, isLeft: true };
  }
  return { source: null, tried };
}

type Valid = { readonly answer: Tried; readonly sum: number };

/** The best mean first; of those that score alike, the likelier. */
function bestFirst({ contest }: Trial, valid: readonly Valid[]): readonly Tried[] {
  const sign = contest.direction === 'maximise' ? -1 : 1;
  return valid.toSorted((a, b) => sign * (a.sum - b.sum)).map(({ answer }) => answer);
}

/** On the first input, and what is valid there on the others: most are not. */
async function validOnes(trial: Trial, answers: readonly Tried[]): Promise<readonly Valid[]> {
  const { inputs } = trial.question;
  const judge = trial.contest.tools?.judge;
  if (!judge || inputs.length === 0) return [];
  let valid = answers.map((answer): Valid => ({ answer, sum: 0 }));
  for (const [at, input] of inputs.entries()) {
    if (valid.length === 0) break;
    const outputs = valid.map(({ answer }) => ({ input, output: answer.outputs[at] ?? '' }));
    const judged = await judgeOutputs(trial, judge, outputs);
    valid = valid.flatMap(({ answer, sum }, number) => {
      const found = judged?.get(`${number}`);
      return found?.verdict === 'AC' ? [{ answer, sum: sum + (found.score ?? 0) }] : [];
    });
  }
  return valid;
}

/** Each is compiled, and one that the judge does not understand may wait for it in vain. */
const mostTalks = 12;

async function chooseTalk(trial: Trial): Promise<Choice> {
  const talks = talksOf(trial.question, trial.understood).slice(0, mostTalks);
  for (const [at, talk] of talks.entries()) {
    if (trial.isLate()) return { source: null, tried: at, isLeft: true };
    const source = talkingProgram(trial.understood, talk);
    const probe = { ...trial, cases: trial.cases.slice(0, 1) };
    if (!(await runOn(probe, source, talk.says ? waitsMs : endsMs))) continue;
    const run = await runOn(trial, source, endsMs);
    if (run) return { source, told: talk.told, score: run.score, tried: at + 1 };
  }
  return { source: null, tried: talks.length };
}

/** What is plain takes no time; a machine that is busy is no reason to call it too slow. */
const plentyOfTimeMs = 20_000;
const endsMs = 10_000;
/** A program that the judge does not understand waits for ever: its limit is shorter. */
const waitsMs = 4_000;

/** Null where it does not compile, or is not valid on one of the cases. */
async function runOn(
  { sandbox, contest, crate, cases, signal }: Trial,
  source: string,
  caseTimeoutMs: number,
): Promise<{ readonly score: number | null } | null> {
  const scores: (number | null)[] = [];
  const options = { source, crate, cases, hashText, caseTimeoutMs, compileTimeoutMs: 60_000 };
  await evaluate(
    sandbox,
    { ...options, contest: { ...contest, timeLimitMs: plentyOfTimeMs } },
    ({ verdict, score }) => {
      if (verdict !== 'AC') return 'stop';
      scores.push(score);
      return undefined;
    },
    signal,
  );
  signal.throwIfAborted();
  if (scores.length < cases.length || cases.length === 0) return null;
  return { score: mean(scores.filter((score) => score !== null)) };
}

/** By their numbers. Null where the tool does not build. */
async function judgeOutputs(
  { sandbox, crate, signal }: Trial,
  judge: string,
  outputs: readonly { readonly input: string; readonly output: string }[],
): Promise<ReadonlyMap<string, Judged> | null> {
  const { executable } = await buildWhole(sandbox, toolProgram(crate, judge), signal);
  if (!executable) return null;
  const judged = new Map<string, Judged>();
  const cases = outputs.map(({ input, output }, number) => ({
    name: `${number}`,
    args: ['input.txt', 'output.txt'],
    files: { 'input.txt': input, 'output.txt': output },
  }));
  await sandbox.batch(
    { executable: { ...executable, files: {} }, cases, limits: { wallMs: 60_000, cpuMs: 60_000 } },
    ({ name, step }) => {
      judged.set(name, judgeOutput(step));
    },
    signal,
  );
  signal.throwIfAborted();
  return judged;
}
