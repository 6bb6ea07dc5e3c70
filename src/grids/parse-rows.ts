/**
 * Grids that are written row by row: digits with spaces, commas or bars between them or with nothing, a list a line.
 * Rows that follow one another are a block. Knows no lists over several lines: `parse-lists.ts` has taken them out.
 */
import { isGrid, validateGrid } from './grid.ts';
import { type Candidate, type Line, labelText, linesOf } from './parse-text.ts';

export function findBlocks(text: string): readonly Candidate[] {
  const lines = linesOf(text);
  const blocks = blocksIn(lines);
  const labels = findLabelsAbove(lines);
  const lastFilled = lines.findLastIndex((line) => !isEmpty(line));
  return mergeScattered(
    blocks.map((block, at) => candidateOf(block, { lines, labels, lastFilled, before: blocks[at - 1] })),
    blocks,
  );
}

/** Rows from line `from` to line `to` of the list of lines, both included. */
type Block = { readonly from: number; readonly to: number; readonly rows: readonly Row[] };

/** `number`: as the reply counts it. */
type Row = {
  readonly tokens: readonly string[];
  readonly isMarked: boolean;
  readonly number: number | null;
  /** A remark beside the row says that the row stands for several, such as `(x4)`. */
  readonly isRepeated: boolean;
};

function blocksIn(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = [];
  let rows: Row[] = [];
  let [from, to] = [0, 0];
  let head: number | null = null;
  let isFirstColumnNumbers = false;
  const close = () => {
    if (rows.length > 0) blocks.push({ from, to, rows });
    [rows, isFirstColumnNumbers] = [[], false];
  };
  for (const [at, line] of lines.entries()) {
    const isHead = isSeparatorLine(lines[at + 1]?.text ?? '') && namesRows(line.text);
    const found = isFirstColumnNumbers ? rowInTable(line) : isHead ? null : rowIn(line);
    const last = rows.at(-1);
    if (!found) {
      const isGap = line.kind === 'fence' || isEmpty(line);
      if (line.kind === 'text' && isSeparatorLine(line.text)) {
        if (!last) isFirstColumnNumbers = namesRows(lines[at - 1]?.text ?? '');
        if (last || isFirstColumnNumbers) continue;
      }
      const number = headNumber(line);
      // Rows with numbers go on behind what is empty.
      const continues = isGap ? head !== null || (last?.number ?? null) !== null : number !== null;
      if (number !== null || !continues) head = number;
      if (!continues) close();
      continue;
    }
    const row: Row = { ...found, number: found.number ?? head };
    head = null;
    const isNext = row.number !== null && row.number === (last?.number ?? -2) + 1;
    const restarts = (row.number ?? 2) <= 1 && (last?.number ?? null) !== null;
    if (last && !isNext && (to < at - 1 ? !isSeparatorLine(lines[to + 1]?.text ?? '') : restarts)) close();
    if (rows.length === 0) from = at;
    rows.push(row);
    to = at;
  }
  close();
  return blocks;
}

