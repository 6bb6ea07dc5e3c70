/** `polya ahc knowledge list|search|show`: what sessions have learned, for people; agents look it up with a tool. */
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { type AhcKnowledge, type FoundPiece, type Knowledge, loadAhcKnowledge } from '../../index.ts';
import { questionOf, type WorkspaceOptions, workspaceOptions } from '../ahc/workspace.ts';
import type { CommandFile } from '../command.ts';
import type { Shell } from '../shell.ts';
import { table } from '../table.ts';
import { clip, harmless, harmlessJson, oneLine } from '../text.ts';

export const ahcKnowledgeList: CommandFile = {
  define(command: Command) {
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const { ahc, known } = await open(shell, command);
    const pieces = ahc.searchKnowledge(known, {});
    const prompts = ahc.promptsByCredit(known);
    if (isJson(command)) {
      tellJson(shell, { pieces: pieces.map(pieceJson), prompts: prompts.map(promptJson) });
    } else if (known.length === 0) shell.out.write(`${nothing}\n`);
    else {
      shell.out.write(pieces.length > 0 ? piecesTable(shell, pieces) : `${noPiece}\n`);
      shell.out.write(`\n${promptsTable(shell, prompts)}`);
    }
    return exitCodes.ok;
  },
};

export const ahcKnowledgeSearch: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command.argument('<keyword...>', 'words of a change, its code, or its contest; each more, the better'),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const [keywords]: [string[]] = command.processedArgs as [string[]];
    if (keywords.join('').trim() === '') {
      throw new UserError({
        what: 'The keywords are empty.',
        fix: 'Name what you look for, as in `polya ahc knowledge search swap`, or see all with `polya ahc knowledge list`.',
      });
    }
    const { ahc, known } = await open(shell, command);
    const found = ahc.searchKnowledge(known, { keywords });
    if (isJson(command)) tellJson(shell, { keywords, pieces: found.map(pieceJson) });
    else if (found.length > 0) shell.out.write(piecesTable(shell, found));
    else shell.out.write(`Nothing that sessions learned fits ${oneLine(keywords.join(' '))}.\n`);
    return exitCodes.ok;
  },
};

export const ahcKnowledgeShow: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command.argument('<id>', 'SESSION/gen03_id02, as `polya ahc knowledge list` has it'),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const [id]: [string] = command.processedArgs as [string];
    const { ahc, known } = await open(shell, command);
    const found = ahc
      .searchKnowledge(known, {})
      .filter((each) => each.id === id || each.id.endsWith(`/${id}`));
    const [piece] = found;
    if (!piece || found.length > 1) {
      throw new UserError({
        what: piece ? `${id} is of ${found.length} sessions.` : `No piece is called ${id}.`,
        fix: piece
          ? `Name one: ${found.map((each) => each.id).join(', ')}.`
          : '`polya ahc knowledge list` shows all.',
      });
    }
    if (isJson(command)) tellJson(shell, pieceJson(piece));
    else shell.out.write(pieceText(shell, piece));
    return exitCodes.ok;
  },
};

const noPiece = 'No change made a program better than what it was made from; the prompts that were used:';
const nothing =
  'No session here has made a program better yet: `polya ahc solve` begins one, and what it learns is listed here.';

const help = `
What is known comes from the sessions of this workspace and of those beside it (knowledge.json in each session).
\`polya ahc solve --set knowledge=true\` shows a new session what fits its problem.

Examples: polya ahc knowledge list
          polya ahc knowledge search swap neighbour
          polya ahc knowledge show night_20261121T170000/gen03_id02`;

async function open(
  shell: Shell,
  command: Command,
): Promise<{ readonly ahc: AhcKnowledge; readonly known: readonly Knowledge[] }> {
  const ahc = await loadAhcKnowledge();
  return { ahc, known: await ahc.openKnowledge(questionOf(shell, command)) };
}

const isJson = (command: Command): boolean => command.opts<WorkspaceOptions>().json === true;

function piecesTable(shell: Shell, pieces: readonly FoundPiece[]): string {
  const idWidth = Math.max(0, ...pieces.map(({ id }) => id.length));
  const room = Math.max(30, Math.min(90, shell.out.columns - idWidth - 32));
  return table(
    shell.out,
    ['piece', 'contest', 'gain', 'what it does'],
    pieces.map(({ id, from, share, summary }) => [
      oneLine(id),
      oneLine(from.contest),
      percent(share),
      clip(oneLine(summary), room),
    ]),
  );
}

function promptsTable(shell: Shell, prompts: ReturnType<AhcKnowledge['promptsByCredit']>): string {
  return table(
    shell.out,
    ['prompt', 'session', 'used', 'better than its parents', 'a new best', 'tokens'],
    prompts.map(({ name, from, made, betterThanParents, improvements, tokens }) => [
      oneLine(name),
      oneLine(from.session),
      `${made}`,
      `${betterThanParents} (${percent(betterThanParents / Math.max(1, made))})`,
      `${improvements}`,
      tokens === null ? '–' : tokens.toLocaleString('en-US'),
    ]),
  );
}

function pieceText(shell: Shell, { id, from, operator, summary, share, gain, code }: FoundPiece): string {
  const { paint } = shell.out;
  const contest = oneLine([from.contest, from.title].filter((each) => each !== '').join(' '));
  return [
    paint('strong', oneLine(id)),
    `${contest}: ${oneLine(operator)}, ${percent(share)} better than what it was made from (${gain.toPrecision(4)})`,
    oneLine(summary),
    '',
    `${harmless(code)}\n`,
  ].join('\n');
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function pieceJson({ from, fit: _, ...piece }: FoundPiece) {
  return { ...piece, contest: from.contest, session: from.session };
}

function promptJson({ from, ...prompt }: ReturnType<AhcKnowledge['promptsByCredit']>[number]) {
  return { ...prompt, contest: from.contest, session: from.session };
}

function tellJson(shell: Shell, value: unknown): void {
  shell.out.write(`${harmlessJson(value, 2)}\n`);
}
