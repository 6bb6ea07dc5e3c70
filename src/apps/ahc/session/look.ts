/**
 * Sessions as other processes see them: which one a command means, what its journal holds, whether a process works on it, and
 * messages to it. Of the files of a session only session.json is written here, where its process has died.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import { isJsonObject, type JsonObject, jsonIn, jsonText } from '../../../core/json.ts';
import type { RunRow, Store } from '../../../core/store.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { exclusively } from '../../../io/exclusive.ts';
import type { Environment } from '../../../io/home.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import type { EvolutionMail, EvolutionNotes } from '../../../notes/evolution.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { openJournals } from '../../../open/journals.ts';
import type { Journals } from '../../../open/options.ts';
import { environmentOf } from '../../../open/store.ts';
import { untrustedIn } from '../../../open/trust/trust.ts';
import { followJournal } from '../../../run/load.ts';
import { count, isoTime, oneLine } from '../../../text/format.ts';
import { questionOf } from '../workspace.ts';
import { emptySession, foldSession, type SessionState } from './fold.ts';
import {
  findSessions,
  isKept,
  type Manifest,
  manifestIn,
  type SessionPlace,
  sessionNamed,
  sessionsLock,
} from './manifest.ts';
import { files } from './names.ts';
import { type SessionStatus, statusOf } from './projection.ts';

/** What a command that names a session, or none, has to know. Throws `UserError` as `findSession` does. */
export async function lookForSession(shell: Shell, command: Command, name?: string) {
  const workspace = openWorkspace(questionOf(shell, command));
  const sessions = await sessionsHere(shell, workspace);
  return { workspace, sessions, found: await findSession(shell, sessions, name) };
}

/** Newest first. Reports those whose manifest cannot be read, and marks those whose process died. */
export async function sessionsHere({ err, env }: Shell, workspace: Workspace) {
  const { places, unreadable } = await findSessions(workspace);
  for (const { name, why } of unreadable) {
    err.write(
      `Left out: ${name}, whose manifest.json cannot be read (${oneLine(why)}). Its programs are in ${join(workspace.folder.path, name)}.\n`,
    );
  }
  // Looking leaves the folder of somebody else as it is.
  const isTrusted = untrustedIn(workspace.folder.path, env).files.length === 0;
  for (const place of places) if (isTrusted) await markCrashed(place, env);
  return places;
}

/**
 * The session that is named; else the only one that runs, or null. Throws `UserError` for an unknown name, and where several
 * run: none of them is guessed.
 */
export async function findSession(
  { env }: Shell,
  sessions: readonly SessionPlace[],
  name?: string,
): Promise<{ readonly place: SessionPlace; readonly isRunning: boolean } | null> {
  const isRunning = (place: SessionPlace): Promise<boolean> =>
    withStoreOf(place, env, async (store) => Boolean((await runOf(store, place.manifest))?.owner));
  if (name !== undefined) {
    const place = sessionNamed(sessions, name);
    return { place, isRunning: await isRunning(place) };
  }
  const running: SessionPlace[] = [];
  for (const place of sessions) if (await isRunning(place)) running.push(place);
  const [only] = running;
  if (running.length > 1) {
    throw new UserError({
      code: 'session-ambiguous',
      what: `${count(running.length, 'session')} run here: ${running.map(({ manifest }) => manifest.name).join(', ')}.`,
      fix: 'Name the one that you mean.',
    });
  }
  return only ? { place: only, isRunning: true } : null;
}

/**
 * The session.json of a process that died still says that it runs. Left alone are sessions that run or are just being
 * begun: both take the lock of the sessions before they write. The rest of the files is up to the next life.
 */
export async function markCrashed(place: SessionPlace, env: Environment): Promise<void> {
  const { path } = place.folder;
  if (documentThatRuns(path) === null) return;
  const row = await withStoreOf(place, env, async (store) =>
    (await statusNow(store, place)) === 'crashed' ? runOf(store, place.manifest) : null,
  );
  if (row === null || isKept(place.manifest, row)) return;
  try {
    const mark = (): void => {
      const document = documentThatRuns(path);
      if (document === null || isKept(manifestIn(readFileSync(join(path, files.manifest), 'utf8')), row))
        return;
      const crashed = {
        ...document,
        status: 'crashed',
        end_time: isoTime(Math.max(row.lastAtMs, row.heartbeatAtMs ?? 0)),
        error_message:
          'Its process was gone before it could end the session; solve --session-id goes on with it.',
      };
      writeWholeSync(join(path, files.session), jsonText(crashed));
    };
    await exclusively(sessionsLock(path), mark, dirname(path));
  } catch {
    // The folder cannot be read or written. `status` reports the crash all the same.
  }
}

