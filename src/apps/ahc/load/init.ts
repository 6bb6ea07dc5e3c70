/** The way to `ahc-init.ts` that costs nothing until it is gone. */
import type { InitializedWorkspace, InitOptions } from '../intake/begin.ts';

export type { InitializedWorkspace, InitOptions };

export async function initContest(options: InitOptions): Promise<InitializedWorkspace> {
  // Loaded here because readers of HTML and archives are of no use to other commands.
  return (await import('../intake/begin.ts')).initContest(options);
}
