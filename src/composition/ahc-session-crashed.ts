/**
 * A session whose process died goes on saying in its session.json that it runs, because nobody was there to say otherwise:
 * whoever looks at it puts that right. What its journal holds beyond, the next life writes. One that runs, or is just being
 * brought to life, is left alone: both take the lock of the workspace's sessions before they write.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layout } from '../families/ahc/layout.ts';
import { isoTime } from '../families/ahc/session/iso-time.ts';
import { files } from '../families/ahc/session/names.ts';
import { exclusively } from '../io/exclusive.ts';
import type { Environment } from '../io/home.ts';
import { writeWholeSync } from '../io/write-whole.ts';
import { isKept, runOf, statusNow, withStoreOf } from './ahc-session-look.ts';
import { manifestIn, type SessionPlace } from './ahc-session-manifest.ts';

/** Only one process at a time begins to keep a session's files, or says that nobody does. */
export function sessionsLock(sessionFolder: string): string {
  return join(dirname(sessionFolder), layout.records, 'sessions.lock');
}

/** A folder that cannot be written to changes nothing of what is told. */
export async function rightCrashed(place: SessionPlace, env: Environment): Promise<void> {
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
      const manifest = manifestIn(textOf(join(path, files.manifest)));
      if (document === null || manifest === null || isKept(manifest, row)) return;
      writeWholeSync(join(path, files.session), `${JSON.stringify(crashed(document, diedAtMs), null, 2)}\n`);
    });
  } catch {
    // `status` says so all the same.
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
    const document: unknown = JSON.parse(textOf(join(folder, files.session)));
    if (typeof document !== 'object' || document === null || !('status' in document)) return null;
    return document.status === 'running' ? document : null;
  } catch {
    return null;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
