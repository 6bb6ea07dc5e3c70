/** What became of a program, in words and as JSON. */
import {
  type BuildRequest,
  type CompileResult,
  type Sandbox,
  type SandboxInfo,
  type StepResult,
  type StepVerdict,
  unsafeLabel,
} from '../../core/sandbox.ts';
import type { Output, Shell } from '../contract.ts';

export type Setting = {
  readonly shell: Shell;
  readonly sandbox: Sandbox;
  readonly info: SandboxInfo;
  readonly program: BuildRequest;
  readonly isJson: boolean;
};

/** The one document of `--json`. */
export function resultJson(
  { info, program }: Setting,
  parts: { readonly compile: CompileResult | null } & Readonly<Record<string, unknown>>,
) {
  const { backend, version, isolation, toolchains } = info;
  const { language, toolchain: named } = program;
  const used = toolchains.find((each) => each.language === language && (named ?? each.name) === each.name);
  const toolchain = used?.name ?? null;
  return { backend, version, isolation, label: unsafeLabel(info), language, toolchain, ...parts };
}

/** What a compiler says, errors shortened as for a model, and how it ended. */
export function printCompile({ shell, info }: Setting, compile: CompileResult, noun = 'compile error'): void {
  const printed = compile.digest ? [compile.digest] : [compile.stdout.text, compile.stderr.text];
  for (const text of printed.map((each) => each.trimEnd()).filter(Boolean)) {
    shell.err.write(`${text}\n`);
  }
  if (compile.verdict === 'ok') return;
  const method = compile.verdict === 'exit' ? noun : `${noun}: ${verdictText(compile)}`;
  shell.err.write(verdictLine(shell.err, compile, info, method));
}

export function verdictLine(output: Output, step: StepResult, info: SandboxInfo, how = verdictText(step)) {
  const tone = step.verdict === 'ok' ? 'good' : step.verdict === 'cancelled' ? 'warn' : 'bad';
  const basis = step.decidedBy === undefined ? '' : `; decided by ${step.decidedBy}`;
  return `${output.paint(tone, how)}; ${formatMeasures(step)}; ${sandboxText(info)}${basis}\n`;
}

export function sandboxText(info: SandboxInfo): string {
  return unsafeLabel(info) ?? `${info.backend} ${info.version}`;
}

const limitVerdicts: Readonly<Partial<Record<StepVerdict, string>>> = {
  wall: 'time limit',
  cpu: 'CPU time limit',
  memory: 'memory limit',
  processes: 'process limit',
  disk: 'disk limit',
  output: 'output limit',
};

/** `ok`, `exit 3`, `signal SIGSEGV`, `memory limit` */
export function verdictText({ verdict, exitCode, signal }: StepResult): string {
  if (verdict === 'exit') return `exit ${exitCode ?? '?'}`;
  if (verdict === 'signal') return `signal ${signal ?? '?'}`;
  return limitVerdicts[verdict] ?? verdict;
}

/** `CPU 0.31 s, wall 0.35 s, memory 12.4 MiB` */
export function formatMeasures(step: StepResult): string {
  const bound = (isUpper: boolean | undefined) => (isUpper ? 'at most ' : '');
  const cpu = `${bound(step.cpuIsUpperBound)}${secondsText(step.cpuMs)}`;
  const memory = `${bound(step.memoryIsUpperBound)}${memoryText(step.peakMemoryBytes)}`;
  return `CPU ${cpu}, wall ${secondsText(step.wallMs)}, memory ${memory}`;
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 3 : 1)} s`;
}

export function memoryText(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
