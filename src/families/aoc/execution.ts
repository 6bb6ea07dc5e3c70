/** What a program did, told to a model and to programs. Pure; knows no sandbox but its results. */
import type { JsonObject } from '../../core/json.ts';
import type { ToolResult } from '../../core/problem.ts';
import type { CapturedOutput, ExecResult, StepResult } from '../../core/sandbox.ts';
import { type CutText, cutMiddle } from './excerpt.ts';

/** `digest`: what the compiler said, short; its whole words are shown where there is none. */
type Compilation = StepResult & { readonly digest?: string };

const noText: CutText = { text: '', cutBytes: 0 };

/** First a line on how it ended, then the sections `stdout:` and `stderr:`. */
export function reportExecution(
  result: Pick<ExecResult, 'run'> & { readonly compile: Compilation | null },
  outputCharacters: number,
): ToolResult {
  const step = result.run ?? result.compile;
  if (!step) throw new Error('The sandbox neither compiled nor ran anything.');
  const compileFailed = result.run === null;
  const digest = compileFailed ? (result.compile?.digest ?? '') : '';
  const stdout = digest === '' ? cut(step.stdout, outputCharacters) : noText;
  const stderr = digest === '' ? cut(step.stderr, outputCharacters) : cutMiddle(digest, outputCharacters);
  const status = compileFailed ? compileStatus(step) : statusOf(step);
  const failed = compileFailed || step.verdict !== 'ok';
  return {
    text: `status: ${status}; ${measuresOf(step)}\nstdout:\n${stdout.text}\nstderr:\n${stderr.text}`,
    ...(failed ? { isError: true } : {}),
    data: {
      failed,
      phase: compileFailed ? 'compile' : 'run',
      ...factsOf(step),
      compile: result.compile ? factsOf(result.compile) : null,
      // Whoever reads the journal is to see what the model did not.
      ...(step.stdout.text.trimEnd() === stdout.text ? {} : { stdout: step.stdout.text }),
      ...(step.stderr.text.trimEnd() === stderr.text ? {} : { stderr: step.stderr.text }),
    },
  };
}

function cut(output: CapturedOutput, characters: number): CutText {
  return cutMiddle(output.text.trimEnd(), characters, output.cut ? output.bytes : undefined);
}

function compileStatus(step: StepResult): string {
  return step.verdict === 'exit' ? 'compile error' : `compile error (${statusOf(step)})`;
}

function statusOf(step: StepResult): string {
  switch (step.verdict) {
    case 'ok':
    case 'cancelled':
      return step.verdict;
    case 'exit':
      return `exit ${step.exitCode ?? '?'}`;
    case 'signal':
      return `signal ${step.signal ?? '?'}`;
    case 'wall':
      return 'time limit (wall time)';
    case 'cpu':
      return 'time limit (CPU time)';
    case 'memory':
    case 'processes':
    case 'disk':
    case 'output':
      return `${step.verdict} limit`;
  }
}

function measuresOf(step: StepResult): string {
  const mebibytes = (step.peakMemoryBytes / 2 ** 20).toFixed(1);
  return `wall ${Math.round(step.wallMs)} ms, CPU ${Math.round(step.cpuMs)} ms, memory ${mebibytes} MiB`;
}

function factsOf(step: StepResult): JsonObject {
  return {
    verdict: step.verdict,
    exitCode: step.exitCode,
    signal: step.signal,
    wallMs: step.wallMs,
    cpuMs: step.cpuMs,
    peakMemoryBytes: step.peakMemoryBytes,
    stdoutBytes: step.stdout.bytes,
    stderrBytes: step.stderr.bytes,
  };
}
