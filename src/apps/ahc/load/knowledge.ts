/** The way to `ahc-knowledge.ts` that costs nothing until it is gone. */
import type { ahcKnowledge } from '../../../open/families/ahc/knowledge.ts';

export type AhcKnowledge = typeof ahcKnowledge;

export async function loadAhcKnowledge(): Promise<AhcKnowledge> {
  // Loaded here because most commands need nothing of earlier sessions.
  return (await import('../../../open/families/ahc/knowledge.ts')).ahcKnowledge;
}
