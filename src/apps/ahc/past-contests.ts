/** Past contests in words and tables. Pure. */

import type { Output } from '../../cli/output.ts';
import type { Similar } from '../../families/ahc/database/database.ts';
import type { PastContest } from '../../families/ahc/database/record.ts';
import type { Searched } from '../../families/ahc/database/search.ts';
import { clip, count, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';

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
