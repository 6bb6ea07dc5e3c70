/**
 * Finds a first program by the contest's own judge: plain answers are printed and judged without being compiled, tier by
 * tier, and what is valid everywhere and scores best is run as the program that it is to be, on more inputs. Talks have to
 * be run to be judged. The sandbox does all of it; nothing is written.
 */
import type { ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import type { Contest } from '../../../families/ahc/contest.ts';
import { evaluate, type TestCase } from '../../../families/ahc/judge/evaluate.ts';
import { bankOf, type Tried } from '../../../families/ahc/plain/bank.ts';
import { answeringProgram, talkingProgram } from '../../../families/ahc/plain/program.ts';
import { talksOf } from '../../../families/ahc/plain/talk.ts';
import type { Question, Understood } from '../../../families/ahc/plain/understanding.ts';
import { judgeOutputs } from './outputs.ts';

export type Trial = {
  readonly sandbox: Sandbox;
  readonly contest: Contest;
  readonly crate: ProgramFiles;
  readonly question: Question;
  readonly understood: Understood;
  /** On which the program has to be valid in the end. */
  readonly cases: readonly TestCase[];
  readonly signal: AbortSignal;
  readonly now: () => number;
};

export type Found = {
  readonly source: string;
  readonly told: string;
  readonly score: number | null;
  readonly tried: number;
};

/** `tried` alone where none is valid. */
export type Choice = Found | { readonly source: null; readonly tried: number };

export function chooseByJudge(trial: Trial): Promise<Choice> {
  return trial.contest.isInteractive ? chooseTalk(trial) : chooseAnswer(trial);
}

/** Tools that draw may take a second for each output: the likeliest have been tried by then. */
const mostJudgingMs = 60_000;
const judgedAtOnce = 40;

/** Programs that are run, of those whose output was valid. */
const mostRun = 6;

async function chooseAnswer(trial: Trial): Promise<Choice> {
  const { question, understood, now } = trial;
  const endMs = now() + mostJudgingMs;
  let tried = 0;
  for (const tier of bankOf(question, understood)) {
    const valid: Valid[] = [];
    for (let from = 0; from < tier.length && (from === 0 || now() < endMs); from += judgedAtOnce) {
      const some = tier.slice(from, from + judgedAtOnce);
      tried += some.length;
      valid.push(...(await validOnes(trial, question.inputs, some)));
    }
    for (const answer of bestFirst(trial, valid).slice(0, mostRun)) {
      const source = answeringProgram(understood, answer);
      const run = await runOn(trial, source, endsMs);
      if (run) return { source, told: answer.told, score: run.score, tried };
    }
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
async function validOnes(
  trial: Trial,
  inputs: readonly string[],
  answers: readonly Tried[],
): Promise<readonly Valid[]> {
  let valid: readonly Valid[] = answers.map((answer) => ({ answer, sum: 0 }));
  for (const at of inputs.keys()) valid = await validOn(trial, at, valid);
  return inputs.length === 0 ? [] : valid;
}

async function validOn(
  { sandbox, contest, crate, question: { inputs }, signal }: Trial,
  at: number,
  before: readonly Valid[],
): Promise<readonly Valid[]> {
  const judge = contest.tools?.judge;
  if (!judge || before.length === 0) return [];
  const outputs = before.map(({ answer }, number) => ({
    ...{ name: `${number}`, input: inputs[at] ?? '', output: answer.outputs[at] ?? '' },
  }));
  const judged = await judgeOutputs(sandbox, { crate, judge }, outputs, signal);
  return before.flatMap(({ answer, sum }, number) => {
    const found = judged?.get(`${number}`);
    return found?.verdict === 'AC' ? [{ answer, sum: sum + (found.score ?? 0) }] : [];
  });
}

/** Each is compiled, and one that the judge does not understand may wait for it in vain. */
const mostTalks = 12;

async function chooseTalk(trial: Trial): Promise<Choice> {
  const talks = talksOf(trial.question, trial.understood).slice(0, mostTalks);
  for (const [at, talk] of talks.entries()) {
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
/** Who talks past its judge waits for ever: it is not waited for as long. */
const waitsMs = 4_000;

/** Null where it does not compile, or is not valid on one of the cases. */
async function runOn(
  { sandbox, contest, crate, cases, signal }: Trial,
  source: string,
  caseTimeoutMs: number,
): Promise<{ readonly score: number | null } | null> {
  const scores: (number | null)[] = [];
  const options = {
    contest: { ...contest, timeLimitMs: plentyOfTimeMs },
    ...{ source, crate, cases, caseTimeoutMs, compileTimeoutMs: 60_000 },
  };
  await evaluate(
    sandbox,
    options,
    ({ verdict, score }) => {
      if (verdict !== 'AC') return 'stop';
      scores.push(score);
      return undefined;
    },
    signal,
  );
  signal.throwIfAborted();
  if (scores.length < cases.length || cases.length === 0) return null;
  const known = scores.flatMap((score) => (score === null ? [] : [score]));
  return { score: known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length };
}
