/**
 * Lists of what was unpacked: nobody needs to be asked for it again to see that all of it is here. A list names what its
 * files came from; it knows nothing of what stands in them.
 */
import { z } from 'zod';
import type { Folder } from '../../../../core/io.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import { isThere } from '../keeper.ts';

/** `tools`: the archive; `crates`: what it depends on; `visualizer`: what its page draws on. */
export type ListName = 'tools' | 'crates' | 'visualizer';

const listSchema = z.object({ sha256: z.string(), sizes: z.record(z.string(), z.number()) });

export async function writeList(
  folder: Folder,
  name: ListName,
  { sha256, files }: { readonly sha256: string; readonly files: Readonly<Record<string, Uint8Array>> },
): Promise<void> {
  const sizes = Object.fromEntries(Object.entries(files).map(([path, { length }]) => [path, length]));
  await folder.write(fileOf(name), `${JSON.stringify({ sha256, sizes })}\n`);
}

/** Null where there is no list, or it is of something else. */
export async function isAllThere(
  folder: Folder,
  name: ListName,
  { sha256, place }: { readonly sha256: string; readonly place: string },
): Promise<boolean | null> {
  const listed = listSchema.safeParse(jsonIn(await folder.read(fileOf(name))));
  if (!listed.success || listed.data.sha256 !== sha256) return null;
  const there = await folder.sizes(place);
  return Object.entries(listed.data.sizes).every(([path, size]) => isThere(there.get(path), size));
}

function fileOf(name: ListName): string {
  return `${layout.records}/${name}.json`;
}

function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
