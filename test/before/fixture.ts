/** A fixture of journals, as a user's folder that a test may write to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackFolder } from '../fixtures/folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Facts } from './facts.ts';
import { type Opened, type Own, open } from './library.ts';
import { journals } from './plan.ts';

/** `cut`: as its process left it that was killed. */
export type State = 'whole' | 'cut';

export function unpacked(name: string, state: State): string {
  const folder = temporaryFolder(`${name}-${state}`);
  unpackFolder(join(journals, name, `${state}.folder.gz`), folder);
  return folder;
}

export async function using<T>(
  folder: string,
  own: Own,
  work: (polya: Opened, folder: string) => Promise<T>,
): Promise<T> {
  const polya = open(folder, temporaryFolder('home'), own);
  try {
    return await work(polya, folder);
  } finally {
    await polya.close();
  }
}

/** By state and by the names of runs. */
export function expectedOf(name: string): Record<string, Record<string, Facts>> {
  return JSON.parse(readFileSync(join(journals, name, 'expected.json'), 'utf8'));
}
