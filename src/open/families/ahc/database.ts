/** The past contests that come with Polya, with those of the user's own before them. */
import { readdirSync } from 'node:fs';
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
import { decodeUtf8, readPlainFileSync } from '../../../io/plain-file.ts';
import { indexTexts } from '../../../io/text-index.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { configIn, ownPath, type WorkspaceQuestion, workspaceOrNull } from './workspace.ts';

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
