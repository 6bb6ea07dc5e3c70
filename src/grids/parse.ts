/**
 * Finds the grids in what a model really writes: fences, spaces, commas, solid digits, tables, JSON and Python lists,
 * LaTeX, rows with numbers, one grid or several, with talk before and behind. Never silently a wrong shape: what can be
 * read in two ways, breaks off or is ragged comes back as a fault that names its line.
 */
import type { Grid } from '../core/problem.ts';
import { withoutThoughts } from '../text/model-json.ts';
import { isGrid } from './grid.ts';
import { answerWords, isAttempt, kindOfLabel, namesOtherGrid, testNumberOf } from './labels.ts';
import { findLists } from './parse-lists.ts';
import { findBlocks } from './parse-rows.ts';
import type { Candidate } from './parse-text.ts';
import { isNumberedPart, joinGridParts } from './whole.ts';

type ParsedGrids =
  | { readonly ok: true; readonly grids: readonly Grid[] }
  | { readonly ok: false; readonly fault: string };

/** Everything that is a grid or was meant to be one, in the order of the text. */
export function findGrids(reply: string): readonly Candidate[] {
  const text = withoutThoughts(reply);
  // The numbers of lines stay.
  const thoughts = reply.slice(0, reply.length - text.length).replaceAll(/[^\n]/g, '');
  const plain = matricesToLists(coloursAsDigits(normalizeText(`${thoughts}${text}`)));
  const lists = findLists(plain);
  const found = [...lists.found, ...findBlocks(lists.rest)].toSorted((a, b) => a.line - b.line);
  return joinGridParts(found, plain);
}

/**
 * Exactly so many grids, in the order of the tests: all that are there, all that are answers by what stands before them,
 * or all in fences; else, unless they are to be all (`exactly`), the last ones. Of `attempts` each test has as many.
 */
export function parseGrids(
  text: string,
  tests: number,
  { exactly = false, attempts = 1, found = findGrids(text) } = {},
): ParsedGrids {
  const count = tests * attempts;
  const clear = found.filter((each) => !each.isLoneRow || kindOf(each) === 'answer' || testOf(each) !== null);
  const all =
    tests === 1 ? regroupFencedRows(clear.length === 0 ? found : clear) : clear.length === 0 ? found : clear;
  const candidates = selectCandidates(all, count) ?? (exactly ? null : lastOf(all, count));
  const isSelected = all.some((each) => isNumberedPart(each) && candidates?.includes(each) === false);
  if (!candidates || isSelected || hasUncertainRow(found, candidates, clear))
    return { ok: false, fault: explainCount(found, count) };
  const corrupt = candidates.find((each) => 'fault' in each);
  if (corrupt) return { ok: false, fault: explainCandidate(corrupt) };
  if (tests > 1 && !areInOrder(candidates, attempts)) return { ok: false, fault: checkOrder(candidates) };
  // Of two grids without labels outside of fences nobody knows whether they are two guesses or two pieces.
  const areAttempts = candidates.every(({ fenced, label }) => fenced || label !== '');
  if (attempts > 1 && (!areAttempts || selectsOne(candidates, text)))
    return { ok: false, fault: explainCount(found, tests) };
  return { ok: true, grids: candidates.flatMap((each) => ('grid' in each ? [each.grid] : [])) };
}

/** `B fits the examples.` behind A and B. */
function selectsOne(candidates: Candidates, text: string): boolean {
  const behind = text.split('\n').slice(candidates.at(-1)?.lastLine);
  const names = candidates.map(({ label }) => /(?<![\p{L}\d])(?:[A-Z]|\d)$/u.exec(label)?.[0]);
  return behind.some((line) =>
    names.some((name) => name && new RegExp(`(?<![\\p{L}\\d])${name} \\p{Ll}`, 'u').test(line)),
  );
}

/** A fence for each row, with nothing between them. */
function regroupFencedRows(all: Candidates): Candidates {
  const [first] = all;
  const rows = all.flatMap((each) => ('grid' in each && each.grid.length === 1 ? each.grid : []));
  const isOne =
    all.length > 2 && all.every(({ fenced, labelLine }) => fenced && labelLine === first?.labelLine);
  if (!first || !isOne || rows.length < all.length || !isGrid(rows) || 'fault' in first) return all;
  return [{ ...first, lastLine: all.at(-1)?.lastLine ?? first.lastLine, grid: rows }];
}

function testOf({ label }: Candidate): number | null {
  return testNumberOf(label);
}

/** Whether their labels number them as the tests are, or through. */
function areInOrder(candidates: Candidates, attempts: number): boolean {
  const numbers = candidates.map(testOf);
  const first = numbers.includes(0) ? 0 : 1;
  return [attempts, 1].some((each) =>
    numbers.every((number, at) => number === null || number === Math.floor(at / each) + first),
  );
}

