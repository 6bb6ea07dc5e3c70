/** The official visualizer with what it draws on, as it came; its address too, because some of them work only there. */
import { load } from 'cheerio/slim';
import { layout } from '../../../families/ahc/layout.ts';
import { ifExplained } from './problem.ts';
import { fileNameOf, note, pageText, sha256, type Trouble } from './source.ts';
import type { ToolsWork } from './tools.ts';

const index = `${layout.visualizer}/index.html`;

/** A visualizer has fewer. */
const mostParts = 60;

export async function keepVisualizer(work: ToolsWork): Promise<Trouble[]> {
  const { keeper, source, page, signal } = work;
  if (page.visualizer === null) return [];
  const wanted = { address: page.visualizer, noun: 'the visualizer', isPage: true };
  const there = await keeper.folder.readBytes(index);
  const bytes = there ?? (await source.file(wanted, signal).catch(ifExplained));
  if (bytes !== null) await keeper.add(index, bytes);
  const address = URL.parse(page.visualizer, source.url ?? undefined)?.href ?? null;
  if (address !== null && source.url !== null)
    await keeper.add(`${layout.visualizer}/address.txt`, `${address}\n`);
  return bytes === null || address === null ? [] : keepParts(work, bytes, address);
}

/** Each file may name others; what is here already is not asked for. */
async function keepParts(work: ToolsWork, pageBytes: Uint8Array, address: string): Promise<Trouble[]> {
  const { keeper, source, signal } = work;
  const about = { sha256: sha256(pageBytes), place: layout.visualizer };
  if (await keeper.isAllThere('visualizer', about)) return [];
  const files: Record<string, Uint8Array> = {};
  const lacking: string[] = [];
  // What is added while it is gone through is gone through as well.
  const names = new Set(partsNamedIn(pageText(pageBytes), { name: '', page: address }).slice(0, mostParts));
  for (const name of names) {
    const file = `${layout.visualizer}/${name}`;
    const wanted = { address: URL.parse(name, address)?.href ?? name, noun: fileNameOf(name) ?? 'a file' };
    const bytes =
      (await keeper.folder.readBytes(file)) ?? (await source.file(wanted, signal).catch(ifExplained));
    if (bytes === null) {
      lacking.push(name);
      continue;
    }
    files[name] = bytes;
    await keeper.add(file, bytes);
    for (const next of partsNamedIn(pageText(bytes), { name, page: address }))
      if (names.size < mostParts) names.add(next);
  }
  await keeper.writeList('visualizer', { sha256: about.sha256, files });
  if (lacking.length === 0) return [];
  return [
    note(
      `The visualizer names files that could not be had: ${lacking.slice(0, 5).join(', ')}.`,
      `Where it does not work, open it at ${address}.`,
    ),
  ];
}

/** Names below the folder of the page, as `lib/vis.js`. `name` is that of the file which `text` is from. */
export function partsNamedIn(
  text: string,
  { name, page }: { name: string; page: string },
): readonly string[] {
  const folder = URL.parse('.', page)?.href ?? '';
  const from = URL.parse(name === '' ? page : name, folder)?.href;
  const named = referencesIn(text, name).map((reference) => URL.parse(reference, from)?.href ?? '');
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
