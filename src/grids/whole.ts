/**
 * What is taken must be the whole of what was labelled as the answer. Pieces are joined where their labels say how, columns
 * become rows; a piece that does not fit, and what is abridged, is a fault that says what to write.
 */
import { validateGrid } from './grid.ts';
import { checkLabelSize, hasFurtherText } from './labels.ts';
import { type Candidate, type Line, linesOf } from './parse-text.ts';

export function joinGridParts(found: readonly Candidate[], text: string): readonly Candidate[] {
  const filled = nextFilled(linesOf(text));
  const placed = found.map((each): PlacedPart => [each, parsePartLabel(each)]);
  const labels = new Set(found.map(({ labelLine }) => labelLine));
  const kept: Candidate[] = [];
  for (let at = 0; at < placed.length; ) {
    const [candidate, gridPart] = placed[at] ?? [];
    if (!candidate) break;
    // A piece that begins anew is another grid's.
    let end = at + 1;
    while (gridPart && end < placed.length && placed[end]?.[1] && placed[end]?.[1]?.from !== gridPart.from)
      end += 1;
    const whole = gridPart ? joined(placed.slice(at, end)) : transposeCandidate(candidate);
    kept.push(fillOmittedRows(whole, filled, labels));
    at = end;
  }
  return kept;
}

/** `Option A`, `Either`: it is unclear which of them is meant. */
export function isNumberedPart({ label }: Candidate): boolean {
  return /^\W*(?:either|or|alternatively|(?:option|alternative|possibility|version|variant)\s?[\da-z]?)\W*$/i.test(
    label,
  );
}

type GridPart = {
  readonly kind: 'range' | 'half' | 'counted';
  readonly axis: 'rows' | 'columns';
  /** As the label counts; of halves 0 and 1. */
  readonly from: number;
  /** How many rows or columns it is to have, where the label says so. */
  readonly length: number | null;
};
type PlacedPart = readonly [Candidate, GridPart | null];

const named = (words: string) => new RegExp(`(?<![\\p{L}\\d])(?:${words})`, 'giu');
const axes = 'rows?|lines?|columns?|cols?|zeilen?|spalten?|filas?|columnas?|lignes?|colonnes?';
const range = named(`(${axes})[\\s_]*(\\d{1,2})\\s*(?:[-–—_:]|\\.\\.+|to|through|and|bis|a|à)\\s*(\\d{1,2})`);
const half = named(
  '(?:(top|upper|obere|superior|上)|(bottom|lower|untere|inferior|下)|(left|linke)|(right|rechte))(?:[-\\s]hand)?\\s?(?:half|halves|part|portion|section|hälfte|半部?分?)',
);
const counted = named(
  '(?:(first|top|upper)|remaining|next|last|other|bottom|lower)\\s(?:(\\d{1,2})\\s|\\w+\\s)?(rows|lines|columns)',
);
/** If the label continues with anything else, it is a sentence about the piece. */
const neutral =
  /^(?:[^\p{L}]|\b(?:of|the|my|our|this|final|test|output|answer|grid|result|solution|inputs?|for|are|is|here|below|as|follows?|part|rows?|columns?)\b|的|输出|答案)*$/iu;

const nextClause = /[.;]\s*\p{L}|,.*\b(?:is|are)\W*$/u;

function parsePartLabel({ label }: Candidate): GridPart | null {
  const last = (words: RegExp) => {
    const match = [...label.matchAll(words)].at(-1);
    const suffix = match ? label.slice(match.index + match[0].length) : '';
    return match && neutral.test(suffix) && !nextClause.test(suffix) ? match : null;
  };
  const axisOf = (word = '') => (/^[cs]/i.test(word) ? 'columns' : 'rows');
  const [ranged, halved, some] = [last(range), last(half), last(counted)];
  if (ranged) {
    const [from, to] = [Number(ranged[2]), Number(ranged[3])];
    return { kind: 'range', axis: axisOf(ranged[1]), from, length: to - from + 1 };
  }
  if (halved) {
    const [, top, bottom, left] = halved;
    return {
      kind: 'half',
      axis: top || bottom ? 'rows' : 'columns',
      from: top || left ? 0 : 1,
      length: null,
    };
  }
  if (some) {
    const length = some[2] === undefined ? null : Number(some[2]);
    return { kind: 'counted', axis: axisOf(some[3]), from: some[1] ? 0 : 1, length };
  }
  return null;
}

