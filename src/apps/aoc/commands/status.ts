/** `polya aoc status`: what the user's cache holds of the days, and what was answered to them. It asks no site. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { withPolya } from '../../../cli/journals.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { AocService, DayQuestion, DayStatus } from '../../../families/aoc/day.ts';
import { findHome } from '../../../io/home.ts';
import type { Journals } from '../../../open/options.ts';
import { findUntrusted } from '../../../open/trust/trust.ts';
import { practiceEvents } from '../../../practice/puzzles/index.ts';
import { asCalled, escapedJson } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { type DayOptions, dayOptions, siteOf, withDesk } from '../day-options.ts';

type Options = DayOptions & { readonly json?: boolean };
type Kept = DayStatus & { readonly year: number; readonly day: number };

const firstYear = 2015;
const mostDays = 25;

export const aocStatus: CommandFile = {
  define(command: Command) {
    dayOptions(command).option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const kept = hasNoAccount(shell, options)
      ? []
      : await withPolya(shell, (polya) =>
          withDesk(shell, polya, (server) => keptDays(server, questionsOf(polya, options))),
        ).catch(emptyWithoutAccount);
    if (options.json) shell.out.write(`${escapedJson({ site: siteOf(options), days: kept }, 2)}\n`);
    else printCalendar(shell, options, kept);
    return exitCodes.ok;
  },
};

/** The accounts of the practice site lie in the folder of the runs: looking must not make them, nor open those of a stranger. */
function hasNoAccount({ folder, env }: Shell, options: Options): boolean {
  if (siteOf(options) !== 'practice') return false;
  const home = findHome(folder, env).folder;
  return !existsSync(join(home, 'practice', 'practice.sqlite')) || findUntrusted(home, env).files.length > 0;
}

/** Kept data belongs to an account, so without a cookie there is none. */
function emptyWithoutAccount(error: unknown): readonly Kept[] {
  if (error instanceof UserError && error.explanation.code === 'no-session') return [];
  throw error;
}

function questionsOf({ world }: Journals, options: Options): DayQuestion[] {
  const { user, seed } = options;
  return calendarOf(options, new Date(world.io.clock.now()).getFullYear())
    .filter(({ year }) => options.year === undefined || year === options.year)
    .filter(({ day }) => options.day === undefined || day === options.day)
    .map((each) => ({ site: siteOf(options), ...each, user, seed }));
}

/** Every day there may have been. */
function calendarOf(options: Options, thisYear: number): { year: number; day: number }[] {
  const years =
    siteOf(options) === 'practice'
      ? practiceEvents
      : Array.from({ length: thisYear - firstYear + 1 }, (_, index) => ({
          year: firstYear + index,
          days: Array.from({ length: mostDays }, (_each, day) => day + 1),
        }));
  return years.flatMap(({ year, days }) => days.map((day) => ({ year, day })));
}

async function keptDays(server: AocService, questions: readonly DayQuestion[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const question of questions) {
    const status = await server.status(question);
    if (!status.hasPage && !status.hasInput && status.guesses.length === 0) continue;
    kept.push({ year: question.year, day: question.day, ...status });
  }
  return kept;
}

function printCalendar(shell: Shell, options: Options, kept: readonly Kept[]): void {
  if (kept.length === 0) {
    const nothing = `Nothing is kept of ${nameOf(options)}. \`polya aoc fetch\` fetches a day.\n`;
    shell.out.write(asCalled(nothing, shell));
    return;
  }
  const head = ['year', 'day', 'title', 'stars', 'page', 'input', 'answers'];
  const rows = kept.map(({ year, day, title, stars, hasPage, hasInput, guesses }) => [
    String(year),
    String(day),
    title ?? '',
    stars,
    hasPage ? 'yes' : 'no',
    hasInput ? 'yes' : 'no',
    guesses.length,
  ]);
  shell.out.write(table(shell.out, head, rows));
  const [only, ...siblings] = kept;
  if (!only || siblings.length > 0 || only.guesses.length === 0) return;
  const lines = only.guesses.map(({ part, answer, verdict }) => [part, answer, verdict]);
  shell.out.write(`\n${table(shell.out, ['part', 'answer', 'verdict'], lines)}`);
}

function nameOf({ year, day, ...options }: Options): string {
  const site = siteOf(options);
  if (year === undefined) return day === undefined ? site : `day ${day} of any year of ${site}`;
  return day === undefined ? `${year} of ${site}` : `day ${day} of ${year} of ${site}`;
}
