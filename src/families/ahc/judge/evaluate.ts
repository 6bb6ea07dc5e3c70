/**
 * One program over the cases of a contest: compiled once, run by as many workers as there are cores, judged by the
 * official tools while the next cases run. Both sides run in the sandbox. It knows nothing of files on disk, of other
 * versions or of what the scores are compared with.
 */
import type {
  BuildRequest,
  BuildResult,
  Case,
  CaseResult,
  CompileResult,
  Executable,
  ProgramFiles,
  Sandbox,
  StepResult,
} from '../../../core/sandbox.ts';
import { leadingNumbers } from '../features.ts';
import type { Contest } from '../workspace.ts';
import { Channel } from './channel.ts';
import { batchInTurns, inTurn, type Turns } from './turns.ts';
import { type Judged, judgeOutput, timesText, verdictOfProgram } from './verdict.ts';
import { rustShortfall } from './wanted-rust.ts';

export type TestCase = { readonly name: string; readonly input: string };

export type EvaluateOptions = {
  readonly contest: Contest;
  readonly source: string;
  /** Absent: C++. */
  readonly language?: SolutionLanguage;
  /** What a project in Rust is made of beside its source. */
  readonly files?: ProgramFiles;
  /** The tools' crate; null where the contest has none: then only how a program ends is looked at. */
  readonly crate: ProgramFiles | null;
  /** Asked for one at a time, a few ahead of those that run. */
  readonly cases: Iterable<TestCase> | AsyncIterable<TestCase>;
  /** Cases at once; default: one a core. */
  readonly jobs?: number;
  /** Where several evaluations share the processors: leave to keep one busy. Absent: it is always given. */
  readonly turns?: Turns;
  hashText(text: string): string;
  readonly compileTimeoutMs: number;
  /** A case that runs longer is ended, whatever the contest's limit is. */
  readonly caseTimeoutMs: number;
  /** Whether others keep this machine busy: then, of a case that runs alone, its CPU time alone counts. */
  isBusy?(): boolean;
};

/** `input`: its hash; `numbers`: those that the input begins with. */
export type JudgedCase = Judged & {
  readonly name: string;
  readonly input: string;
  readonly numbers: readonly number[];
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
};

/**
 * What a case read, and what the program wrote; where it talked to a tester, what that wrote. `said`: the end of what the
 * program itself wrote to standard error.
 */
export type CaseTexts = Readonly<Record<'input' | 'output' | 'said', string>>;

/** Called once a case, as they are done. `'stop'` ends the evaluation. The texts are long: they are not kept. */
export type OnJudged = (judged: JudgedCase, texts: CaseTexts) => unknown;

export type Evaluated = {
  readonly backend: string;
  /** Null where the compilation was not asked for, because there was nothing to compile. */
  readonly compile: CompileResult | null;
  /** False: CE, nothing was run. */
  readonly compiled: boolean;
  /** In the order of their names; fewer than asked for if the evaluation was cancelled. */
  readonly cases: readonly JudgedCase[];
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
  const cases: JudgedCase[] = [];
  if (executable) {
    const isDialogue = contest.isInteractive && contest.tools?.tester;
    const run = isDialogue ? converse : decidingTool(options) ? runAndJudge : runAlone;
    const inputs = new Map<string, string>();
    const late: Late[] = [];
    let isEnough = false;
    const tell = ({ name, step }: CaseResult, said: Judged, input: string): unknown => {
      const { cpuMs, wallMs, peakMemoryBytes: memoryBytes, stdout, stderr } = step;
      const about = { name, input: inputHash(options.hashText, input), numbers: leadingNumbers(input) };
      const judged = { ...about, ...said, cpuMs, wallMs, memoryBytes };
      cases.push(judged);
      const texts = { input, output: stdout.text, said: stderr.text.trim().slice(-mostSaid).toWellFormed() };
      return Promise.resolve(onJudged(judged, texts)).then((answer) => {
        isEnough ||= answer === 'stop';
        return answer;
      });
    };
    const report: BuiltEvaluation['report'] = (ran, said) => {
      const input = inputs.get(ran.name) ?? '';
      // A thousand of them need not be in memory at once.
      inputs.delete(ran.name);
      if (!isLateOnWall(ran.step, said, contest)) return tell(ran, said, input);
      late.push({ ran, said, input });
      return undefined;
    };
    const built = { sandbox, executable, signal, inputs };
    await run({ ...built, options, report });
    const alone = { ...options, isAlone: true, jobs: 1, turns: turns?.alone() };
    const again: RunAgain = async ({ name }, input) => {
      const found: { ran: CaseResult; said: Judged }[] = [];
      const keep = (ran: CaseResult, said: Judged) => found.push({ ran, said });
      await run({ ...built, options: { ...alone, cases: [{ name, input }] }, report: keep });
      return found[0] ?? null;
    };
    for await (const each of judgedAgain(late, again, contest)) {
      if (isEnough || signal.aborted) break;
      await tell(each.ran, each.said, each.input);
    }
  }
  cases.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { backend, compile, compiled: executable !== null, cases };
}

