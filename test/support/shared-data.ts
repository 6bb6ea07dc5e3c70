/**
 * Public data that lies beside the project and is not part of it: in `../shared/data`, or in the folder that
 * POLYA_TEST_DATA names. What a test needs and does not find makes it fail.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** In the first ancestor that has it: clones may lie deeper. */
export function dataFolder(): string {
  if (process.env.POLYA_TEST_DATA) return process.env.POLYA_TEST_DATA;
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const found = join(folder, 'shared', 'data');
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) {
      throw new Error(
        `The public data is neither in ../shared/data beside ${root} nor where POLYA_TEST_DATA says.`,
      );
    }
  }
}

export function sharedFile(name: string): string {
  return join(dataFolder(), name);
}

export function sharedLines(name: string): unknown[] {
  return readFileSync(sharedFile(name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
