/** The change from one text to another as SEARCH/REPLACE blocks, as a careful model would write it. */

export type Written = { readonly search: readonly string[]; readonly replace: readonly string[] };

/** One block: what differs, with as many lines around it as it takes to stand in the text once. */
export function blockBetween(before: string, after: string): Written {
  const [from, to] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start += 1;
  let tail = 0;
  const most = Math.min(from.length, to.length) - start;
  while (tail < most && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  let end = from.length - tail;
  while (!isOnce(from, start, end) && (start > 0 || end < from.length)) {
    if (start > 0) start -= 1;
    else end += 1;
  }
  return { search: from.slice(start, end), replace: to.slice(start, to.length - (from.length - end)) };
}

export function written({ search, replace }: Written): string {
  return ['<<<<<<< SEARCH', ...search, '=======', ...replace, '>>>>>>> REPLACE'].join('\n');
}

function isOnce(lines: readonly string[], start: number, end: number): boolean {
  const search = lines.slice(start, end);
  if (search.every((line) => line.trim() === '')) return false;
  let found = 0;
  for (let at = 0; at + search.length <= lines.length; at += 1) {
    if (search.every((line, offset) => line === lines[at + offset])) found += 1;
  }
  return found === 1;
}