type Late = { readonly ran: CaseResult; readonly said: Judged; readonly input: string };

type RunAgain = (ran: CaseResult, input: string) => Promise<Pick<Late, 'ran' | 'said'> | null>;

/** Each alone, until one is as late as it was beside others: then it is late by itself, and so are the cases like it. */
async function* judgedAgain(
  late: readonly Late[],
  runAgain: RunAgain,
  contest: Contest,
): AsyncGenerator<Late> {
  let isConfirmed = false;
  for (const each of late) {
    const again = isConfirmed ? null : await runAgain(each.ran, each.input);
    if (again) {
      isConfirmed = isLateOnWall(again.ran.step, again.said, contest);
      const beside = `run again alone; beside others: ${timesText(each.ran.step, contest.timeLimitMs)}`;
      const how = isConfirmed ? 'alone as beside others' : beside;
      const message = [again.said.message, how].filter(Boolean).join('; ');
      yield { ...again, input: each.input, said: { ...again.said, message } };
    } else yield each;
  }
}

/** By the clock on the wall alone, which runs for all that share the machine. */
function isLateOnWall({ cpuMs }: StepResult, { verdict }: Judged, { timeLimitMs }: Contest): boolean {
  return verdict === 'TLE' && cpuMs <= timeLimitMs;
}

/** A line or two of figures. */
const mostSaid = 240;

/** Short: it tells inputs of the same name from one another, nothing more. */
export function inputHash(hashText: (text: string) => string, input: string): string {
  return hashText(input).slice(0, 8);
}

/** A program of the user's own: a search writes C++ alone. */
export type SolutionLanguage = 'cpp' | 'rust' | 'python';

/** Built with the judge's options. */
export function solutionProgram(
  { source, language = 'cpp', files }: Pick<EvaluateOptions, 'source' | 'language' | 'files'>,
  compileTimeoutMs: number,
): BuildRequest {
  // A first build of its crates takes longer than that of one file.
  const wallMs = files === undefined ? compileTimeoutMs : Math.max(compileTimeoutMs, 600_000);
  const compileLimits = { wallMs, cpuMs: 2 * wallMs };
  const common = {
    source,
    language,
    compileLimits: language === 'cpp' ? { wallMs, cpuMs: wallMs } : compileLimits,
  };
  return language === 'cpp' ? { ...common, flags: judgeFlags } : { ...common, ...(files ? { files } : {}) };
}

/** What AtCoder compiles with besides the language's own. */
export const judgeFlags: readonly string[] = ['-DONLINE_JUDGE', '-DATCODER'];

