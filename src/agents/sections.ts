/**
 * Finds the sections of what a model wrote, under headings in any form in which models write them: `### Name ###`,
 * `**2. Name**`, `Name:`, `\section*{Name}`. Pure; knows no agent.
 */

type Heading = { readonly start: number; readonly end: number; readonly rest: string };

/** What stands below the last heading of this name, to the end; null where there is none, or nothing below it. */
export function sectionFrom(text: string, name: string): string | null {
  const heading = headings(text, name).at(-1);
  const below = heading && `${heading.rest}${text.slice(heading.end)}`.trim();
  return below ? below : null;
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

/** A line that is the heading and nothing else, but for a colon with words behind it. */
function headings(text: string, name: string): readonly Heading[] {
  const words = name.split(' ').join('\\s+');
  const opening = String.raw`[ \t>]*(?:#{1,6}[ \t]*|\\(?:sub)*section\*?\{|\*\*|__|\*|_)*[ \t]*(?:(?:\d+|[a-z]|[ivx]+)[.)][ \t]*)?(?:\*\*|__)?`;
  const closing = String.raw`[ \t]*(?:\*\*|__|\}|#{1,6}|:|[ \t])*`;
  const line = new RegExp(`^${opening}${words}${closing}(.*)$`, 'gim');
  return [...text.matchAll(line)].flatMap((match): Heading[] => {
    const [whole, rest = ''] = match;
    const isHeading =
      rest.trim() === '' ||
      /:[ \t]*(?:\*\*|__)?[ \t]*\S/.test(whole.slice(0, whole.length - rest.length + 1));
    return isHeading ? [{ start: match.index, end: match.index + whole.length, rest }] : [];
  });
}
