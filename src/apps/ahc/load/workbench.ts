/** The way to `ahc-workbench.ts` that costs nothing until it is gone. */
import type { ahcWorkbench } from '../testing/workbench.ts';

export type AhcWorkbench = typeof ahcWorkbench;

export async function loadAhcWorkbench(): Promise<AhcWorkbench> {
  // Loaded here because sandbox and workspaces are of no use to most commands.
  return (await import('../testing/workbench.ts')).ahcWorkbench;
}
