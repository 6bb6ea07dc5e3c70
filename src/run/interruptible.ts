/**
 * A sandbox for effects. What was broken off with its effect is no result of a program: a value that says so would be
 * settled as what the program did, and a run that was stopped would go on from there when it is resumed.
 */
import type { Sandbox } from '../core/sandbox.ts';

export function interruptible(sandbox: Sandbox): Sandbox {
  return {
    info: () => sandbox.info(),
    exec: async (request, signal) => {
      const result = await sandbox.exec(request, signal);
      signal.throwIfAborted();
      return result;
    },
  };
}
