/**
 * One program over the cases of a contest: compiled once, run by as many workers as there are cores, judged by the
 * official tools while the next cases run. Both sides run in the sandbox. It knows nothing of files on disk, of other
 * versions or of what the scores are compared with.
 */

import type { CaseOutcome } from '../../../core/program.ts';
import type {
  BatchRequest,
  BatchResult,
  Case,
  CaseResult,
  CompileResult,
  Executable,
  OnCase,
  ProgramFiles,
  Sandbox,
  StepResult,
} from '../../../core/sandbox.ts';
import { leadingNumbers } from '../features.ts';
import type { Contest } from '../workspace.ts';
import {
  buildWhole,
  type ProgramSource,
  solutionProgram,
  ToolsDoNotBuild,
  toolProgram,
  withRustAdvice,
} from './build.ts';
import { Channel } from './channel.ts';
import { judgedAgain, type Late, type RunAgain } from './rerun.ts';
import { type MachineTimes, ShareWatch } from './share.ts';
import { batchInTurns, inTurn, type Turns } from './turns.ts';
import { isLateOnWall, type Judged, judgeOutput, timesText, verdictOfProgram } from './verdict.ts';

export type TestCase = { readonly name: string; readonly input: string };

export type EvaluateOptions = ProgramSource & {
  readonly contest: Contest;
  /** The tools' crate; null where the contest has none: then only how a program ends is looked at. */
  readonly crate: ProgramFiles | null;
  /** Asked for one at a time, a few ahead of those that run. */
  readonly cases: Iterable<TestCase> | AsyncIterable<TestCase>;
  /** Cases at once; default: one a core. */
  readonly jobs?: number;
  /** Where several evaluations share the processors: leave to keep one busy. Absent: it is always given. */
  readonly turns?: Turns;
  hashText(text: string): string;
  /** Names of the numbers that an input begins with. */
  readonly features?: readonly string[];
  readonly compileTimeoutMs: number;
  /** A case that runs longer is ended, whatever the contest's limit is. */
  readonly caseTimeoutMs: number;
  /** Says whether a program that was late on the wall had a processor; absent: it had. */
  machine?(): MachineTimes;
};

/** What a case read, and what the program wrote; where it talked to a tester, what that wrote. */
export type CaseTexts = Readonly<Record<'input' | 'output', string>>;

/** Called once a case, as they are done. `'stop'` ends the evaluation. The texts are long: they are not kept. */
export type OnJudged = (judged: CaseOutcome, texts: CaseTexts) => unknown;

export type Evaluated = {
  readonly backend: string;
  /** Null where the compilation was not asked for, because there was nothing to compile. */
  readonly compile: CompileResult | null;
  /** False: CE, nothing was run. */
  readonly compiled: boolean;
  /** In the order of their names; fewer than asked for if the evaluation was cancelled. */
  readonly cases: readonly CaseOutcome[];
};

export async function evaluate(
  sandbox: Sandbox,
  options: EvaluateOptions,
  onJudged: OnJudged,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { turns, compileTimeoutMs, contest } = options;
  const program = solutionProgram(options, compileTimeoutMs);
  const { backend, compile, executable } = await inTurn({ turns, signal }, () =>
    buildWhole(sandbox, program, signal),
  );
  const cases: CaseOutcome[] = [];
  if (executable) {
    const isDialogue = contest.isInteractive && contest.tools?.tester;
    const run = isDialogue ? converse : decidingTool(options) ? runAndJudge : runAlone;
    const inputs = new Map<string, string>();
    const delayed: Late[] = [];
    let isEnough = false;
    const tell = ({ name, step }: CaseResult, said: Judged, input: string): unknown => {
      const judged = outcomeOf({ name, step, said, input }, options);
      cases.push(judged);
      const texts = { input, output: step.stdout.text };
      return Promise.resolve(onJudged(judged, texts)).then((answer) => {
        isEnough ||= answer === 'stop';
        return answer;
      });
    };
    const report: BuiltEvaluation['report'] = (caseResult, judged) => {
      const input = inputs.get(caseResult.name) ?? '';
      // A thousand of them need not be in memory at once.
      inputs.delete(caseResult.name);
      const isTimedOut = judged.verdict === 'TLE' && isLateOnWall(caseResult.step, contest.timeLimitMs);
      // A limit of the user's that is below the judge's holds on the wall.
      const isOwnLimit = options.caseTimeoutMs < contest.timeLimitMs;
      if (!isTimedOut || isOwnLimit) return tell(caseResult, judged, input);
      delayed.push({ ran: caseResult, said: judged, input, hadShare: watch.hadShare(caseResult.name) });
      return undefined;
    };
    const watch = new ShareWatch(options.machine);
    const built = { sandbox, executable, signal, inputs, watch };
    await run({ ...built, options, report });
    const single = { ...options, isAlone: true, jobs: 1, turns: turns?.alone() };
    const retry: RunAgain = async ({ ran: { name }, input }, wallFactor) => {
      const found: { ran: CaseResult; said: Judged }[] = [];
      const keep = (caseResult: CaseResult, judged: Judged) => found.push({ ran: caseResult, said: judged });
      await run({ ...built, options: { ...single, wallFactor, cases: [{ name, input }] }, report: keep });
      return found[0] ? { ...found[0], input, hadShare: watch.hadShare(name) } : null;
    };
    for await (const each of judgedAgain(delayed, retry, contest.timeLimitMs)) {
      if (isEnough || signal.aborted) break;
      await tell(each.ran, each.said, each.input);
    }
  }
  cases.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { backend, compile, compiled: executable !== null, cases };
}

