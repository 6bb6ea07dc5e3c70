/** Indentation as one text writes it and another, and lines rewritten from the one to the other. Pure. */

/** How each indentation of the one text is written in the other. */
export type Indentations = ReadonlyMap<string, string>;

/** Of lines that are alike but for it; null where one indentation stands for two: then they are no copy of each other. */
export function indentationOf(from: readonly string[], to: readonly string[]): Indentations | null {
  const found = new Map<string, string>();
  for (const [at, line] of from.entries()) {
    if (line.trim() === '') continue;
    const [one, other] = [leading(line), leading(to[at] ?? '')];
    if ((found.get(one) ?? other) !== other) return null;
    found.set(one, other);
  }
  return found;
}

/** An indentation that was not seen goes as deep beyond the deepest known one before it as it did. */
export function reindented(
  lines: readonly string[],
  indentations: Indentations | null,
): readonly string[] | null {
  if (!indentations) return null;
  return lines.map((line) => {
    if (line.trim() === '') return line;
    const own = leading(line);
    return `${written(own, indentations)}${line.slice(own.length)}`;
  });
}

function written(own: string, indentations: Indentations): string {
  const exact = indentations.get(own);
  if (exact !== undefined) return exact;
  const known = [...indentations.keys()].toSorted((a, b) => b.length - a.length);
  const shallower = known.find((each) => own.startsWith(each));
  if (shallower !== undefined) return `${indentations.get(shallower)}${own.slice(shallower.length)}`;
  // Less deep than all that is known: what the shallowest has too much, or too little, this one has as well.
  const last = known.at(-1) ?? '';
  const to = indentations.get(last) ?? '';
  return to.endsWith(last.slice(own.length)) ? to.slice(0, to.length - (last.length - own.length)) : own;
}

const leading = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
