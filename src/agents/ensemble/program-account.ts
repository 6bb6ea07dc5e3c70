/** What a program did, told to the model that wrote it. Pure; long output keeps its beginning and its end. */
import type { ProgramResult } from '../../core/agent.ts';
import type { CapturedOutput, StepResult } from '../../core/sandbox.ts';

export type Account = {
  /** Null where it ended as it should. */
  readonly trouble: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

export function accountOf({ compile, run }: Pick<ProgramResult, 'compile' | 'run'>, shown: number): Account {
  const step = run ?? compile;
  if (!step) return { trouble: 'it was not run', stdout: '', stderr: '' };
  const trouble = run ? troubleOf(run) : 'it did not compile';
  return { trouble, stdout: excerpt(step.stdout, shown), stderr: excerpt(step.stderr, shown) };
}

/** In sections, the empty ones left out. */
export function accountText({ trouble, stdout, stderr }: Account): string {
  const parts = [
    trouble === null ? '' : `The program failed: ${trouble}.`,
    stdout === '' ? '' : `stdout:\n${stdout}`,
    stderr === '' ? '' : `stderr:\n${stderr}`,
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('\n') : 'The program ended well and printed nothing.';
}

function troubleOf({ verdict, exitCode, signal, wallMs }: StepResult): string | null {
  switch (verdict) {
    case 'ok':
      return null;
    case 'exit':
      return `it ended with status ${exitCode ?? '?'}`;
    case 'signal':
      return `it was ended by ${signal ?? 'a signal'}`;
    case 'wall':
    case 'cpu':
      return `it took too long and was ended after ${(wallMs / 1000).toFixed(1)} s`;
    case 'memory':
      return 'it took more memory than it may have';
    case 'processes':
      return 'it started more processes than it may have';
    case 'disk':
      return 'it wrote more than it may';
    case 'output':
      return 'it printed far more than it may';
    case 'cancelled':
      return 'it was broken off';
  }
}

function excerpt({ text }: CapturedOutput, shown: number): string {
  const said = text.trimEnd();
  if (said.length <= shown) return said;
  const half = Math.floor(shown / 2);
  const cut = said.length - 2 * half;
  return `${said.slice(0, half).toWellFormed()}\n[… ${cut} characters left out …]\n${said.slice(-half).toWellFormed()}`;
}
