/**
 * A contest from files of the user's, without a network: the saved page of the task, the archive or folder of the tools,
 * images beside them, and the front page, which says when the contest was. Also a contest in the form of Polya's own.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import { openFolder } from '../../../io/folder.ts';
import { localFiles } from '../../../io/local-files.ts';
import { isArchive, unpack } from './archive/unpack.ts';
import { parseTaskPage } from './page.ts';
import { type ContestSource, type FetchedTools, fileNameOf, parseSchedule, type Schedule } from './source.ts';

const mostFiles = 20_000;
const mostBytes = 512 * 1024 * 1024;

/** Throws `UserError` for what is not there, or is neither folder, archive nor page. */
export async function readLocal(folder: string, paths: readonly string[]): Promise<readonly LocalInput[]> {
  return Promise.all(
    paths.map(async (path) => ({ path, files: await filesAt(resolve(folder, path), path) })),
  );
}

async function filesAt(place: string, path: string): Promise<Record<string, Uint8Array>> {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) throw new UserError({ code: 'no-such-file', what: `${path} is not there.`, fix: fromForms });
  if (found.isDirectory()) return filesBelow(place, path);
  if (!/\.(html?|zip|tar\.gz|tgz|jar|pdf|png|jpe?g|gif|svg|webp)$/i.test(path)) {
    throw new UserError({
      code: 'source-unusable',
      what: `${path} is neither a folder nor an archive nor a page.`,
      fix: fromForms,
    });
  }
  const name = basename(place);
  const bytes = await localFiles('/').readBytes(place, mostBytes);
  return { [name]: bytes, ...(await beside(place, name)), ...contestInside(bytes, name) };
}

const fromForms =
  'Name with --from a folder, an archive of the tools (.zip, .tar.gz) or a saved page of the task (.html); it may be given several times.';

/** What browsers put beside a page that they save whole. */
async function beside(place: string, name: string): Promise<Record<string, Uint8Array>> {
  const stem = name.replace(/\.html?$/i, '');
  if (stem === name) return {};
  const folders = [`${stem}_files`, `${stem}.files`, 'images'].map((each) => join(dirname(place), each));
  const found = folders.filter((each) => statSync(each, { throwIfNoEntry: false })?.isDirectory());
  const all = await Promise.all(found.map((each) => filesBelow(each, each)));
  return Object.assign({}, ...all);
}

/** An archive may hold a whole contest, its page included; one of tools alone is opened where tools are looked for. */
function contestInside(bytes: Uint8Array, name: string): Record<string, Uint8Array> {
  if (!/\.(zip|tar\.gz|tgz)$/i.test(name)) return {};
  try {
    const files = unpack(bytes);
    return Object.keys(files).some((each) => /\.html?$|(^|\/)contest\.json$/i.test(each)) ? files : {};
  } catch (error) {
    // Told where the tools are looked for.
    if (error instanceof BadArchive) return {};
    throw error;
  }
}

async function filesBelow(place: string, path: string): Promise<Record<string, Uint8Array>> {
  const folder = openFolder(place);
  const names = (await folder.files('.')).filter((name) => !/(^|\/)(target|node_modules|\.git)\//.test(name));
  if (names.length > mostFiles) throw tooLarge(path, `more than ${mostFiles} files`);
  const files: Record<string, Uint8Array> = {};
  let bytes = 0;
  for (const name of names) {
    bytes += statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > mostBytes) throw tooLarge(path, `more than ${mostBytes / 2 ** 20} MB`);
    files[name] = (await folder.readBytes(name)) ?? new Uint8Array();
  }
  return files;
}

function tooLarge(path: string, what: string): UserError {
  return new UserError({
    code: 'too-large',
    what: `${path} holds ${what}: that is no contest.`,
    fix: fromForms,
  });
}

/** One thing that the user named: a folder, an archive, a page with what its browser put beside it. */
type LocalInput = {
  /** As the user wrote it. */
  readonly path: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
};

type Hash = (bytes: string | Uint8Array) => string;

/**
 * An archive is opened here where it holds a page too; one that holds tools alone is left to `tools`. Throws `UserError`
 * where there is neither.
 */
