/** The way to `ahc-batch.ts` that costs nothing until it is gone. */
import type { ahcBatch } from '../batch/batch.ts';

export type AhcBatch = typeof ahcBatch;

export async function loadAhcBatch(): Promise<AhcBatch> {
  // Loaded here because one command alone knows of batches.
  return (await import('../batch/batch.ts')).ahcBatch;
}