function checkOrder(reading: Candidates): string {
  const labels = reading.map(({ label }) => JSON.stringify(label)).join(', ');
  return `The grids are labelled ${labels}, which does not tell whose they are. Write above each "Test 1", "Test 2" and so on, in this order.`;
}

type Candidates = readonly Candidate[];

function selectCandidates(all: Candidates, count: number): Candidates | null {
  const [only, second] = all;
  // One grid alone is the answer, whatever stands above it, if that names no input and no example.
  if (only && !second && count === 1 && !namesOtherGrid(only.label)) return all;
  const siblings = all.filter((each) => kindOf(each) !== 'aside');
  const isMixed = siblings.length > 0 && siblings.length < all.length;
  const answers = siblings.filter((each) => kindOf(each) === 'answer');
  const fenced = siblings.filter((each) => each.fenced);
  const isLast = (some: Candidates) => some.at(-1) === siblings.at(-1);
  const candidates = [
    ...(isMixed || !(siblings.length > 0 || all.every(({ label }) => isAttempt(label))) ? [] : [all]),
    siblings,
    ...(isLast(answers) ? [answers] : []),
    // What follows an answer in a fence without being called one is talk about it; what follows a legend is not.
    ...(isLast(fenced) || (answers.length > 0 && answers.every((each) => each.fenced)) ? [fenced] : []),
  ];
  return candidates.find(({ length }) => length === count) ?? null;
}

/** Trials come before the answer, with words between. */
function lastOf(all: Candidates, count: number): Candidates | null {
  const others = all.filter((each) => kindOf(each) !== 'aside');
  const last = others.at(-1);
  const before = others.at(-2);
  if (count !== 1 || !last || !before || last.labelLine <= before.line) return null;
  // Without such a word two outputs may be pieces of one, or of two tests.
  if (kindOf(last) !== 'answer')
    return others.every((each) => kindOf(each) !== 'answer') && stepWords.test(last.label) ? [last] : null;
  const isNewer =
    newerWords.test(last.label) || others.slice(0, -1).every((each) => kindOf(each) === 'unknown');
  return isNewer ? [last] : null;
}

const stepWords = /\b(?:step|iteration|pass|round|stage|after)\b/i;
const newerWords =
  /\b(?:final|correct|fix|revis|redo|wait|actually|instead|recheck|therefore|thus|hence|so\b|new|now)/i;

/** By the last of the words before it that tells; a grid that counts from 0 to 9 is a legend. */
function kindOf(candidate: Candidate): 'answer' | 'aside' | 'unknown' {
  if ('grid' in candidate && candidate.grid.length < 3 && candidate.grid.flat().join('') === '0123456789')
    return 'aside';
  return kindOfLabel(candidate.label);
}

/** A single row behind what is read may be an answer, too. */
function hasUncertainRow(found: Candidates, candidates: Candidates, clear: Candidates): boolean {
  const last = found.at(-1);
  return clear.length > 0 && last?.isLoneRow === true && !candidates.includes(last);
}

function explainCount(found: Candidates, count: number): string {
  const expected = `expected ${count === 1 ? 'is 1 grid' : `are ${count} grids`}`;
  if (found.length === 0) return `There is no grid in the reply; ${expected}.`;
  const corrupt = found.find((each) => 'fault' in each);
  const lines = found.map(({ line }) => line).join(', ');
  const where = found.length === 1 ? `at line ${lines}` : `at lines ${lines}`;
  if (found.length === count && !corrupt)
    return `The words above ${count === 1 ? 'the grid' : 'the grids'} of the reply (${where}) do not say that it is the output; ${expected}.`;
  const text = `The reply has ${found.length === 1 ? '1 grid' : `${found.length} grids`} (${where}); ${expected}.`;
  return corrupt ? `${text} ${explainCandidate(corrupt)}` : text;
}

function explainCandidate(found: Candidate): string {
  const label = found.label ? ` (${found.label})` : '';
  return `The grid at line ${found.line}${label} cannot be read: ${'fault' in found ? found.fault : ''}.`;
}

/** Spaces, digits and line ends in other guises, and squares in the colours of the digits; the numbers of lines stay. */
function normalizeText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]|\ufe0f|\u20e3/g, '')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replaceAll(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30))
    .replaceAll(/[│┃║]/g, '|')
    .replaceAll(/[┌┬┐├┼┤└┴┘]/g, '+')
    .replaceAll(/[─━]/g, '-')
    .replaceAll(rowsInProse, (line) => `[${line.match(/\[[^\]]*\]/g)?.join(', ')}]`)
    .replaceAll(/\bvec!\[/g, '[')
    .replaceAll(nested, (list) => list.replaceAll(/[({]/g, '[').replaceAll(/[)}]/g, ']'))
    .replaceAll(
      /\[\s*(?:\d[ ,]+)+\d\s*(?:;\s*(?:\d[ ,]+)+\d\s*)+\]/g,
      (rows) => `[${rows.replaceAll(';', '],[')}]`,
    )
    .replaceAll(
      /^([^\n\d;]*[:=]|)[ \t]*((?:\d[ ,]+)+\d(?:[ \t]*;[ \t]*(?:\d[ ,]+)+\d)+)[ \t]*[;.]?[ \t]*$/gm,
      (line, label: string, rows: string) =>
        label === '' || label.search(answerWords) >= 0 ? `${label}[[${rows.replaceAll(';', '],[')}]]` : line,
    )
    .replaceAll(/"\d[\d ,]*(?:\\n\d[\d ,]*)+"/g, (rows) => `[${rows.replaceAll('\\n', '","')}]`)
    .replaceAll(/[⬛🟦🟥🟩🟨🟪🟧🟫]/gu, (square) => squares.get(square) ?? square);
}

