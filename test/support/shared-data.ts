/**
 * Public data that are not part of the project: in the folder that POLYA_TEST_DATA names, else in `shared/data` beside
 * the project or beside a folder above it. Only files named `*.public.test.ts` read them, and run where they are there.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linesOfJson } from './json-lines.ts';

const root = join(import.meta.dirname, '../..');

/** Null where there are none. A folder that POLYA_TEST_DATA names counts as there: who names it wants those tests. */
export function findDataFolder(): string | null {
  if (process.env.POLYA_TEST_DATA) return process.env.POLYA_TEST_DATA;
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const found = join(folder, 'shared', 'data');
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return null;
  }
}

function dataFolder(): string {
  const folder = findDataFolder();
  if (folder !== null) return folder;
  throw new Error(
    `The public data is neither in ../shared/data beside ${root} nor where POLYA_TEST_DATA says.`,
  );
}

export function sharedFile(name: string): string {
  return join(dataFolder(), name);
}

export function sharedLines(name: string): unknown[] {
  return linesOfJson(sharedFile(name));
}
