/** What a page brings: statements as Markdown, images, formats, samples, the page as it came, and the visualizer. */
import { layout } from '../../../families/ahc/layout.ts';
import { toMarkdown } from '../../../pages/markdown.ts';
import { isSafeUrl } from '../../../text/markup.ts';
import { looksLikePage } from './archive.ts';
import { allLanguages, type Language, languagesOf, type TaskPage } from './page.ts';
import { type ContestSource, fileNameOf, missing, note, pageText, type Trouble } from './source.ts';
import type { Keeper } from './workspace-files.ts';

type ProblemWork = {
  readonly keeper: Keeper;
  readonly source: ContestSource;
  readonly raw: Uint8Array;
  readonly page: TaskPage;
  /** The page was made from `problem.md`, which stays as its user wrote it. */
  readonly isOwn: boolean;
  /** In which `problem.md` is to be. */
  readonly language: Language;
  /** A language that its user named, and did not only happen to have. */
  readonly isLanguageNamed: boolean;
  readonly id: string;
  readonly signal: AbortSignal;
};

export async function writeProblem(work: ProblemWork): Promise<Trouble[]> {
  const { keeper, raw, page, source } = work;
  const languages = languagesOf(page);
  const [first] = languages;
  if (work.isOwn && first !== undefined) {
    return writeParts(work, first, (address) => address);
  }
  await keeper.renew(layout.page, raw);
  if (first === undefined) return [noStatement(keeper, source.url)];
  const { places, troubles } = await writeImages(work);
  // A link that is relative on its site leads nowhere from here.
  const placeOf = (address: string) => places.get(address) ?? absolute(address, source.url);
  for (const language of languages) {
    await keeper.add(layout.statementIn(language), () => markdownOf(work, language, placeOf));
  }
  const selected = languages.includes(work.language) ? work.language : first;
  await writeChosen(work, selected, markdownOf(work, selected, placeOf));
  troubles.push(...(await writeParts(work, selected, placeOf)), ...(await writeAttachments(work)));
  return troubles;
}

/** In the other language where its user asks for that, and has not changed what was written. */
async function writeChosen(work: ProblemWork, language: Language, text: string): Promise<void> {
  const { keeper, isLanguageNamed } = work;
  const other = allLanguages.find((each) => each !== language) ?? language;
  const existing = await keeper.folder.read(layout.statement);
  const isOther = existing !== null && existing === (await keeper.folder.read(layout.statementIn(other)));
  if (isLanguageNamed && isOther) await keeper.renew(layout.statement, text);
  else await keeper.add(layout.statement, text);
}

const words = {
  ja: { time: '実行時間制限', memory: 'メモリ制限', second: '秒' },
  en: { time: 'Time limit', memory: 'Memory limit', second: 's' },
};

/** Where an image lies beside the Markdown, or a link leads, by its address on the page. */
type PlaceOf = (address: string) => string;