type Ended = Pick<CaseResult, 'name' | 'step'> & { readonly said: Judged; readonly input: string };

/** The one record of a case, for tests, searches, tunings and grades. */
function outcomeOf(
  { name, step, said, input }: Ended,
  { contest, features = [], hashText }: EvaluateOptions,
) {
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  const numbers = leadingNumbers(input);
  const words = step.stderr.text.trim().slice(-mostSaid).toWellFormed();
  // What a tester reads of an interactive problem is hidden from the program, and from its author.
  const isVisible = said.verdict !== 'AC' && !contest.isInteractive;
  const outcome: CaseOutcome = {
    name,
    ...said,
    cpuMs: rounded(step.cpuMs),
    wallMs: rounded(step.wallMs),
    memoryBytes: step.peakMemoryBytes,
    features: Object.fromEntries(
      features.flatMap((each, at) => {
        const number = numbers[at];
        return number === undefined ? [] : [[each, number] as const];
      }),
    ),
    inputHash: inputHash(hashText, input),
  };
  if (isVisible) outcome.input = shortened(input, mostInput);
  if (words !== '') outcome.said = words;
  return outcome;
}

/** Characters of an input that failed. */
const mostInput = 400;

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** A line or two of figures. */
const mostSaid = 240;

/** Short: it tells inputs of the same name from one another, nothing more. */
export function inputHash(hashText: (text: string) => string, input: string): string {
  return hashText(input).slice(0, 8);
}

type BuiltEvaluation = {
  readonly sandbox: Sandbox;
  /** `wallFactor`: times of the contest's limit after which the clock on the wall ends a case. */
  readonly options: EvaluateOptions & { readonly isAlone?: boolean; readonly wallFactor?: number };
  readonly executable: Executable;
  /** Tells a judged case to the caller, and hands on what that says. */
  report(caseResult: CaseResult, judged: Judged): unknown;
  readonly signal: AbortSignal;
  /** The inputs of the cases that have begun and are not judged yet. */
  readonly inputs: Map<string, string>;
  readonly watch: ShareWatch;
};

/** Outputs go to the official tool as they come; cases are reported when both have ended. */
async function runAndJudge(evaluation: BuiltEvaluation): Promise<void> {
  const { sandbox, options, signal, inputs } = evaluation;
  const { turns, jobs: workers } = options;
  const judge = await builtTool(evaluation);
  const waiting = new Map<string, CaseResult>();
  const outputs = new Channel<Case>();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let isEnough = false;
  const report = async (result: CaseResult, judged: Judged): Promise<void> => {
    if ((await evaluation.report(result, judged)) !== 'stop') return;
    isEnough = true;
    stop.abort();
  };
  const judging = batchInTurns(
    sandbox,
    { executable: judge, cases: outputs, limits: toolLimits, workers },
    {
      turns,
      signal: either,
      async onCase({ name, step }) {
        const caseResult = waiting.get(name);
        waiting.delete(name);
        if (caseResult) await report(caseResult, judgeOutput(step));
      },
    },
  );
  // Errors are reported where both are awaited.
  judging.catch(() => stop.abort());
  const running = runProgram(evaluation, either, async (result) => {
    const { name, step } = result;
    const ended = endedBadly(step, options);
    if (ended) return report(result, ended);
    waiting.set(name, result);
    const files = { 'input.txt': inputs.get(name) ?? '', 'output.txt': step.stdout.text };
    outputs.send({ name, args: ['input.txt', 'output.txt'], files });
  });
  try {
    await running;
  } finally {
    outputs.close();
    await judging.catch((error: unknown) => {
      // Only after a stop that was asked for is what it broke off no failure.
      if (!isEnough || signal.aborted) throw error;
    });
  }
}

async function converse(evaluation: BuiltEvaluation): Promise<void> {
  const { options, signal } = evaluation;
  const executable = await builtTool(evaluation);
  const tester = { executable, talks: 'relay' as const, limits: testerLimits(options) };
  const onCase: OnCase = (result) => {
    const { step, tester: stepResult } = result;
    const output = { ...step, stdout: stepResult?.stdout ?? step.stdout };
    return evaluation.report({ ...result, step: output }, judgeDialogue(step, stepResult, options));
  };
  await runProgram(evaluation, signal, onCase, tester);
}

