/** The past contests that come with Polya, with those of the user's own before them. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { type ContestDatabase, contestDatabase } from '../../../families/ahc/database/database.ts';
import {
  contestTables,
  entriesOfTables,
  entryOfText,
  merged,
  type PastContest,
  type ReadEntry,
} from '../../../families/ahc/database/record.ts';
import { bundled } from '../../../io/bundled.ts';
import { readForeignTables } from '../../../io/foreign-tables.ts';
import { indexTexts } from '../../../io/text-index.ts';
import { utf8Text } from '../../../io/utf8.ts';
import { ownPath } from './own-path.ts';
import { similarTo } from './similar.ts';
import { configIn, type WorkspaceQuestion, workspaceOrNull } from './workspace.ts';

const shipped = bundled('contest-database');

/**
 * A workspace is not needed; where one is found, its configuration holds. Throws `UserError` for a place
 * that is not there; an entry that cannot be read is skipped, and a warning.
 */
export async function openDatabase(question: WorkspaceQuestion): Promise<ContestDatabase> {
  const config = configIn(workspaceOrNull(question), question);
  const internal = wholeOf(entriesIn(shipped, () => 'internal'));
  const own = ownEntries(config, question);
  const faults = own.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  const skipped = [...faults, ...repeatedIn(wholeOf(own))].map((fault) => `${fault} It is skipped.`);
  return contestDatabase(merged(wholeOf(own), internal), {
    index: indexTexts,
    warnings: [...config.warnings, ...skipped],
  });
}

function ownEntries(config: Resolved, question: WorkspaceQuestion): readonly ReadEntry[] {
  const own = ownPath(config, 'past_contest_db.path', question);
  if (own === null) return [];
  if (own.isFolder) return entriesIn(own.path, (file) => file);
  const tables = readForeignTables(own.path, contestTables);
  if (tables.contests) return entriesOfTables(tables, own.path);
  throw new UserError({
    code: 'no-table-contests',
    what: `${own.path} has no table contests.`,
    why: 'past_contest_db.path is a folder of *.json, or a SQLite file with the tables contests, contest_tags and solution_approaches.',
    fix: 'Make that table, or name another place.',
  });
}

/** Of two entries of one id the first is taken. */
function repeatedIn(own: readonly PastContest[]): string[] {
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
  let bytes: Buffer;
  try {
    // A pipe, which nobody ever writes to, or a device without an end would be read for ever.
    if (!statSync(file).isFile()) return { contest: null, fault: `${source} is no file.` };
    bytes = readFileSync(file);
  } catch (error) {
    return { contest: null, fault: `${source} cannot be read (${codeOf(error)}).` };
  }
  const text = utf8Text(bytes);
  return text === null
    ? { contest: null, fault: `${source} is not text in UTF-8.` }
    : entryOfText(text, source);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

function wholeOf(entries: readonly ReadEntry[]): PastContest[] {
  return entries.flatMap(({ contest }) => (contest === null ? [] : [contest]));
}

export const ahcDatabase = { openDatabase, similarTo };