type BuiltEvaluation = {
  readonly sandbox: Sandbox;
  readonly options: EvaluateOptions & { readonly isAlone?: boolean };
  readonly executable: Executable;
  /** Tells a judged case to the caller, and hands on what that says. */
  report(ran: CaseResult, said: Judged): unknown;
  readonly signal: AbortSignal;
  /** The inputs of the cases that have begun and are not judged yet. */
  readonly inputs: Map<string, string>;
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
        const ran = waiting.get(name);
        waiting.delete(name);
        if (ran) await report(ran, judgeOutput(step));
      },
    },
  );
  // Errors are reported where both are awaited.
  judging.catch(() => stop.abort());
  const running = batchInTurns(sandbox, programBatch(evaluation), {
    turns,
    signal: either,
    async onCase(result) {
      const { name, step } = result;
      const ended = endedBadly(step, options);
      if (ended) return report(result, ended);
      waiting.set(name, result);
      const files = { 'input.txt': inputs.get(name) ?? '', 'output.txt': step.stdout.text };
      outputs.send({ name, args: ['input.txt', 'output.txt'], files });
    },
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
  const { sandbox, options, signal } = evaluation;
  const executable = await builtTool(evaluation);
  const tester = { executable, talks: 'relay' as const, limits: testerLimits(options) };
  await batchInTurns(
    sandbox,
    { ...programBatch(evaluation), tester },
    {
      turns: options.turns,
      signal,
      onCase(result) {
        const { step, tester: told } = result;
        const written = { ...step, stdout: told?.stdout ?? step.stdout };
        const judged = judgeDialogue(step, told, options);
        return evaluation.report({ ...result, step: written }, judged);
      },
    },
  );
}

/**
 * A program that goes on writing to a tester that has complained and gone dies of that, and by no fault of its own but
 * the one that the tester names.
 */
function judgeDialogue(
  step: StepResult,
  told: StepResult | undefined,
  options: BuiltEvaluation['options'],
): Judged {
  const ended = endedBadly(step, options);
  // A tester writes what the program said to its standard output; its own words are on standard error.
  const word = told ? judgeOutput({ ...told, stdout: { ...told.stdout, text: '' } }) : noWord;
  const isOutOfTouch = step.verdict === 'signal' && step.signal === 'SIGPIPE' && word.verdict === 'WA';
  return ended && !isOutOfTouch ? ended : word;
}

/** Nothing scores here: a program that ends well is AC without a score. */
async function runAlone(evaluation: BuiltEvaluation): Promise<void> {
  const { sandbox, options, signal } = evaluation;
  await batchInTurns(sandbox, programBatch(evaluation), {
    turns: options.turns,
    signal,
    onCase: (result) => evaluation.report(result, endedBadly(result.step, options) ?? noWord),
  });
}

const noWord: Judged = { verdict: 'AC', score: null, message: '' };

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
function limitsOf({ contest, caseTimeoutMs, isAlone = false }: BuiltEvaluation['options']) {
  const wallMs = Math.min(caseTimeoutMs, contest.timeLimitMs * (isAlone ? 4 : 2) + 500);
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
  const clock = options.isAlone && options.isBusy?.() ? 'cpu' : 'both';
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
  const how = times ?? endings[verdict] ?? `limit: ${verdict}`;
  const said = stderr.text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return [how, said].filter((each) => each !== '').join('; ');
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
    const shortfall = rustShortfall(crate ?? {}, await sandbox.info());
    const said = shortfall ? [shortfall.what, shortfall.why, shortfall.fix] : [];
    throw new ToolsDoNotBuild([...said, compile?.digest ?? ''].join('\n').trim());
  }
  // The sources of a built tool are not needed beside each case.
  return { ...executable, files: {} };
}

/** A binary of the tools' crate, as the sandbox builds it: cargo, offline. */
export function toolProgram(crate: ProgramFiles, binary: string): BuildRequest {
  const compileLimits = { wallMs: 600_000, cpuMs: 1_200_000 };
  return { language: 'rust', source: '', files: crate, binary, compileLimits };
}

/** The contest's tools do not compile here; `message` is the compiler's. */
export class ToolsDoNotBuild extends Error {
  override readonly name = 'ToolsDoNotBuild';
}

/** Throws the reason if it was cancelled. */
export async function buildWhole(
  sandbox: Pick<Sandbox, 'build'>,
  request: BuildRequest,
  signal: AbortSignal,
): Promise<BuildResult> {
  const built = await sandbox.build(request, signal);
  if (!built.executable) signal.throwIfAborted();
  return built;
}
