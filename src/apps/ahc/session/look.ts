/**
 * Sessions as other processes see them: which one a command means, what its journal holds, whether a process works on it, and
 * messages to it. Where a process died, its folder is brought up to date here.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import type { RunRow, Store } from '../../../core/store.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import type { Environment } from '../../../io/home.ts';
import type { EvolutionMessage, EvolutionNotes } from '../../../notes/evolution.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { openJournals } from '../../../open/journals.ts';
import type { Journals } from '../../../open/options.ts';
import { environmentOf } from '../../../open/store.ts';
import { findUntrusted } from '../../../open/trust/trust.ts';
import { followJournal } from '../../../run/load.ts';
import { count, oneLine } from '../../../text/format.ts';
import { questionOf } from '../workspace.ts';
import { factsOf, type SessionFacts } from './context.ts';
import { type SessionStatus, statusOf } from './files.ts';
import { emptySession, foldSession, type SessionState } from './fold.ts';
import { SessionFolder } from './folder.ts';
import { maskOf } from './log.ts';
import { files } from './names.ts';
import { findSessions, type SessionPlace, sessionNamed } from './sessions.ts';

/** What a command that names a session, or none, has to know. Throws `UserError` as `findSession` does. */
export async function lookForSession(shell: Shell, command: Command, name?: string) {
  const workspace = openWorkspace(questionOf(shell, command));
  const sessions = await sessionsHere(shell, workspace);
  return { workspace, sessions, found: await findSession(shell, sessions, name) };
}

/** Newest first. Reports those whose session.json cannot be read, and completes the files of those whose process died. */
export async function sessionsHere({ err, env }: Shell, workspace: Workspace) {
  const { places, unreadable } = await findSessions(workspace);
  for (const { name, why } of unreadable) {
    err.write(
      `Left out: ${name}, whose session.json cannot be read (${oneLine(why)}). Its programs are in ${join(workspace.folder.path, name)}.\n`,
    );
  }
  // Looking leaves the folder of somebody else as it is.
  const isTrusted = findUntrusted(workspace.folder.path, env).files.length === 0;
  for (const place of places) if (isTrusted) await completeFiles(place, workspace, env);
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
    withStoreOf(place, env, async (store) => Boolean((await runOf(store, place))?.owner));
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
      what: `${count(running.length, 'session')} run here: ${running.map(({ name }) => name).join(', ')}.`,
      fix: 'Name the one that you mean.',
    });
  }
  return only ? { place: only, isRunning: true } : null;
}

/** If the session.json still says that the session runs, and no process works on it, its files may lack something. */
export async function completeFiles(
  place: SessionPlace,
  { folder: workspace }: Pick<Workspace, 'folder'>,
  env: Environment,
): Promise<void> {
  if (await isFiled(place)) return;
  await withStoreOf(place, env, async (store) => {
    const row = await runOf(store, place);
    if (!row || row.owner) return;
    const { folder, store: storeName, earlier: context } = place;
    const options = { store, storeName, runId: row.id, folder, workspace, context };
    // The folder cannot be read or written: `status` reports the session all the same.
    const quiet = { mask: maskOf(env), onTrouble: () => undefined };
    await new SessionFolder({ ...options, ...quiet }).update();
  });
}

/** Opens the store of a session: the one that its session.json names, else, where the workspace has moved, the one found from its folder. */
export function withStoreOf<T>(
  place: SessionPlace,
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return withJournalsOf(place, env, ({ world }) => work(world.store));
}

export async function withJournalsOf<T>(
  { store, folder }: SessionPlace,
  env: Environment,
  work: (polya: Journals) => Promise<T>,
): Promise<T> {
  const existing = environmentOf(store, env);
  const polya = openJournals({ folder: folder.path, env: existing, create: true });
  try {
    return await work(polya);
  } finally {
    await polya.close();
  }
}

/** The last of its runs that exists. */
export async function runOf(store: Store, { runs }: Pick<SessionPlace, 'runs'>): Promise<RunRow | null> {
  for (const id of runs.toReversed()) {
    const row = await store.get(id);
    if (row) return row;
  }
  return null;
}

/** From the row alone, without the journal. */
export async function statusNow(store: Store, place: SessionPlace): Promise<SessionStatus> {
  const row = await runOf(store, place);
  const outcome = row?.ended ? row.summary.outcome : null;
  return statusOf(Boolean(row?.owner), typeof outcome === 'string' ? { outcome } : null);
}

/** Whether session.json, which is written last, says that the session does not run. */
export async function isFiled({ folder }: Pick<SessionPlace, 'folder'>): Promise<boolean> {
  const text = await folder.read(files.session).catch(() => null);
  return text !== null && /"status": "(?!running)/.test(text);
}

export type SeenSession = {
  readonly place: SessionPlace;
  readonly status: SessionStatus;
  /** Null where its store has lost it. */
  readonly row: RunRow | null;
  readonly state: SessionState;
  readonly facts: SessionFacts;
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
  let readNew: ReturnType<typeof followJournal> | null = null;
  const { folder, store: storeName, earlier: context } = place;
  return async () => {
    const row = await runOf(store, place);
    if (row && row.id !== run) {
      run = row.id;
      readNew = followJournal(store, row.id);
      state = emptySession;
    }
    const events = readNew ? (await readNew()).events : [];
    state = foldSession(events, state);
    const facts = factsOf(state, { workspace: dirname(folder.path), store: storeName, context });
    return { place, row, state, facts, status: statusOf(Boolean(row?.owner), state.run.end), events };
  };
}

/** Asks until there is something; null where `signal` is aborted or the patience ends first. */
export async function askUntil<T>(
  request: () => Promise<T | null>,
  wait: { readonly everyMs: number; readonly patienceMs?: number; readonly signal?: AbortSignal },
): Promise<T | null> {
  const { everyMs, patienceMs = Number.POSITIVE_INFINITY, signal } = wait;
  for (let elapsedWaitMs = 0; ; elapsedWaitMs += everyMs) {
    const isLast = signal?.aborted || elapsedWaitMs > patienceMs;
    const found = await request();
    if (found !== null || isLast) return found;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** `leaving` is aborted when the user interrupts, which leaves the session running. */
export async function untilInterrupted<T>(
  shell: Shell,
  work: (departure: AbortController) => Promise<T>,
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
  type: Exclude<EvolutionMessage['type'], 'settings'> = 'said',
): Promise<string> {
  const key = randomUUID();
  const message: EvolutionMessage = { type, text, key };
  await store.post(run.id, { kind: 'tell', text: JSON.stringify(message), atMs: Date.now() });
  return key;
}

export function heardIn({ state }: Pick<SeenSession, 'state'>, key: string): Heard | null {
  return state.heard.find((each) => each.key === key) ?? null;
}

export function notRunning({ place, status }: Pick<SeenSession, 'place' | 'status'>): UserError {
  const { name } = place;
  return new UserError({
    code: 'run-not-running',
    what: `The session ${name} does not run: it is ${status}.`,
    fix: `\`polya ahc solve --session-id ${name}\` goes on with it, where it can.`,
  });
}
