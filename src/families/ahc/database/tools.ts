/** What an agent may ask of past contests: search, and one entry whole. Reading them changes nothing. */
import { z } from 'zod';
import type { EffectContext, Tool, ToolResult } from '../../../core/problem.ts';
import { readingTool } from '../reading-tool.ts';
import type { ContestDatabase, Criterion } from './database.ts';
import type { PastContest } from './record.ts';

const words = (description: string) => z.exactOptional(z.array(z.string()).describe(description));
const limitOf = (description: string) => z.exactOptional(z.int().min(1).max(30).describe(description));

const searchInput = z.object({
  keywords: words('Words anywhere in an entry, in English or Japanese; all of them must be there.'),
  tags: words('Tags such as grid, packing, interactive, simulated_annealing.'),
  algorithms: words('Algorithms that did well, or parts of their names.'),
  problem: words('Parts of an id or a title.'),
  limit: limitOf('How many to list, the best first; default 10.'),
});

/** What past contests are compared with. */
export type CurrentProblem = { readonly statement: string; readonly contest: string };

export function databaseTools(
  database: (context: EffectContext) => Promise<ContestDatabase>,
  currentProblem: CurrentProblem,
): readonly Tool[] {
  return [
    readingTool(database, {
      name: 'contests_search',
      description:
        'Find past AtCoder Heuristic Contests and the approaches that did well in them. All criteria must hold; without any, all contests are listed.',
      parameters: searchInput,
      call: search,
    }),
    readingTool(database, {
      name: 'contests_show',
      description: 'One past contest whole: what it asked, its score rule, tags, approaches, references.',
      parameters: z.object({ contest_id: z.string().describe('As contests_search lists it: ahc030.') }),
      call: (contests, { contest_id }) => show(contests, contest_id),
    }),
    readingTool(database, {
      name: 'contests_similar',
      description:
        'Past contests whose statements speak of what this problem speaks of, with what did well in them.',
      parameters: z.object({ limit: limitOf('How many, the most alike first; default 5.') }),
      call: (contests, { limit = 5 }) => similarContests(contests, currentProblem, limit),
    }),
  ];
}

function search(database: ContestDatabase, args: z.infer<typeof searchInput>): ToolResult {
  const { limit = 10, ...criteria } = args;
  const { found, criteria: told } = database.search(criteria);
  const visible = found.slice(0, limit);
  const lines = visible.map(lineOf);
  const rest = found.length - visible.length;
  if (rest > 0) lines.push(`… and ${rest} more: ask more narrowly, or for a larger limit.`);
  return {
    text: found.length > 0 ? lines.join('\n') : `No contest fits all of it. ${told.map(hintOf).join(' ')}`,
    data: { found: found.map(({ contest_id }) => contest_id) },
  };
}

function similarContests(
  database: ContestDatabase,
  { statement, contest }: CurrentProblem,
  limit: number,
): ToolResult {
  const found = database.similar(statement, limit, contest);
  const lines = found.map(
    (each) => `${lineOf(each.contest)} | alike in: ${[...each.tags, ...each.words].slice(0, 8).join(', ')}`,
  );
  return {
    text: lines.join('\n') || 'No past contest speaks of the same things.',
    data: { found: found.map((each) => each.contest.contest_id) },
  };
}

function show(database: ContestDatabase, id: string): ToolResult {
  const contest = database.find(id);
  if (contest === null) {
    const nearby = database.nearest(id);
    return { text: `There is no contest ${id}.${nearby ? ` Did you mean ${nearby}?` : ''}`, isError: true };
  }
  const { source, ...entry } = contest;
  // Empty fields are left out.
  const text = JSON.stringify(entry, (_, value) => (isEmpty(value) ? undefined : value), 1);
  return { text, data: { contest: contest.contest_id, source } };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function lineOf(contest: PastContest): string {
  const { contest_id, title, kind, problem_summary, problem_summary_ja, tags, solution_approaches } = contest;
  const name = [contest_id, ...(title ? [title] : []), ...(kind ? [`(${kind})`] : [])].join(' ');
  const algorithms = solution_approaches.flatMap(({ algorithms_used }) => algorithms_used);
  return [
    `${name}: ${problem_summary ?? problem_summary_ja ?? 'what it asked is not known.'}`,
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ...(algorithms.length > 0 ? [`did well: ${algorithms.join(', ')}`] : []),
  ].join(' | ');
}

function hintOf({ kind, value, alone, without, nearest }: Criterion): string {
  const nearby = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `${kind} "${value}": ${alone} alone, ${without} without it.${nearby}`;
}
