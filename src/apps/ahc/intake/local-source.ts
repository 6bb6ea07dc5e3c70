/**
 * A contest from files of the user's, without a network: the saved page of the task, the archive or folder of the tools,
 * images beside them, and the front page, which says when the contest was. Also a contest in the form of Polya's own.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import { jsonIn } from '../../../core/json.ts';
import { openFolder } from '../../../io/folder.ts';
import { localFiles } from '../../../io/local-files.ts';
import { foundAt } from '../../../io/plain-file.ts';
import { renderMarkup } from '../../../text/markup.ts';
import { pahcerFile } from '../workspace/pahcer.ts';
import { isArchive, unpack } from './archive.ts';
import { allLanguages, parseTaskPage } from './page.ts';
import {
  type ContestSource,
  type FetchedTools,
  type Files,
  fileNameOf,
  pageText,
  parseSchedule,
  type Schedule,
  sha256,
} from './source.ts';

const mostFiles = 20_000;
const mostBytes = 512 * 1024 * 1024;
const archiveName = /\.(zip|tar\.gz|tgz)$/i;

/** One thing that the user named: a folder, an archive, a page with what its browser put beside it. */
type LocalInput = {
  /** As the user wrote it. */
  readonly path: string;
  readonly files: Files;
};

/** Throws `UserError` for what is not there, or is neither folder, archive nor page. */
export async function readLocal(folder: string, paths: readonly string[]): Promise<readonly LocalInput[]> {
  return Promise.all(
    paths.map(async (path) => ({ path, files: await filesAt(resolve(folder, path), path) })),
  );
}

async function filesAt(place: string, path: string): Promise<Files> {
  const found = foundAt(place);
  if (!found) throw new UserError({ code: 'no-such-file', what: `${path} is not there.`, fix: fromForms });
  if (found.isDirectory()) return filesBelow(place, path);
  if (/\.md$/i.test(path)) return { 'problem.md': await localFiles('/').readBytes(place, mostBytes) };
  if (!/\.(html?|zip|tar\.gz|tgz|jar|pdf|png|jpe?g|gif|svg|webp)$/i.test(path)) {
    throw new UserError({
      code: 'source-unusable',
      what: `${path} is neither a folder nor an archive nor a page.`,
      fix: fromForms,
    });
  }
  const name = basename(place);
  const bytes = await localFiles('/').readBytes(place, mostBytes);
  return { [name]: bytes, ...(await besidePage(place)), ...contestInside(bytes, name) };
}

const fromForms =
  'Name with --from a folder, an archive of the tools (.zip, .tar.gz) a saved page of the task (.html) or its statement (.md); it may be given several times.';

/** What browsers put beside a page that they save whole. */
async function besidePage(place: string): Promise<Files> {
  if (!/\.html?$/i.test(place)) return {};
  const stem = place.replace(/\.html?$/i, '');
  const dirs = [`${stem}_files`, `${stem}.files`, join(dirname(place), 'images')];
  const found = dirs.filter((each) => foundAt(each)?.isDirectory());
  return Object.assign({}, ...(await Promise.all(found.map((each) => filesBelow(each, each)))));
}

/** An archive may hold a whole contest, its page included; one of tools alone is opened where tools are looked for. */
function contestInside(bytes: Uint8Array, name: string): Files {
  if (!archiveName.test(name)) return {};
  try {
    const files = unpack(bytes);
    return Object.keys(files).some((each) => /\.html?$|(^|\/)contest\.json$/i.test(each)) ? files : {};
  } catch (error) {
    // Told where the tools are looked for.
    if (error instanceof BadArchive) return {};
    throw error;
  }
}

