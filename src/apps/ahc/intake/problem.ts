/** The folder `problem/`: statements as Markdown, images, formats, samples, and the page as it came. */
import { layout } from '../../../families/ahc/layout.ts';
import { toMarkdown } from '../../../pages/markdown.ts';
import { looksLikePage } from './archive/unpack.ts';
import type { Language, Section, Statement, TaskPage } from './page.ts';
import { urlOf } from './place.ts';
import { type ContestSource, fileNameOf, type Trouble } from './source.ts';
import type { Keeper } from './workspace-files.ts';

type ProblemWork = {
  readonly keeper: Keeper;
  readonly source: ContestSource;
  readonly raw: Uint8Array;
  readonly page: TaskPage;
  /** In which `problem.md` is to be. */
  readonly language: Language;
  /** A language that its user named, and did not only happen to have. */
  readonly isLanguageNamed: boolean;
  readonly id: string;
  readonly signal: AbortSignal;
};

export async function writeProblem(work: ProblemWork): Promise<Trouble[]> {
  const { keeper, raw, page, source } = work;
  await keeper.add(layout.page, raw);
  const languages = (['ja', 'en'] as const).filter((language) => page.statements[language] !== undefined);
  const [first] = languages;
  if (first === undefined) return [noStatement(keeper, source.url)];
  const { places, troubles } = await writeImages(work);
  for (const language of languages) {
    await keeper.add(layout.statementIn(language), () => markdownOf(work, language, places));
  }
  const chosen = languages.includes(work.language) ? work.language : first;
  await writeChosen(work, chosen, places);
  const statement = page.statements[chosen];
  if (statement) await writeParts(keeper, statement, placeIn(places, source));
  return [...troubles, ...(await writeAttachments(work))];
}

/** In the other language where its user asks for that, and has not changed what was written. */
async function writeChosen(work: ProblemWork, language: Language, places: Places): Promise<void> {
  const { keeper, isLanguageNamed } = work;
  const text = markdownOf(work, language, places);
  const there = await keeper.folder.read(layout.statement);
  const other = await keeper.folder.read(layout.statementIn(language === 'ja' ? 'en' : 'ja'));
  if (isLanguageNamed && there !== null && there === other) await keeper.renew(layout.statement, text);
  else await keeper.add(layout.statement, text);
}

const words = {
  ja: { time: '実行時間制限', memory: 'メモリ制限', second: '秒' },
  en: { time: 'Time limit', memory: 'Memory limit', second: 's' },
};

function markdownOf({ page, source, id }: ProblemWork, language: Language, places: Places): string {
  const { time, memory, second } = words[language];
  const limits = [
    page.timeLimitSeconds === null ? '' : `${time}: ${page.timeLimitSeconds} ${second}`,
    page.memoryLimitMegabytes === null ? '' : `${memory}: ${page.memoryLimitMegabytes} MB`,
  ].filter((limit) => limit !== '');
  const sections = page.statements[language]?.sections ?? [];
  const parts = [
    `# ${page.title ?? id}`,
    source.url ?? '',
    limits.join(' / '),
    ...sections.map((section) => markdownSection(section, placeIn(places, source))),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function markdownSection({ heading, html }: Section, placeOf: (address: string) => string): string {
  const body = toStatementMarkdown(html, placeOf);
  return heading === '' ? body : `## ${heading}\n\n${body}`;
}

/** Where an image lies beside the Markdown, by its address on the page. */
type Places = ReadonlyMap<string, string>;

/** A link that is relative on its site leads nowhere from here. */
function placeIn(places: Places, { url }: ContestSource): (address: string) => string {
  return (address) => places.get(address) ?? (url === null ? address : absolute(address, url));
}

async function writeImages({ keeper, source, page, signal }: ProblemWork) {
  const places = new Map<string, string>();
  const missing: string[] = [];
  for (const address of page.images) {
    const name = unusedName(fileNameOf(address) ?? 'image', [...places.values()]);
    const file = `${layout.images}/${name}`;
    const isThere = (await keeper.folder.readBytes(file)) !== null;
    const bytes = isThere ? null : await source.image(address, signal).catch(ifExplained);
    if (bytes && !looksLikePage(bytes)) await keeper.add(file, bytes);
    const isHere = isThere || (bytes !== null && !looksLikePage(bytes));
    places.set(address, isHere ? `images/${name}` : absolute(address, source.url));
    if (!isHere) missing.push(address);
  }
  return { places, troubles: missing.length === 0 ? [] : [noImages(missing)] };
}

function absolute(address: string, base: string | null): string {
  return urlOf(address, base ?? undefined)?.href ?? address;
}

function unusedName(name: string, used: readonly string[]): string {
  const taken = new Set(used.map((path) => path.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${number}-${name}`;
    if (!taken.has(`images/${tried}`.toLowerCase())) return tried;
  }
}

/** A site that is away costs an image, not the workspace; a defect is thrown on. */
export function ifExplained(error: unknown): null {
  if (error instanceof Error && 'explanation' in error && !isOfTheDisk(error)) return null;
  throw error;
}

/** What cannot be written will not be written further on either. */
export function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && /cannot be (written|read|removed)/.test(error.message);
}

/** `入出力`: of a dialogue both stand in one section. */
const inputHeading = /^(input|入力|入出力)/i;
const outputHeading = /^(output|出力)/i;
const notAFormat = /sample|example|例|generat|生成|visuali[sz]er|ビジュアライザ/i;

async function writeParts(
  keeper: Keeper,
  { sections, samples }: Statement,
  placeOf: (address: string) => string,
) {
  const formats = sections.filter(
    ({ heading }) => !notAFormat.test(heading) && (inputHeading.test(heading) || outputHeading.test(heading)),
  );
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
}

/** Programs in a jar lie with the visualizer, papers with the statement. */
async function writeAttachments({ keeper, source, page, signal }: ProblemWork): Promise<Trouble[]> {
  const missing: string[] = [];
  for (const address of page.attachments) {
    const name = fileNameOf(address) ?? '';
    const file = `${/\.jar$/i.test(name) ? layout.visualizer : layout.problem}/${name}`;
    if ((await keeper.folder.readBytes(file)) !== null) continue;
    const found = await source.attachment(address, signal).catch(ifExplained);
    if (found) await keeper.add(file, found.bytes);
    else missing.push(address);
  }
  return missing.length === 0 ? [] : [{ ...noImages(missing), what: `Not fetched: ${missing.join(', ')}.` }];
}

function noImages(addresses: readonly string[]): Trouble {
  return {
    what: `Images of the statement are missing: ${addresses.map((each) => each.slice(0, 200)).join(', ')}.`,
    why: 'They could not be fetched, or lie on another site.',
    fix: `Run \`polya ahc init\` again, or put them into ${layout.images} yourself.`,
    isUnfinished: true,
  };
}

function noStatement({ folder }: Keeper, url: string | null): Trouble {
  return {
    what: 'No statement could be read from the page.',
    why: `The page as it came is ${folder.path}/${layout.page}.`,
    fix: `Open ${url ?? 'it'} in a browser, save it whole, and give that with --from; or write ${layout.statement} yourself.`,
    isUnfinished: true,
  };
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
        const leadsSomewhere = content.trim() !== '' && /^(?!#|javascript:)./i.test(address);
        return leadsSomewhere ? `[${content}](${placeOf(address)})` : content;
      },
    },
  });
}
