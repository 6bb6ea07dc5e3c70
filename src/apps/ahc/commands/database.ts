/** `polya ahc database list|search|show`: past contests, for people; agents read them as tools. */
import type { Command } from 'commander';
import type { CommandFile, Output, Shell } from '../../../cli/contract.ts';
import { collectRepeated } from '../../../cli/options.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { ContestDatabase, SearchOutcome } from '../../../families/ahc/database/database.ts';
import type { PastContest } from '../../../families/ahc/database/record.ts';
import { openDatabase } from '../../../open/families/ahc/database.ts';
import { count, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { fitToWidth } from '../../../text/wrap.ts';
import {
  hint,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOptions,
} from '../workspace.ts';

export const ahcDatabaseList: CommandFile = {
  define(command: Command) {
    withHelp(workspaceOptions(command), 'database');
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
      .option('--problem <fragment>', 'a part of an id or a title', collectRepeated)
      .option('--tag <tag>', 'grid, packing, interactive, 長方形 …', collectRepeated)
      .option('--algorithm <name>', 'an algorithm that did well, or a part of its name', collectRepeated)
      .option('--keyword <words>', 'words anywhere in an entry', collectRepeated);
    withHelp(workspaceOptions(command), 'database search', 'database');
  },
  async run(shell, command) {
    const { json, problem = [], tag = [], algorithm = [], keyword = [] } = command.opts<SearchOptions>();
    const keywords = [...keyword, ...command.args];
    if ([...problem, ...tag, ...algorithm, ...keywords].every((value) => value.trim() === '')) {
      throw new UserError({
        code: 'text-empty',
        what: 'There is nothing to search for.',
        fix: 'Give words, or --problem, --tag, --algorithm or --keyword; `polya ahc database list` shows all.',
      });
    }
    const database = await open(shell, command);
    const searchOutcome = database.search({ problem, tags: tag, algorithms: algorithm, keywords });
    if (json) tellJson(shell, { ...searchOutcome, warnings: database.warnings });
    else if (searchOutcome.found.length === 0) shell.out.write(nothingText(searchOutcome));
    else shell.out.write(contestsTable(shell.out, searchOutcome.found));
    return exitCodes.ok;
  },
};

export const ahcDatabaseShow: CommandFile = {
  define(command: Command) {
    withHelp(workspaceOptions(command.argument('<contest>', 'its id, as ahc030')), 'database');
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

function noSuchContest(database: ContestDatabase, id: string): UserError {
  const nearby = database.nearest(id);
  const ids = database.all.map(({ contest_id }) => contest_id);
  const numbered = ids.filter((known) => /^ahc\d{3}$/.test(known));
  return new UserError({
    code: 'no-such-contest',
    what: `The database has no contest ${id.trim() === '' ? 'without an id' : oneLine(id)}.`,
    why: `It knows ${numbered[0]} to ${numbered.at(-1)}, and ${count(ids.length - numbered.length, 'other')}.`,
    fix: `${nearby ? `Did you mean ${nearby}? ` : ''}\`polya ahc database list\` shows all that it has.`,
  });
}

async function open(shell: Shell, command: Command): Promise<ContestDatabase> {
  const database = await openDatabase(questionOf(shell, command));
  tellWarnings(shell, database.warnings);
  return database;
}

const unknown = '–';
const fixedColumns = 52;

const cell = (text: string | null, width: number): string => fitToWidth(oneLine(text || unknown), width);

function contestsTable(output: Output, contests: readonly PastContest[]): string {
  const capacity = Math.max(40, Math.min(120, output.columns - fixedColumns));
  const rows = contests.map((contest) => [
    contest.contest_id,
    cell(contest.title, 22),
    /^\d{4}/.exec(contest.date ?? '')?.[0] ?? unknown,
    kindText(contest),
    cell(contest.problem_summary ?? contest.problem_summary_ja, Math.ceil(capacity * 0.55)),
    cell(algorithmsOf(contest), Math.floor(capacity * 0.45)),
  ]);
  return table(output, ['id', 'title', 'year', 'kind', 'what it asks', 'did well'], rows);
}

const labelWidth = 13;

/** All that is known of one; what is not, is named at the end. */
function contestText({ paint }: Output, contest: PastContest): string {
  const { contest_id, title, sponsor, source, problem_summary, problem_summary_ja, interactive } = contest;
  const { date, length_hours, kind, score_rule } = contest;
  const entries: readonly (readonly [label: string, text: string | null])[] = [
    ['when', [date, length_hours === null ? null : `${length_hours} h`, kind].filter(Boolean).join(', ')],
    ['score', [score_rule.type, score_rule.direction].filter(Boolean).join(', ')],
    ['interactive', interactive === null ? null : interactive ? 'yes' : 'no'],
    ['problem', problem_summary],
    [problem_summary ? '' : 'problem', problem_summary_ja],
    ['tags', contest.tags.join(', ')],
    ...contest.solution_approaches.flatMap(approachFacts),
    ['page', contest.problem_url],
    ['editorial', contest.official_editorial_url],
    ...contest.reference_urls.map((url, at) => [at === 0 ? 'see also' : '', url] as const),
    ['inferred', contest.inferred.join(', ')],
    ['not known', unknownOf(contest).join(', ')],
    ['from', source === 'internal' ? null : source],
  ];
  const lines = entries.flatMap(([label, text]) => {
    const named = label === '' ? '' : `${label}:`;
    return text ? [`${paint('accent', named.padEnd(labelWidth))}${oneLine(text)}`] : [];
  });
  const name = `${paint('strong', contest_id)}${title ? `  ${oneLine(title)}` : ''}`;
  return `${[`${name}${sponsor ? ` (${oneLine(sponsor)})` : ''}`, ...lines].join('\n')}\n`;
}

function approachFacts(approach: PastContest['solution_approaches'][number]) {
  const { rank_range, algorithms_used, key_ideas, reference_urls, estimated_difficulty } = approach;
  const difficulty = estimated_difficulty ? ` (${estimated_difficulty})` : '';
  const what = [rank_range, algorithms_used.join(', ')].filter(Boolean).join(': ');
  const ideas = [...key_ideas, ...reference_urls].map((text) => ['', `- ${text}`] as const);
  return [['did well', `${what}${difficulty}` || unknown] as const, ...ideas];
}

/** Why nothing fits, criterion by criterion. */
function nothingText({ criteria }: SearchOutcome): string {
  const lines = criteria.map(({ kind, value, alone, without, nearest }) => {
    const nearby = nearest === null ? '' : `; did you mean ${nearest}?`;
    const rest = criteria.length > 1 ? `; without it: ${count(without, 'contest')}` : '';
    return `  ${kind} ${oneLine(value)}: ${alone === 0 ? 'no contest has it' : count(alone, 'contest')}${nearby}${rest}`;
  });
  return `No past contest fits${criteria.length > 1 ? ' all of this' : ''}.\n${lines.join('\n')}\n`;
}

function algorithmsOf({ solution_approaches }: PastContest): string {
  return [...new Set(solution_approaches.flatMap(({ algorithms_used }) => algorithms_used))].join(', ');
}

/** `short int`, `long`, `long int?`: a question mark where it was inferred. */
function kindText({ kind, interactive, inferred }: PastContest): string {
  const doubt = inferred.includes('interactive') ? '?' : '';
  return `${kind ?? unknown}${interactive ? ` int${doubt}` : ''}`;
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
    problem: contest.problem_summary ?? contest.problem_summary_ja,
    'what did well': contest.solution_approaches[0] ?? null,
    page: contest.problem_url,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [name] : []));
}
