/**
 * The sessions of a workspace: the folders whose session.json names runs of a store. Everything in such a folder is made from
 * the journal; the folder only says where the journal is.
 */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import { safeSessionDirName } from '../../../families/ahc/layout.ts';
import { readContest, type Workspace } from '../../../families/ahc/workspace.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { type SessionContext, sessionContext } from './context.ts';
import { files } from './names.ts';
import { filesKept } from './settings.ts';

const pointer = z.object({
  session_id: z.string(),
  session_name: z.string(),
  start_time: z.iso.datetime(),
  runs: z.array(z.string()).min(1),
  store: z.string(),
});

/** Earlier versions kept the context of a session here. */
const manifest = sessionContext
  .omit({ batch: true })
  .extend({ version: z.literal(1), home: z.string(), runs: z.array(z.string()).min(1) });

export type SessionPlace = {
  readonly folder: Folder;
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** The last one is in force. */
  readonly runs: readonly string[];
  /** The store that holds its runs, by name: a folder `.polya`, or an address without its password. */
  readonly store: string;
  /** Present if an earlier version began it: such a session is shown and exported, and not gone on with. */
  readonly earlier?: SessionContext;
};

/** Newest first, and the folders whose session.json cannot be read. */
export async function findSessions({ folder }: Workspace) {
  const positions: SessionPlace[] = [];
  const unreadable: { name: string; why: string }[] = [];
  for (const name of await folder.foldersIn('.')) {
    const place = openFolder(join(folder.path, name));
    try {
      const found = await placeIn(place);
      if (found) positions.push(found);
    } catch (error) {
      unreadable.push({ name, why: error instanceof Error ? error.message : String(error) });
    }
  }
  positions.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
  return { places: positions, unreadable };
}

/** Null where the folder is no session. Throws what is wrong with the text. */
async function placeIn(folder: Folder): Promise<SessionPlace | null> {
  const [document, previous] = [await folder.read(files.session), await folder.read(files.manifest)];
  if (previous !== null) {
    const read = manifest.safeParse(jsonIn(previous));
    if (!read.success) throw new Error(firstIssue(read.error));
    const { home: store, id, name, createdAtMs, runs } = read.data;
    return { folder, id, name, createdAtMs, runs, store, earlier: read.data };
  }
  if (document === null) return null;
  const read = pointer.safeParse(jsonIn(document));
  if (!read.success) throw new Error(firstIssue(read.error));
  const { session_id: id, session_name: name, start_time, runs, store } = read.data;
  return { folder, id, name, createdAtMs: Date.parse(start_time), runs, store };
}

function firstIssue(error: z.ZodError): string {
  return z.prettifyError(error).split('\n').slice(0, 2).join(' ').trim();
}

/** Newest first, without those that cannot be read. */
export async function sessionsIn(workspace: Workspace): Promise<readonly SessionPlace[]> {
  return (await findSessions(workspace)).places;
}

/** What is chosen for a session before it begins. */
export type Chosen = Pick<SessionContext, 'settings' | 'configured' | 'configuration' | 'problemFile'>;

/** Makes the folder of a new session. Resolves to what the header of its run is to hold. */
export async function newSession(
  plan: Chosen & { readonly workspace: Workspace },
  name?: string,
): Promise<{ readonly folder: Folder; readonly context: SessionContext }> {
  const { workspace } = plan;
  const createdAtMs = systemClock.now();
  const contest = await readContest(workspace);
  const stamp = new Date(createdAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const folder = reserve(workspace, name, `session_${stamp.replace('T', '_')}`);
  const folderName = basename(folder.path);
  const id = name === undefined ? folderName : `${folderName}_${stamp}`;
  return { folder, context: contextFor(plan, contest, { id, name: folderName, createdAtMs }) };
}

/** `batch`: what of a batch the session is. */
export function contextFor(
  { workspace, problemFile, settings, configured, configuration }: Chosen & { readonly workspace: Workspace },
  { id: contest, scoring, direction }: Awaited<ReturnType<typeof readContest>>,
  session: Pick<SessionContext, 'id' | 'name' | 'createdAtMs' | 'batch'>,
): SessionContext {
  return {
    ...session,
    contest,
    scoring,
    direction,
    problemFile,
    settings,
    configured,
    configuration,
    ...filesKept(workspace.config),
  };
}

/** The session of that name or id, or whose name or id alone begins so. Throws `UserError` that lists the sessions. */
export function sessionNamed(sessions: readonly SessionPlace[], question: string): SessionPlace {
  const exact = sessions.find(({ name, id }) => name === question || id === question);
  if (exact) return exact;
  const matches = sessions.filter(
    ({ name, id }) => question !== '' && (name.startsWith(question) || id.startsWith(question)),
  );
  const [only, sessionPlace] = matches;
  if (only && !sessionPlace) return only;
  const names = (only ? matches : sessions).map(({ name }) => name);
  throw new UserError({
    code: 'session-ambiguous',
    what: only
      ? `${matches.length} sessions begin with ${question}.`
      : `There is no session ${question || '""'} here.`,
    why: names.length > 0 ? `There are: ${names.slice(0, 10).join(', ')}.` : 'This workspace has none.',
    fix: 'Name one of them; `polya ahc status --all` shows all.',
  });
}

/** Makes a folder that was not there. `byTime`: its name where the user named none. */
function reserve(workspace: Workspace, named: string | undefined, byTime: string): Folder {
  if (named !== undefined) {
    const name = folderNameOf(named);
    if (!makeNew(workspace, name)) throw takenName(name);
    return openFolder(join(workspace.folder.path, name));
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? byTime : `${byTime}_${number}`;
    if (makeNew(workspace, name)) return openFolder(join(workspace.folder.path, name));
  }
}

/** Throws what `newSession` throws for such a name, and makes nothing. */
export async function refuseTakenName({ folder }: Workspace, named: string | undefined): Promise<void> {
  if (named === undefined) return;
  const name = folderNameOf(named);
  const isUsed = (await folder.foldersIn('.')).includes(name);
  if (isUsed || (await folder.readBytes(name).catch(() => null)) !== null) throw takenName(name);
}

function makeNew({ folder }: Workspace, name: string): boolean {
  try {
    mkdirSync(join(folder.path, name));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new UserError({
      code: 'session-folder-unwritable',
      what: `The folder of the session cannot be made in ${folder.path}.`,
      why: systemReason(error),
      fix: 'Look whether the folder is yours, and the disk has room.',
    });
  }
}

function folderNameOf(named: string): string {
  const name = safeSessionDirName(named);
  if (name === named.trim()) return name;
  throw new UserError({
    code: 'session-name-invalid',
    what: `A session cannot be called ${JSON.stringify(named)}.`,
    why: 'Its name is that of its folder: letters, digits, and . _ - after the first; `problem`, `tools`, `in`, `out` and `outputs` are taken.',
    fix: name ? `Call it ${name}.` : 'Choose another name.',
  });
}

function takenName(name: string): UserError {
  return new UserError({
    code: 'session-name-taken',
    what: `There is something called ${name} in the workspace already; nothing was begun.`,
    fix: `Choose another name; if it is a session, it goes on with \`polya ahc solve --session-id ${name}\`.`,
  });
}
