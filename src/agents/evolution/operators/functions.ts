/** One function of a program, for words that ask about a function: `{function_code}`. Braces alone are read. Pure. */

/** No head is as long. */
const opening = /^[A-Za-z_][^;{}()#]{0,300}\([^;{}]{0,2000}\)[^;{}()]{0,300}\{[ \t]*$/gm;

/** Functions at the outermost level, each whole; empty where there are none to be seen. */
export function functionsIn(source: string): readonly string[] {
  const closing = closingBraces(source);
  return [...source.matchAll(opening)].flatMap(({ index, 0: head }) => {
    const end = closing.get(index + head.lastIndexOf('{'));
    return end === undefined ? [] : [source.slice(index, end + 1)];
  });
}

/** By where the braces open. */
function closingBraces(source: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(index);
    else {
      const last = open.pop();
      if (last !== undefined) closing.set(last, index);
    }
  }
  return closing;
}
