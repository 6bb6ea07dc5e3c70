/** Where the page of a store is served at present, so that a second `polya view` need not begin another. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeHome } from '../io/home.ts';
import { readPlainFileSync } from '../io/plain-file.ts';
import { isAlive } from '../store/owner.ts';

const shape = z.object({
  owner: z.object({ pid: z.number(), startedAt: z.string() }),
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\/$/),
  token: z.string(),
  isReadOnly: z.boolean(),
});

const linkShape = z.object({ link: z.string() });

const maxBytes = 10_000;
const answerTimeoutMs = 10_000;

/** It holds the token, so that only its user may read it. */
const fileIn = (home: string) => join(home, 'view.json');

type KnownPage = { createLink(): Promise<string> };

type Wanted = {
  /** 0 is any. */
  readonly port: number;
  readonly isReadOnly: boolean;
  readonly nowMs: number;
};

/** Null if nobody serves it, or not in the requested way. */
export async function findServedPage(home: string, wanted: Wanted): Promise<KnownPage | null> {
  try {
    const found = shape.parse(JSON.parse(readPlainFileSync(fileIn(home), maxBytes).toString()));
    const { owner, url, token, isReadOnly } = found;
    const isWanted = isReadOnly === wanted.isReadOnly && [0, Number(new URL(url).port)].includes(wanted.port);
    if (!isWanted || !isAlive(owner, 0, wanted.nowMs)) return null;
    const call = (path: string, method: string): Promise<Response> =>
      fetch(`${url}api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
    if (!(await call('store', 'GET')).ok) return null;
    return { createLink: async () => linkShape.parse(await (await call('links', 'POST')).json()).link };
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