function documentThatRuns(folder: string): JsonObject | null {
  try {
    const document = jsonIn(readFileSync(join(folder, files.session), 'utf8'));
    return isJsonObject(document) && document.status === 'running' ? document : null;
  } catch {
    return null;
  }
}

/** Opens the store of a session: the one of its manifest, else, where the workspace has moved, the one found from its folder. */
export function withStoreOf<T>(
  place: SessionPlace,
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return withJournalsOf(place, env, ({ world }) => work(world.store));
}

export async function withJournalsOf<T>(
  { manifest, folder }: SessionPlace,
  env: Environment,
  work: (polya: Journals) => Promise<T>,
): Promise<T> {
  const there = environmentOf(manifest.home, env);
  const polya = openJournals({ folder: folder.path, env: there, create: true });
  try {
    return await work(polya);
  } finally {
    await polya.close();
  }
}

/** The last run of its chain that exists: the manifest names a run before it is begun. */
export async function runOf(store: Store, { runs }: Manifest): Promise<RunRow | null> {
  for (const id of runs.toReversed()) {
    const row = await store.get(id);
    if (row) return row;
  }
  return null;
}

/** From the row alone, without the journal. */
export async function statusNow(store: Store, { manifest }: SessionPlace): Promise<SessionStatus> {
  const row = await runOf(store, manifest);
  const outcome = row?.ended ? row.summary.outcome : null;
  return statusOf(isAtWork(manifest, row), typeof outcome === 'string' ? { outcome } : null);
}

/** Its run is owned; or it is a row of a batch that waits for its turn or for a worker, while the process of the batch lives. */
function isAtWork(manifest: Manifest, row: RunRow | null): boolean {
  return Boolean(row?.owner) || (!row?.ended && manifest.batch !== undefined && isKept(manifest, row));
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

export type SeenSession = {
  readonly place: SessionPlace;
  readonly status: SessionStatus;
  /** Null where no run was begun. */
  readonly row: RunRow | null;
  readonly state: SessionState;
  /** Of its journal; of a session that is followed, those since the look before. */
  readonly events: readonly Event[];
};

export function seeSession(store: Store, place: SessionPlace): Promise<SeenSession> {
  return followSession(store, place)();
}

/** Each call reads only the events since the call before it. A fork is another run, which is read from its beginning. */
export function followSession(store: Store, place: SessionPlace): () => Promise<SeenSession> {
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
    const events = look ? (await look()).events : [];
    state = foldSession(events, state);
    return { place, row, state, status: statusOf(isAtWork(place.manifest, row), state.run.end), events };
  };
}

/** Asks until there is something; null where `signal` is aborted or the patience ends first. */
export async function askUntil<T>(
  ask: () => Promise<T | null>,
  wait: { readonly everyMs: number; readonly patienceMs?: number; readonly signal?: AbortSignal },
): Promise<T | null> {
  const { everyMs, patienceMs = Number.POSITIVE_INFINITY, signal } = wait;
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const isLast = signal?.aborted || waitedMs > patienceMs;
    const found = await ask();
    if (found !== null || isLast) return found;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** `leaving` is aborted when the user interrupts, which leaves the session running. */
export async function untilInterrupted<T>(
  shell: Shell,
  work: (leaving: AbortController) => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
  try {
    return await work(leaving);
  } finally {
    release();
  }
}

/** While the session asks its user to confirm something, nothing else happens in it. */
export function isAsking({ state }: Pick<SeenSession, 'state'>): boolean {
  return state.run.open.some(({ event }) => event.kind === 'ask');
}

export function askToStop(store: Store, run: Pick<RunRow, 'id'>): Promise<void> {
  return store.post(run.id, { kind: 'stop', text: '', atMs: Date.now() });
}

export type Heard = EvolutionNotes['heard'];

/** Posts a message under a key, by which its note `heard` is found in the journal. Resolves to the key. */
export async function say(
  store: Store,
  run: Pick<RunRow, 'id'>,
  text: string,
  type: Exclude<EvolutionMail['type'], 'settings'> = 'said',
): Promise<string> {
  const key = randomUUID();
  const mail: EvolutionMail = { type, text, key };
  await store.post(run.id, { kind: 'tell', text: JSON.stringify(mail), atMs: Date.now() });
  return key;
}

export function heardIn({ state }: Pick<SeenSession, 'state'>, key: string): Heard | null {
  return state.heard.find((each) => each.key === key) ?? null;
}

export function notRunning({ place, status }: Pick<SeenSession, 'place' | 'status'>): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'run-not-running',
    what: `The session ${name} does not run: it is ${status}.`,
    fix: `\`polya ahc solve --session-id ${name}\` goes on with it, where it can.`,
  });
}