/** The head of a table whose first column is no part of the grid: a blank corner, `Row`, `y\x`, a word before numbers. */
function namesRows(head: string): boolean {
  const [corner = '0', ...siblings] = /^\|(.*)\|$/.exec(head.trim())?.[1]?.split('|') ?? [];
  const isName = /^\s*(?:row|r|#|y|.*[\\/].*)?\s*$/i.test(corner);
  return (
    siblings.length > 0 && (isName || (!/\d/.test(corner) && siblings.every((cell) => /\d\W*$/.test(cell))))
  );
}

function rowInTable({ text }: Line): Row | null {
  const cells = /^\|(.*)\|$/.exec(text.trim())?.[1]?.split('|') ?? [];
  const [first = '', ...tokens] = cells.map((cell) => cell.replaceAll(/[\s*`]/g, ''));
  const isRow = tokens.length > 0 && tokens.every((token) => /^\d+$/.test(token));
  const number = countOf(first.replace(/^[^\d]+(?=[\dA-Z]$|\d\d$)/i, ''));
  return isRow ? { tokens, isMarked: true, number, isRepeated: false } : null;
}

/** The line of dashes below the head of a table, or between its rows. */
function isSeparatorLine(text: string): boolean {
  return /^[|+][\s:|+=-]*[|+]$/.test(text.trim()) && /[-=]/.test(text);
}

function rowIn({ text, kind }: Line): Row | null {
  if (kind !== 'text') return null;
  const { text: bare, isListed, ...row } = bareRow(text);
  const tokens = tokensOf(bare);
  // An item of a list that is one number is rather something that was counted.
  const isItem = isListed && tokens.length === 1 && (tokens[0]?.length ?? 0) < 3;
  const isRow = tokens.length > 0 && !isItem && tokens.every((token) => /^-?\d+$/.test(token));
  return isRow ? { tokens, ...row } : null;
}

const rowNames =
  'row|line|r|zeile|reihe|fila|línea|ligne|rangée|linha|riga|rij|rad|строка|ряд|行|第|[yir]\\s?=|row\\s?\\(?y\\s?=';
const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** `Row 3:`, `| R3 |`, `**3rd row** →`, `Row C`, `y=2`, `第3行：` and the like, with nothing behind it or with a row. */
const rowLabel = new RegExp(
  String.raw`^\|?\s{0,3}(?:[-*+•]\s{1,3})?[#\s]{0,5}(?:\*\*|__|\x60|"|\[)?(?:(?:(?:test )?output )?(?:${rowNames})\s{0,2}[#[(]?(\d{1,2}|(?<![\p{L}])[a-z](?!\p{L})|(?:${numberWords.join('|')})\b)(?:\s?(?:/|of)\s?\d{1,2})?[\])]?\s?(?:行目?)?|(\d{1,2})(?:(?:st|nd|rd|th)\s(?:row|line)|行目))(?:\s?\([^()\n]{0,60}\)|\s?\[[^[\]\n]{0,40}\p{L}[^[\]\n]{0,40}\])?(?:\*\*|__|\x60|")?\s{0,3}(?:$|(?:[:：=→|–—-]>?|=>|is(?=\s\d)|(?<=\])(?=\s?\d))(?:\*\*|__)?)\s*`,
  'iu',
);
/** Items of a list; `3 |`, `3:`, `C:` and a 3 that stands apart, before a row. */
const itemLabel = /^(?:[-*+•]|\(?(\d{1,2}|[a-z](?=\)))[.)])(?:\s+|(?=\d(?:[ ,]+\d)+$))(?=[\d`"'[|*])/;
const numberLabel =
  /^(?:(\d{1,2}|[A-Z])(?:\s{0,3}[|:]\s+(?=\d[\d\s,]*$)|\s{2,9}(?=\d(?: \d)+$))|\w{1,20}\[(\d{1,2})\]\s?=\s?(?=[\d[]))/;

/** By which rows are counted: a number, a letter, a word. */
function countOf(id: string): number | null {
  const word = numberWords.indexOf(id.toLowerCase()) + 1;
  if (/^\d+$/.test(id)) return Number(id);
  return word > 0 ? word : /^[a-z]$/i.test(id) ? id.toUpperCase().charCodeAt(0) - 64 : null;
}

/** Without what models put around a row: quotes, bars, brackets, emphasis, its number, a remark behind it. */
function bareRow(text: string): Omit<Row, 'tokens'> & { readonly text: string; readonly isListed: boolean } {
  const quoted = text.trim().replace(/^(?:>\s?)+/, '');
  if (quoted === '') return { text: '', isMarked: false, number: null, isListed: false, isRepeated: false };
  const item = itemLabel.exec(quoted);
  const label = rowLabel.exec(quoted) ?? item ?? numberLabel.exec(quoted);
  const number = label?.slice(1).find((each) => each !== undefined);
  const unnamed = quoted.slice(label?.[0].length ?? 0);
  const trimmed = unnamed
    .replaceAll(/(\*\*?|`)([\d[](?:[\d ,|]*[\d\]])?)\1/g, '$2')
    .replace(/^(?:(["'])(\d[\d ,]*)\1,?|<row>(\d[\d ,]*)<\/row>)$/, '$2$3')
    .replace(/\s(?:#|\/\/|←|<-)\s.*$/, '')
    .replace(/\s\(([^()]*)\)$/, (remark, words: string) => (/\p{L}/u.test(words) ? '' : remark))
    .replace(/^<tr>((?:<td>\d<\/td>)+)<\/tr>$/, (_, cells: string) => cells.replaceAll(/\D+/g, ' '))
    .replace(/^([^.]*\d)(?:\.|<br ?\/?>|\\)$/, '$1')
    .trim();
  const inner = /^\[([^[\]]*)\]\s*[,;]?$/.exec(trimmed)?.[1] ?? /^\|(.*)\|$/.exec(trimmed)?.[1];
  const isListed = label !== null && label === item;
  const count = number === undefined ? null : countOf(number);
  const isDuplicate = standsForSeveral.test(unnamed.slice(-60));
  return {
    text: inner ?? trimmed,
    isMarked: inner !== undefined,
    number: count,
    isListed,
    isRepeated: isDuplicate,
  };
}

const standsForSeveral =
  /(?:[#(←[]|\/\/|<-).*(?:(?<!\d ?)[x×]\s?\d|\d\s?[x×](?!\s?\d)|\brepeat(?:ed|s)?(?=\W*$|.{1,3}\d)|\btimes\b|\btwice\b|\betc\b|\.{3}|…)/i;

/** The number of a line that holds nothing else: its row is below. */
function headNumber({ text, kind }: Line): number | null {
  const { text: rest, number } = bareRow(text);
  return kind === 'text' && rest === '' ? number : null;
}

function tokensOf(text: string): string[] {
  return text.split(/[\s,;|]+/).filter(Boolean);
}

type Place = {
  readonly lines: readonly Line[];
  /** The label of each line. */
  readonly labels: readonly Pick<Candidate, 'label' | 'labelLine'>[];
  readonly lastFilled: number;
  readonly before: Block | undefined;
};

function candidateOf(block: Block, { lines, labels, lastFilled, before }: Place): Candidate {
  const first = lines[block.from];
  const place = {
    line: first?.number ?? 0,
    ...(labels[block.from] ?? { label: '', labelLine: 0 }),
    fenced: first?.fenced ?? false,
    isLoneRow: block.rows.length === 1 && !first?.fenced && !block.rows[0]?.isMarked,
    lastLine: lines[block.to]?.number ?? 0,
    continues: before !== undefined && lines.slice(before.to + 1, block.from).every(isEmpty),
  };
  const values = withoutSize(valuesOf(isCountedHead(block, lines) ? block.rows.slice(1) : block.rows));
  const shape = { width: values[0]?.length ?? 0, isSolid: hasEqualWidths(block.rows) };
  const repeated = block.rows.findIndex(({ isRepeated }) => isRepeated) + 1;
  const issue =
    (repeated > 0 ? `row ${repeated} is to stand for several: write each of them` : null) ??
    checkRowNumbers(block, lines) ??
    checkSideText(lines.slice(block.from, block.to + 1)) ??
    validateGrid(values) ??
    checkBlockEdges(block, shape, { lines, lastFilled });
  if (issue === null && isGrid(values)) return { ...place, grid: values };
  return { ...place, fault: issue ?? '' };
}

/** The head of a table that counts its columns. */
function isCountedHead({ from, rows: [head] }: Block, lines: readonly Line[]): boolean {
  const isTable = /^\|[\s:|-]+\|$/.test(lines[from + 1]?.text.trim() ?? '');
  const first = Number(head?.tokens[0] !== '0');
  return isTable && head?.tokens.every((token, at) => Number(token) === at + first) === true;
}

/** Its height and width may stand above the rows, where it is not two cells wide itself. */
function withoutSize(values: readonly (readonly number[])[]) {
  const [[height, width, ...more] = [], ...rows] = values;
  const isSize = rows.length > 0 && more.length === 0 && height === rows.length && width !== 2;
  return isSize && rows.every(({ length }) => length === width) ? rows : values;
}

/** `1 2 | 3 4`, `1 2 -> 3 4`: two grids, or the halves of one. */
function checkSideText(lines: readonly Line[]): string | null {
  const parts = lines.flatMap(({ text }) => {
    const row = bareRow(text).text;
    return row === ''
      ? []
      : [row.split(/\s*(?:\||[-=]>|→|\t)\s*|\s{2,}/).map((part) => tokensOf(part).length)];
  });
  const isAdjacent =
    parts.length > 0 && parts.every((each) => each.length > 1 && each.every((cells) => cells > 1));
  return isAdjacent
    ? 'its rows have gaps, so two grids may stand side by side: write the output alone'
    : null;
}

function checkRowNumbers({ rows, to }: Block, lines: readonly Line[]): string | null {
  const next = lines.slice(to + 1, to + 4).find((line) => line.kind === 'text' && !isEmpty(line));
  const last = rows.at(-1)?.number ?? null;
  if (next && last !== null && bareRow(next.text).number === last + 1)
    return `line ${next.number} is numbered as a row of it but has no cells`;
  const numbers = rows.map(({ number }) => number);
  const first = numbers[0] ?? 1;
  const isComplete = first <= 1 && numbers.every((number, at) => number === first + at);
  if (isComplete || numbers.every((number) => number === null)) return null;
  return `its rows are numbered ${numbers.map((number) => number ?? 'not at all').join(', ')}`;
}

/** Solid digits are cells where every row is solid, a single cell included. */
function valuesOf(rows: readonly Row[]): readonly (readonly number[])[] {
  const solid = hasEqualWidths(rows);
  return rows.map(({ tokens }) => (solid ? [...(tokens[0] ?? '')] : tokens).map(Number));
}

function hasEqualWidths(rows: readonly Row[]): boolean {
  return (
    rows.every(({ tokens }) => tokens.length === 1 && /^\d+$/.test(tokens[0] ?? '')) &&
    rows.some(({ tokens, isMarked }) => !isMarked && (tokens[0]?.length ?? 0) > 1)
  );
}

type Shape = { readonly width: number; readonly isSolid: boolean };

/** A neighbouring line that looks like a row of it, with something else on it: then where the grid begins is unclear. */
function checkBlockEdges(
  block: Block,
  shape: Shape,
  { lines, lastFilled }: Pick<Place, 'lines' | 'lastFilled'>,
) {
  for (const line of [lines[block.from - 1], lines[block.to + 1]]) {
    if (line?.kind !== 'text' || line.text.trim() === '') continue;
    const isAbbreviation = /^[\s.…⋮,|[\]\d]+$/.test(line.text) && /\.\.\.|…|⋮/.test(line.text);
    if (isAbbreviation) return `line ${line.number} leaves rows out`;
    if (looksLikeRow(line.text, shape) || (shape.width === 1 && /[:=]\s*\d$/.test(line.text.trim()))) {
      return `line ${line.number} beside it looks like a row of it but has other words or signs in it`;
    }
  }
  const isCut = lines[block.to]?.fenced && lastFilled <= block.to && startsFence(block, lines);
  return isCut ? 'its fence is never closed, so it may be cut off' : null;
}

/** Two paragraphs between a fence and a grid: the fence, which is never closed, was meant for something else. */
function startsFence({ from }: Block, lines: readonly Line[]): boolean {
  const open = lines.findLastIndex(({ kind }, at) => at < from && kind === 'fence');
  const between = lines.slice(open + 1, from).map(({ text }) => text.trim());
  return between.join('\n').split(/\n\n+/).filter(Boolean).length < 2;
}

/** A word of more than two letters is none of its cells: `Test 1` is no row of a grid that is two cells wide. */
function looksLikeRow(text: string, { width, isSolid }: Shape): boolean {
  const tokens = tokensOf(bareRow(text).text);
  const isCell = (token: string | undefined) => token !== undefined && /^\d$/.test(token);
  const isRow = (token = '') => token.length === width && token.replaceAll(/\D/g, '').length * 2 >= width;
  if (width < 2 || tokens.length === 0) return false;
  if (isSolid) return isRow(tokens[0]) || isRow(tokens.at(-1));
  const isCorrupt = tokens.filter(isCell).length * 2 >= width && tokens.every((token) => token.length <= 2);
  if (tokens.length === width && isCorrupt) return true;
  return (
    tokens.length > width && (tokens.slice(0, width).every(isCell) || tokens.slice(-width).every(isCell))
  );
}

function isEmpty({ kind, text }: Line): boolean {
  return kind === 'text' && text.trim() === '';
}

/** For each line the nearest line of words above it. */
function findLabelsAbove(lines: readonly Line[]): Place['labels'] {
  let nearest = { label: '', labelLine: 0 };
  return lines.map((line) => {
    const previous = nearest;
    const isWords = line.kind === 'text' && /\p{L}/u.test(line.text) && headNumber(line) === null;
    if (isWords && !rowIn(line)) nearest = { label: labelText(line.text), labelLine: line.number };
    return previous;
  });
}

/** Rows with empty lines between them may be one grid or one grid each: the text does not tell. */
function mergeScattered(candidates: readonly Candidate[], blocks: readonly Block[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const isSingle = (index: number) => blocks[index]?.rows.length === 1;
    const last = kept.at(-1);
    if (candidate.continues && isSingle(at) && isSingle(at - 1) && last) {
      const issue = 'empty lines part its rows, so it may be one grid or one in each row';
      const { line, label, labelLine, fenced, continues } = last;
      const { lastLine } = candidate;
      kept[kept.length - 1] = {
        line,
        lastLine,
        label,
        labelLine,
        fenced,
        continues,
        isLoneRow: false,
        fault: issue,
      };
    } else kept.push(candidate);
  }
  return kept;
}
