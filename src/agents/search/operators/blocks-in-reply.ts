/**
 * Changes as blocks: the marks that were asked for, or others that models write, for the lines that are searched and for
 * those that take their place. What a program makes of them is no matter here. Pure.
 */
import { codeBlocks } from '../../../text/code-blocks.ts';
import { withoutEntities, withoutThoughts } from '../../../text/model-json.ts';

export type Block = { readonly search: readonly string[]; readonly replace: readonly string[] };

/** Lines that begin, divide and end a block. */
const marks = {
  opens:
    /^[\s*#]*(?:[`~]{3,}[\w+]*\s*)?(?:<{4,}\s*(?:(?:search|find|original|old|before|head)\b[^`]*)?|-{5,}\s*(?:search|find|original|old)\b[^`-]*|<(?:search|find|original|old)\w*>\s*)$/i,
  divides:
    /^\s*\**(?:={4,}\**\s*(?:replace|with|updated|new)?[\s:*]*|<\/(?:search|find|original|old)\w*>\s*)$/i,
  closes:
    /^\s*\**(?:>{4,}[^`~]*|[<+]{4,}\s*(?:replace|updated|new|end|after)\b[^`~]*|<\/(?:replace|updated|new)\w*>\s*)(?:[`~]{3,}\s*)?$/i,
};
/** As it was asked for. */
const divider = /^\s*={5,9}\s*$/;

/** The blocks of a reply, in their order; null where it begins one and does not end it. */
export function blocksIn(text: string): readonly Block[] | null {
  const said = withoutThoughts(text);
  for (const form of [said, quotedIn(said), unescaped(said)]) {
    const found = blocksInForm(form);
    if (found === null || found.length > 0) return found;
  }
  return [];
}

function blocksInForm(text: string): readonly Block[] | null {
  const found = parseMarkedBlocks(linesOf(text));
  if (found === null) return null;
  // A block without a word shows the form and changes nothing.
  const lines = found.filter(({ search, replace }) =>
    [...search, ...replace].some((line) => line.trim() !== ''),
  );
  if (lines.length > 0) {
    return lines.map(({ search, replace }) => ({
      search: removeFence(search),
      replace: removeFence(replace),
    }));
  }
  const blocks = parseTitledBlocks(text);
  if (blocks.length > 0) return blocks;
  const hunks = parseHunks(linesOf(text));
  return hunks.length > 0 ? hunks : parseUnnumberedHunks(text);
}

/** The lines that a model quotes by `>`. */
function quotedIn(text: string): string {
  const quoted = /^[ \t]*> ?(?=[^>]|>{4,}|$)/;
  const lines = linesOf(text).filter((line) => quoted.test(line));
  return lines.map((line) => line.replace(quoted, '')).join('\n');
}

/** Decodes HTML entities; returns '' if no mark of a block is written with them. */
const unescaped = (text: string): string => (/(?:&lt;){4}/.test(text) ? withoutEntities(text) : '');

function parseMarkedBlocks(lines: readonly string[]): readonly Block[] | null {
  const { opens, divides, closes } = marks;
  const blocks: Block[] = [];
  let open: { search: string[]; replace: string[] | null } | null = null;
  for (const line of lines) {
    if (!open) {
      if (opens.test(line)) open = { search: [], replace: null };
    } else if (open.replace && closes.test(line)) {
      blocks.push({ search: open.search, replace: open.replace });
      open = null;
    } else if (opens.test(line) || (open.replace && divider.test(line))) {
      // Two parts that replace, or no end: which lines are meant is open.
      return null;
    } else if (open.replace) open.replace.push(line);
    else if (divides.test(line)) open.replace = [];
    else open.search.push(line);
  }
  return open ? null : blocks;
}

/** Without what a model puts around the lines of a part: a tag, a fence, where it stands, their numbers. */
function removeFence(part: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  const count = part.findLastIndex((line) => /^\s*(?:<\w+>|:\w+:\s*\d+|-{4,})\s*$/.test(line));
  const inner = part.slice(0, count).some((line) => isText(line) && !/^\s*:/.test(line))
    ? part
    : part.slice(count + 1);
  const [first, last] = [inner.findIndex(isText), inner.findLastIndex(isText)];
  const isFenced = first < last && /^\s*[`~]{3,}[\w+.-]*\s*$/.test(inner[first] ?? '');
  const bare = isFenced && /^\s*[`~]{3,}\s*$/.test(inner[last] ?? '') ? inner.slice(first + 1, last) : inner;
  const isNumbered = bare.filter(isText).every((line) => number.test(line));
  return isNumbered ? bare.map((line) => line.replace(number, '')) : bare;
}

const number = /^\s*L?\d+(?: ?[:|] ?|\t)/;

const title = (words: string) => new RegExp(`^\\W*(?:${words})(?: with)?\\W*$`, 'i');
const [searchTitle, replaceTitle] = [
  title('search|find|original|old'),
  title('replace|replacement|updated|new'),
];

/** Two fenced blocks of code, each below a line that says which part it is. */
function parseTitledBlocks(text: string): readonly Block[] {
  const fenced = codeBlocks(text).filter(({ isClosed }) => isClosed);
  return fenced.flatMap((old, at) => {
    const next = fenced[at + 1];
    if (!next || !searchTitle.test(lineAbove(text, old.start))) return [];
    if (!replaceTitle.test(lineAbove(text, next.start))) return [];
    return [{ search: linesOf(old.code), replace: linesOf(next.code) }];
  });
}

const lineAbove = (text: string, at: number): string =>
  linesOf(text.slice(Math.max(0, at - 200), at).trimEnd()).at(-1) ?? '';

/** Patches that name no line, in fences: each stretch up to a line of dots is searched and replaced by itself. */
function parseUnnumberedHunks(text: string): readonly Block[] {
  const patches = codeBlocks(text).filter(({ language, code, isClosed }) => {
    const isPatch = /^(?:diff|patch|udiff)$/.test(language) || (/^-/m.test(code) && /^\+/m.test(code));
    return isPatch && isClosed;
  });
  return patches.flatMap(({ code }) => {
    const lines = linesOf(code.replace(stretchEnd, '@@'));
    const kept = lines.filter((line) => line.trim() !== '' && !/^(?:[+-]|@@)/.test(line));
    // Indentation is even; models often leave out the space that `diff` puts before what stays.
    const hasSpace = kept.every((line) => (/^ */.exec(line)?.[0].length ?? 0) % 2 === 1);
    return parseHunks([
      '@@',
      ...lines.map((line) => (hasSpace || /^(?:[+-]|@@)/.test(line) ? line : ` ${line}`)),
    ]);
  });
}

/** Names of files, or signs for lines that are left out. */
const stretchEnd = /^(?:---|\+\+\+) .*$|^[ \t]*(?:\/\/ ?|# ?)?(?:\.{3,}|…)[ \t]*$/gm;

/** Of a patch as `diff -u` writes it: what a hunk keeps or takes out is searched. Line numbers are guesses of a model. */
function parseHunks(lines: readonly string[]): readonly Block[] {
  const blocks: { search: string[]; replace: string[] }[] = [];
  let hunk: (typeof blocks)[number] | null = null;
  for (const line of lines) {
    if (line.startsWith('@@')) {
      hunk = { search: [], replace: [] };
      blocks.push(hunk);
    } else if (!hunk || !/^(?:[ +-]|$)/.test(line) || /^(?:---|\+\+\+) /.test(line)) hunk = null;
    else {
      if (!line.startsWith('+')) hunk.search.push(line.slice(1));
      if (!line.startsWith('-')) hunk.replace.push(line.slice(1));
    }
  }
  return blocks.filter(({ search, replace }) => search.join('\n') !== replace.join('\n'));
}

export const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, ''));