export function localSource(inputs: readonly LocalInput[], sha256: Hash): ContestSource {
  const files = inputs.flatMap(({ path, files }) =>
    Object.entries(files).map(([name, bytes]) => ({ name, bytes, from: `${path}/${name}` })),
  );
  if (!files.some(isOfUse)) throw nothingOfUse(inputs);
  const pages = files
    .filter(({ name }) => /\.html?$/i.test(name))
    .map((file) => ({ ...file, html: text(file.bytes) }));
  const own = ownContest(files);
  const byName = (address: string) => {
    const wanted = fileNameOf(address);
    return files.find(({ name }) => fileNameOf(name) === wanted) ?? null;
  };
  return {
    url: null,
    async schedule() {
      const schedules = pages.map(({ html }) => parseSchedule(html)).filter((each) => each !== null);
      return schedules[0] ?? own?.schedule ?? null;
    },
    page: async () => own?.page ?? taskPageIn(pages),
    tools: async () => toolsIn(inputs, sha256),
    image: async (address) => byName(address)?.bytes ?? null,
    async attachment(address) {
      const [found, name] = [byName(address), fileNameOf(address)];
      return found && name ? { name, bytes: found.bytes } : null;
    },
    async visualizer({ visualizer }) {
      const found = visualizer === null ? null : byName(visualizer);
      return found ? { name: fileNameOf(found.name) ?? 'index.html', bytes: found.bytes } : null;
    },
  };
}

type LocalFile = { readonly name: string; readonly bytes: Uint8Array; readonly from: string };

function isOfUse({ name, bytes }: LocalFile): boolean {
  return /\.(html?|zip|tar\.gz|tgz)$|(^|\/)(Cargo\.toml|contest\.json)$/i.test(name) || isArchive(bytes);
}

function nothingOfUse(inputs: readonly LocalInput[]): UserError {
  return new UserError({
    code: 'source-unusable',
    what: `There is nothing of a contest in ${inputs.map(({ path }) => path).join(', ')}. Nothing was made.`,
    why: 'A contest is made from the page of its task (.html), its tools (an archive, or a folder with their Cargo.toml), or both.',
    fix: 'Name these with --from, which may be given several times.',
  });
}

/** Of several pages the one that says most. */
function taskPageIn(pages: readonly (LocalFile & { readonly html: string })[]): Uint8Array | null {
  const ranked = pages
    .map(({ bytes, html }) => {
      const { statements, title } = parseTaskPage(html);
      const sections = Object.values(statements).reduce((sum, each) => sum + each.sections.length, 0);
      return { bytes, weight: sections + (title === null ? 0 : 1) };
    })
    .sort((a, b) => b.weight - a.weight);
  // One that cannot be read is still the page that its user gave.
  return ranked[0]?.bytes ?? null;
}

/** Throws `BadArchive` where the only archives there are cannot be used. */
function toolsIn(inputs: readonly LocalInput[], sha256: Hash): FetchedTools | null {
  let why: unknown = null;
  for (const { path, files } of inputs) {
    if (holdsCrate(files)) return { files, sha256: sha256(hashesOf(files, sha256)), from: path };
    for (const [name, bytes] of Object.entries(files)) {
      if (!isArchive(bytes) && !/\.(zip|tar\.gz|tgz)$/i.test(name)) continue;
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

function holdsCrate(files: Readonly<Record<string, Uint8Array>>): boolean {
  return Object.keys(files).some((name) => /(^|\/)Cargo\.toml$/.test(name));
}

function hashesOf(files: Readonly<Record<string, Uint8Array>>, sha256: Hash): string {
  const names = Object.keys(files).sort();
  return names.map((name) => `${name} ${sha256(files[name] ?? new Uint8Array())}\n`).join('');
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
  const find = (name: string) => files.find((file) => file.name === name || file.name.endsWith(`/${name}`));
  const parsed = ownSchema.safeParse(jsonIn(find('contest.json')?.bytes));
  const statements = (['ja', 'en'] as const).map(
    (lang) => [lang, find(`statement/${lang}.html`)?.bytes] as const,
  );
  if (!parsed.success || statements.every(([, bytes]) => bytes === undefined)) return null;
  const { task, start, end, timeLimitSeconds, memoryLimitMegabytes } = parsed.data;
  const spans = statements.map(([lang, bytes]) =>
    bytes ? `<span class="lang-${lang}">${text(bytes)}</span>` : '',
  );
  const html = `<!DOCTYPE html>
<html><head><meta charset="utf-8"></head><body>
<span class="h2">${escaped(task)}</span>
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

function jsonIn(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes ? JSON.parse(text(bytes)) : null;
  } catch {
    return null;
  }
}

function escaped(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
