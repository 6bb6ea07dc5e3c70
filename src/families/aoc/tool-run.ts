/** RunGeneratedCode: the model's program in the sandbox, over the puzzle input unless the model gives other ones. */
import type { JsonObject } from '../../core/json.ts';
import type { EffectContext, Tool, ToolResult } from '../../core/problem.ts';
import type { CapturedOutput, ExecLimits, ExecResult, SandboxInfo, StepResult } from '../../core/sandbox.ts';
import { quotesOf } from '../../text/passages.ts';
import { inputsOf, programOf, ToolMisuseError } from './arguments.ts';
import { type CutText, cutMiddle } from './excerpt.ts';
import { findLanguage } from './reference.ts';
import forms from './tools.json' with { type: 'json' };
import { clientOf, defineTool, isLegacyForm, mebibytes, outputCharactersOf, type Puzzle } from './tools.ts';

export function runTool(puzzle: Puzzle): Tool {
  const { lang } = puzzle.reference;
  return {
    ...defineTool(puzzle, 'RunGeneratedCode', (args, context) => runOnEach(puzzle, args, context)),
    program: { parameter: 'code', accepts: (language) => findLanguage(language) === lang },
  };
}

/** A compile error is reported once, not for each input. */
async function runOnEach(puzzle: Puzzle, args: JsonObject, context: EffectContext): Promise<ToolResult> {
  const { lang } = puzzle.reference;
  const named = args.lang ?? lang;
  if (typeof named !== 'string' || findLanguage(named) !== lang) {
    throw new ToolMisuseError('other-language', `This run is in ${lang}; programs in ${named} are not run.`);
  }
  const { io, signal, past } = context;
  const isEarlier = isLegacyForm(puzzle);
  const { name, source } = programOf(args, past);
  const inputs = inputsOf(args);
  const info = await io.sandbox.info();
  const characters = Math.ceil(outputCharactersOf(puzzle) / inputs.length);
  const toolResults: ToolResult[] = [];
  let stepResult: StepResult | null = null;
  for (const [index, given] of inputs.entries()) {
    const input = given ?? (await clientOf(puzzle, context).input());
    const files = { 'input.txt': input };
    const request = { language: lang, source, stdin: input, files };
    const on = given === null ? 'puzzle' : `input ${index + 1}`;
    let toolOutput: ToolOutput = { name, on, info, before: null };
    let result = await io.sandbox.exec(request, signal);
    // Once a call: a program that waits for what never comes takes as long each time.
    if (!isEarlier && stepResult === null && wasStarved(result, info) && !isWaiting(result)) {
      stepResult = result.run ?? result.compile;
      toolOutput = { ...toolOutput, before: stepResult };
      result = await io.sandbox.exec(request, signal);
    }
    const report = reportExecution(result, characters, isEarlier ? undefined : toolOutput);
    // Inputs of the model are in the call, so the report does not quote them.
    toolResults.push(given === null ? withQuotes(report, result, input) : report);
    if (result.run === null) break;
  }
  const [only] = toolResults;
  return isEarlier && only ? only : inOne(name, inputs, toolResults);
}

/** The first failure decides. */
function inOne(
  program: string,
  inputs: readonly (string | null)[],
  reports: readonly ToolResult[],
): ToolResult {
  const [failedInput] = inputs
    .filter((input, at) => input !== null && reports[at]?.isError)
    .sort((a, b) => (a?.length ?? 0) - (b?.length ?? 0));
  const toolResult = reports.find(({ isError }) => isError) ?? reports.at(-1);
  const quotes = reports.flatMap(({ data }) => data?.inputQuotes ?? []);
  return {
    text: reports.map(({ text }) => text).join('\n'),
    isError: toolResult?.isError,
    data: {
      ...toolResult?.data,
      program,
      failedInput: failedInput ?? undefined,
      inputQuotes: quotes.length === 0 ? undefined : quotes.join('\n'),
      runs: reports.length > 1 ? reports.map(({ data = null }) => data) : undefined,
    },
  };
}

type Execution = Pick<ExecResult, 'run'> & {
  /** `digest`: what the compiler said, short; its whole words are shown where there is none. */
  readonly compile: (StepResult & { readonly digest?: string }) | null;
};

function limitsOf({ run }: Execution, info: SandboxInfo): ExecLimits {
  return run ? info.limits : info.compileLimits;
}

/** The wall limit is wider than the CPU limit: a program that reaches it first got too little CPU, or waits. */
function wasStarved(result: Execution, info: SandboxInfo): boolean {
  const step = result.run ?? result.compile;
  return step?.verdict === 'wall' && step.cpuMs < limitsOf(result, info).cpuMs * 0.8;
}

/** Hardly any CPU in all that time: it waits for what never comes, and would wait as long in a second run. */
function isWaiting(result: Execution): boolean {
  const step = result.run ?? result.compile;
  return step !== null && step.cpuMs < step.wallMs * 0.02;
}

/** What it printed of its input is written down: who exports the run without its puzzle has no other way to know. */
function withQuotes(report: ToolResult, { run, compile }: ExecResult, input: string): ToolResult {
  const printed = [run, compile].flatMap((step) => (step ? [step.stdout.text, step.stderr.text] : []));
  const quotes = printed.flatMap((text) => quotesOf(input, text));
  const inputQuotes = quotes.length === 0 ? undefined : quotes.join('\n');
  return { ...report, data: { ...report.data, inputQuotes } };
}