async function filesBelow(place: string, path: string): Promise<Files> {
  const folder = openFolder(place);
  const names = (await folder.files('.')).filter((name) => !/(^|\/)(target|node_modules|\.git)\//.test(name));
  const tooLarge = (what: string) =>
    new UserError({ code: 'too-large', what: `${path} holds ${what}: that is no contest.`, fix: fromForms });
  if (names.length > mostFiles) throw tooLarge(`more than ${mostFiles} files`);
  const files: Record<string, Uint8Array> = {};
  let bytes = 0;
  for (const name of names) {
    bytes += foundAt(join(place, name))?.size ?? 0;
    if (bytes > mostBytes) throw tooLarge(`more than ${mostBytes / 2 ** 20} MB`);
    files[name] = (await folder.readBytes(name)) ?? new Uint8Array();
  }
  return files;
}

/**
 * An archive is opened here where it holds a page too; one that holds tools alone is left to `tools`. Throws `UserError`
 * where there is neither.
 */
export function localSource(inputs: readonly LocalInput[]): ContestSource {
  const files = inputs.flatMap((input) =>
    Object.entries(input.files).map(([name, bytes]) => ({ name, bytes })),
  );
  if (!files.some(isOfUse)) {
    throw new UserError({
      code: 'source-unusable',
      what: `There is nothing of a contest in ${inputs.map(({ path }) => path).join(', ')}. Nothing was made.`,
      why: 'A contest is made from the page of its task (.html) or its statement (problem.md), its tools (an archive, or a folder with their Cargo.toml), or both.',
      fix: 'Name these with --from, which may be given several times.',
    });
  }
  const pages = files.filter(({ name }) => /\.html?$/i.test(name)).map(({ bytes }) => bytes);
  const own = ownContest(files);
  return {
    url: null,
    async schedule() {
      const schedules = pages.map((page) => parseSchedule(pageText(page)));
      return schedules.find((each) => each !== null) ?? own?.schedule ?? null;
    },
    page: async () => own?.page ?? taskPageIn(pages),
    own: {
      statement: textIn(files, /^(?:problem\/)?(?:problem|statement)\.md$/i),
      pahcer: textIn(files, new RegExp(`^${pahcerFile}$`)),
    },
    tools: async () => toolsIn(inputs),
    async file({ address }) {
      const requested = fileNameOf(address);
      return files.find(({ name }) => requested !== null && fileNameOf(name) === requested)?.bytes ?? null;
    },
  };
}

function textIn(files: readonly LocalFile[], name: RegExp): string | null {
  const found = files.find((file) => name.test(file.name));
  return found ? pageText(found.bytes) : null;
}

type LocalFile = { readonly name: string; readonly bytes: Uint8Array };

function isOfUse({ name, bytes }: LocalFile): boolean {
  return (
    /\.(html?|zip|tar\.gz|tgz)$|(^|\/)(Cargo\.toml|contest\.json|problem\.md|statement\.md)$/i.test(name) ||
    isArchive(bytes)
  );
}

/** Of several pages the one that says most. One that cannot be read is still the page that its user gave. */
function taskPageIn(pages: readonly Uint8Array[]): Uint8Array | null {
  const weightOf = (page: Uint8Array): number => {
    const { statements, title } = parseTaskPage(pageText(page));
    const sections = Object.values(statements).flatMap((statement) => statement.sections);
    return sections.length + (title === null ? 0 : 1);
  };
  const ranked = pages.map((page) => ({ page, weight: weightOf(page) }));
  return ranked.toSorted((a, b) => b.weight - a.weight)[0]?.page ?? null;
}

/** Throws `BadArchive` where the only archives there are cannot be used. */
function toolsIn(inputs: readonly LocalInput[]): FetchedTools | null {
  let why: unknown = null;
  for (const { path, files } of inputs) {
    if (holdsCrate(files)) return { files, sha256: sha256(hashesOf(files)), from: path };
    for (const [name, bytes] of Object.entries(files)) {
      if (!isArchive(bytes) && !archiveName.test(name)) continue;
      try {
        const unpacked = unpack(bytes);
        if (holdsCrate(unpacked)) return { files: unpacked, sha256: sha256(bytes), from: `${path}: ${name}` };
      } catch (error) {
        if (!(error instanceof BadArchive)) throw error;
        // Another archive may be whole.
        why ??= new BadArchive(`${name}: ${error.message}`);
      }
    }
  }
  if (why) throw why;
  return null;
}

function holdsCrate(files: Files): boolean {
  return Object.keys(files).some((name) => /(^|\/)Cargo\.toml$/.test(name));
}

function hashesOf(files: Files): string {
  const names = Object.keys(files).sort();
  return names.map((name) => `${name} ${sha256(files[name] ?? '')}\n`).join('');
}

const ownSchema = z.looseObject({
  task: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  timeLimitSeconds: z.number(),
  memoryLimitMegabytes: z.number(),
});

/** Contests as those in `examples/contests`: what they are, and the sections of their statements. */
function ownContest(files: readonly LocalFile[]): { page: Uint8Array; schedule: Schedule } | null {
  const textOf = (name: string): string | null => {
    const found = files.find((file) => file.name === name || file.name.endsWith(`/${name}`));
    return found ? pageText(found.bytes) : null;
  };
  const parsed = ownSchema.safeParse(jsonIn(textOf('contest.json')));
  const statements = allLanguages.map((lang) => [lang, textOf(`statement/${lang}.html`)] as const);
  if (!parsed.success || statements.every(([, html]) => html === null)) return null;
  const { task, start, end, timeLimitSeconds, memoryLimitMegabytes } = parsed.data;
  const spans = statements.map(([lang, html]) => html && `<span class="lang-${lang}">${html}</span>`);
  const html = `<!DOCTYPE html>
<html><head><meta charset="utf-8"></head><body>
<span class="h2">${renderMarkup(task)}</span>
<p>Time Limit: ${timeLimitSeconds} sec / Memory Limit: ${memoryLimitMegabytes} MB</p>
<div id="task-statement"><span class="lang">
${spans.join('\n')}
</span></div>
</body></html>
`;
  return {
    page: new TextEncoder().encode(html),
    schedule: { startMs: Date.parse(start), endMs: Date.parse(end) },
  };
}
