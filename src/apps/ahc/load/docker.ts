/** The way to `ahc-docker.ts` that costs nothing until it is gone. */
import type { ahcDocker } from '../workspace/docker.ts';

export type AhcDocker = typeof ahcDocker;

export async function loadAhcDocker(): Promise<AhcDocker> {
  // Loaded here because most commands need no container engine.
  return (await import('../workspace/docker.ts')).ahcDocker;
}
