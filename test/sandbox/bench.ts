/** What the parts of the conformance suite share: short ways to run a program on the sandbox under test. */
import type { ExecLimits, ExecRequest, ExecResult, Sandbox, StepResult } from '../../src/core/sandbox.ts';

export type Bench = {
  exec(request: ExecRequest, signal?: AbortSignal): Promise<ExecResult>;
  /** Runs a Python program and returns its step. */
  python(source: string, request?: Partial<ExecRequest>): Promise<StepResult>;
  /** The same under the named limits; the others are wide enough not to matter. */
  pythonWithin(limits: Partial<ExecLimits>, source: string): Promise<StepResult>;
  sandbox: Sandbox;
  /** False where programs are on the bare machine: what needs isolation is then no promise, and not tested as one. */
  isolates: boolean;
};

export const mebibyte = 1024 * 1024;
