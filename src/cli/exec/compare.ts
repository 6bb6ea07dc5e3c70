/** Whether a program wrote what it should: line by line, blanks at the end of lines and of the text left out. Pure. */

/** The first line that differs, null where none does. `line` counts from 1. */
export type Difference = { readonly line: number; readonly expected: string; readonly actual: string };

export function firstDifference(expected: string, actual: string): Difference | null {
  const [wanted, written] = [linesOf(expected), linesOf(actual)];
  for (let at = 0; at < Math.max(wanted.length, written.length); at += 1) {
    if (wanted[at] === written[at]) continue;
    return { line: at + 1, expected: wanted[at] ?? '(nothing)', actual: written[at] ?? '(nothing)' };
  }
  return null;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}
