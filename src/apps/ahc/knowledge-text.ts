/** What sessions have learned, as tables, as one piece or prompt in full, and as JSON. Pure. */

import type { Output } from '../../cli/output.ts';
import type { FoundPiece, PromptCredit } from '../../families/ahc/knowledge/search.ts';
import { clip, grouped, harmless, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';

export function piecesTable(out: Output, pieces: readonly FoundPiece[], limit: number): string {
  const shown = pieces.slice(0, limit);
  const idWidth = Math.max(0, ...shown.map(({ id }) => id.length));
  const room = Math.max(30, Math.min(90, out.columns - idWidth - 50));
  const rows = shown.map(({ id, from, summary, ...scores }) => [
    id,
    sourceText(from.contest, from.isScript),
    gainText(scores),
    clip(oneLine(summary), room),
  ]);
  return `${table(out, ['piece', 'contest', 'score', 'what it does'], rows)}${restText(pieces.length - shown.length)}`;
}

export function promptsTable(out: Output, prompts: readonly PromptCredit[], limit: number): string {
  const shown = prompts.slice(0, limit);
  const rows = shown.map((prompt) => [
    prompt.name,
    sourceText(prompt.contests.join(' '), prompt.isScript),
    prompt.sessions.length,
    prompt.made,
    prompt.evaluated,
    shareText(prompt),
    prompt.improvements,
    prompt.tokens === null ? 'unknown' : grouped(prompt.tokens),
    prompt.isOwn ? clip(oneLine(prompt.words), 60) : '',
  ]);
  const heads = ['prompt', 'contests', 'sessions', 'used', 'run on all', 'better than parents (95 %)'];
  const all = [...heads, 'new best', 'tokens', 'your words'];
  return `${table(out, all, rows)}${restText(prompts.length - shown.length)}`;
}

export function pieceText(
  { paint }: Output,
  { id, from, operator, summary, code, ...scores }: FoundPiece,
): string {
  const contest = oneLine([from.contest, from.title].filter((each) => each !== '').join(' '));
  return [
    paint('strong', oneLine(id)),
    `${contest}: ${oneLine(operator)}, score ${gainText(scores)} on the cases of its search${from.isScript ? '; the replies were a script’s' : ''}`,
    oneLine(summary),
    '',
    `${harmless(code)}\n`,
  ].join('\n');
}

export function promptText({ paint }: Output, prompt: PromptCredit): string {
  const { name, contests, sessions, made, improvements, words, isScript } = prompt;
  return [
    paint('strong', oneLine(name)),
    `used ${made} times in ${sessions.length} session${sessions.length === 1 ? '' : 's'} of ${oneLine(contests.join(', '))}${isScript ? '; replies of a script are among them' : ''}`,
    `better than what was changed: ${shareText(prompt)}; ${improvements} made the best better`,
    '',
    `${harmless(words)}\n`,
  ].join('\n');
}

/** `15 to 18 (+20 %)`; from nothing there is no share. */
function gainText({ before, after }: Pick<FoundPiece, 'before' | 'after'>): string {
  const change = before === 0 ? '' : ` (${percent(Math.abs(after - before) / Math.abs(before), 1)})`;
  return `${rounded(before)} to ${rounded(after)}${change}`;
}

function shareText({ betterThanParents, made, interval }: PromptCredit): string {
  if (interval === null) return '–';
  const share = percent(betterThanParents / made, 0);
  return `${betterThanParents}: ${share} (${percent(interval.low, 0)} to ${percent(interval.high, 0)})`;
}

const rounded = (score: number): string => String(Number(score.toPrecision(6)));

const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`;

const sourceText = (contests: string, isScript: boolean): string =>
  `${contests}${isScript ? ' (script)' : ''}`;

const restText = (rest: number): string =>
  rest > 0 ? `… and ${rest} more: --limit N shows more of them.\n` : '';

export function pieceJson({ from, ...piece }: FoundPiece) {
  return { ...piece, contest: from.contest, session: from.session, is_script: from.isScript };
}

export function promptJson({ isOwn, isScript, ...prompt }: PromptCredit) {
  return { ...prompt, is_own: isOwn, is_script: isScript };
}
