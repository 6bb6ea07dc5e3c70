/**
 * Finds the grids in what a model really writes: fences, spaces, commas, solid digits, tables, JSON and Python lists,
 * LaTeX, rows with numbers, one grid or several, with talk before and behind. Never silently a wrong shape: what can be
 * read in two ways, breaks off or is ragged comes back as a fault that names its line.
 */
import type { Grid } from '../core/problem.ts';
import { findLists } from './parse-lists.ts';
import { findBlocks } from './parse-rows.ts';
import type { Candidate } from './parse-text.ts';

type ParsedGrids =
  | { readonly ok: true; readonly grids: readonly Grid[] }
  | { readonly ok: false; readonly fault: string };

/** Everything that is a grid or was meant to be one, in the order of the text. */
export function findGrids(text: string): readonly Candidate[] {
  const plain = matricesAsLists(normalised(text));
  const lists = findLists(plain);
  return [...lists.found, ...findBlocks(lists.rest)].toSorted((a, b) => a.line - b.line);
}

/**
 * Exactly so many grids, in their order: all that are there, all that are answers by what stands before them, or all in
 * fences; else, unless they are to be all (`exactly`), the last ones.
 */
export function parseGrids(text: string, count: number, { exactly = false } = {}): ParsedGrids {
  const found = findGrids(text);
  const clear = found.filter((each) => !each.isLoneRow || kindOf(each) === 'answer');
  const all = clear.length === 0 ? found : clear;
  const reading = readingOf(all, count) ?? (exactly ? null : lastOf(all, count));
  if (!reading || hasDoubtfulRow(found, reading, clear))
    return { ok: false, fault: countFault(found, count) };
  const broken = reading.find((each) => 'fault' in each);
  if (broken) return { ok: false, fault: faultText(broken) };
  return { ok: true, grids: reading.flatMap((each) => ('grid' in each ? [each.grid] : [])) };
}

type Candidates = readonly Candidate[];

function readingOf(all: Candidates, count: number): Candidates | null {
  const others = all.filter((each) => kindOf(each) !== 'aside');
  const isMixed = others.length > 0 && others.length < all.length;
  const answers = others.filter((each) => kindOf(each) === 'answer');
  const fenced = others.filter((each) => each.fenced);
  const isLast = (some: Candidates) => some.at(-1) === others.at(-1);
  const readings = [
    ...(isMixed ? [] : [all]),
    others,
    ...(isLast(answers) ? [answers] : []),
    // What follows an answer in a fence without being called one is talk about it; what follows a legend is not.
    ...(isLast(fenced) || (answers.length > 0 && answers.every((each) => each.fenced)) ? [fenced] : []),
  ];
  return readings.find(({ length }) => length === count) ?? null;
}

/** Trials come before the answer, with words between. Of several answers the last ones must be counted as the first were. */
function lastOf(all: Candidates, count: number): Candidates | null {
  const others = all.filter((each) => kindOf(each) !== 'aside');
  const last = others.slice(-count);
  const before = others.at(-count - 1);
  const [first] = last;
  if (count < 1 || !first || !before || first.labelLine <= before.line) return null;
  const isCounted = last.every(({ label }, at) => new RegExp(`\\b${at + 1}\\W*$`).test(label));
  const isOvertaken =
    others.some((each) => kindOf(each) === 'answer') && last.some((each) => kindOf(each) !== 'answer');
  return (count > 1 && !isCounted) || isOvertaken ? null : last;
}

const answerWords =
  /\b(?:answers?|outputs?|results?|final(?:ly)?|solution|prediction|predicted|correct(?:ed|ion)?|fixed|revised|redo|gives|yields|becomes|get|obtain|therefore|thus|hence|wait|actually|instead|recheck|so(?=\W*$))\b|出力|答え|答案|输出|结果|r[eé]sultat|sortie|salida|resultado|respuesta|ausgabe|antwort|ergebnis|ответ|вывод/gi;
