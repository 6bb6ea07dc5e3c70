/** The way to `ahc-docker.ts` that costs nothing until it is gone. */
import type { ahcDocker } from './ahc-docker.ts';

export type AhcDocker = typeof ahcDocker;

export async function loadAhcDocker(): Promise<AhcDocker> {
  // Loaded here because most commands need no container engine.
  return (await import('./ahc-docker.ts')).ahcDocker;
}
