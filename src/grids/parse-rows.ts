/**
 * Grids that are written row by row: digits with spaces, commas or bars between them or with nothing, a list a line.
 * Rows that follow one another are a block. Knows no lists over several lines: `parse-lists.ts` has taken them out.
 */
import { gridFault, isGrid } from './grid.ts';
import { type Candidate, type Line, labelText, linesOf } from './parse-text.ts';

export function findBlocks(text: string): readonly Candidate[] {
  const lines = linesOf(text);
  const blocks = blocksIn(lines);
  const labels = labelsAbove(lines);
  const lastFilled = lines.findLastIndex((line) => !isEmpty(line));
  return mergeScattered(
    blocks.map((block, at) => candidateOf(block, { lines, labels, lastFilled, before: blocks[at - 1] })),
    blocks,
  );
}

/** Rows at lines `from` to `to` of the list of lines, both included. */
type Block = { readonly from: number; readonly to: number; readonly rows: readonly Row[] };

type Row = { readonly tokens: readonly string[]; readonly isMarked: boolean };

function blocksIn(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = [];
  let rows: Row[] = [];
  let from = 0;
  const close = (to: number) => {
    if (rows.length > 0) blocks.push({ from, to, rows });
    rows = [];
  };
  for (const [at, line] of lines.entries()) {
    const row = rowIn(line);
    if (!row) {
      // The line of dashes below the head of a table parts nothing.
      const isRule = line.text.includes('-') && /^\|[\s:|-]+\|$/.test(line.text.trim());
      if (rows.length > 0 && line.kind === 'text' && isRule) continue;
      close(at - 1);
      continue;
    }
    if (rows.length === 0) from = at;
    rows.push(row);
  }
  close(lines.length - 1);
  return blocks;
}

function rowIn({ text, kind }: Line): Row | null {
  if (kind !== 'text') return null;
  const bare = bareRow(text);
  const tokens = tokensOf(bare.text);
  return tokens.length > 0 && tokens.every((token) => /^-?\d+$/.test(token))
    ? { tokens, isMarked: bare.isMarked }
    : null;
}

/** Without what models put around a row: quotes, bars, brackets, its number. */
function bareRow(text: string): { readonly text: string; readonly isMarked: boolean } {
  const trimmed = text
    .trim()
    .replace(/^>\s*/, '')
    .replace(/^`([^`]*)`$/, '$1')
    .replace(/^row\s+\d+\s*[:=]\s*/i, '')
    .trim();
  const inner = /^\[([^[\]]*)\]\s*,?$/.exec(trimmed)?.[1] ?? /^\|(.*)\|$/.exec(trimmed)?.[1];
  return inner === undefined ? { text: trimmed, isMarked: false } : { text: inner, isMarked: true };
}

function tokensOf(text: string): string[] {
  return text.split(/[\s,;|]+/).filter(Boolean);
}

type Place = {
  readonly lines: readonly Line[];
  /** Of each line. */
  readonly labels: readonly string[];
  readonly lastFilled: number;
  readonly before: Block | undefined;
};

function candidateOf(block: Block, { lines, labels, lastFilled, before }: Place): Candidate {
  const first = lines[block.from];
  const place = {
    line: first?.number ?? 0,
    label: labelText(labels[block.from] ?? ''),
    fenced: first?.fenced ?? false,
    isLoneRow: block.rows.length === 1 && !first?.fenced && !block.rows[0]?.isMarked,
    continues: before !== undefined && lines.slice(before.to + 1, block.from).every(isEmpty),
  };
  const values = valuesOf(block.rows);
  const shape = { width: values[0]?.length ?? 0, isSolid: isSolid(block.rows) };
  const fault = gridFault(values) ?? fringeFault(block, shape, { lines, lastFilled });
  if (fault === null && isGrid(values)) return { ...place, grid: values };
  return { ...place, fault: fault ?? '' };
}

/** Solid digits are cells where every row is solid, a single cell included. */
function valuesOf(rows: readonly Row[]): readonly (readonly number[])[] {
  const solid = isSolid(rows);
  return rows.map(({ tokens }) => (solid ? [...(tokens[0] ?? '')] : tokens).map(Number));
}

function isSolid(rows: readonly Row[]): boolean {
  return (
    rows.every(({ tokens }) => tokens.length === 1 && /^\d+$/.test(tokens[0] ?? '')) &&
    rows.some(({ tokens, isMarked }) => !isMarked && (tokens[0]?.length ?? 0) > 1)
  );
}

type Shape = { readonly width: number; readonly isSolid: boolean };

/** A neighbouring line that looks like a row of it, with something else on it: then where the grid begins is unclear. */
function fringeFault(block: Block, shape: Shape, { lines, lastFilled }: Pick<Place, 'lines' | 'lastFilled'>) {
  for (const line of [lines[block.from - 1], lines[block.to + 1]]) {
    if (line?.kind !== 'text' || line.text.trim() === '') continue;
    const isAbbreviation = /^[\s.…⋮,|[\]\d]+$/.test(line.text) && /\.\.\.|…|⋮/.test(line.text);
    if (isAbbreviation) return `line ${line.number} leaves rows out`;
    if (looksLikeRow(line.text, shape)) {
      return `line ${line.number} beside it looks like a row of it but has other words or signs in it`;
    }
  }
  return lines[block.to]?.fenced && lastFilled <= block.to
    ? 'its fence is never closed, so it may be cut off'
    : null;
}

/** A word of more than two letters is none of its cells: `Test 1` is no row of a grid that is two cells wide. */
function looksLikeRow(text: string, { width, isSolid }: Shape): boolean {
  const tokens = tokensOf(bareRow(text).text);
  const isCell = (token: string | undefined) => token !== undefined && /^\d$/.test(token);
  const isRow = (token = '') => token.length === width && token.replaceAll(/\D/g, '').length * 2 >= width;
  if (width < 2 || tokens.length === 0) return false;
  if (isSolid) return isRow(tokens[0]) || isRow(tokens.at(-1));
  const isBroken = tokens.filter(isCell).length * 2 >= width && tokens.every((token) => token.length <= 2);
  if (tokens.length === width && isBroken) return true;
  return (
    tokens.length > width && (tokens.slice(0, width).every(isCell) || tokens.slice(-width).every(isCell))
  );
}

function isEmpty({ kind, text }: Line): boolean {
  return kind === 'text' && text.trim() === '';
}

/** Of each line the nearest line of words above. */
function labelsAbove(lines: readonly Line[]): readonly string[] {
  let words = '';
  return lines.map((line) => {
    const above = words;
    if (line.kind === 'text' && /\p{L}/u.test(line.text) && !rowIn(line)) words = line.text;
    return above;
  });
}

/** Rows with empty lines between them may be one grid, or one each: nobody can tell. */
function mergeScattered(candidates: readonly Candidate[], blocks: readonly Block[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const isSingle = (index: number) => blocks[index]?.rows.length === 1;
    const last = kept.at(-1);
    if (candidate.continues && isSingle(at) && isSingle(at - 1) && last) {
      const { line, label, fenced, continues } = last;
      const fault = 'empty lines part its rows, so it may be one grid or one in each row';
      kept[kept.length - 1] = { line, label, fenced, continues, isLoneRow: false, fault };
    } else kept.push(candidate);
  }
  return kept;
}
