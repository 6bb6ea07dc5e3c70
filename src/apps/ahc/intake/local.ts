/** What `init --from` names, read: folders, archives, pages with what a browser put beside them. Limited in size. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import { openFolder } from '../../../io/folder.ts';
import { localFiles } from '../../../io/local-files.ts';
import { unpack } from './archive/unpack.ts';
import type { LocalInput } from './local-source.ts';

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
  if (!found) throw new UserError({ code: 'not', what: `${path} is not there.`, fix: fromForms });
  if (found.isDirectory()) return filesBelow(place, path);
  if (!/\.(html?|zip|tar\.gz|tgz|jar|pdf|png|jpe?g|gif|svg|webp)$/i.test(path)) {
    throw new UserError({
      code: 'neither-folder-nor-archive-nor',
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
