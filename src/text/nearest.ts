/** The known word that may have been meant. Knows nothing of keys. */

/** Null where none is near: at most a third of the letters are wrong, missing or too many, and never more than three. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  const most = Math.min(3, Math.floor(word.length / 3));
  const ranked = known
    .map((each) => ({ each, edits: editDistance(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits || commonPrefixLength(word, b.each) - commonPrefixLength(word, a.each));
  return ranked[0]?.each ?? null;
}

/** Letters at the beginning: people err at the end of a word rather than there. */
function commonPrefixLength(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Insertions, deletions, replacements, and two letters that changed places, row by row (Damerau and Levenshtein). */
function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
