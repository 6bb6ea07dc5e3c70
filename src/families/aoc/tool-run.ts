/** RunGeneratedCode: the model's program in the sandbox, over the puzzle input unless the model gives other ones. */
import type { JsonObject } from '../../core/json.ts';
import type { EffectContext, Tool, ToolResult } from '../../core/problem.ts';
import type { CapturedOutput, ExecLimits, ExecResult, StepResult } from '../../core/sandbox.ts';
import { quotesOf } from '../../text/passages.ts';
import { inputsOf, Misuse, programOf } from './arguments.ts';
import { type CutText, cutMiddle } from './excerpt.ts';
import { findLanguage, languageName } from './reference.ts';
import {
  clientOf,
  defineTool,
  isOfEarlierForm,
  mebibytes,
  outputCharactersOf,
  type Puzzle,
} from './tools.ts';

export function runTool(puzzle: Puzzle): Tool {
  const { lang } = puzzle.reference;
  return defineTool(puzzle, {
    name: 'RunGeneratedCode',
    description: `Runs a whole ${languageName(lang)} program, once for each input; returns how it ended, stdout and stderr.`,
    properties: {
      code: {
        type: 'string',
        description: 'The program; or p1, p2 …: the name that the result gave to one sent before.',
      },
      inputs: {
        type: 'array',
        items: { type: 'string' },
        description: 'What it reads, one text a run. "puzzle" is your puzzle input, the default.',
      },
    },
    required: ['code'],
    async call(args, context) {
      const named = args.lang ?? lang;
      if (typeof named !== 'string' || findLanguage(named) !== lang) {
        throw new Misuse('other-language', `This run is in ${lang}; programs in ${named} are not run.`);
      }
      return runOnEach(puzzle, args, context);
    },
  });
}

/** A program that does not compile is told of once. */
async function runOnEach(puzzle: Puzzle, args: JsonObject, context: EffectContext): Promise<ToolResult> {
  const { io, signal, past } = context;
  const isEarlier = isOfEarlierForm(puzzle);
  const { name, source } = programOf(args, past);
  const inputs = inputsOf(args);
  const { limits } = await io.sandbox.info();
  const characters = Math.ceil(outputCharactersOf(puzzle) / inputs.length);
  const reports: ToolResult[] = [];
  let mayTryAgain = !isEarlier;
  for (const [index, given] of inputs.entries()) {
    const input = given ?? (await clientOf(puzzle, context).input());
    const files = { 'input.txt': input };
    const execute = () =>
      io.sandbox.exec({ language: puzzle.reference.lang, source, stdin: input, files }, signal);
    let result = await execute();
    const before = mayTryAgain && result.run && lackedCpu(result.run, limits) ? result.run : null;
    if (before) result = await execute();
    // One that waits for what never comes takes as long each time.
    mayTryAgain &&= !before;
    const title = `${name}, ${given === null ? 'puzzle' : `input ${index + 1}`}`;
    const report = reportExecution(result, characters, isEarlier ? undefined : { title, limits, before });
    // What the model gave stands in the call.
    reports.push(given === null ? withQuotes(report, result, input) : report);
    if (result.run === null) break;
  }
  const [only] = reports;
  return isEarlier && only ? only : inOne(name, reports);
}

/** The first failure decides. */
function inOne(program: string, reports: readonly ToolResult[]): ToolResult {
  const decisive = reports.find(({ isError }) => isError) ?? reports.at(-1);
  const quotes = reports.flatMap(({ data }) => data?.inputQuotes ?? []);
  return {
    text: reports.map(({ text }) => text).join('\n'),
    isError: decisive?.isError,
    data: {
      ...decisive?.data,
      program,
      inputQuotes: quotes.length === 0 ? undefined : quotes.join('\n'),
      runs: reports.length > 1 ? reports.map(({ data = null }) => data) : undefined,
    },
  };
}

/** The wall limit leaves room for others: whoever reaches it first did not get its CPU, or waits. */
function lackedCpu({ verdict, cpuMs }: StepResult, limits: ExecLimits): boolean {
  return verdict === 'wall' && cpuMs < limits.cpuMs * 0.8;
}

/** What it printed of its input is written down: who exports the run without its puzzle has no other way to know. */
function withQuotes(report: ToolResult, { run, compile }: ExecResult, input: string): ToolResult {
  const printed = [run, compile].flatMap((step) => (step ? [step.stdout.text, step.stderr.text] : []));
  const quotes = printed.flatMap((text) => quotesOf(input, text));
  const inputQuotes = quotes.length === 0 ? undefined : quotes.join('\n');
  return { ...report, data: { ...report.data, inputQuotes } };
}

/** `digest`: what the compiler said, short; its whole words are shown where there is none. */
type Compilation = StepResult & { readonly digest?: string };

const noText: CutText = { text: '', cutBytes: 0 };

