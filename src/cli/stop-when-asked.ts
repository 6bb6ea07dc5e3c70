/** Ctrl-C of whoever looks on: the first lets what is in flight be closed, the second ends the process. */
import { exitCodes } from '../core/errors.ts';
import type { Shell } from './contract.ts';

export type Interrupts = { begun(handle: { stop(): void }): void; readonly release: () => void };

export function stopWhenAsked(shell: Shell, view: { close(): void; say(text: string): void }): Interrupts {
  let running: { stop(): void } | null = null;
  let calls = 0;
  const release = shell.onInterrupt(() => {
    calls += 1;
    if (!running || calls > 1) {
      view.close();
      shell.exit(exitCodes.cancelled);
    }
    view.say('Stopping … (once more exits at once)');
    running.stop();
  });
  return {
    begun: (handle) => {
      running = handle;
    },
    release,
  };
}
