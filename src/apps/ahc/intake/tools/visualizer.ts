/** The official visualizer with what it draws on, as it came; its address too, because some of them work only there. */

import { load } from 'cheerio/slim';
import { layout } from '../../../../families/ahc/layout.ts';
import { urlOf } from '../place.ts';
import { ifExplained } from '../problem.ts';
import { pageText, type Trouble } from '../source.ts';
import { isAllThere, writeList } from './place.ts';
import type { ToolsWork } from './troubles.ts';

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
  const asked = partsNamedIn(pageText(pageBytes), { name: '', page: address }).slice(0, mostParts);
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
    for (const next of partsNamedIn(pageText(bytes), { name, page: address })) {
      if (asked.length >= mostParts || asked.includes(next)) continue;
      asked.push(next);
      wanted.push(next);
    }
  }
  await writeList(keeper.folder, 'visualizer', { sha256: about.sha256, files });
  return missing.length === 0 ? [] : [lacking(missing, address)];
}

function lacking(names: readonly string[], address: string): Trouble {
  return {
    what: `The visualizer names files that could not be had: ${names.slice(0, 5).join(', ')}.`,
    fix: `Where it does not work, open it at ${address}.`,
    isUnfinished: false,
  };
}

/** Names below the folder of the page, as `lib/vis.js`. `name` is that of the file which `text` is from. */
export function partsNamedIn(
  text: string,
  { name, page }: { name: string; page: string },
): readonly string[] {
  const folder = urlOf('.', page)?.href ?? '';
  const from = urlOf(name === '' ? page : name, folder)?.href;
  const named = referencesIn(text, name).map((reference) => urlOf(reference, from)?.href ?? '');
  const below = named
    .filter((href) => folder !== '' && href.startsWith(folder))
    .map((href) => href.slice(folder.length).replace(/[?#].*$/s, ''));
  return [...new Set(below)].filter(isPlainPath);
}

/** Nothing that a file system or a shell could understand otherwise. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((each) => /^[\w-][\w.-]{0,120}$/.test(each)) && !/\.tmp$/.test(path);
}

function referencesIn(text: string, name: string): readonly string[] {
  if (/\.css$/i.test(name)) return inStyle(text);
  if (/\.m?js$/i.test(name)) return inScript(text);
  return name === '' ? inPage(text) : [];
}

function inPage(html: string): readonly string[] {
  const page = load(html);
  const attributes = page('script[src], link[href], img[src], source[src], object[data]')
    .toArray()
    .map((each) => page(each).attr('src') ?? page(each).attr('href') ?? page(each).attr('data') ?? '');
  const inside = page('script:not([src]), style')
    .toArray()
    .flatMap((each) => [...inScript(page(each).text()), ...inStyle(page(each).text())]);
  return [...attributes.filter((each) => each !== ''), ...inside];
}

/** What a script imports, and what it names of these kinds: programs name their WebAssembly as text. */
function inScript(script: string): readonly string[] {
  const named = /(["'`])((?:\.{0,2}\/)?[\w./-]+\.(?:m?js|wasm|css|json|png|svg|data))(?:\?[^"'`]*)?\1/g;
  return [...script.matchAll(named)].map((match) => match[2] ?? '');
}

function inStyle(style: string): readonly string[] {
  return [...style.matchAll(/url\(\s{0,20}["']?([^"')]{1,2000})["']?\s*\)/g)].map((match) => match[1] ?? '');
}
