/** `polya ahc database list|search|show|similar`: past contests, for people; agents read them as tools. */
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { wholeNumber } from '../../../cli/options.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { ContestDatabase } from '../../../families/ahc/database/database.ts';
import type { Criteria } from '../../../families/ahc/database/search.ts';
import { asCalled, count, harmlessJson, oneLine } from '../../../text/format.ts';
import { type AhcDatabase, loadAhcDatabase } from '../load/database.ts';
import { contestsTable, contestText, nothingText, similarTable } from '../past-contests.ts';
import { questionOf, tellWarnings, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

export const ahcDatabaseList: CommandFile = {
  define(command: Command) {
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const { database } = await open(shell, command);
    const { all, warnings } = database;
    if (command.opts<WorkspaceOptions>().json) tellJson(shell, { contests: all, warnings });
    else {
      shell.out.write(contestsTable(shell.out, all));
      hint(shell, `${count(all.length, 'contest')}; \`polya ahc database show ID\` tells all of one.`);
    }
    return exitCodes.ok;
  },
};

type SearchOptions = WorkspaceOptions & {
  readonly problem?: readonly string[];
  readonly tag?: readonly string[];
  readonly algorithm?: readonly string[];
  readonly keyword?: readonly string[];
};

export const ahcDatabaseSearch: CommandFile = {
  define(command: Command) {
    command
      .argument('[words...]', 'words anywhere in an entry, in English or Japanese; the same as --keyword')
      .addOption(repeatable('--problem <fragment>', 'a part of an id or a title'))
      .addOption(repeatable('--tag <tag>', 'grid, packing, interactive, 長方形 …'))
      .addOption(repeatable('--algorithm <name>', 'an algorithm that did well, or a part of its name'))
      .addOption(repeatable('--keyword <words>', 'words anywhere in an entry'));
    workspaceOptions(command).addHelpText(
      'after',
      `\nAll that is asked for must hold; every option may be repeated.\n${help}`,
    );
  },
  async run(shell, command) {
    const options = command.opts<SearchOptions>();
    const criteria = criteriaOf(command.args, options);
    const { database } = await open(shell, command);
    const searched = database.search(criteria);
    if (options.json) tellJson(shell, { ...searched, warnings: database.warnings });
    else if (searched.found.length === 0) shell.out.write(nothingText(searched));
    else shell.out.write(contestsTable(shell.out, searched.found));
    return exitCodes.ok;
  },
};

export const ahcDatabaseShow: CommandFile = {
  define(command: Command) {
    workspaceOptions(command.argument('<contest>', 'its id, as ahc030')).addHelpText('after', help);
  },
  async run(shell, command) {
    const [id = ''] = command.args;
    const { database } = await open(shell, command);
    const contest = database.find(id);
    if (contest === null) throw noSuchContest(database, id);
    if (command.opts<WorkspaceOptions>().json) tellJson(shell, contest);
    else shell.out.write(contestText(shell.out, contest));
    return exitCodes.ok;
  },
};

type SimilarOptions = WorkspaceOptions & { readonly limit: number };

export const ahcDatabaseSimilar: CommandFile = {
  define(command: Command) {
    command
      .argument(
        '[statement]',
        "a file, or the id of a contest that is known (default: the workspace's statement)",
      )
      .option('-n, --limit <number>', 'how many are shown', wholeNumber(1, 1000), 10);
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const { limit, json } = command.opts<SimilarOptions>();
    const { ahc, database } = await open(shell, command);
    const [named] = command.args;
    const { of, found } = await ahc.similarTo(database, questionOf(shell, command), { named, limit });
    if (json) tellJson(shell, { of, similar: found, warnings: database.warnings });
    else if (found.length === 0)
      shell.out.write(`No past contest has words in common with ${oneLine(of)}.\n`);
    else {
      shell.out.write(similarTable(shell.out, found));
      hint(
        shell,
        `Held against ${of} by words and tags alone: a likeness of what is said, not of what solves it.`,
      );
    }
    return exitCodes.ok;
  },
};

const help = `
What is known comes with Polya; what is not known is left empty. \`polya ahc config past_contest_db.path PLACE\` adds
entries of yours, which go before it: a folder of *.json, or a SQLite file (their form: docs/ahc.md).

Examples: polya ahc database search 焼きなまし --tag geometry
          polya ahc database search --algorithm beam --keyword "noisy"
          polya ahc database similar ahc030`;

const together = (value: string, before: readonly string[] = []) => [...before, value];

function repeatable(flags: string, about: string): Option {
  return new Option(flags, about).argParser(together);
}

function criteriaOf(words: readonly string[], { problem, tag, algorithm, keyword }: SearchOptions): Criteria {
  const criteria = {
    problem: problem ?? [],
    tags: tag ?? [],
    algorithms: algorithm ?? [],
    keywords: [...(keyword ?? []), ...words],
  };
  if (Object.values(criteria).some((values) => values.some((value) => value.trim() !== ''))) return criteria;
  throw new UserError({
    code: 'nothing-search-for',
    what: 'There is nothing to search for.',
    fix: 'Give words, or --problem, --tag, --algorithm or --keyword; `polya ahc database list` shows all.',
  });
}

function noSuchContest(database: ContestDatabase, id: string): UserError {
  const near = database.nearest(id);
  const numbered = database.all
    .map(({ contest_id }) => contest_id)
    .filter((known) => /^ahc\d{3}$/.test(known));
  return new UserError({
    code: 'no-such-contest',
    what: `The database has no contest ${id.trim() === '' ? 'without an id' : oneLine(id)}.`,
    why: `It knows ${numbered[0]} to ${numbered.at(-1)}, and ${count(database.all.length - numbered.length, 'other')}.`,
    fix: `${near ? `Did you mean ${near}? ` : ''}\`polya ahc database list\` shows all that it has.`,
  });
}

async function open(
  shell: Shell,
  command: Command,
): Promise<{ readonly ahc: AhcDatabase; readonly database: ContestDatabase }> {
  const ahc = await loadAhcDatabase();
  const database = await ahc.openDatabase(questionOf(shell, command));
  tellWarnings(shell, database.warnings);
  return { ahc, database };
}

function tellJson(shell: Shell, value: unknown): void {
  shell.out.write(`${harmlessJson(value, 2)}\n`);
}

function hint(shell: Shell, text: string): void {
  shell.err.write(`${shell.err.paint('faint', oneLine(asCalled(text, shell)))}\n`);
}
