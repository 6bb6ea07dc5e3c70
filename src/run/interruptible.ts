/**
 * A sandbox for effects. What was broken off with its effect is no result of a program: a value that says so would be
 * settled as what the program did, and a run that was stopped would go on from there when it is resumed.
 */
import type { Sandbox } from '../core/sandbox.ts';

export function interruptible(sandbox: Sandbox): Sandbox {
  return {
    info: () => sandbox.info(),
    check: (request, signal) => unlessBrokenOff(sandbox.check(request, signal), signal),
    build: (request, signal) => unlessBrokenOff(sandbox.build(request, signal), signal),
    exec: (request, signal) => unlessBrokenOff(sandbox.exec(request, signal), signal),
    batch: (request, onCase, signal) => unlessBrokenOff(sandbox.batch(request, onCase, signal), signal),
    clean: () => sandbox.clean(),
    close: () => sandbox.close(),
  };
}

async function unlessBrokenOff<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const result = await running;
  signal.throwIfAborted();
  return result;
}
