/**
 * A session's folder as a journal keeps it: a list of what lies in it, and each file's content as a blob of its own, so
 * that a call that changes one file of many costs that file. The list is a blob too; its hash is the snapshot's name.
 * Nothing of it is read before somebody needs the folder. It knows nothing of sessions.
 */
import { z } from 'zod';
import { encodeFolder, type FolderEntry } from '../core/folder-archive.ts';
import { canonicalJson } from '../core/json.ts';
import type { BlobRow, Store } from '../core/store.ts';
import { hashText } from './hash.ts';

export type Snapshot = { readonly name: string; readonly blobs: readonly BlobRow[] };

/** A name in the list costs about as much. */
const inlineCharacters = 64;

const content = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ blob: z.string(), form: z.enum(['text', 'base64']) }),
]);
const listed = z.array(
  z.strictObject({ path: z.string(), executable: z.boolean().optional(), content: content.optional() }),
);
type Listed = z.infer<typeof listed>[number];

export function takeSnapshot(entries: readonly FolderEntry[]): Snapshot {
  const blobs: BlobRow[] = [];
  const list = entries.map((entry): Listed => {
    const { path } = entry;
    if (entry.type === 'folder') return { path };
    return { path, ...(entry.executable ? { executable: true } : {}), content: give(entry.bytes, blobs) };
  });
  const text = canonicalJson(list);
  const name = hashText(text);
  return { name, blobs: [...blobs, { hash: name, text }] };
}

/** The archive of the folder, or null where the store has lost any of it. */
export async function readSnapshot(store: Pick<Store, 'blobs'>, name: string): Promise<Uint8Array | null> {
  const list = (await store.blobs([name])).get(name);
  if (list === undefined) return null;
  const named = listed.parse(JSON.parse(list));
  const hashes = named.flatMap(({ content }) => (content && 'blob' in content ? [content.blob] : []));
  const texts = await store.blobs([...new Set(hashes)]);
  const entries = named.map((each) => entryOf(each, texts));
  return entries.includes(null) ? null : encodeFolder(entries.filter((entry) => entry !== null));
}

function give(bytes: Uint8Array, blobs: BlobRow[]): z.infer<typeof content> {
  const text = textIn(bytes);
  if (text !== null && text.length < inlineCharacters) return { text };
  const form = text === null ? 'base64' : 'text';
  const kept = text ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const hash = hashText(kept);
  blobs.push({ hash, text: kept });
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
  { path, executable = false, content }: Listed,
  texts: ReadonlyMap<string, string>,
): FolderEntry | null {
  if (!content) return { type: 'folder', path };
  const text = 'text' in content ? content.text : texts.get(content.blob);
  if (text === undefined) return null;
  const form = 'text' in content || content.form === 'text' ? 'utf8' : 'base64';
  return { type: 'file', path, executable, bytes: Buffer.from(text, form) };
}
