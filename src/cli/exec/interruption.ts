/** Ctrl-C ends what runs in the sandbox, and waits until nothing of it is left; a second one does not wait. */
import { exitCodes } from '../../core/errors.ts';
import type { Shell } from '../contract.ts';

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