const noText: CutText = { text: '', cutBytes: 0 };

type ToolOutput = {
  readonly name: string;
  readonly on: string;
  readonly info: SandboxInfo;
  /** The run that did not get its CPU, where this is another one. */
  readonly before: StepResult | null;
};

/**
 * First a line on how it ended, then the sections `stdout:` and `stderr:`. `told` is missing in runs of the earlier form,
 * whose results say no more than they did.
 */
export function reportExecution(result: Execution, characters: number, toolOutput?: ToolOutput): ToolResult {
  const step = result.run ?? result.compile;
  if (!step) throw new Error('The sandbox neither compiled nor ran anything.');
  const digest = result.run === null ? (result.compile?.digest ?? '') : '';
  const cut = (output: CapturedOutput) => {
    const text = output.text.trimEnd();
    const bytes = output.cut ? output.bytes : undefined;
    // Of long output only a little is shown, because it stays in the conversation.
    const isShort = toolOutput && (bytes !== undefined || text.length > characters);
    return cutMiddle(text, isShort ? Math.ceil(characters / 6) : characters, bytes);
  };
  const stdout = digest === '' ? cut(step.stdout) : noText;
  const stderr = digest === '' ? cut(step.stderr) : cutMiddle(digest, characters);
  const ended = statusOf(step, toolOutput && limitsOf(result, toolOutput.info));
  const compileError = step.verdict === 'exit' ? 'compile error' : `compile error (${ended})`;
  const status = result.run ? ended : compileError;
  const failed = result.run === null || step.verdict !== 'ok';
  const excerpt = `More than ${characters} characters are shown in excerpt.\n`;
  const sections = [
    stdout.cutBytes + stderr.cutBytes > 0 ? excerpt : '',
    result.run || stdout.text !== '' ? `stdout:\n${stdout.text}\n` : '',
    stderr.text === '' ? '' : `stderr:\n${stderr.text}\n`,
  ];
  const text = toolOutput
    ? `${headOf(result, step, toolOutput, status)}\n${sections.join('')}`.trimEnd()
    : `status: ${status}; ${formatMeasures(step)}\nstdout:\n${stdout.text}\nstderr:\n${stderr.text}`;
  return {
    text,
    isError: failed || undefined,
    data: {
      failed,
      phase: result.run === null ? 'compile' : 'run',
      ...stepMetadata(step),
      compile: result.compile ? stepMetadata(result.compile) : null,
      before: toolOutput?.before ? stepMetadata(toolOutput.before) : undefined,
      // A reader of the journal is to see what the model did not.
      stdout: step.stdout.text.trimEnd() === stdout.text ? undefined : step.stdout.text,
      stderr: step.stderr.text.trimEnd() === stderr.text ? undefined : step.stderr.text,
    },
  };
}

function headOf(
  result: Execution,
  step: StepResult,
  { name, on, info, before }: ToolOutput,
  status: string,
): string {
  const reason = isWaiting(result)
    ? 'the program waits for something'
    : 'the machine is busy, or the program waits for something';
  const why = wasStarved(result, info) ? `: ${reason}` : '';
  const repeated = before ? `; tried again, because at first it got ${seconds(before.cpuMs)}` : '';
  return `${name}${result.run ? `, ${on}` : ''}: ${status}; CPU ${seconds(step.cpuMs)}${why}${repeated}`;
}

function statusOf({ verdict, exitCode, signal }: StepResult, limits?: ExecLimits): string {
  if (verdict === 'ok' || verdict === 'cancelled') return verdict;
  if (verdict === 'exit' || verdict === 'signal') return `${verdict} ${exitCode ?? signal ?? '?'}`;
  return limits ? `ended at the ${limitNames[verdict](limits)}` : forms.limitsBefore[verdict];
}

const limitNames = {
  wall: ({ wallMs }: ExecLimits) => `wall limit of ${seconds(wallMs)}`,
  cpu: ({ cpuMs }: ExecLimits) => `CPU limit of ${seconds(cpuMs)}`,
  memory: ({ memoryBytes }: ExecLimits) => `memory limit of ${mebibytes(memoryBytes)}`,
  disk: ({ diskBytes }: ExecLimits) => `disk limit of ${mebibytes(diskBytes)}`,
  processes: ({ processes }: ExecLimits) => `limit of ${processes} processes`,
  output: ({ outputBytes }: ExecLimits) => `output limit of ${mebibytes(outputBytes * 16)}`,
};

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(2))} s`;
}

function formatMeasures(step: StepResult): string {
  const mebibytes = (step.peakMemoryBytes / 2 ** 20).toFixed(1);
  return `wall ${Math.round(step.wallMs)} ms, CPU ${Math.round(step.cpuMs)} ms, memory ${mebibytes} MiB`;
}

function stepMetadata({ stdout, stderr, ...step }: StepResult): JsonObject {
  const { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes } = step;
  const measured = { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes };
  return { ...measured, stdoutBytes: stdout.bytes, stderrBytes: stderr.bytes };
}