/**
 * A program that goes on writing to a tester that has complained and gone dies of that, and by no fault of its own but
 * the one that the tester names.
 */
function judgeDialogue(
  step: StepResult,
  stepResult: StepResult | undefined,
  options: BuiltEvaluation['options'],
): Judged {
  const ended = endedBadly(step, options);
  // A tester writes what the program said to its standard output; its own words are on standard error.
  const word = stepResult
    ? judgeOutput({ ...stepResult, stdout: { ...stepResult.stdout, text: '' } })
    : noWord;
  const isOutOfTouch = step.verdict === 'signal' && step.signal === 'SIGPIPE' && word.verdict === 'WA';
  return ended && !isOutOfTouch ? ended : word;
}

/** Nothing scores here: a program that ends well is AC without a score. */
async function runAlone(evaluation: BuiltEvaluation): Promise<void> {
  const { options, signal } = evaluation;
  await runProgram(evaluation, signal, (result) =>
    evaluation.report(result, endedBadly(result.step, options) ?? noWord),
  );
}

const noWord: Judged = { verdict: 'AC', score: null, message: '' };

/** `watch` learns when each case begins and ends. */
function runProgram(
  evaluation: BuiltEvaluation,
  signal: AbortSignal,
  onCase: OnCase,
  tester?: BatchRequest['tester'],
): Promise<BatchResult> {
  const { sandbox, options, watch } = evaluation;
  return batchInTurns(
    sandbox,
    { ...programBatch(evaluation), ...(tester ? { tester } : {}) },
    {
      turns: options.turns,
      signal,
      onStart: (name) => watch.begin(name),
      onCase(result) {
        watch.end(result);
        return onCase(result);
      },
    },
  );
}

function programBatch({ options, executable, inputs }: BuiltEvaluation) {
  const cases = async function* (): AsyncGenerator<Case> {
    for await (const { name, input } of options.cases) {
      inputs.set(name, input);
      yield { name, stdin: input };
    }
  };
  return { executable, cases: cases(), limits: limitsOf(options), workers: options.jobs };
}

/** A case is ended a little after the contest's limit, so that a late program is seen to be late. */
function limitsOf({ contest, caseTimeoutMs, wallFactor = 2 }: BuiltEvaluation['options']) {
  const wallMs = Math.min(caseTimeoutMs, contest.timeLimitMs * wallFactor + 500);
  const cpuMs = Math.min(caseTimeoutMs, contest.timeLimitMs + 500);
  return { wallMs, cpuMs, memoryBytes: contest.memoryLimitBytes, outputBytes: mostOutput };
}

/**
 * A tester outlives the program it waits for: were its time over first, a program that never answers would be told of a
 * tester that has gone, and not of its own time.
 */
function testerLimits(options: BuiltEvaluation['options']) {
  const limits = limitsOf(options);
  return { ...limits, ...toolLimits, wallMs: limits.wallMs + 2_000 };
}

/** The limit of one case. No valid answer is longer; more output is OLE. */
const mostOutput = 16 * 1024 * 1024;

const toolLimits = { wallMs: 60_000, cpuMs: 60_000 };

function endedBadly(step: StepResult, options: BuiltEvaluation['options']): Judged | null {
  const { timeLimitMs } = options.contest;
  // Of a case that runs alone, its share of a processor says what the clock on the wall means.
  const clock = options.isAlone ? 'cpu' : 'both';
  const verdict = step.stdout.cut ? 'OLE' : verdictOfProgram(step, timeLimitMs, clock);
  const times = verdict === 'TLE' ? timesText(step, timeLimitMs) : null;
  return verdict && { verdict, score: null, message: howItEnded(step, times) };
}

function howItEnded({ verdict, exitCode, signal, stderr }: StepResult, times: string | null): string {
  const endings: Partial<Record<StepResult['verdict'], string>> = {
    ok: '',
    exit: `exit status ${exitCode}`,
    signal: signal ?? 'a signal',
  };
  const method = times ?? endings[verdict] ?? `limit: ${verdict}`;
  const text = stderr.text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return [method, text].filter((each) => each !== '').join('; ');
}

/** The tool that says what a case came to; null: how the program ends is all that is looked at. */
export function decidingTool({ contest, crate }: EvaluateOptions): string | null {
  const { tester = null, judge = null } = contest.tools ?? {};
  return contest.isInteractive && tester ? tester : crate && judge;
}

type ToolWork = Pick<BuiltEvaluation, 'sandbox' | 'options' | 'signal'>;

/** Builds of the crate are kept by the sandbox, so this costs a build once and a look afterwards. */
async function builtTool({ sandbox, options, signal }: ToolWork): Promise<Executable> {
  const { crate } = options;
  const program = toolProgram(crate ?? {}, decidingTool(options) ?? '');
  const { executable, compile } = await buildWhole(sandbox, program, signal);
  if (!executable) {
    throw new ToolsDoNotBuild(withRustAdvice(compile?.digest));
  }
  // The sources of a built tool are not needed beside each case.
  return { ...executable, files: {} };
}