/** Pieces of one kind in their order, each as long as it says, from the first row or column on. */
function joined(run: readonly PlacedPart[]): Candidate {
  const [[first, head] = []] = run;
  if (!first || !head) throw new Error('There is no piece to join.');
  const place = { ...first, isLoneRow: false, lastLine: run.at(-1)?.[0].lastLine ?? first.lastLine };
  let next = head.from;
  let grid: (readonly number[])[] = [];
  for (const [candidate, gridPart] of run) {
    if ('fault' in candidate) return candidate;
    const rows = candidate.grid;
    const isOfRows = head.axis === 'rows';
    const size = isOfRows ? rows.length : (rows[0]?.length ?? 0);
    const across = isOfRows ? rows[0]?.length === grid[0]?.length : rows.length === grid.length;
    const isNext = head.kind === 'range' ? gridPart?.from === next : gridPart?.from === Math.min(next, 1);
    const isFitting =
      gridPart?.kind === head.kind && gridPart.axis === head.axis && (grid.length === 0 || across) && isNext;
    if (!isFitting || (gridPart.length ?? size) !== size) return joinParts(place);
    next += head.kind === 'range' ? size : 1;
    if (isOfRows) grid.push(...rows);
    else grid = rows.map((row, at) => [...(grid[at] ?? []), ...row]);
  }
  const isAll = head.kind === 'range' && /\b(?:final|complete|full)\b/i.test(first.label);
  const isComplete = (run.length > 1 || isAll) && head.from <= 1;
  const isTwo = head.kind !== 'half' || run.length === 2;
  const issue = isComplete && isTwo && (head.kind === 'range' || head.from === 0) ? validateGrid(grid) : '';
  return issue === null ? { ...place, grid } : joinParts(place);
}

function joinParts(place: Omit<Candidate, 'grid' | 'fault'>): Candidate {
  const { line, lastLine, label, labelLine, fenced, isLoneRow, continues } = place;
  const fault = 'it is called a piece, and its pieces make no whole: write all rows of the grid in one block';
  return { line, lastLine, label, labelLine, fenced, isLoneRow, continues, fault };
}

const ofColumns =
  /^(?:[^\p{L}\d]|\b(?:of|the|my|final|test|output|answer|grid|result|are|is|here|below|col(?:umn)?s?|wise|major|by|each|every|line|one|an?|per|from|left|right|to|in|order|written|listed|given)\b)*$/iu;

/** Where each line is a column, and which comes first. */
function transposeCandidate(candidate: Candidate): Candidate {
  const { label } = candidate;
  if ('fault' in candidate) return candidate;
  const { grid, ...place } = candidate;
  if (!/\bcol(?:umn)?s?\b/i.test(label) || !ofColumns.test(label)) {
    const issue = checkLabelSize(label, grid);
    return issue ? { ...place, fault: issue } : candidate;
  }
  if (!/\bleft\W+(?:to\W+)?right\b|\b(?:one|a)\Wcolumn\b/i.test(label)) {
    return { ...place, fault: 'its lines may be columns: write the grid row by row, from top to bottom' };
  }
  return { ...place, grid: (grid[0] ?? []).map((_, at) => grid.map((row) => row[at] ?? 0)) };
}

/** A grid that the line behind it says to go on, or to be something else. */
function fillOmittedRows(candidate: Candidate, filled: NextFilled, labels: ReadonlySet<number>): Candidate {
  if ('fault' in candidate) return candidate;
  const { grid, ...place } = candidate;
  const { next, isBelowText } = filled[place.lastLine + 1] ?? {};
  if (!next) return candidate;
  const isAdjacent = isBelowText || next.fenced === true;
  const fenced = next.fenced && place.fenced;
  const isNextLabel = labels.has(next.number) && next.number > place.lastLine;
  if (isNextLabel || !hasFurtherText(next.text, { isBeside: isAdjacent, fenced }, grid)) return candidate;
  const issue = `line ${next.number} stands for more of it or for a change of it: write every row and every cell of the output, and nothing else beside it`;
  return { ...place, fault: issue };
}

/** By the number of a line: the first line of text from there on, and whether what stands above it is empty. */
type NextFilled = readonly ({ readonly next: Line; readonly isBelowText: boolean } | undefined)[];

/** A line in pieces is longer in the list than in the text. */
function nextFilled(lines: readonly Line[]): NextFilled {
  const filled: NextFilled[number][] = new Array((lines.at(-1)?.number ?? 0) + 1).fill(undefined);
  let next: NextFilled[number];
  for (let at = lines.length - 1, line = lines[at]; line; at -= 1, line = lines[at]) {
    if (line.kind === 'text' && line.text.trim() !== '')
      next = { next: line, isBelowText: lines[at - 1]?.text.trim() !== '' };
    filled[line.number] = next;
  }
  return filled;
}
