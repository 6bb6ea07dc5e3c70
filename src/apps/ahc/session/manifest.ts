/**
 * The sessions of a workspace: folders with a manifest. It says what the journals cannot: which runs of which store the
 * session is, and what was chosen for it. All other files of such a folder are projections of the journal.
 */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { type JsonObject, jsonText } from '../../../core/json.ts';
import type { RunRow } from '../../../core/store.ts';
import { layout, sessionFolderOf } from '../../../families/ahc/layout.ts';
import { readContest, type Workspace } from '../../../families/ahc/workspace.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { isAlive } from '../../../store/owner.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { files } from './names.ts';
import { filesKept } from './settings.ts';

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const manifestSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  name: z.string(),
  contest: z.string(),
  createdAtMs: z.number(),
  /** The store that holds its runs, by name: a folder `.polya`, or an address without its password. */
  home: z.string(),
  scoring: z.enum(['absolute', 'relative']),
  direction: z.enum(['maximise', 'minimise']),
  problemFile: z.string(),
  /** The last one is the live one; each run but the first is a fork of the one before it. Named before it is begun. */
  runs: z.array(z.string()),
  /** The process that keeps its files: it may still write when the run has ended. */
  writer: z.object({ pid: z.number(), startedAt: z.string() }).nullable(),
  /** The agent's settings that hold, without programs; and what the files and the environment said of them. */
  settings: jsonObject,
  configured: jsonObject,
  /** Every key as it held, secrets masked; with what was chosen beside them. */
  configuration: jsonObject,
  keepsFiles: z.boolean(),
  maxLogBytes: z.number(),
  logsAreJson: z.boolean(),
  /** Present if the session is a row of a batch. */
  batch: z
    .object({
      set: z.string(),
      combination: z.number(),
      /** The combination in words. */
      text: z.string(),
      repeat: z.number(),
    })
    .optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

export type SessionPlace = { readonly folder: Folder; readonly manifest: Manifest };

/** Newest first, and the folders whose manifest cannot be read. */
export async function findSessions({ folder }: Workspace) {
  const places: SessionPlace[] = [];
  const unreadable: { name: string; why: string }[] = [];
  for (const name of await folder.foldersIn('.')) {
    const place = openFolder(join(folder.path, name));
    try {
      const text = await place.read(files.manifest);
      if (text !== null) places.push({ folder: place, manifest: manifestIn(text) });
    } catch (error) {
      unreadable.push({ name, why: error instanceof Error ? error.message : String(error) });
    }
  }
  places.sort(
    (a, b) => b.manifest.createdAtMs - a.manifest.createdAtMs || (a.manifest.id < b.manifest.id ? 1 : -1),
  );
  return { places, unreadable };
}

/** Newest first, without those that cannot be read. */
export async function sessionsIn(workspace: Workspace): Promise<readonly SessionPlace[]> {
  return (await findSessions(workspace)).places;
}

/** Throws what is wrong with the text. */
export function manifestIn(text: string): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ').trim());
}

/** What the files of a session show and its journal does not say. */
export type SessionFacts = Pick<Manifest, 'id' | 'name' | 'contest' | 'createdAtMs' | 'runs'> &
  Pick<Manifest, 'scoring' | 'direction' | 'problemFile' | 'configuration'> & {
    /** The beginning of every path (`workspace/ahc030`), and its folder. */
    readonly workspacePath: string;
    readonly base: string;
  };

export function factsOf(manifest: Manifest, workspace: Pick<Folder, 'path'>): SessionFacts {
  const parts = workspace.path.split('/');
  const base = parts.slice(0, -2).join('/') || '/';
  return { ...manifest, workspacePath: parts.slice(-2).join('/'), base };
}

/** Only the holder of this lock begins to keep a session's files, or marks a session as crashed. */
export function sessionsLock(sessionFolder: string): string {
  return join(dirname(sessionFolder), layout.records, 'sessions.lock');
}

