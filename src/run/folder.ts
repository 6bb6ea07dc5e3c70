/** The folder of a session between two calls: its snapshot, or made again by repeating the calls that made it. */
import { z } from 'zod';
import type { ProgramRequest, Session, SessionFolder, SessionResult } from '../core/agent.ts';
import { UnavailableError } from '../core/errors.ts';
import { type Position, positionName } from '../core/event.ts';
import { decodeFolder, encodeFolder, type FolderEntry } from '../core/folder-archive.ts';
import { canonicalJson } from '../core/json.ts';
import type { Sandbox, StepResult } from '../core/sandbox.ts';
import type { BlobRow, Store } from '../core/store.ts';
import { loadVerifiedBlobs } from './blobs.ts';
import { hashText } from './hash.ts';
import { ignoreRejection } from './settling.ts';

const journaledBytes = 16 * 2 ** 20;
/** Larger ones are not even kept in memory: the next call makes them again. */
const heldBytes = 256 * 2 ** 20;
const keeping = { keepFolder: true, maxFolderBytes: heldBytes } as const;

export type SessionCall = {
  readonly position: Position;
  readonly request: ProgramRequest;
  readonly result: SessionResult;
};

export type FolderState = {
  /** The last one that the journal has; null: the empty folder of the beginning. */
  readonly snapshot: string | null;
  readonly since: readonly SessionCall[];
  /** What this process still has of it: the archive of the folder as it is now. */
  readonly archive: Uint8Array | null;
};

export const emptyFolder: FolderState = { snapshot: null, since: [], archive: null };

export type Executed = {
  readonly result: SessionResult;
  readonly archive: Uint8Array | null;
  readonly blobs: readonly BlobRow[];
};

type Means = { readonly sandbox: Sandbox; readonly store: Store };

/** One call: the folder as it was goes in, and what the program made of it comes out. */
export async function executeIn(
  { sandbox, store }: Means,
  { state, request, signal }: { state: FolderState; request: ProgramRequest; signal: AbortSignal },
): Promise<Executed> {
  const { archive: before, rebuilt } = await restore({ sandbox, store }, state, signal);
  const asked = { ...request, folder: before, ...keeping };
  const { folder, folderBytes, ...result } = await sandbox.exec(asked, signal);
  // What was made again is not to be made again once more because the next program does not compile.
  if (result.run === null) return { result: { ...result, folder: null }, archive: before, blobs: [] };
  const archive = folder ?? null;
  const { kept, blobs } = keep(archive, folderBytes ?? 0);
  return { result: { ...result, folder: { ...kept, ...(rebuilt ? { rebuilt } : {}) } }, archive, blobs };
}

/** The state after a call, from what the journal says of it; `archive` where this process has executed it. */
export function folderAfter(state: FolderState, call: SessionCall, archive: Uint8Array | null): FolderState {
  const { folder } = call.result;
  // In a fork, the event at this position may be no call of a session.
  if (!folder) return { ...state, archive: state.archive ?? archive };
  const { snapshot } = folder;
  if (snapshot !== null) return { snapshot, since: [], archive };
  return { snapshot: state.snapshot, since: [...state.since, call], archive };
}

function keep(archive: Uint8Array | null, bytes: number): { kept: SessionFolder; blobs: readonly BlobRow[] } {
  if (archive === null) return { kept: { bytes, files: null, snapshot: null }, blobs: [] };
  const entries = decodeFolder(archive);
  const files = entries.filter(({ type }) => type === 'file').length;
  if (archive.length > journaledBytes) {
    return { kept: { bytes: archive.length, files, snapshot: null }, blobs: [] };
  }
  const { name, blobs } = takeSnapshot(entries);
  return { kept: { bytes: archive.length, files, snapshot: name }, blobs };
}

type Restored = { archive: Uint8Array | null; rebuilt?: SessionFolder['rebuilt'] };

async function restore(means: Means, state: FolderState, signal: AbortSignal): Promise<Restored> {
  const { snapshot, since } = state;
  if (state.archive) return { archive: state.archive };
  let archive = snapshot === null ? null : await read(means.store, snapshot);
  if (since.length === 0) return { archive };
  const different: string[] = [];
  for (const { position, request, result } of since) {
    const execResult = await means.sandbox.exec({ ...request, folder: archive, ...keeping }, signal);
    if (!isSameOutcome(execResult.run, result.run)) different.push(positionName(position));
    archive = execResult.folder ?? null;
  }
  return { archive, rebuilt: { calls: since.length, different } };
}

