/** How a program ended, in words: the same for one program and for many. Pure. */
import type { StepResult, StepVerdict } from '../../core/sandbox.ts';
import type { Tone } from '../../text/paint.ts';

const verdicts: Readonly<Record<StepVerdict, string>> = {
  ok: 'ok',
  exit: 'exit',
  signal: 'signal',
  wall: 'time limit',
  cpu: 'CPU time limit',
  memory: 'memory limit',
  processes: 'process limit',
  disk: 'disk limit',
  output: 'output limit',
  cancelled: 'cancelled',
};

/** `ok`, `exit 3`, `signal SIGSEGV`, `memory limit` */
export function verdictText({ verdict, exitCode, signal }: StepResult): string {
  if (verdict === 'exit') return `exit ${exitCode ?? '?'}`;
  if (verdict === 'signal') return `signal ${signal ?? '?'}`;
  return verdicts[verdict];
}

export function verdictTone({ verdict }: StepResult): Tone {
  if (verdict === 'ok') return 'good';
  return verdict === 'cancelled' ? 'warn' : 'bad';
}

/** `CPU 0.31 s, wall 0.35 s, memory 12.4 MiB` */
export function measuresText({ cpuMs, wallMs, peakMemoryBytes }: StepResult): string {
  return `CPU ${secondsText(cpuMs)}, wall ${secondsText(wallMs)}, memory ${memoryText(peakMemoryBytes)}`;
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 3 : 1)} s`;
}

export function memoryText(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
