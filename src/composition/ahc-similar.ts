/** What past contests are held against: the workspace's statement, a file, or a contest that is known. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { aboutOf, type ContestDatabase } from '../families/ahc/database/database.ts';
import type { Similar } from '../families/ahc/database/similar.ts';
import { layout } from '../families/ahc/layout.ts';
import { utf8Text } from '../io/utf8.ts';
import { openWorkspace, type WorkspaceQuestion } from './ahc.ts';

export type SimilarTo = {
  /** A file, a contest's id, or a workspace's folder. */
  readonly of: string;
  readonly found: readonly Similar[];
};

/** To a file or a known contest; without either, to the statement of the workspace. Throws `UserError`. */
export async function similarTo(
  database: ContestDatabase,
  question: WorkspaceQuestion,
  { named, limit }: { readonly named: string | undefined; readonly limit: number },
): Promise<SimilarTo> {
  const { of, text, id } =
    named === undefined ? await ownStatement(question) : namedText(database, question, named);
  return { of, found: database.similar(text, limit, id) };
}

type Compared = { readonly of: string; readonly text: string; readonly id: string };

/** In every language that there is. */
async function ownStatement(question: WorkspaceQuestion): Promise<Compared> {
  const { id, folder } = openWorkspace(question);
  const languages = await Promise.all(
    [layout.statementIn('ja'), layout.statementIn('en')].map((name) => folder.read(name)),
  );
  const text = languages.some((each) => each !== null)
    ? languages.filter((each) => each !== null).join('\n')
    : await folder.read(layout.statement);
  if (text !== null) return { of: folder.path, text, id };
  throw new UserError({
    what: `${folder.path} has no ${layout.statement}.`,
    fix: `\`polya ahc init ${id}\` repairs the workspace; or name a file, or a contest that is known.`,
  });
}

function namedText(database: ContestDatabase, { folder }: WorkspaceQuestion, named: string): Compared {
  const path = resolve(folder, named);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { of: path, text: plainText(path), id: '' };
  const contest = database.find(named);
  if (contest !== null) return { of: contest.contest_id, text: aboutOf(contest), id: contest.contest_id };
  const near = database.nearest(named);
  throw new UserError({
    what: `${named} is neither a file nor a contest that is known.`,
    fix: `${near ? `Did you mean ${near}? ` : ''}\`polya ahc database list\` shows all that are known.`,
  });
}

/** Of a saved page with all that is in it; a statement is a hundredth of that. */
const mostBytes = 4 * 1024 * 1024;

/** A saved page is read without its tags. Throws `UserError` for what is no statement: words would be found in anything. */
function plainText(path: string): string {
  const { size } = statSync(path);
  const text = size > mostBytes ? null : utf8Text(readFileSync(path));
  if (text === null || text.includes('\0')) {
    throw new UserError({
      what: `${path} is no statement.`,
      why: size > mostBytes ? `It has ${Math.round(size / 1e6)} MB.` : 'It is not text in UTF-8.',
      fix: 'Name the statement as a text, as Markdown or as a saved page.',
    });
  }
  return /<(html|body|div|p|section)[\s>]/i.test(text) ? text.replaceAll(/<[^<>]*>/g, ' ') : text;
}
