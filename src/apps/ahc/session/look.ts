/** Sessions as other processes see them: the state of their journals, and whether a process works on them. Writes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { OutcomeKind } from '../../../core/agent.ts';
import type { Event } from '../../../core/event.ts';
import type { RunRow, Store } from '../../../core/store.ts';
import type { Environment } from '../../../io/home.ts';
import { openJournals } from '../../../open/journals.ts';
import { followJournal, readJournal } from '../../../run/load.ts';
import { emptySession, foldSession, type SessionState } from './fold.ts';
import { isKept, type Manifest, type SessionPlace } from './manifest.ts';
import { files } from './names.ts';
import { type SessionStatus, statusOf } from './projection.ts';

export type SeenSession = {
  readonly place: SessionPlace;
  readonly status: SessionStatus;
  /** Null where no run was begun. */
  readonly row: RunRow | null;
  readonly state: SessionState;
};

/** The last run of its chain that exists: the manifest names a run before it is begun. */
export async function runOf(store: Store, { runs }: Manifest): Promise<RunRow | null> {
  for (const id of runs.toReversed()) {
    const row = await store.get(id);
    if (row) return row;
  }
  return null;
}

export async function seeSession(
  store: Store,
  place: SessionPlace,
): Promise<SeenSession & { readonly events: readonly Event[] }> {
  const row = await runOf(store, place.manifest);
  const { events } = row ? await readJournal(store, row.id) : { events: [] };
  return { ...seen(place, row, foldSession(events)), events };
}

/** From the row alone, without the journal. */
export async function statusNow(store: Store, { manifest }: SessionPlace): Promise<SessionStatus> {
  const row = await runOf(store, manifest);
  const outcome = row?.ended ? outcomeShape.parse(row.summary).outcome : null;
  return statusOf({ isOwned: isAtWork(manifest, row), end: outcome === null ? null : { outcome } });
}

const outcomeShape = z.object({
  outcome: z.custom<OutcomeKind>((each) => typeof each === 'string').nullable(),
});

/** Its run is owned; or it is a row of a batch that waits for its turn, while the process of the batch lives. */
function isAtWork(manifest: Manifest, row: RunRow | null): boolean {
  return Boolean(row?.owner) || (row === null && manifest.batch !== undefined && isKept(manifest, row));
}

/** Whether session.json, which is written last, says that the session has ended. */
export async function isFiled({ folder }: SessionPlace): Promise<boolean> {
  const text = await folder.read(files.session).catch(() => null);
  return text !== null && /"status": "(?!running|crashed)/.test(text);
}

/** Its run has ended and its process is gone, but its files lack something: the disk was full, or the process was killed. */
export async function isBehind(place: SessionPlace, row: RunRow | null): Promise<boolean> {
  if (!row?.ended || row.owner) return false;
  return !isKept(place.manifest, row) && !(await isFiled(place));
}

/** Each call reads only the events since the call before it. A fork is another run, which is read from its beginning. */
export function followSession(
  store: Store,
  place: SessionPlace,
): () => Promise<SeenSession & { readonly news: readonly Event[] }> {
  let state = emptySession;
  let run: string | null = null;
  let look: ReturnType<typeof followJournal> | null = null;
  return async () => {
    const row = await runOf(store, place.manifest);
    if (row && row.id !== run) {
      run = row.id;
      look = followJournal(store, row.id);
      state = emptySession;
    }
    const news = look ? (await look()).events : [];
    state = foldSession(news, state);
    return { ...seen(place, row, state), news };
  };
}

function seen(place: SessionPlace, row: RunRow | null, state: SessionState): SeenSession {
  return {
    place,
    row,
    state,
    status: statusOf({ isOwned: isAtWork(place.manifest, row), end: state.run.end }),
  };
}

/** Opens the store of a session: the one of its manifest, else, where the workspace has moved, the one found from its folder. */
export async function withStoreOf<T>(
  { manifest, folder }: SessionPlace,
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const isThere = existsSync(join(manifest.home, 'polya.db'));
  const polya = openJournals({
    folder: folder.path,
    env: isThere ? { ...env, POLYA_HOME: manifest.home } : env,
    create: true,
  });
  try {
    return await work(polya.world.store);
  } finally {
    await polya.close();
  }
}

/** While the session asks its user to confirm something, nothing else happens in it. */
export function isAsking({ state }: Pick<SeenSession, 'state'>): boolean {
  return state.run.open.some(({ event }) => event.kind === 'ask');
}
