/** One function of a program, for words that ask about a function: `{function_code}`. Braces alone are read. Pure. */

const opening = /^[A-Za-z_][^;{}()#]*\([^;{}]*\)[^;{}()]*\{[ \t]*$/gm;

/** Functions at the outermost level, each whole; empty where there are none to be seen. */
export function functionsIn(source: string): readonly string[] {
  return [...source.matchAll(opening)].flatMap(({ index, 0: head }) => {
    const end = closingOf(source, index + head.lastIndexOf('{'));
    return end === null ? [] : [source.slice(index, end + 1)];
  });
}

function closingOf(source: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}
