/** The past contests that come with Polya, with those of the user's own before them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import {
  type ContestDatabase,
  contestDatabase,
  contestText,
} from '../../../families/ahc/database/database.ts';
import {
  contestTables,
  entriesOfTables,
  entryOfText,
  merged,
  type PastContest,
  type ReadEntry,
} from '../../../families/ahc/database/record.ts';
import type { SimilarContest } from '../../../families/ahc/database/similar.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { bundled } from '../../../io/bundled.ts';
import { readForeignTables } from '../../../io/foreign-tables.ts';
import { decodeUtf8, foundAt, readPlainFileSync } from '../../../io/plain-file.ts';
import { indexTexts } from '../../../io/text-index.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { configIn, openWorkspace, ownPath, type WorkspaceQuestion, workspaceOrNull } from './workspace.ts';

const shipped = bundled('contest-database');

/** With the configuration of the workspace, if any. Throws `UserError` for a missing place; skips unreadable entries. */
export async function openDatabase(question: WorkspaceQuestion): Promise<ContestDatabase> {
  const config = configIn(workspaceOrNull(question), question);
  const internal = completeEntries(entriesIn(shipped, () => 'internal'));
  const entries = ownEntries(config, question);
  const own = completeEntries(entries);
  const issues = [...entries.flatMap(({ fault }) => fault ?? []), ...duplicateIds(own)];
  const warnings = [...config.warnings, ...issues.map((issue) => `${issue} It is skipped.`)];
  return contestDatabase(merged(own, internal), { index: indexTexts, warnings });
}

function ownEntries(config: Resolved, question: WorkspaceQuestion): readonly ReadEntry[] {
  const own = ownPath(config, 'past_contest_db.path', question);
  if (own === null) return [];
  if (own.isFolder) return entriesIn(own.path, (file) => file);
  const tables = readForeignTables(own.path, contestTables);
  if (tables.contests) return entriesOfTables(tables, own.path);
  throw new UserError({
    code: 'no-such-table',
    what: `${own.path} has no table contests.`,
    why: 'past_contest_db.path is a folder of *.json, or a SQLite file with the tables contests, contest_tags and solution_approaches.',
    fix: 'Make that table, or name another place.',
  });
}

/** If two entries have one id, the first counts. */
function duplicateIds(own: readonly PastContest[]): string[] {
  const sources = new Map<string, string>();
  return own.flatMap(({ contest_id: id, source }) => {
    const first = sources.get(id);
    if (first !== undefined) return [`${source} has ${id} once more, which stands in ${first}.`];
    sources.set(id, source);
    return [];
  });
}

function entriesIn(folder: string, sourceOf: (file: string) => string): ReadEntry[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name))
    .map((file) => entryAt(file, sourceOf(file)));
}

function entryAt(file: string, source: string): ReadEntry {
  try {
    const text = decodeUtf8(readPlainFileSync(file));
    if (text !== null) return entryOfText(text, source);
    return { contest: null, fault: `${source} is not text in UTF-8.` };
  } catch (error) {
    return { contest: null, fault: `${source} cannot be read: ${systemReason(error)}` };
  }
}

function completeEntries(entries: readonly ReadEntry[]): PastContest[] {
  return entries.flatMap(({ contest }) => contest ?? []);
}

export type SimilarQuery = {
  /** A file, a contest's id, or a workspace's folder. */
  readonly of: string;
  readonly found: readonly SimilarContest[];
};

/** To a file or a known contest; without either, to the statement of the workspace. Throws `UserError`. */
export async function findSimilarContests(
  database: ContestDatabase,
  question: WorkspaceQuestion,
  { named, limit }: { readonly named: string | undefined; readonly limit: number },
): Promise<SimilarQuery> {
  const { of, text, id } =
    named === undefined ? await ownStatement(question) : namedText(database, question, named);
  return { of, found: database.similar(text, limit, id) };
}

type Compared = { readonly of: string; readonly text: string; readonly id: string };

/** In every language that there is. */
async function ownStatement(question: WorkspaceQuestion): Promise<Compared> {
  const { id, folder } = openWorkspace(question);
  const names = [layout.statementIn('ja'), layout.statementIn('en')];
  const languages = await Promise.all(names.map((name) => folder.read(name)));
  const known = languages.filter((each) => each !== null);
  const text = known.length > 0 ? known.join('\n') : await folder.read(layout.statement);
  if (text !== null) return { of: folder.path, text, id };
  throw new UserError({
    code: 'no-statement',
    what: `${folder.path} has no ${layout.statement}.`,
    fix: `\`polya ahc init ${id}\` repairs the workspace; or name a file, or a contest that is known.`,
  });
}

function namedText(database: ContestDatabase, { folder }: WorkspaceQuestion, named: string): Compared {
  const path = resolve(folder, named);
  if (foundAt(path)?.isFile()) return { of: path, text: plainText(path), id: '' };
  const contest = database.find(named);
  if (contest !== null) return { of: contest.contest_id, text: contestText(contest), id: contest.contest_id };
  const nearby = database.nearest(named);
  throw new UserError({
    code: 'no-such-contest',
    what: `${named} is neither a file nor a contest that is known.`,
    fix: `${nearby ? `Did you mean ${nearby}? ` : ''}\`polya ahc database list\` shows all that are known.`,
  });
}

/** For a saved page with all that is in it; a statement is a hundredth of that. */
const mostBytes = 4 * 1024 * 1024;

/** A saved page is read without its tags. Throws `UserError` for what is no statement, since words are found in anything. */
function plainText(path: string): string {
  const { size } = statSync(path);
  const text = size > mostBytes ? null : decodeUtf8(readFileSync(path));
  if (text === null || text.includes('\0')) {
    throw new UserError({
      code: 'no-statement',
      what: `${path} is no statement.`,
      why: size > mostBytes ? `It has ${Math.round(size / 1e6)} MB.` : 'It is not text in UTF-8.',
      fix: 'Name the statement as a text, as Markdown or as a saved page.',
    });
  }
  return /<(html|body|div|p|section)[\s>]/i.test(text) ? text.replaceAll(/<[^<>]*>/g, ' ') : text;
}
