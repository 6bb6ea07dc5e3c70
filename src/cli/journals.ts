/** Opens the journals of the working folder, and finds in them the run that a few letters name. */
import { UserError } from '../core/errors.ts';
import type { RunRow, Store } from '../core/store.ts';
import { hasRuns, openJournals } from '../open/journals.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { count } from '../text/format.ts';
import type { Shell } from './contract.ts';

/** Closed when the work is done, whatever comes of it. */
export async function withPolya<T>(
  shell: Shell,
  work: (polya: Journals) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  const polya = openJournals({
    folder: shell.folder,
    env: shell.env,
    create: true,
    person: { terminal: shell.person, announce: (line) => shell.err.write(`${line}\n`) },
    ...options,
    code: { onNotice: (notice) => shell.err.write(`${notice}\n`), ...options.code },
    familyOptions: mergedOptions(shell.familyOptions, options.familyOptions),
  });
  try {
    return await work(polya);
  } finally {
    await polya.close();
  }
}

function mergedOptions(
  own: JournalsOptions['familyOptions'] = {},
  asked: JournalsOptions['familyOptions'] = {},
): NonNullable<JournalsOptions['familyOptions']> {
  const aoc = { ...own.aoc, ...asked.aoc };
  return { ...own, ...asked, aoc };
}

/** For commands that need a run which is there: they make nothing where there is none. */
export async function withRun<T>(
  shell: Shell,
  name: string,
  work: (polya: Journals, row: RunRow) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  if (!anyRuns(shell)) throw noRuns(name);
  return withPolya(shell, async (polya) => work(polya, await findRun(polya.world.store, name)), {
    ...options,
    create: false,
  });
}

export function anyRuns(shell: Shell): boolean {
  return hasRuns({ folder: shell.folder, env: shell.env });
}

/** `last`, an id, or as much of its beginning or of its end as names one run only. */
export async function findRun(store: Store, name: string): Promise<RunRow> {
  const exact = await store.get(name);
  if (exact) return exact;
  const [newest, ...older] = await store.list(name === 'last' ? { limit: 1 } : {});
  if (!newest) throw noRuns(name);
  if (name === 'last') return newest;
  const found = [newest, ...older].filter(({ id }) => id.startsWith(name) || id.endsWith(name));
  const [only, ...others] = found;
  if (only && name !== '' && others.length === 0) return only;
  if (!only || name === '') throw noSuchRun(name);
  throw ambiguous(name, found);
}

function ambiguous(name: string, found: readonly RunRow[]): UserError {
  const shown = found.slice(0, 5).map(({ id }) => id);
  return new UserError({
    code: 'run-ambiguous',
    what: `${count(found.length, 'run')} begin or end with ${name}.`,
    why: `Among them: ${shown.join(', ')}.`,
    fix: 'Give more of the id.',
  });
}

function noSuchRun(name: string): UserError {
  return new UserError({
    code: 'no-such-run',
    what: `There is no run ${name || '""'} here.`,
    fix: '`polya runs list` shows the runs of this folder; `last` is the newest.',
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
