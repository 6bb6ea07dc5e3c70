/**
 * Which session is meant, by one rule for `status`, `stop` and `solve --session-id`: the one that is named; else the only
 * one that runs; of several that run, none is guessed.
 */
import { join } from 'node:path';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import { count, oneLine } from '../../../text/format.ts';
import type { AhcSession } from '../load/session.ts';
import type { SessionPlace } from './manifest.ts';

export type Found = { readonly place: SessionPlace; readonly isRunning: boolean };

export type Asked = {
  readonly ahc: AhcSession;
  /** Newest first. */
  readonly sessions: readonly SessionPlace[];
  readonly name: string | undefined;
};

/**
 * Newest first. Of those whose manifest cannot be read it is said that they are there; what the files of one say whose
 * process died is put right.
 */
export async function sessionsHere(
  { err, env }: Shell,
  ahc: AhcSession,
  workspace: Parameters<AhcSession['findSessions']>[0],
): Promise<readonly SessionPlace[]> {
  const { places, unreadable } = await ahc.findSessions(workspace);
  for (const { name, why } of unreadable) {
    err.write(
      `Left out: ${name}, whose manifest.json cannot be read (${oneLine(why)}). Its programs are in ${join(workspace.folder.path, name)}.\n`,
    );
  }
  for (const place of places) await ahc.markCrashed(place, env);
  return places;
}

/** Null where nothing runs and none is named. Throws `UserError` for a name that is none's, and for several. */
export async function findSession(shell: Shell, { ahc, sessions, name }: Asked): Promise<Found | null> {
  if (name !== undefined) {
    const place = ahc.sessionNamed(sessions, name);
    return { place, isRunning: await isRunning(shell, ahc, place) };
  }
  const running: SessionPlace[] = [];
  for (const place of sessions) if (await isRunning(shell, ahc, place)) running.push(place);
  const [only, ...others] = running;
  if (only && others.length > 0) throw severalRun(running);
  return only ? { place: only, isRunning: true } : null;
}

function isRunning({ env }: Shell, ahc: AhcSession, place: SessionPlace): Promise<boolean> {
  return ahc.withStoreOf(place, env, async (store) =>
    Boolean((await ahc.runOf(store, place.manifest))?.owner),
  );
}

function severalRun(running: readonly SessionPlace[]): UserError {
  return new UserError({
    code: 'several-run',
    what: `${count(running.length, 'session')} run here: ${running.map(({ manifest }) => manifest.name).join(', ')}.`,
    fix: 'Name the one that you mean.',
  });
}
