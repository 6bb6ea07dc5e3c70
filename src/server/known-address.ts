/** Where the page of a store is served at present, so that a second `polya view` need not begin another. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeHome } from '../io/home.ts';
import { readPlainFileSync } from '../io/plain-file.ts';
import { isAlive } from '../store/owner.ts';

const shape = z.object({
  owner: z.object({ pid: z.number(), startedAt: z.string() }),
  address: z.string(),
  isReadOnly: z.boolean(),
});

const maxBytes = 10_000;

/** It holds the token, so that only its user may read it. */
const fileIn = (home: string) => join(home, 'view.json');

/** Null if nobody serves it, or not in the requested way. */
export function knownAddress(home: string, isReadOnly: boolean, nowMs: number): string | null {
  try {
    const found = shape.parse(JSON.parse(readPlainFileSync(fileIn(home), maxBytes).toString()));
    return isAlive(found.owner, 0, nowMs) && found.isReadOnly === isReadOnly ? found.address : null;
  } catch {
    return null;
  }
}

/** Told until what it returns is called. A store that may not be written keeps no address. */
export function writeAddress(home: string, told: z.infer<typeof shape>): () => void {
  const text = JSON.stringify(told);
  try {
    makeHome(home);
    rmSync(fileIn(home), { force: true });
    writeFileSync(fileIn(home), text, { mode: 0o600, flag: 'wx' });
  } catch {
    return () => undefined;
  }
  return () => {
    try {
      if (readFileSync(fileIn(home), 'utf8') === text) rmSync(fileIn(home));
    } catch {
      // Somebody else has taken it away.
    }
  };
}