/**
 * Whether the process that keeps the files of a session lives. It has no heartbeat of its own: a process of another boot
 * or of another machine counts as alive as long as the run of the session (`row`) does, so that the session can be resumed.
 */
export function isKept({ writer }: Manifest, row: RunRow | null): boolean {
  return writer !== null && isAlive(writer, row?.heartbeatAtMs ?? 0, systemClock.now());
}

/** The options chosen for a session before it begins. */
export type Chosen = Pick<Manifest, 'settings' | 'configured' | 'configuration' | 'problemFile'>;

/** Makes the folder of a new session with its manifest. The manifest names the run, which is not begun yet. */
export async function newSession(
  plan: Chosen & { readonly workspace: Workspace },
  { name, ...about }: { readonly name?: string; readonly run: string } & Pick<Manifest, 'home' | 'batch'>,
): Promise<SessionPlace> {
  const { workspace, problemFile, settings, configured, configuration } = plan;
  const { id: contest, scoring, direction } = await readContest(workspace);
  const createdAtMs = systemClock.now();
  const stamp = new Date(createdAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const folder = reserve(workspace, name, `session_${stamp.replace('T', '_')}`);
  const folderName = basename(folder.path);
  const manifest: Manifest = {
    version: 1,
    id: name === undefined ? folderName : `${folderName}_${stamp}`,
    name: folderName,
    contest,
    createdAtMs,
    home: about.home,
    scoring,
    direction,
    problemFile,
    runs: [about.run],
    writer: null,
    settings,
    configured,
    configuration,
    ...filesKept(workspace.config),
    batch: about.batch,
  };
  try {
    await folder.write(files.manifest, jsonText(manifest));
  } catch (error) {
    await dropSession(workspace, folder);
    throw error;
  }
  return { folder, manifest };
}

/** Removes a session that could not begin. */
export async function dropSession(workspace: Workspace, { path }: Folder): Promise<void> {
  await workspace.folder.remove(basename(path));
}

/** The session of that name or id, or whose name or id alone begins so. Throws `UserError` that lists the sessions. */
export function sessionNamed(sessions: readonly SessionPlace[], asked: string): SessionPlace {
  const exact = sessions.find(({ manifest }) => manifest.name === asked || manifest.id === asked);
  if (exact) return exact;
  const begun = sessions.filter(
    ({ manifest }) => asked !== '' && (manifest.name.startsWith(asked) || manifest.id.startsWith(asked)),
  );
  const [only, another] = begun;
  if (only && !another) return only;
  const names = (only ? begun : sessions).map(({ manifest }) => manifest.name);
  throw new UserError({
    code: 'session-ambiguous',
    what: only
      ? `${begun.length} sessions begin with ${asked}.`
      : `There is no session ${asked || '""'} here.`,
    why: names.length > 0 ? `There are: ${names.slice(0, 10).join(', ')}.` : 'This workspace has none.',
    fix: 'Name one of them; `polya ahc status --all` shows all.',
  });
}

/** Makes the folder of a new session. `usual`: its name where the user asked for none. */
function reserve(workspace: Workspace, asked: string | undefined, usual: string): Folder {
  if (asked !== undefined) {
    const name = folderNameOf(asked);
    if (!makeNew(workspace, name)) throw takenName(name);
    return openFolder(join(workspace.folder.path, name));
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usual : `${usual}_${number}`;
    if (makeNew(workspace, name)) return openFolder(join(workspace.folder.path, name));
  }
}

/** Throws what `newSession` throws for such a name, and makes nothing. */
export async function refuseTakenName({ folder }: Workspace, asked: string | undefined): Promise<void> {
  if (asked === undefined) return;
  const name = folderNameOf(asked);
  const isTaken = (await folder.foldersIn('.')).includes(name);
  if (isTaken || (await folder.readBytes(name).catch(() => null)) !== null) throw takenName(name);
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

function folderNameOf(asked: string): string {
  const name = sessionFolderOf(asked);
  if (name === asked.trim()) return name;
  throw new UserError({
    code: 'session-name-invalid',
    what: `A session cannot be called ${JSON.stringify(asked)}.`,
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
