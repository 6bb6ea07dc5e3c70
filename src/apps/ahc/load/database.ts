/** The way to `ahc-database.ts` that costs nothing until it is gone. */
import type { ahcDatabase } from '../../../open/families/ahc/database.ts';

export type AhcDatabase = typeof ahcDatabase;

export async function loadAhcDatabase(): Promise<AhcDatabase> {
  // Loaded here because most commands know no past contest.
  return (await import('../../../open/families/ahc/database.ts')).ahcDatabase;
}
