/** Sessions as others see them: what their journals come to, and whether somebody is at work on them. Writes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { OutcomeKind } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import type { RunRow, Store } from '../core/store.ts';
import { emptySession, foldSession, type SessionState } from '../families/ahc/session/fold.ts';
import { files } from '../families/ahc/session/names.ts';
import { type SessionStatus, statusOf } from '../families/ahc/session/status.ts';
import { systemClock } from '../io/clock.ts';
import type { Environment } from '../io/home.ts';
import { followJournal, readJournal } from '../run/load.ts';
import { isAlive } from '../store/owner.ts';
import type { Manifest, SessionPlace } from './ahc-session-manifest.ts';
import { openPolya } from './polya.ts';

export type SeenSession = {
  readonly place: SessionPlace;
  readonly status: SessionStatus;
  /** Null where its run was never begun. */
  readonly row: RunRow | null;
  readonly state: SessionState;
};

/** The last run of its chain that there is: one is named before it is begun. */
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

/** From its row alone; no journal is read. */
export async function statusNow(store: Store, { manifest }: SessionPlace): Promise<SessionStatus> {
  const row = await runOf(store, manifest);
  const outcome = row?.ended ? outcomeShape.parse(row.summary).outcome : null;
  return statusOf({ isOwned: isAtWork(manifest, row), end: outcome === null ? null : { outcome } });
}

const outcomeShape = z.object({
  outcome: z.custom<OutcomeKind>((each) => typeof each === 'string').nullable(),
});

/**
 * The process that keeps its files is there. It has no heartbeat of its own: one of another boot, or of another machine,
 * is there as long as that of its run, or nobody could ever go on with the session.
 */
export function isKept({ writer }: Manifest, row: RunRow | null): boolean {
  return writer !== null && isAlive(writer, row?.heartbeatAtMs ?? 0, systemClock.now());
}

/** A row of a batch waits for its turn while the process of the batch lives. */
function isAtWork(manifest: Manifest, row: RunRow | null): boolean {
  return Boolean(row?.owner) || (row === null && manifest.batch !== undefined && isKept(manifest, row));
}

/** Whether its session.json says that it has ended: it is written last. */
export async function isFiled({ folder }: SessionPlace): Promise<boolean> {
  const text = await folder.read(files.session).catch(() => null);
  return text !== null && /"status": "(?!running|crashed)/.test(text);
}

/** Its run has ended, and its process has gone without writing all that the journal has: its disk was full, or it was killed. */
export async function isBehind(place: SessionPlace, row: RunRow | null): Promise<boolean> {
  if (!row?.ended || row.owner) return false;
  return !isKept(place.manifest, row) && !(await isFiled(place));
}

/** For who watches: each call sees what is new, at the cost of that alone. A fork is another run, and begins anew. */
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

/** The store of a session, opened for what `work` does. One that has moved away with its workspace is looked for there. */
export async function withStoreOf<T>(
  { manifest, folder }: SessionPlace,
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const isThere = existsSync(join(manifest.home, 'polya.db'));
  const polya = openPolya({
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
