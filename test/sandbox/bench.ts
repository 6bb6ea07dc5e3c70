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
  scope: Scope;
};

/**
 * How much of the suite a back-end is held to. `everything`: the default one. `back-end`: another one, without compilers
 * and the order of a batch, which are the same code on all of them. `differences`: the same without what the runner does
 * in any cell (accounts, working folders, most of pairs). `limits`: one that was tried already, with other means for its limits.
 */
export type Scope = 'everything' | 'back-end' | 'differences' | 'limits';

export const mebibyte = 1024 * 1024;

/**
 * Says `here` and sleeps; with an argument, it closes its streams before. It is no Python, which on a busy machine needs
 * longer to begin than a short limit leaves it.
 */
export const sleeper = {
  language: 'cpp',
  source: `#include <unistd.h>
int main(int argc, char **) {
  bool isSaid = write(1, "here\\n", 5) == 5;
  if (argc > 1) for (int fd = 0; fd < 3; fd++) close(fd);
  sleep(60);
  return isSaid ? 0 : 1;
}`,
} as const;