const asideWords =
  /(?<!\b(?:for|of|to|from|on|with|in)\s(?:the\s|this\s|each\s)?(?:test\s)?)\binputs?\b|\b(?:legend|palette|key|codes?|maps?|mapping|train(?:ing)?|examples?|try|trial|attempt(?:ed)?|draft|guess was|wrong|incorrect|mistaken|original|so far|sizes?|confidence|check(?:ing)?|verify|pattern|tile|template|shape)\b|入力|输入|entrada|entrée|eingabe/gi;

/** By the last of the words before it that tells; a grid that counts from 0 to 9 is a legend. */
function kindOf(candidate: Candidate): 'answer' | 'aside' | 'unknown' {
  if ('grid' in candidate && candidate.grid.length < 3 && candidate.grid.flat().join('') === '0123456789')
    return 'aside';
  const last = (words: RegExp) => [...candidate.label.matchAll(words)].at(-1)?.index ?? -1;
  const [answer, aside] = [last(answerWords), last(asideWords)];
  if (answer === aside) return 'unknown';
  return answer > aside ? 'answer' : 'aside';
}

/** A single row behind what is read may be an answer, too. */
function hasDoubtfulRow(found: Candidates, reading: Candidates, clear: Candidates): boolean {
  const last = found.at(-1);
  return clear.length > 0 && last?.isLoneRow === true && !reading.includes(last);
}

function countFault(found: Candidates, count: number): string {
  const expected = `expected ${count === 1 ? 'is 1 grid' : `are ${count} grids`}`;
  if (found.length === 0) return `There is no grid in the reply; ${expected}.`;
  const broken = found.find((each) => 'fault' in each);
  const lines = found.map(({ line }) => line).join(', ');
  const where = found.length === 1 ? `at line ${lines}` : `at lines ${lines}`;
  const told = `The reply has ${found.length === 1 ? '1 grid' : `${found.length} grids`} (${where}); ${expected}.`;
  return broken ? `${told} ${faultText(broken)}` : told;
}

function faultText(found: Candidate): string {
  const label = found.label ? ` (${found.label})` : '';
  return `The grid at line ${found.line}${label} cannot be read: ${'fault' in found ? found.fault : ''}.`;
}

/** Spaces, digits and line ends in other guises, and squares in the colours of the digits; the numbers of lines stay. */
function normalised(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]|\ufe0f|\u20e3/g, '')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replaceAll(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30))
    .replaceAll(/[│┃║]/g, '|')
    .replaceAll(nested, (list) => list.replaceAll(/[({]/g, '[').replaceAll(/[)}]/g, ']'))
    .replaceAll(
      /\[\s*(?:\d[ ,]+)+\d\s*(?:;\s*(?:\d[ ,]+)+\d\s*)+\]/g,
      (rows) => `[${rows.replaceAll(';', '],[')}]`,
    )
    .replaceAll(
      /^[ \t]*((?:\d[ ,]+)+\d(?:[ \t]*;[ \t]*(?:\d[ ,]+)+\d)+)[ \t]*;?[ \t]*$/gm,
      (_, rows: string) => `[[${rows.replaceAll(';', '],[')}]]`,
    )
    .replaceAll(/"\d[\d ,]*(?:\\n\d[\d ,]*)+"/g, (rows) => `[${rows.replaceAll('\\n', '","')}]`)
    .replaceAll(/[⬛🟦🟥🟩🟨🟪🟧🟫]/gu, (square) => squares.get(square) ?? square);
}

/** Lists in the brackets of other languages; pairs may be places of cells. */
const nested = /[({]\s*(?:[({]\s*(?:\d\s*,\s*){2,}\d\s*[)}](?:\s*,)?\s*)+[)}]/g;

/** A white square may be 0 or 5, and 8 has none. */
const squares = new Map(
  Object.entries({ '⬛': '0', '🟦': '1', '🟥': '2', '🟩': '3', '🟨': '4', '🟪': '6', '🟧': '7', '🟫': '9' }),
);

const matrix =
  /\\begin\{([a-zA-Z]*matrix\*?|array)\}(?:\{[^{}\n]{0,80}\})?((?:(?!\\begin|\\end)[\s\S])*)\\end\{\1\}/g;

/** Matrices of LaTeX, each as the list of lists that it is, with as many line ends. */
function matricesAsLists(text: string): string {
  return text.replaceAll(matrix, (_, _name, body: string) => {
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
