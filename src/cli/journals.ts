/** Opens the journals of the working folder, and finds in them the run that a few letters name. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { JournalError, UserError } from '../core/errors.ts';
import type { RunRow, Store } from '../core/store.ts';
import { findHome } from '../io/home.ts';
import { hasRuns, openJournals } from '../open/journals.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { configFor } from '../open/user-code/config.ts';
import { corruptionByRun, type readJournal } from '../run/load.ts';
import { readableRuns } from '../run/spending.ts';
import { count } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { printStore } from './store-only.ts';

/** Closed when the work is done, whatever comes of it. */
export async function withPolya<T>(
  shell: Shell,
  work: (polya: Journals) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  const [own, familyOptions] = [shell.familyOptions, options.familyOptions];
  const polya = openJournals({
    folder: shell.folder,
    env: shell.env,
    create: true,
    person: { terminal: shell.person, announce: (line) => (shell.loud ?? shell.err).write(`${line}\n`) },
    addresses: {
      named: namedUrls(shell),
      ...(shell.isInteractive ? { confirm: (question) => shell.confirm(question, false) } : {}),
    },
    ...options,
    code: { onNotice: (notice) => shell.err.write(`${notice}\n`), ...options.code },
    familyOptions: { ...own, ...familyOptions, aoc: { ...own?.aoc, ...familyOptions?.aoc } },
  });
  if (shell.err.isTerminal) printStore(shell, polya.place.name);
  try {
    return await work(polya);
  } finally {
    for (const [id, { seq, reason }] of corruptionByRun(polya.world.store))
      shell.unread?.add(
        `the journal of run ${id} is damaged at event ${seq}: ${reason}. What is before it is whole.`,
      );
    await polya.close();
  }
}

/** Without the roles before them. */
function namedUrls({ namedUrls = [] }: Shell): readonly string[] {
  return namedUrls.map((text) => text.replace(/^[A-Za-z][\w/-]*=/, '').trim());
}

export function runArgument(command: Command): Command {
  return command.argument('<run>', 'its id, the beginning or end of it, or `last`');
}

/** For commands that need a run which is there: they make nothing where there is none. */
export async function withRun<T>(
  shell: Shell,
  name: string,
  work: (polya: Journals, row: RunRow) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  if (!anyRuns(shell)) throw noRuns(name);
  const found = async (polya: Journals) => work(polya, await findRun(polya.world.store, name));
  return withPolya(shell, found, { ...options, create: false });
}

export function anyRuns(shell: Shell): boolean {
  return hasRuns({ folder: shell.folder, env: shell.env });
}

/** `last`, an id, or as much of its beginning or of its end as names one run only. */
export async function findRun(store: Store, name: string): Promise<RunRow> {
  const exact = await store.get(name);
  if (exact) return exact;
  const all = await readableRuns(store, () => undefined, name === 'last' ? { limit: 1 } : {});
  if (all.length === 0) throw noRuns(name);
  const found = matching(all, name);
  const [only] = found;
  if (!only) {
    throw new UserError({
      code: 'no-such-run',
      what: `There is no run ${name || '""'} here.`,
      fix: '`polya runs list` shows the runs of this folder; `last` is the newest.',
    });
  }
  if (found.length === 1) return only;
  const visible = found.slice(0, 5).map(({ id }) => id);
  throw new UserError({
    code: 'run-ambiguous',
    what: `${count(found.length, 'run')} begin or end with ${name}.`,
    why: `Among them: ${visible.join(', ')}.`,
    fix: 'Give more of the id.',
  });
}

/** Each once, in the order in which they are named. */
export async function findRuns(store: Store, names: readonly string[]): Promise<readonly RunRow[]> {
  const rows = new Map<string, RunRow>();
  for (const name of names) {
    const row = await findRun(store, name);
    rows.set(row.id, row);
  }
  return [...rows.values()];
}

/** The rows that a name may mean, the newest first. */
export function matching<Row extends { readonly id: string }>(
  rows: readonly Row[],
  name: string,
): readonly Row[] {
  if (name === 'last') return rows.slice(0, 1);
  return name === '' ? [] : rows.filter(({ id }) => id.startsWith(name) || id.endsWith(name));
}

/** Throws `JournalError`: no part of a damaged journal is passed on as if it were the whole. */
export function assertIntact(
  id: string,
  { damage }: Pick<Awaited<ReturnType<typeof readJournal>>, 'damage'>,
  consequence = '',
): void {
  if (!damage) return;
  throw new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged at event ${damage.seq}: ${damage.reason}${consequence}.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}

function noRuns(name: string): UserError {
  return new UserError({
    code: 'no-runs',
    what: `There is no run ${name} here.`,
    why: 'No run has been made in this folder, nor in one above it.',
    fix: 'Start one with `polya demo`, go to the folder of your runs, or name it with POLYA_HOME.',
  });
}

type HomeOptions = {
  readonly opening: JournalsOptions;
  /** For a dry run. */
  readonly isScratch?: boolean;
  readonly keepsCache?: boolean;
};

/** Opens the journals of the working folder, or of a home that is gone afterwards. */
export function withHome<T>(
  shell: Shell,
  work: (polya: Journals) => Promise<T>,
  { opening, isScratch, keepsCache }: HomeOptions,
): Promise<T> {
  if (!isScratch) return withPolya(shell, work, opening);
  return withScratch(shell, { keepsCache }, (scratch) => withPolya(scratch, work, opening));
}

export async function withScratch<T>(
  shell: Shell,
  /** Pages of a site that must not be asked twice stay in its user's cache. */
  { keepsCache = true }: { readonly keepsCache?: boolean },
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    const cache = keepsCache ? {} : { XDG_CACHE_HOME: folder };
    const home = findHome(shell.folder, shell.env).folder;
    const config = configFor({ folder: shell.folder, env: shell.env, home });
    const env = { ...shell.env, POLYA_HOME: folder, POLYA_STORE: '', POLYA_CONFIG: config, ...cache };
    shell.knownStores?.add(folder);
    return await work({ ...shell, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
