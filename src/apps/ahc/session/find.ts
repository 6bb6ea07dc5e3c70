/**
 * Which session a command means, by one rule for all: the one that is named; else the only one that runs. Of several that
 * run, none is guessed. A session that is found dead is marked as crashed in its session.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { exclusively } from '../../../io/exclusive.ts';
import type { Environment } from '../../../io/home.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { count, isoTime, oneLine } from '../../../text/format.ts';
import { questionOf } from '../workspace.ts';
import { runOf, statusNow, withStoreOf } from './look.ts';
import {
  findSessions,
  isKept,
  manifestIn,
  type SessionPlace,
  sessionNamed,
  sessionsLock,
} from './manifest.ts';
import { files } from './names.ts';

export type FoundSession = { readonly place: SessionPlace; readonly isRunning: boolean };

/** What a command that names a session, or none, has to know. Throws `UserError` as `findSession` does. */
export async function lookForSession(shell: Shell, command: Command, name?: string) {
  const workspace = openWorkspace(questionOf(shell, command));
  const sessions = await sessionsHere(shell, workspace);
  return { workspace, sessions, found: await findSession(shell, sessions, name) };
}

/** Newest first. Reports those whose manifest cannot be read, and marks those whose process died. */
export async function sessionsHere(
  { err, env }: Shell,
  workspace: Workspace,
): Promise<readonly SessionPlace[]> {
  const { places, unreadable } = await findSessions(workspace);
  for (const { name, why } of unreadable) {
    err.write(
      `Left out: ${name}, whose manifest.json cannot be read (${oneLine(why)}). Its programs are in ${join(workspace.folder.path, name)}.\n`,
    );
  }
  for (const place of places) await markCrashed(place, env);
  return places;
}

/** Of `sessions`. Null where none is named and none runs. Throws `UserError` for an unknown name, and where several run. */
export async function findSession(
  shell: Shell,
  sessions: readonly SessionPlace[],
  name?: string,
): Promise<FoundSession | null> {
  if (name !== undefined) {
    const place = sessionNamed(sessions, name);
    return { place, isRunning: await isRunning(shell, place) };
  }
  const running: SessionPlace[] = [];
  for (const place of sessions) if (await isRunning(shell, place)) running.push(place);
  const [only, ...others] = running;
  if (only && others.length > 0) throw severalRun(running);
  return only ? { place: only, isRunning: true } : null;
}

function isRunning({ env }: Shell, place: SessionPlace): Promise<boolean> {
  return withStoreOf(place, env, async (store) => Boolean((await runOf(store, place.manifest))?.owner));
}

function severalRun(running: readonly SessionPlace[]): UserError {
  return new UserError({
    code: 'session-ambiguous',
    what: `${count(running.length, 'session')} run here: ${running.map(({ manifest }) => manifest.name).join(', ')}.`,
    fix: 'Name the one that you mean.',
  });
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
  const diedAtMs = Math.max(row.lastAtMs, row.heartbeatAtMs ?? 0);
  try {
    await exclusively(sessionsLock(path), () => {
      const document = documentThatRuns(path);
      const manifest = manifestIn(readText(join(path, files.manifest)));
      if (document === null || manifest === null || isKept(manifest, row)) return;
      writeWholeSync(join(path, files.session), `${JSON.stringify(crashed(document, diedAtMs), null, 2)}\n`);
    });
  } catch {
    // The folder cannot be written to. `status` reports the crash all the same.
  }
}

function crashed(document: object, diedAtMs: number): object {
  return {
    ...document,
    status: 'crashed',
    end_time: isoTime(diedAtMs),
    error_message:
      'Its process was gone before it could end the session; solve --session-id goes on with it.',
  };
}

function documentThatRuns(folder: string): object | null {
  try {
    const document: unknown = JSON.parse(readText(join(folder, files.session)));
    if (typeof document !== 'object' || document === null || !('status' in document)) return null;
    return document.status === 'running' ? document : null;
  } catch {
    return null;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
