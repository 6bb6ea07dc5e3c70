/** The official visualizer with what it draws on, as it came; its address too, because some of them work only there. */
import { layout } from '../../../../families/ahc/layout.ts';
import type { Trouble } from '../parts.ts';
import { urlOf } from '../place.ts';
import { ifExplained } from '../problem.ts';
import { isAllThere, writeList } from './listed.ts';
import { partsNamedIn } from './visualizer-parts.ts';
import type { ToolsWork } from './work.ts';

const index = `${layout.visualizer}/index.html`;

/** Of more than these it is no visualizer any more. */
const mostParts = 60;

export async function keepVisualizer(work: ToolsWork): Promise<Trouble[]> {
  const { keeper, source, page, signal } = work;
  if (page.visualizer === null) return [];
  const there = await keeper.folder.readBytes(index);
  const bytes = there ?? (await source.visualizer(page, signal).catch(ifExplained))?.bytes ?? null;
  if (bytes !== null) await keeper.add(index, bytes);
  const address = urlOf(page.visualizer, source.url ?? undefined)?.href ?? null;
  if (address !== null && source.url !== null)
    await keeper.add(`${layout.visualizer}/address.txt`, `${address}\n`);
  return bytes === null || address === null ? [] : keepParts(work, bytes, address);
}

/** Each file may name others; what is here already is not asked for. */
async function keepParts(work: ToolsWork, pageBytes: Uint8Array, address: string): Promise<Trouble[]> {
  const { keeper, source, parts, signal } = work;
  const about = { sha256: parts.sha256(pageBytes), place: layout.visualizer };
  if (await isAllThere(keeper.folder, 'visualizer', about)) return [];
  const files: Record<string, Uint8Array> = {};
  const missing: string[] = [];
  const asked = partsNamedIn(textOf(pageBytes), { name: '', page: address }).slice(0, mostParts);
  const wanted = [...asked];
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    const file = `${layout.visualizer}/${name}`;
    const url = urlOf(name, address)?.href ?? name;
    const bytes =
      (await keeper.folder.readBytes(file)) ??
      (await source.attachment(url, signal).catch(ifExplained))?.bytes ??
      null;
    if (bytes === null) {
      missing.push(name);
      continue;
    }
    files[name] = bytes;
    await keeper.add(file, bytes);
    for (const next of partsNamedIn(textOf(bytes), { name, page: address })) {
      if (asked.length >= mostParts || asked.includes(next)) continue;
      asked.push(next);
      wanted.push(next);
    }
  }
  await writeList(keeper.folder, 'visualizer', { sha256: about.sha256, files });
  return missing.length === 0 ? [] : [lacking(missing, address)];
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function lacking(names: readonly string[], address: string): Trouble {
  return {
    what: `The visualizer names files that could not be had: ${names.slice(0, 5).join(', ')}.`,
    fix: `Where it does not work, open it at ${address}.`,
    isUnfinished: false,
  };
}
