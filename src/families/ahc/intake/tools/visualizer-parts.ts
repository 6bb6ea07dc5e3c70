/**
 * What a page of the official visualizer draws on: scripts, what these import, WebAssembly, styles, pictures, as far as
 * they lie beside it or below. What lies elsewhere is the site's, and stays there. Reads text; fetches nothing.
 */
import { load } from 'cheerio/slim';
import { urlOf } from '../place.ts';

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