function markdownOf({ page, source, id }: ProblemWork, language: Language, placeOf: PlaceOf): string {
  const { time, memory, second } = words[language];
  const limits = [
    page.timeLimitSeconds === null ? '' : `${time}: ${page.timeLimitSeconds} ${second}`,
    page.memoryLimitMegabytes === null ? '' : `${memory}: ${page.memoryLimitMegabytes} MB`,
  ];
  const sections = page.statements[language]?.sections ?? [];
  const parts = [
    `# ${page.title ?? id}`,
    source.url ?? '',
    limits.filter((limit) => limit !== '').join(' / '),
    ...sections.map(({ heading, html }) => {
      const body = toStatementMarkdown(html, placeOf);
      return heading === '' ? body : `## ${heading}\n\n${body}`;
    }),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

async function writeImages({ keeper, source, page, signal }: ProblemWork) {
  const positions = new Map<string, string>();
  const missing: string[] = [];
  for (const address of page.images) {
    const name = unusedName(fileNameOf(address) ?? 'image', [...positions.values()]);
    const file = `${layout.images}/${name}`;
    const requested = { address, noun: `the image ${fileNameOf(address) ?? ''}` };
    const existing = await keeper.folder.readBytes(file);
    const bytes = existing ?? (await source.file(requested, signal).catch(ifExplained));
    if (bytes && (existing || !looksLikePage(bytes))) {
      if (!existing) await keeper.add(file, bytes);
      positions.set(address, `images/${name}`);
    } else {
      positions.set(address, absolute(address, source.url));
      missing.push(address);
    }
  }
  const text = missing.map((each) => each.slice(0, 200)).join(', ');
  const errors = text === '' ? [] : [notFetched(`Images of the statement are missing: ${text}.`)];
  return { places: positions, troubles: errors };
}

function absolute(address: string, base: string | null): string {
  return URL.parse(address, base ?? undefined)?.href ?? address;
}

function unusedName(name: string, used: readonly string[]): string {
  const claimed = new Set(used.map((path) => path.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const attempted = number === 1 ? name : `${number}-${name}`;
    if (!claimed.has(`images/${attempted}`.toLowerCase())) return attempted;
  }
}

/** A site that is away costs an image, not the workspace. A defect is thrown on, as is what cannot be written. */
export function ifExplained(error: unknown): null {
  const isOfTheDisk = error instanceof Error && /cannot be (written|read|removed)/.test(error.message);
  if (error instanceof Error && 'explanation' in error && !isOfTheDisk) return null;
  throw error;
}

const noInputFormat = note(
  'No section on the input format was found in the statement: cases are not grouped by their numbers.',
  `Write the format into ${layout.inputFormat}: a line for each line of the input, as \`N M\`.`,
);

/** `入出力`: in interactive contests, one section has both. */
const format = /^(input|入力|入出力|output|出力)/i;
const notAFormat = /sample|example|例|generat|生成|visuali[sz]er|ビジュアライザ/i;

async function writeParts(
  { keeper, page }: ProblemWork,
  language: Language,
  placeOf: PlaceOf,
): Promise<Trouble[]> {
  const { sections = [], samples = [] } = page.statements[language] ?? {};
  const formats = sections.filter(({ heading }) => !notAFormat.test(heading) && format.test(heading));
  if (formats.length > 0) {
    await keeper.add(layout.inputFormat, () =>
      formats.map(({ heading, html }) => `${heading}\n\n${toStatementMarkdown(html, placeOf)}\n`).join('\n'),
    );
  }
  for (const [index, { input, output }] of samples.entries()) {
    const name = `${layout.samples}/${String(index).padStart(4, '0')}`;
    await keeper.add(`${name}.in.txt`, input);
    if (output !== null) await keeper.add(`${name}.out.txt`, output);
  }
  const exists = (await keeper.folder.read(layout.inputFormat)) !== null;
  return exists ? [] : [noInputFormat];
}

/** Programs in a jar lie with the visualizer, papers with the statement. */
async function writeAttachments({ keeper, source, page, signal }: ProblemWork): Promise<Trouble[]> {
  const missingFiles: string[] = [];
  for (const address of page.attachments) {
    const name = fileNameOf(address) ?? '';
    const file = `${/\.jar$/i.test(name) ? layout.visualizer : layout.problem}/${name}`;
    if ((await keeper.folder.readBytes(file)) !== null) continue;
    const bytes = await source.file({ address, noun: name || 'a file' }, signal).catch(ifExplained);
    if (bytes && name !== '') await keeper.add(file, bytes);
    else missingFiles.push(address);
  }
  return missingFiles.length === 0 ? [] : [notFetched(`Not fetched: ${missingFiles.join(', ')}.`)];
}

function notFetched(what: string): Trouble {
  return missing(
    what,
    `Run \`polya ahc init\` again, or put them into ${layout.images} yourself.`,
    'They could not be fetched, or lie on another site.',
  );
}

function noStatement({ folder }: Keeper, url: string | null): Trouble {
  return missing(
    'No statement could be read from the page.',
    `Open ${url ?? 'it'} in a browser, save it whole, and give that with --from; or write ${layout.statement} yourself, and run init again.`,
    `The page as it came is ${folder.path}/${layout.page}.`,
  );
}

/** Of a part of a page as page.ts reads it. `placeOf`: of an image or a link, by its address there. */
export function toStatementMarkdown(html: string, placeOf: (address: string) => string): string {
  return toMarkdown(html, {
    image: {
      filter: 'img',
      replacement: (_content, node) => {
        const src = node.getAttribute('src');
        return src ? `![${node.getAttribute('alt') ?? ''}](${placeOf(src)})` : '';
      },
    },
    link: {
      filter: (node) => node.nodeName === 'A',
      replacement: (content, node) => {
        const address = node.getAttribute('href') ?? '';
        const leadsSomewhere =
          content.trim() !== '' && !address.startsWith('#') && address !== '' && isSafeUrl(address);
        return leadsSomewhere ? `[${content}](${placeOf(address)})` : content;
      },
    },
  });
}

const index = `${layout.visualizer}/index.html`;

/** A visualizer has fewer. */
const mostParts = 60;

type PageWork = Pick<ProblemWork, 'keeper' | 'source' | 'page' | 'signal'>;

/** The official visualizer with what it draws on, as it came; its address too, because some of them work only there. */
export async function keepVisualizer(work: PageWork): Promise<Trouble[]> {
  const { keeper, source, page, signal } = work;
  if (page.visualizer === null) return [];
  const requested = { address: page.visualizer, noun: 'the visualizer', isPage: true };
  const existing = await keeper.folder.readBytes(index);
  const bytes = existing ?? (await source.file(requested, signal).catch(ifExplained));
  if (bytes !== null) await keeper.add(index, bytes);
  const address = URL.parse(page.visualizer, source.url ?? undefined)?.href ?? null;
  if (address !== null && source.url !== null)
    await keeper.add(`${layout.visualizer}/address.txt`, `${address}\n`);
  return bytes === null || address === null ? [] : keepParts(work, bytes, address);
}

/** Each file may name others; what is here already is not asked for. */
async function keepParts(work: PageWork, pageBytes: Uint8Array, address: string): Promise<Trouble[]> {
  const { keeper, source, signal } = work;
  const missing: string[] = [];
  // Names that are added during the loop are visited too.
  const names = new Set(partsNamedIn(pageText(pageBytes), { name: '', page: address }).slice(0, mostParts));
  for (const name of names) {
    const file = `${layout.visualizer}/${name}`;
    const requested = { address: URL.parse(name, address)?.href ?? name, noun: fileNameOf(name) ?? 'a file' };
    const bytes =
      (await keeper.folder.readBytes(file)) ?? (await source.file(requested, signal).catch(ifExplained));
    if (bytes === null) {
      missing.push(name);
      continue;
    }
    await keeper.add(file, bytes);
    for (const next of partsNamedIn(pageText(bytes), { name, page: address }))
      if (names.size < mostParts) names.add(next);
  }
  if (missing.length === 0) return [];
  return [
    note(
      `The visualizer names files that could not be had: ${missing.slice(0, 5).join(', ')}.`,
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
  const descendants = named
    .filter((href) => folder !== '' && href.startsWith(folder))
    .map((href) => href.slice(folder.length).replace(/[?#].*$/s, ''));
  return [...new Set(descendants)].filter(isPlainPath);
}

/** Nothing that a file system or a shell could understand otherwise. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((each) => /^[\w-][\w.-]{0,120}$/.test(each)) && !/\.tmp$/.test(path);
}

/** Addresses that stand in quotes or brackets, as pages, scripts and styles name files: programs name their WebAssembly as text. */
function referencesIn(text: string, name: string): readonly string[] {
  if (name !== '' && !/\.(?:css|m?js)$/i.test(name)) return [];
  const named =
    /(["'`(=])\s{0,20}((?:\.{0,2}\/)?[\w./-]+\.(?:m?js|wasm|css|json|png|svg|gif|jpe?g|webp|woff2?|data))(?=[?#"'`)\s>])/g;
  return [...text.matchAll(named)].map((match) => match[2] ?? '');
}
