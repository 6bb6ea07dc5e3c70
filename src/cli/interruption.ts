/** What Ctrl-C ends: work in the sandbox, and servers. For runs and run-sets, `stoppable` does it. */
import { exitCodes } from '../core/errors.ts';
import type { Shell } from './contract.ts';

/** Waits until nothing of the work is left; a second Ctrl-C does not wait. */
export async function interruptibly(
  shell: Shell,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const release = shell.onInterrupt(() => {
    if (controller.signal.aborted) shell.exit(exitCodes.cancelled);
    controller.abort();
  });
  try {
    const code = await work(controller.signal);
    return controller.signal.aborted ? exitCodes.cancelled : code;
  } catch (error) {
    // Broken off is no defect, and nothing that has to be explained to who did it.
    if (controller.signal.aborted && error === controller.signal.reason) return exitCodes.cancelled;
    throw error;
  } finally {
    release();
  }
}

/** Resolves when its user wants it to end. Asked for before Ctrl-C is offered: who reads of it may be quick. */
export function interrupted(shell: Shell): Promise<void> {
  return new Promise((resolve) => {
    const release = shell.onInterrupt(() => {
      release();
      resolve();
    });
  });
}
