/** The sources of the official tools, unpacked where they are missing; newer ones replace them only with --fresh. */

import { z } from 'zod';
import { BadArchive } from '../../../../core/folder-archive.ts';
import type { Folder } from '../../../../core/io.ts';
import { jsonIn } from '../../../../core/json.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import { readCrate } from '../../../../families/ahc/workspace.ts';
import { type CrateReport, crateIn, inspectCrate } from '../crate.ts';
import { isOfTheDisk } from '../problem.ts';
import type { FetchedTools, Trouble } from '../source.ts';
import { isThere, type Keeper } from '../workspace-files.ts';
import { leftOut, noTools, otherTools, type ToolsWork, toolsFailed } from './troubles.ts';

export type ToolsOutcome = {
  /** Null where there are none. */
  readonly report: CrateReport | null;
  readonly sha256: string;
  /** For people: an address or a path; empty where they were here already. */
  readonly from: string;
  readonly troubles: readonly Trouble[];
};

/** The sources, in `tools/tester`. */
export async function placeTools(work: ToolsWork): Promise<ToolsOutcome> {
  const { keeper, known, isFresh } = work;
  const there = await readCrate(keeper);
  const nothing = { report: there ? inspectCrate(there) : null, sha256: known?.sha256 ?? '', from: '' };
  if (there && !isFresh && work.source.url !== null && (await isAllHere(work))) {
    return { ...nothing, troubles: [] };
  }
  try {
    const fetched = await work.source.tools(work.page, work.signal);
    // A page that names none now, but did before, takes nothing away.
    if (!fetched) return { ...nothing, troubles: there ? [] : [noTools(work)] };
    const isOther = there !== null && known !== null && known.sha256 !== fetched.sha256;
    if (isOther && !isFresh) return { ...nothing, troubles: [otherTools(fetched.from)] };
    const others = await unpackInto(work, fetched, isOther);
    const { sha256, from } = fetched;
    return { report: inspectCrate((await readCrate(keeper)) ?? {}), sha256, from, troubles: others };
  } catch (error) {
    if (
      isOfTheDisk(error) ||
      !(error instanceof BadArchive || (error instanceof Error && 'explanation' in error))
    )
      throw error;
    return { ...nothing, troubles: there ? [] : [toolsFailed(error, work)] };
  }
}

async function isAllHere({ keeper, known }: ToolsWork): Promise<boolean> {
  const about = { sha256: known?.sha256 ?? '', place: layout.crate };
  return (await isAllThere(keeper.folder, 'tools', about)) ?? false;
}

/** Files that are missing; of other tools than before, all, and those before are put aside. */
async function unpackInto(
  { keeper, known }: ToolsWork,
  fetched: FetchedTools,
  isOther: boolean,
): Promise<Trouble[]> {
  const { files, others } = crateIn(fetched.files);
  if (isOther) await putAside(keeper, known?.sha256 ?? '');
  const { 'Cargo.toml': manifest = new Uint8Array(), ...rest } = files;
  const count =
    (await keeper.fill(layout.crate, rest)) + (await keeper.fill(layout.crate, { 'Cargo.toml': manifest }));
  await writeList(keeper.folder, 'tools', { sha256: fetched.sha256, files });
  if (count > 0) keeper.written.push(`${layout.crate}/ (${count} files)`);
  else keeper.kept.push(`${layout.crate}/`);
  const strangers = others.filter(
    (path) =>
      !/(^|\/)(__MACOSX\/|\.DS_Store$|README)/.test(path) && /^[^/]+\.(exe|sh|bat|py|rs|toml)$/.test(path),
  );
  return strangers.length === 0 ? [] : [leftOut(strangers)];
}

async function putAside({ folder }: Keeper, sha256: string): Promise<void> {
  const aside = `${layout.tools}/before-${sha256.slice(0, 8) || 'this'}`;
  for (const name of await folder.files(layout.crate)) {
    const bytes = await folder.readBytes(`${layout.crate}/${name}`);
    if (bytes && !name.startsWith('target/')) await folder.write(`${aside}/${name}`, bytes);
  }
  await folder.remove(layout.crate);
}

/** `tools`: the archive; `crates`: what it depends on; `visualizer`: what its page draws on. */
type ListName = 'tools' | 'crates' | 'visualizer';

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
