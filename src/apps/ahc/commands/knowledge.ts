/** `polya ahc knowledge list|search|show`: what sessions have learned, for people; agents look it up with a tool. */

import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { wholeNumber } from '../../../cli/options.ts';
import type { Output } from '../../../cli/output.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { FoundPiece, Knowledge, PromptCredit } from '../../../families/ahc/knowledge/knowledge.ts';
import { searchKnowledge, searchPrompts } from '../../../families/ahc/knowledge/knowledge.ts';
import { openKnowledge } from '../../../open/families/ahc/knowledge.ts';
import { clip, grouped, harmless, harmlessJson, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { questionOf, tellWarnings, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & { readonly limit?: number };

export const ahcKnowledgeList: CommandFile = {
  define(command: Command) {
    limitOption(workspaceOptions(command)).addHelpText('after', help);
  },
  async run(shell, command) {
    const known = knownHere(shell, command);
    const found = { pieces: searchKnowledge(known, {}), prompts: searchPrompts(known, []) };
    if (known.length === 0 && !isJson(command)) shell.out.write(`${nothing}\n`);
    else tell(shell, command, found);
    return exitCodes.ok;
  },
};

export const ahcKnowledgeSearch: CommandFile = {
  define(command: Command) {
    limitOption(
      workspaceOptions(
        command.argument(
          '<keyword...>',
          'words of a change, its code, a prompt, or a contest; the more, the better',
        ),
      ),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const [keywords]: [string[]] = command.processedArgs as [string[]];
    if (keywords.join('').trim() === '') {
      throw new UserError({
        code: 'text-empty',
        what: 'The keywords are empty.',
        fix: 'Name what you look for, as in `polya ahc knowledge search swap`, or see all with `polya ahc knowledge list`.',
      });
    }
    const known = knownHere(shell, command);
    const found = {
      pieces: searchKnowledge(known, { keywords }),
      prompts: searchPrompts(known, keywords),
    };
    if (found.pieces.length + found.prompts.length === 0 && !isJson(command)) {
      shell.out.write(`Nothing that sessions learned fits ${oneLine(keywords.join(' '))}.\n`);
    } else tell(shell, command, found, { keywords });
    return exitCodes.ok;
  },
};

export const ahcKnowledgeShow: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command.argument(
        '<id>',
        '[CONTEST/]SESSION/gen03_id02, or for a prompt its name or SESSION/change, as the list with --json has them',
      ),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const [id]: [string] = command.processedArgs as [string];
    const known = knownHere(shell, command);
    const pieces = searchKnowledge(known, {}).filter((each) => isNamed([each.id], [each.from.contest], id));
    const prompts = searchPrompts(known, []).filter((each) => isNamed(each.ids, each.contests, id));
    const [piece] = pieces;
    const [prompt] = prompts;
    if (pieces.length + prompts.length !== 1) throw notOne(id, pieces, prompts);
    if (piece) {
      shell.out.write(isJson(command) ? json(pieceJson(piece)) : pieceText(shell.out, piece));
    } else if (prompt) {
      shell.out.write(isJson(command) ? json(promptJson(prompt)) : promptText(shell.out, prompt));
    }
    return exitCodes.ok;
  },
};

type Found = { readonly pieces: readonly FoundPiece[]; readonly prompts: readonly PromptCredit[] };

const usualLimit = 30;

function tell(shell: Shell, command: Command, { pieces, prompts }: Found, more: object = {}): void {
  const { limit } = command.opts<Options>();
  if (isJson(command)) {
    const most = limit ?? Number.POSITIVE_INFINITY;
    const shown = {
      pieces: pieces.slice(0, most).map(pieceJson),
      prompts: prompts.slice(0, most).map(promptJson),
    };
    return shell.out.write(json({ ...more, ...shown }));
  }
  const most = limit ?? usualLimit;
  shell.out.write(pieces.length > 0 ? piecesTable(shell.out, pieces, most) : `${noPiece}\n`);
  if (prompts.length > 0) shell.out.write(`\n${promptsTable(shell.out, prompts, most)}`);
}

/** Two workspaces may have sessions of one name and one second: the contest tells them apart. */
function isNamed(ids: readonly string[], contests: readonly string[], asked: string): boolean {
  return ids.some(
    (id) =>
      id === asked || id.endsWith(`/${asked}`) || contests.some((contest) => `${contest}/${id}` === asked),
  );
}

function notOne(id: string, pieces: Found['pieces'], prompts: Found['prompts']): UserError {
  const names = [
    ...pieces.map((each) => `${each.from.contest}/${each.id}`),
    ...prompts.map((each) => `${each.contests[0]}/${each.ids[0]}`),
  ];
  if (names.length === 0) {
    return new UserError({
      code: 'not-unique',
      what: `No piece and no prompt is called ${id}.`,
      fix: '`polya ahc knowledge list` shows all.',
    });
  }
  return new UserError({
    code: 'not-unique',
    what: `${id} is ${names.length} things.`,
    fix: `Name one: ${names.join(', ')}.`,
  });
}

const noPiece = 'No change made a program better than what it was made from.';
const nothing =
  'No session here has made a program better yet: `polya ahc solve` begins one, and what it learns is listed here.';

const help = `
What is known comes from the sessions of this workspace and of those beside it (knowledge.json in each session).
\`polya ahc solve --set knowledge=true\` shows a new session what fits its problem.

Examples: polya ahc knowledge list
          polya ahc knowledge search swap neighbour
          polya ahc knowledge show night_20261121T170000/gen03_id02
          polya ahc knowledge show night_20261121T170000/change`;

function limitOption(command: Command): Command {
  return command.option(
    '--limit <number>',
    `how many pieces, and how many prompts (default: ${usualLimit}; all with --json)`,
    wholeNumber(1),
  );
}

function knownHere(shell: Shell, command: Command): readonly Knowledge[] {
  const { known, warnings } = openKnowledge(questionOf(shell, command));
  tellWarnings(shell, warnings);
  return known;
}

const isJson = (command: Command): boolean => command.opts<Options>().json === true;

const json = (value: unknown): string => `${harmlessJson(value, 2)}\n`;

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
