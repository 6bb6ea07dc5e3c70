/** `polya ahc knowledge list|search|show`: what sessions have learned, for people; agents look it up with a tool. */
import type { Command } from 'commander';
import { type CommandFile, exactly, type Output, type Shell } from '../../../cli/contract.ts';
import { parseInteger } from '../../../cli/options.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import {
  type KnowledgeHit,
  type PromptCredit,
  searchKnowledge,
  searchPrompts,
} from '../../../families/ahc/knowledge/knowledge.ts';
import { openKnowledge } from '../../../open/families/ahc/knowledge.ts';
import { count, grouped, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { fitToWidth } from '../../../text/wrap.ts';
import {
  keywordsOf,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOptions,
} from '../workspace.ts';

type Options = WorkspaceOptions & { readonly limit?: number };

const usualLimit = 30;

function listOptions(command: Command): void {
  const subject = `how many pieces, and how many prompts (default: ${usualLimit}; all with --json)`;
  withHelp(workspaceOptions(command), 'knowledge').option('--limit <number>', subject, parseInteger(1));
}

export const ahcKnowledgeList: CommandFile = {
  define: listOptions,
  async run(shell, command) {
    const found = lookUp(shell, command);
    const empty =
      'No session here has made a program better yet: `polya ahc solve` begins one, and what it learns is listed here.';
    tell(shell, command, found, found.isNothingKnown ? empty : null);
    return exitCodes.ok;
  },
};

export const ahcKnowledgeSearch: CommandFile = {
  define(command: Command) {
    const subject = 'words of a change, its code, a prompt, or a contest; the more, the better';
    listOptions(command.argument('<keyword...>', subject));
  },
  async run(shell, command) {
    const keywords = keywordsOf(command, 'knowledge', 'swap');
    const found = lookUp(shell, command, keywords);
    const isNone = found.pieces.length + found.prompts.length === 0;
    const none = isNone ? `Nothing that sessions learned fits ${oneLine(keywords.join(' '))}.` : null;
    tell(shell, command, found, none, { keywords });
    return exitCodes.ok;
  },
};

export const ahcKnowledgeShow: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      withHelp(command, 'knowledge').argument(
        '<id>',
        '[CONTEST/]SESSION/gen03_id02, or for a prompt its name or SESSION/change, as the list with --json has them',
      ),
    );
  },
  async run(shell, command) {
    const [id]: [string] = command.processedArgs as [string];
    const { pieces, prompts } = lookUp(shell, command);
    const found = [...pieces, ...prompts].filter((each) => isNamed(each, id));
    const [only, alternative] = found;
    if (!only || alternative) throw notOne(id, found);
    if (command.opts<Options>().json) tellJson(shell, only.json);
    else tellWhole(shell.out, only.text);
    return exitCodes.ok;
  },
};

/** What is said of it is for people; the code or the words below it stand as they are. */
function tellWhole(out: Output, text: string): void {
  const head = text.indexOf('\n\n') + 1;
  out.write(text.slice(0, head));
  exactly(out).write(text.slice(head));
}

/** Pieces and prompts that fit the keywords, or all. */
function lookUp(shell: Shell, command: Command, keywords: readonly string[] = []) {
  const { known, warnings } = openKnowledge(questionOf(shell, command));
  tellWarnings(shell, warnings);
  return {
    isNothingKnown: known.length === 0,
    pieces: searchKnowledge(known, { keywords }).map((each) => toldPiece(shell.out, each)),
    prompts: searchPrompts(known, keywords).map((each) => toldPrompt(shell.out, each)),
  };
}

/** A piece or a prompt in the forms in which it is told: as JSON, as a line of a table, and alone. */
type Told = {
  readonly ids: readonly string[];
  readonly contests: readonly string[];
  readonly json: object;
  /** `room`: for a text that may be long. */
  readonly cells: (capacity: number) => readonly (string | number)[];
  readonly text: string;
};

function toldPiece({ paint }: Output, { from, ...part }: KnowledgeHit): Told {
  const { contest, title, session, isScript } = from;
  const { id, operator, summary, code, before, after } = part;
  // From nothing there is no share.
  const change = before === 0 ? '' : ` (${percent(Math.abs(after - before) / Math.abs(before), 1)})`;
  const gain = `${rounded(before)} to ${rounded(after)}${change}`;
  const script = isScript ? '; the replies were a script’s' : '';
  return {
    ids: [id],
    contests: [contest],
    json: { ...part, contest, session, is_script: isScript },
    cells: (capacity) => [id, sourceText(contest, isScript), gain, fitToWidth(oneLine(summary), capacity)],
    text: `${paint('strong', oneLine(id))}
${oneLine(`${contest} ${title}`)}: ${oneLine(operator)}, score ${gain} on the cases of its search${script}
${oneLine(summary)}\n\n${code}\n`,
  };
}