/** `The rows are [1, 2] and [3, 4]`, `row 1: [1, 2], row 2: [3, 4]` in one line. */
const rowsInProse =
  /(?<=\brow[^\n[]{0,40})\[\d(?:, ?\d)*\](?:[,;]?\s?(?:and\s)?(?:"?row[\s_]?\d{1,2}"?\s?(?:is|[:=→])?\s?)?\[\d(?:, ?\d)*\])+/gi;

const colours: readonly (readonly string[])[] = [
  ...[['black'], ['blue'], ['red'], ['green'], ['yellow'], ['grey', 'gray'], ['fuchsia', 'magenta', 'pink']],
  ...[['orange'], ['teal', 'azure', 'cyan', 'light blue'], ['brown', 'maroon']],
];
const colour = new RegExp(`["'\`]?\\b(${colours.flat().join('|')})\\b["'\`]?`, 'gi');

/** Rows of the names of colours, two at the least that are as long; `purple` and `white` are none of them for certain. */
function coloursAsDigits(text: string): string {
  const lines = text.split('\n');
  const digits = lines.map((line) => {
    const row = line.replaceAll(colour, (_, name: string) =>
      String(colours.findIndex((names) => names.includes(name.toLowerCase()))),
    );
    const rest = row.replace(/^[^\d:=]{0,30}\d{0,2}\s*[:=]|^\s*\d{1,2}[.)]/, '');
    return row !== line && /^[\s,|[\]\d*-]+$/.test(rest) ? row : null;
  });
  const width = (at: number) => (digits[at] == null ? 0 : lines[at]?.match(colour)?.length);
  const isRow = (at: number) =>
    /\]\s*,\s*\[/.test(lines[at] ?? '') ||
    ((width(at) ?? 0) > 1 && [at - 1, at + 1].some((next) => width(next) === width(at)));
  return lines.map((line, at) => (isRow(at) ? (digits[at] ?? line) : line)).join('\n');
}

/** Lists in the brackets of other languages; pairs may be places of cells. */
const nested = /[({]\s*(?:[({]\s*(?:\d\s*,\s*){2,}\d\s*[)}](?:\s*,)?\s*)+[)}]/g;

/** A white square may be 0 or 5, and 8 has none. */
const squares = new Map(
  Object.entries({ '⬛': '0', '🟦': '1', '🟥': '2', '🟩': '3', '🟨': '4', '🟪': '6', '🟧': '7', '🟫': '9' }),
);

const matrix =
  /\\begin\{([a-zA-Z]*matrix\*?|array)\}(?:\{[^{}\n]{0,80}\})?((?:(?!\\begin|\\end)[\s\S])*)\\end\{\1\}/g;

/** Tables of HTML and matrices of LaTeX, each as the list of lists that it is, with as many line ends. */
function matricesToLists(text: string): string {
  const html = /<table\b[^<>]*>((?:(?!<\/?table)[\s\S])*)<\/table>/gi;
  const ofTables = text.replaceAll(html, (_, body: string) => {
    const rows = body.split(/<tr\b[^<>]*>/i).map((row) => row.match(/<td\b[^<>]*>[^<]*/gi) ?? []);
    const cells = rows.map((row) => row.map((cell) => cell.replace(/^[^>]*>/, '').trim() || 'null'));
    const list = cells.flatMap((row) => (row.length > 0 ? [`[${row.join(', ')}]`] : []));
    return `[${list.join(', ')}]${'\n'.repeat(body.split('\n').length - 1)}`;
  });
  return ofTables.replaceAll(matrix, (_, _name, body: string) => {
    const rows = body
      .replaceAll(/\\hline|\\(?:text)?color\{[^{}]{0,20}\}/g, '')
      .replaceAll(/(?:\\[a-z]+)?\{(\d)\}/gi, '$1')
      .replaceAll(/\\[cdlv]?dots/g, '…')
      .split(/\\\\(?:\[[^\]\n]{0,9}\])?|\\cr\b/)
      .map((row) =>
        row
          .trim()
          .split(/\s*&\s*|\s+/)
          .join(', '),
      )
      .filter(Boolean);
    return `[${rows.map((row) => `[${row}]`).join(', ')}]${'\n'.repeat(body.split('\n').length - 1)}`;
  });
}
