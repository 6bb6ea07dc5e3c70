/**
 * The cache of advent-of-code-data (aocd), read and never written. Its layout, below one folder:
 * `USER/2015_01_input.txt`, `USER/2015_01a_answer.txt`, `…b_answer.txt`, `USER/2015_01_prose.1.html` (part 1 solved),
 * `….2.html` (both), `prose/2015_01_prose.0.html`, and `token2id.json`, which says whose session is which USER's.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { jsonIn } from '../../core/json.ts';
import { parseDayPage } from './page.ts';
import type { AocFiles, KeptDay } from './sites.ts';

export type AocdDay = Omit<KeptDay, 'page'> & {
  /** The page that says most. */
  readonly prose: string | null;
};

type Day = { readonly year: number; readonly day: number };

/** `folder` is the whole cache, if it has one user's input of that day, or the folder of one user. */
export async function readAocd(files: AocFiles, folder: string, day: Day): Promise<AocdDay> {
  const owner = (await hasInput(files, folder, day)) ? folder : await onlyOwner(files, folder, day);
  const root = owner === folder ? `${folder}/..` : folder;
  return readDay(files, { owner, root, day });
}

/** What the cache has for the account behind a session; null where it does not know that session. */
export async function readAocdOf(
  files: AocFiles,
  root: string,
  { session, ...day }: Day & { session: string },
): Promise<KeptDay | null> {
  const users = tokens.safeParse(jsonIn(await files.read(`${root}/token2id.json`)));
  const user = users.success && Object.hasOwn(users.data, session) ? users.data[session] : undefined;
  // The name becomes a path.
  if (!user || !/^[\w.-]+$/.test(user) || user.startsWith('.')) return null;
  const { input, prose, answers } = await readDay(files, { owner: `${root}/${user}`, root, day });
  const page = prose === null ? null : parseDayPage(prose);
  return { input, answers, page: page && page.parts.length > 0 ? page : null };
}

const tokens = z.record(z.string(), z.string());

async function readDay(
  files: AocFiles,
  { owner, root, day }: { owner: string; root: string; day: Day },
): Promise<AocdDay> {
  const own = `${owner}/${nameOf(day)}`;
  const answer = async (part: 'a' | 'b') =>
    (await files.read(`${own}${part}_answer.txt`))?.trim() || undefined;
  return {
    input: await files.read(`${own}_input.txt`),
    prose:
      (await files.read(`${own}_prose.2.html`)) ??
      (await files.read(`${own}_prose.1.html`)) ??
      (await files.read(`${root}/prose/${nameOf(day)}_prose.0.html`)),
    answers: [await answer('a'), await answer('b')],
  };
}

async function onlyOwner(files: AocFiles, folder: string, day: Day): Promise<string> {
  const owners: string[] = [];
  for (const name of await files.foldersIn(folder)) {
    if (await hasInput(files, `${folder}/${name}`, day)) owners.push(name);
  }
  const [owner] = owners;
  if (owner !== undefined && owners.length === 1) return `${folder}/${owner}`;
  const multiple = {
    what: `The aocd folder ${folder} has inputs of ${owners.length} users for that day.`,
    fix: `Name the folder of one of them: ${owners.join(', ')}.`,
  };
  const none = {
    what: `The aocd folder ${folder} has no input of day ${day.day} of ${day.year}.`,
    fix: 'Let aocd fetch it, or name the files with the statement and the input.',
  };
  throw new UserError({ code: 'no-input', ...(owner === undefined ? none : multiple) });
}

async function hasInput(files: AocFiles, folder: string, day: Day): Promise<boolean> {
  return (await files.read(`${folder}/${nameOf(day)}_input.txt`)) !== null;
}

function nameOf({ year, day }: Day): string {
  return `${year}_${String(day).padStart(2, '0')}`;
}