async function read(store: Store, snapshot: string): Promise<Uint8Array> {
  const archive = await readSnapshot(store, snapshot);
  if (archive) return archive;
  throw new UnavailableError({
    code: 'session-folder-lost',
    what: `The folder that this session had is not in the store any more (${snapshot}).`,
    why: 'The store has lost a part of this journal.',
    fix: 'Fork the run before the first call of the session, or bring the store back from a copy.',
  });
}

/** What a program did, but for the time and the memory it took. */
function isSameOutcome(one: StepResult | null, other: StepResult | null): boolean {
  if (one === null || other === null) return one === other;
  const outcome = ({ verdict, exitCode, signal, stdout, stderr }: StepResult) =>
    JSON.stringify([verdict, exitCode, signal, stdout.text, stdout.bytes, stderr.text, stderr.bytes]);
  return outcome(one) === outcome(other);
}

export type Snapshot = { readonly name: string; readonly blobs: readonly BlobRow[] };

/** The list itself contains shorter files, because a name there costs about as much. */
const inlineCharacters = 64;

const content = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ blob: z.string(), form: z.enum(['text', 'base64']) }),
]);
const listed = z.array(
  z.strictObject({ path: z.string(), executable: z.boolean().optional(), content: content.optional() }),
);
type ListedFile = z.infer<typeof listed>[number];

export function takeSnapshot(entries: readonly FolderEntry[]): Snapshot {
  const blobRows: BlobRow[] = [];
  const list = entries.map((entry): ListedFile => {
    const { path } = entry;
    if (entry.type === 'folder') return { path };
    return {
      path,
      ...(entry.executable ? { executable: true } : {}),
      content: storeContent(entry.bytes, blobRows),
    };
  });
  const text = canonicalJson(list);
  const name = hashText(text);
  return { name, blobs: [...blobRows, { hash: name, text }] };
}

/** The archive of the folder, or null where the store has lost any of it. */
export async function readSnapshot(store: Pick<Store, 'blobs'>, name: string): Promise<Uint8Array | null> {
  const list = (await loadVerifiedBlobs(store, [name])).get(name);
  if (list === undefined) return null;
  const named = listed.parse(JSON.parse(list));
  const hashes = named.flatMap(({ content }) => (content && 'blob' in content ? [content.blob] : []));
  const texts = await loadVerifiedBlobs(store, [...new Set(hashes)]);
  const entries = named.map((each) => entryOf(each, texts));
  return entries.includes(null) ? null : encodeFolder(entries.filter((entry) => entry !== null));
}

function storeContent(bytes: Uint8Array, blobRows: BlobRow[]): z.infer<typeof content> {
  const text = textIn(bytes);
  if (text !== null && text.length < inlineCharacters) return { text };
  const form = text === null ? 'base64' : 'text';
  const kept = text ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const hash = hashText(kept);
  blobRows.push({ hash, text: kept });
  return { blob: hash, form };
}

/** Null where it would not come back as it was. */
function textIn(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function entryOf(
  { path, executable = false, content }: ListedFile,
  texts: ReadonlyMap<string, string>,
): FolderEntry | null {
  if (!content) return { type: 'folder', path };
  const text = 'text' in content ? content.text : texts.get(content.blob);
  if (text === undefined) return null;
  const form = 'text' in content || content.form === 'text' ? 'utf8' : 'base64';
  return { type: 'file', path, executable, bytes: Buffer.from(text, form) };
}

export type SessionAsk = {
  readonly session: string;
  readonly request: ProgramRequest;
  readonly state: FolderState;
  readonly position: Position;
  readonly signal: AbortSignal;
};

export type SessionAnswer = SessionCall & { readonly archive: Uint8Array | null };

type Here = Pick<SessionAsk, 'position' | 'signal'>;

type SessionOptions = {
  name: string;
  state: FolderState;
  next: () => Here;
  ask: (request: SessionAsk) => Promise<SessionAnswer>;
};

export class BranchSession implements Session {
  readonly name: string;
  readonly #options: SessionOptions;
  #state: FolderState;
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.name = options.name;
    this.#options = options;
    this.#state = options.state;
  }

  /** As far as the agent has been told. */
  get state(): FolderState {
    return this.#state;
  }

  exec(request: ProgramRequest): Promise<SessionResult> {
    const here = this.#options.next();
    const done = this.#before.then(() => this.#exec(request, here));
    this.#before = done.catch(() => undefined);
    return ignoreRejection(done);
  }

  async #exec(request: ProgramRequest, here: Here): Promise<SessionResult> {
    const { ask, name } = this.#options;
    const { archive, ...call } = await ask({ session: name, request, state: this.#state, ...here });
    this.#state = folderAfter(this.#state, call, archive);
    return call.result;
  }
}
