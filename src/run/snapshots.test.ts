import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFolder, encodeFolder, type FolderEntry } from '../core/folder-archive.ts';
import type { Store } from '../core/store.ts';
import { readSnapshot, type Snapshot, takeSnapshot } from './folder.ts';

const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Uint8Array.from(Buffer.from(text))),
  fc.constant(
    Uint8Array.from(Buffer.from('\ufeffwith a mark in front, longer than what is kept in the list itself')),
  ),
);
const entries: fc.Arbitrary<readonly FolderEntry[]> = fc.uniqueArray(
  fc.record({
    type: fc.constant('file' as const),
    path: fc.stringMatching(/^[a-zé_]{1,8}$/).map((name) => name.replace('_', '__proto__')),
    executable: fc.boolean(),
    bytes: content,
  }),
  { selector: ({ path }) => path },
);

test('a folder comes back from its snapshot as it was', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (files) => {
      const archive = encodeFolder([...files, { type: 'folder', path: 'zz/empty' }]);
      const snapshot = takeSnapshot(decodeFolder(archive));
      expect(await readSnapshot(storeOf(snapshot), snapshot.name)).toEqual(archive);
      expect(takeSnapshot(decodeFolder(archive)).name).toBe(snapshot.name);
    }),
    { seed: 1 },
  );
});

test('a folder of which anything is lost does not come back at all', async () => {
  const bytes = Buffer.alloc(5000, 'abc');
  const snapshot = takeSnapshot([{ type: 'file', path: 'a', executable: false, bytes }]);
  expect(snapshot.blobs).toHaveLength(2);
  for (const lost of snapshot.blobs) {
    const blobs = snapshot.blobs.filter((blob) => blob !== lost);
    expect(await readSnapshot(storeOf({ ...snapshot, blobs }), snapshot.name)).toBeNull();
  }
});

function storeOf({ blobs }: Snapshot): Pick<Store, 'blobs'> {
  const texts = new Map(blobs.map(({ hash, text }) => [hash, text]));
  return { blobs: async (hashes) => new Map([...texts].filter(([hash]) => hashes.includes(hash))) };
}