type Told = {
  readonly title: string;
  readonly limits: ExecLimits;
  /** The run that did not get its CPU, where this is another one. */
  readonly before: StepResult | null;
};

/**
 * First a line on how it ended, then the sections `stdout:` and `stderr:`. `told` is missing in runs of the earlier form,
 * whose results say no more than they did.
 */
export function reportExecution(
  result: Pick<ExecResult, 'run'> & { readonly compile: Compilation | null },
  characters: number,
  told?: Told,
): ToolResult {
  const step = result.run ?? result.compile;
  if (!step) throw new Error('The sandbox neither compiled nor ran anything.');
  const digest = result.run === null ? (result.compile?.digest ?? '') : '';
  // Of what is too long little is shown: it stays in the conversation.
  const excerpt = told ? Math.ceil(characters / 6) : characters;
  const cut = ({ text, bytes, cut: isCut }: CapturedOutput) =>
    cutMiddle(
      text.trimEnd(),
      isCut || text.length > characters ? excerpt : characters,
      isCut ? bytes : undefined,
    );
  const stdout = digest === '' ? cut(step.stdout) : noText;
  const stderr = digest === '' ? cut(step.stderr) : cutMiddle(digest, characters);
  const status = result.run ? statusOf(step, told?.limits) : compileStatus(step, told?.limits);
  const failed = result.run === null || step.verdict !== 'ok';
  const isCut = stdout.cutBytes > 0 || stderr.cutBytes > 0;
  const text = told
    ? [
        `${told.title}: ${status}; CPU ${seconds(step.cpuMs)}${notesOn(step, told)}`,
        ...(isCut ? [`More than ${characters} characters are shown in excerpt.`] : []),
        ...(result.run || stdout.text !== '' ? [`stdout:\n${stdout.text}`] : []),
        ...(stderr.text === '' ? [] : [`stderr:\n${stderr.text}`]),
      ].join('\n')
    : `status: ${status}; ${measuresOf(step)}\nstdout:\n${stdout.text}\nstderr:\n${stderr.text}`;
  return {
    text,
    isError: failed || undefined,
    data: {
      failed,
      phase: result.run === null ? 'compile' : 'run',
      ...factsOf(step),
      compile: result.compile ? factsOf(result.compile) : null,
      before: told?.before ? factsOf(told.before) : undefined,
      // A reader of the journal is to see what the model did not.
      stdout: step.stdout.text.trimEnd() === stdout.text ? undefined : step.stdout.text,
      stderr: step.stderr.text.trimEnd() === stderr.text ? undefined : step.stderr.text,
    },
  };
}

function notesOn(step: StepResult, { limits, before }: Told): string {
  const why = lackedCpu(step, limits) ? ': the machine is busy, or the program waits for something' : '';
  const again = before ? `; tried again, because at first it got ${seconds(before.cpuMs)}` : '';
  return why + again;
}

function compileStatus(step: StepResult, limits?: ExecLimits): string {
  return step.verdict === 'exit' ? 'compile error' : `compile error (${statusOf(step, limits)})`;
}

function statusOf({ verdict, exitCode, signal }: StepResult, limits?: ExecLimits): string {
  switch (verdict) {
    case 'ok':
    case 'cancelled':
      return verdict;
    case 'exit':
      return `exit ${exitCode ?? '?'}`;
    case 'signal':
      return `signal ${signal ?? '?'}`;
    default:
      return limits ? `ended at the ${limitNames[verdict](limits)}` : limitsBefore[verdict];
  }
}

const limitNames = {
  wall: ({ wallMs }: ExecLimits) => `wall limit of ${seconds(wallMs)}`,
  cpu: ({ cpuMs }: ExecLimits) => `CPU limit of ${seconds(cpuMs)}`,
  memory: ({ memoryBytes }: ExecLimits) => `memory limit of ${mebibytes(memoryBytes)}`,
  disk: ({ diskBytes }: ExecLimits) => `disk limit of ${mebibytes(diskBytes)}`,
  processes: ({ processes }: ExecLimits) => `limit of ${processes} processes`,
  output: ({ outputBytes }: ExecLimits) => `output limit of ${mebibytes(outputBytes * 16)}`,
};

const limitsBefore = {
  wall: 'time limit (wall time)',
  cpu: 'time limit (CPU time)',
  memory: 'memory limit',
  disk: 'disk limit',
  processes: 'processes limit',
  output: 'output limit',
};

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(2))} s`;
}

function measuresOf(step: StepResult): string {
  const mebibytes = (step.peakMemoryBytes / 2 ** 20).toFixed(1);
  return `wall ${Math.round(step.wallMs)} ms, CPU ${Math.round(step.cpuMs)} ms, memory ${mebibytes} MiB`;
}

function factsOf({ stdout, stderr, ...step }: StepResult): JsonObject {
  const { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes } = step;
  const measured = { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes };
  return { ...measured, stdoutBytes: stdout.bytes, stderrBytes: stderr.bytes };
}
