/**
 * Finds the sections of what a model wrote, under headings in any form in which models write them: `### Name ###`,
 * `**2. Name**`, `Name:`, `\section*{Name}`, `<h3>Name</h3>`, a line that is underlined. Pure; knows no agent.
 */

type Heading = {
  readonly start: number;
  readonly end: number;
  /** The text behind the heading on the same line. */
  readonly rest: string;
  /** `alone`: the name and nothing else; `longer`: a heading that goes on, `### Name of it ###`; `inline`: `Name: words`. */
  readonly form: 'alone' | 'longer' | 'inline';
};

/**
 * What stands below the last heading of this name, to the end or to the next heading of those in `until`; null where
 * there is no such heading, or nothing below it. A heading on a line of its own goes before a mere `Name: words`. Of
 * headings that go on (`Name of part (a)`) the first one counts: the others are parts of what is looked for.
 */
export function sectionFrom(text: string, name: string, until: readonly string[] = []): string | null {
  const found = headings(text, name);
  const heading =
    found.findLast(({ form }) => form === 'alone') ??
    found.find(({ form }) => form === 'longer') ??
    found.at(-1);
  if (!heading) return null;
  const ends = until.flatMap((other) => headings(text, other)).map(({ start }) => start);
  const end = Math.min(text.length, ...ends.filter((start) => start >= heading.end));
  const child = `${heading.rest}${text.slice(heading.end, end)}`.trim();
  return child === '' ? null : child;
}

/** What stands before the first heading of this name; the whole where there is none. */
export function textBefore(text: string, name: string): string {
  const [heading] = headings(text, name);
  return (heading ? text.slice(0, heading.start) : text).trim();
}

/** What stands behind the first occurrence of these words, wherever it is; empty where there is none. */
export function cutBehind(text: string, words: string): string {
  const at = text.indexOf(words);
  return at < 0 ? '' : text.slice(at + words.length).trim();
}

/** What stands before the first occurrence of these words; the whole where there is none. */
export function cutBefore(text: string, words: string): string {
  const at = text.indexOf(words);
  return (at < 0 ? text : text.slice(0, at)).trim();
}

// No two neighbours of these patterns take the same characters: a line of a thousand asterisks costs a thousand steps.
const marks = String.raw`(?<marks>[ \t>#*_•-]*)(?:\p{Extended_Pictographic}\uFE0F?[ \t]*)?`;
const command = String.raw`(?:<(?:p|li|div)>[ \t]*)?(?<command>(?:\\(?:(?:sub)*section|paragraph|textbf)\*?\{|<(?:h[1-6]|b|strong)>)[*_ \t]*)?`;
const number = String.raw`(?:(?:(?:(?:part|section)[ \t]+|§[ \t]*)\d+[.):]?|(?:\d+|[a-z]|[ivx]+)[.)])[*_ \t]*)?`;
const closing = String.raw`[*_}# \t]*(?:<\/(?:h[1-6]|b|strong)>)?[ \t]*(?<colon>[:：](?:\*\*|__)?)?(?:<\/(?:b|strong)>)?`;
const underline = String.raw`(?:\n[ \t]*(?:={3,}|-{3,})[ \t]*$)?`;

/** A line that is the heading and nothing else, but for a colon with words behind it. */
function headings(text: string, name: string): readonly Heading[] {
  const words = name.split(' ').join('\\s+');
  const line = new RegExp(
    `^${marks}${command}${number}${words}${closing}(?<rest>.*)$(?<underline>${underline})`,
    'gimu',
  );
  return [...text.matchAll(line)].flatMap((match): Heading[] => {
    const { marks = '', command: prefix = '', colon, rest = '', underline: child = '' } = match.groups ?? {};
    const form = isDecoration(rest, prefix !== '' || /[#*_]/.test(marks))
      ? 'alone'
      : colon !== undefined
        ? 'inline'
        : goesOn(marks, prefix, rest) && 'longer';
    if (!form) return [];
    const isInline = form === 'inline';
    const end = match.index + match[0].length - (isInline ? child.length : 0);
    return [{ start: match.index, end, rest: isInline ? rest : '', form }];
  });
}

/** Marked as a heading from its first character to its last; a sentence that begins in bold type is none. */
function goesOn(marks: string, prefix: string, rest: string): boolean {
  if (!/^[\s\w]/.test(rest) || rest.length > longestRest) return false;
  if (marks.includes('#')) return true;
  return prefix !== ''
    ? /(?:\}|<\/\w+>)\s*$/.test(rest)
    : marks.includes('**') && /^[^*]+\*\*\s*$/.test(rest);
}

const longestRest = 80;

/** A remark in brackets; a full stop only behind what looks like a heading, or it may end a sentence. */
function isDecoration(rest: string, isHeading: boolean): boolean {
  const words = isHeading ? rest.replace(/^\s*\./, '') : rest;
  return /^[*_}#\s]*(?:\([^()]*\)[*_}#:\s]*)?$/.test(words);
}