function toldPrompt({ paint }: Output, { isOwn, isScript, ...prompt }: PromptCredit): Told {
  const { ids, name, words, contests, sessions, made, evaluated, improvements, tokens } = prompt;
  const share = shareText(prompt);
  const script = isScript ? '; replies of a script are among them' : '';
  const used = `used ${made} times in ${count(sessions.length, 'session')} of ${oneLine(contests.join(', '))}`;
  return {
    ids,
    contests,
    json: { ...prompt, is_own: isOwn, is_script: isScript },
    cells: () => [
      ...[name, sourceText(contests.join(' '), isScript), sessions.length, made, evaluated, share],
      ...[improvements, tokens === null ? 'unknown' : grouped(tokens)],
      isOwn ? fitToWidth(oneLine(words), 60) : '',
    ],
    text: `${paint('strong', oneLine(name))}
${used}${script}
better than what was changed: ${share}; ${improvements} made the best better\n\n${words}\n`,
  };
}

function shareText({ betterThanParents, made, interval }: Omit<PromptCredit, 'isOwn' | 'isScript'>): string {
  if (interval === null) return '–';
  const share = percent(betterThanParents / made, 0);
  return `${betterThanParents}: ${share} (${percent(interval.low, 0)} to ${percent(interval.high, 0)})`;
}

function sourceText(contests: string, isScript: boolean): string {
  return `${contests}${isScript ? ' (script)' : ''}`;
}

const rounded = (score: number): string => String(Number(score.toPrecision(6)));

const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`;

/** Two workspaces may have sessions of one name and one second: the contest tells them apart. */
function isNamed({ ids, contests }: Told, question: string): boolean {
  return ids.some(
    (id) =>
      id === question ||
      id.endsWith(`/${question}`) ||
      contests.some((contest) => `${contest}/${id}` === question),
  );
}

function notOne(id: string, found: readonly Told[]): UserError {
  const names = found.map(({ ids, contests }) => `${contests[0]}/${ids[0]}`);
  const isNone = names.length === 0;
  return new UserError({
    code: 'not-unique',
    what: isNone ? `No piece and no prompt is called ${id}.` : `${id} is ${names.length} things.`,
    fix: isNone ? '`polya ahc knowledge list` shows all.' : `Name one: ${names.join(', ')}.`,
  });
}

const pieceHead = ['piece', 'contest', 'score', 'what it does'];
const promptHead = [
  ...['prompt', 'contests', 'sessions', 'used', 'run on all', 'better than parents (95 %)'],
  ...['new best', 'tokens', 'your words'],
];

/** `none`: for people, where there is nothing to list. `more`: stands before what was found, as JSON. */
function tell(
  shell: Shell,
  command: Command,
  { pieces, prompts }: ReturnType<typeof lookUp>,
  none: string | null,
  more: object = {},
): void {
  const { json, limit } = command.opts<Options>();
  const { out } = shell;
  const jsonOf = (found: readonly Told[]): object[] => found.slice(0, limit).map((each) => each.json);
  if (json) return tellJson(shell, { ...more, pieces: jsonOf(pieces), prompts: jsonOf(prompts) });
  if (none !== null) return out.write(`${none}\n`);
  const most = limit ?? usualLimit;
  if (pieces.length > 0) tellTable(out, pieceHead, pieces, most);
  else out.write('No change made a program better than what it was made from.\n');
  if (prompts.length === 0) return;
  out.write('\n');
  tellTable(out, promptHead, prompts, most);
}

function tellTable(out: Output, head: readonly string[], found: readonly Told[], most: number): void {
  const visible = found.slice(0, most);
  const idWidth = Math.max(...visible.map(({ ids: [id = ''] }) => id.length));
  const capacity = Math.max(30, Math.min(90, out.columns - idWidth - 50));
  const rows = visible.map(({ cells }) => cells(capacity));
  const rest = found.length - most;
  out.write(table(out, head, rows));
  if (rest > 0) out.write(`… and ${rest} more: --limit N shows more of them.\n`);
}
