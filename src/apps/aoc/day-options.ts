/**
 * Options that name a day of Advent of Code, or files of the user's own in its place, and what they come to: what a
 * family or the user's cache is asked for. Whether such a day exists is not known here.
 */
import type { Command } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { addOptions } from '../../cli/options.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { type AocService, createAocService, type DayQuestion } from '../../families/aoc/day.ts';
import { filesSite } from '../../families/aoc/reference.ts';
import { localFiles } from '../../io/local-files.ts';
import { type AocOptions, aocdFolder, openAocSites } from '../../open/families/aoc.ts';
import type { Journals, JournalsOptions } from '../../open/options.ts';
import listed from './options.json' with { type: 'json' };

export type DayOptions = {
  readonly site?: string;
  readonly year?: number;
  readonly day?: number;
  readonly user?: string;
  readonly seed?: number;
};

export type FileOptions = {
  readonly statement?: string;
  readonly statement2?: string;
  readonly input?: string;
  readonly answer1?: string;
  readonly answer2?: string;
  /** True: where aocd itself looks. */
  readonly aocd?: string | true;
};

export type EventOptions = { readonly allowRunningEvent?: boolean };

const usualSite = 'aoc';

export function dayOptions(command: Command): Command {
  return addOptions(command, listed.day);
}

export function allowRunningEventOption(command: Command): Command {
  return command.option(
    '--allow-running-event',
    'solve a day of the event that is running, although its author asks that people do; the journal says so',
  );
}

export function eventSetting({ allowRunningEvent }: EventOptions): Pick<JournalsOptions, 'familyOptions'> {
  return allowRunningEvent ? { familyOptions: { aoc: { allowsRunningEvent: true } } } : {};
}

export function siteOf({ site = usualSite }: DayOptions): string {
  return site;
}

/** A day of a site. */
export function questionOf(options: DayOptions): DayQuestion {
  const { year, day, user, seed } = options;
  if (year === undefined || day === undefined) throw noDay(options);
  return { site: siteOf(options), year, day, user, seed };
}

export function puzzleOf(shell: Shell, options: DayOptions & FileOptions): JsonObject {
  const { statement, statement2, input, answer1, answer2 } = options;
  const aocd = options.aocd === true ? aocdFolder(shell.env) : options.aocd;
  const files = { statement, statement2, input, answer1, answer2, aocd };
  if (Object.values(files).every((file) => file === undefined)) return questionOf(options);
  const { site, year, day, user, seed } = options;
  if (site !== undefined && site !== filesSite) {
    throw new UserError({
      code: 'options-conflict',
      what: `Files of your own belong to no site, but --site ${site} is given.`,
      fix: 'Leave out --site, or the files.',
    });
  }
  if (user !== undefined || seed !== undefined) {
    throw new UserError({
      code: 'files-have-no-account',
      what: 'Files of your own belong to no account.',
      fix: 'Leave out --user and --seed, or the files.',
    });
  }
  return { site: filesSite, ...files, year, day };
}

function noDay({ year }: DayOptions): UserError {
  return new UserError({
    code: 'no-day',
    what: year === undefined ? 'No year is named.' : 'No day is named.',
    why: 'A puzzle is a day of a year, or files of your own.',
    fix: 'Give --year and --day (practice has the year 2000: `--site practice`), or --statement and --input.',
  });
}

/** The sites are closed when the work is done. */
export async function withDesk<T>(
  { folder, env, familyOptions }: Pick<Shell, 'folder' | 'env' | 'familyOptions'>,
  { home, world: { io } }: Pick<Journals, 'home' | 'world'>,
  work: (server: AocService) => Promise<T>,
  options: AocOptions = {},
): Promise<T> {
  const place = { files: localFiles(folder), env, home, clock: io.clock };
  const { settings, close } = openAocSites(place, { ...familyOptions?.aoc, ...options });
  try {
    return await work(createAocService(settings, io));
  } finally {
    await close();
  }
}
