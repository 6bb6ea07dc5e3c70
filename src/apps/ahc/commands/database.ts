/** `polya ahc database list|search|show|similar`: past contests, for people; agents read them as tools. */

import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { wholeNumber } from '../../../cli/options.ts';
import type { Output } from '../../../cli/output.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { ContestDatabase, Criteria, Searched } from '../../../families/ahc/database/database.ts';
import type { PastContest } from '../../../families/ahc/database/record.ts';
import type { Similar } from '../../../families/ahc/database/similar.ts';

import { openDatabase, similarTo } from '../../../open/families/ahc/database.ts';
import { clip, count, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import {
  hint,
  questionOf,
  tellJson,
  tellWarnings,
  together,
  type WorkspaceOptions,
  workspaceOptions,
} from '../workspace.ts';

export const ahcDatabaseList: CommandFile = {
  define(command: Command) {
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const database = await open(shell, command);
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
    const database = await open(shell, command);
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
    const database = await open(shell, command);
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
    const database = await open(shell, command);
    const [named] = command.args;
    const { of, found } = await similarTo(database, questionOf(shell, command), { named, limit });
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
    code: 'text-empty',
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

async function open(shell: Shell, command: Command): Promise<ContestDatabase> {
  const database = await openDatabase(questionOf(shell, command));
  tellWarnings(shell, database.warnings);
  return database;
}

const unknown = '–';
const fixedColumns = 52;

export function contestsTable(output: Output, contests: readonly PastContest[]): string {
  const room = Math.max(40, Math.min(120, output.columns - fixedColumns));
  const head = ['id', 'title', 'year', 'kind', 'what it asks', 'did well'];
  const rows = contests.map((contest) => [
    contest.contest_id,
    clip(oneLine(contest.title ?? unknown), 22),
    /^\d{4}/.exec(contest.date ?? '')?.[0] ?? unknown,
    kindText(contest),
    clip(oneLine(summaryOf(contest) ?? unknown), Math.ceil(room * 0.55)),
    clip(oneLine(algorithmsOf(contest).join(', ') || unknown), Math.floor(room * 0.45)),
  ]);
  return table(output, head, rows);
}

export function similarTable(output: Output, found: readonly Similar[]): string {
  const head = ['id', 'title', 'fit', 'the same tags', 'the same words', 'did well'];
  const rows = found.map(({ contest, fit, tags, words }) => [
    contest.contest_id,
    clip(oneLine(contest.title ?? unknown), 26),
    fit.toFixed(1),
    clip(oneLine(tags.join(', ') || unknown), 30),
    clip(oneLine(words.join(', ') || unknown), 40),
    clip(oneLine(algorithmsOf(contest).join(', ') || unknown), 40),
  ]);
  return table(output, head, rows);
}

/** All that is known of one; what is not, is named at the end. */
export function contestText(output: Output, contest: PastContest): string {
  const { contest_id, title, sponsor, source, problem_summary, problem_summary_ja, tags } = contest;
  const name = `${output.paint('strong', contest_id)}${title ? `  ${oneLine(title)}` : ''}`;
  const lines = [
    `${name}${sponsor ? ` (${oneLine(sponsor)})` : ''}`,
    ...line(output, 'when', whenText(contest)),
    ...line(output, 'score', scoreText(contest)),
    ...line(output, 'interactive', yesNo(contest.interactive)),
    ...line(output, 'problem', problem_summary),
    ...line(output, problem_summary ? '' : 'problem', problem_summary_ja),
    ...line(output, 'tags', tags.join(', ')),
    ...contest.solution_approaches.flatMap((approach) => approachLines(output, approach)),
    ...line(output, 'page', contest.problem_url),
    ...line(output, 'editorial', contest.official_editorial_url),
    ...contest.reference_urls.flatMap((url, at) => line(output, at === 0 ? 'see also' : '', url)),
    ...line(output, 'inferred', contest.inferred.join(', ')),
    ...line(output, 'not known', unknownOf(contest).join(', ')),
    ...line(output, 'from', source === 'internal' ? null : source),
  ];
  return `${lines.join('\n')}\n`;
}

/** Why nothing fits, criterion by criterion. */
export function nothingText({ criteria }: Searched): string {
  const lines = criteria.map(({ kind, value, alone, without, nearest }) => {
    const near = nearest === null ? '' : `; did you mean ${nearest}?`;
    const rest = criteria.length > 1 ? `; without it: ${count(without, 'contest')}` : '';
    return `  ${kind} ${oneLine(value)}: ${alone === 0 ? 'no contest has it' : count(alone, 'contest')}${near}${rest}`;
  });
  return `No past contest fits${criteria.length > 1 ? ' all of this' : ''}.\n${lines.join('\n')}\n`;
}

function summaryOf({ problem_summary, problem_summary_ja }: PastContest): string | null {
  return problem_summary ?? problem_summary_ja;
}

function algorithmsOf({ solution_approaches }: PastContest): readonly string[] {
  return [...new Set(solution_approaches.flatMap(({ algorithms_used }) => algorithms_used))];
}

/** `short int`, `long`, `long int?`: a question mark where it was inferred. */
function kindText({ kind, interactive, inferred }: PastContest): string {
  const doubt = inferred.includes('interactive') ? '?' : '';
  return `${kind ?? unknown}${interactive ? ` int${doubt}` : ''}`;
}

function whenText({ date, length_hours, kind }: PastContest): string {
  const length = length_hours === null ? [] : [`${length_hours} h`];
  return [...(date ? [date] : []), ...length, ...(kind ? [kind] : [])].join(', ');
}

function scoreText({ score_rule: { type, direction } }: PastContest): string {
  return [type, direction].filter((part) => part !== null).join(', ');
}

function yesNo(value: boolean | null): string | null {
  return value === null ? null : value ? 'yes' : 'no';
}

function approachLines(output: Output, approach: PastContest['solution_approaches'][number]): string[] {
  const { rank_range, algorithms_used, key_ideas, reference_urls, estimated_difficulty } = approach;
  const difficulty = estimated_difficulty ? ` (${estimated_difficulty})` : '';
  const first = `${rank_range ?? ''}${rank_range && algorithms_used.length > 0 ? ': ' : ''}${algorithms_used.join(', ')}${difficulty}`;
  return [
    ...line(output, 'did well', first || unknown),
    ...[...key_ideas, ...reference_urls].map((text) => `${' '.repeat(labelWidth)}- ${oneLine(text)}`),
  ];
}

function unknownOf(contest: PastContest): readonly string[] {
  const fields = {
    title: contest.title,
    sponsor: contest.sponsor,
    date: contest.date,
    length: contest.length_hours,
    'score rule': contest.score_rule.type,
    direction: contest.score_rule.direction,
    interactive: contest.interactive,
    problem: summaryOf(contest),
    'what did well': contest.solution_approaches.length > 0 ? true : null,
    page: contest.problem_url,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [name] : []));
}

const labelWidth = 13;

/** None where there is nothing to say. */
function line(output: Output, label: string, text: string | null): string[] {
  if (!text) return [];
  const named = label === '' ? '' : `${label}:`;
  return [`${output.paint('accent', named.padEnd(labelWidth))}${oneLine(text)}`];
}
