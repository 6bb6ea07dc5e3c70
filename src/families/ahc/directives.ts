/** The lines of a C++ file that are for its preprocessor: not those in comments and raw strings. Pure. */

export type Directive = { readonly name: string; readonly rest: string };

/** By line, from 0. */
export function directivesOf(lines: readonly string[]): ReadonlyMap<number, Directive> {
  const directives = new Map<number, Directive>();
  let inside: Inside = null;
  for (const [at, line] of lines.entries()) {
    const { name, rest } = /^\s*#\s*(?<name>\w+)\s*(?<rest>[^\n]*)$/.exec(line)?.groups ?? {};
    const isDirective = inside === null && name !== undefined;
    if (isDirective) directives.set(at, { name, rest: (rest ?? '').trim() });
    inside = insideAfter(line, inside, isDirective);
  }
  return directives;
}

/** What a line ends in: a comment over several lines, or a raw string with the word that ends it. */
type Inside = 'comment' | { readonly ends: string } | null;

function insideAfter(line: string, before: Inside, isDirective: boolean): Inside {
  // A digit separator (1'000'000) is no beginning of a character.
  const plain = line.replaceAll(/(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])/g, '_');
  const next = beginningsIn(plain, isDirective);
  let inside = before;
  for (let at = 0; ; ) {
    if (inside !== null) {
      const end = inside === 'comment' ? '*/' : inside.ends;
      const found = line.indexOf(end, at);
      if (found < 0) return inside;
      at = found + end.length;
    }
    const beginning = next(at);
    if (!beginning) return null;
    ({ at, inside } = beginning);
  }
}

type Beginning = { readonly at: number; readonly inside: Exclude<Inside, null> };

const beginnings = /\/\/|\/\*|(?:u8|[uUL])?R"(?<word>[^()\\\s]{0,16})\(|["']/g;
const quoted = { '"': /"(?:[^"\\]|\\[\s\S])*"/y, "'": /'(?:[^'\\]|\\[\s\S])*'/y };

/** What begins first behind a place, and goes on over lines. Places are asked for from left to right. */
function beginningsIn(line: string, isDirective: boolean): (from: number) => Beginning | null {
  // Where a quote is not closed, none like it behind it is.
  const unclosed = new Set<string>();
  const endOfQuoted = (at: number, sign: '"' | "'"): number => {
    const pattern = quoted[sign];
    pattern.lastIndex = at;
    if (!unclosed.has(sign) && pattern.test(line)) return pattern.lastIndex;
    unclosed.add(sign);
    return at + 1;
  };
  return (from) => {
    for (let at = from; ; ) {
      beginnings.lastIndex = at;
      const match = beginnings.exec(line);
      if (!match || match[0] === '//') return null;
      const [sign] = match;
      at = beginnings.lastIndex;
      if (sign === '/*') return { at, inside: 'comment' };
      // A directive's text may have quotes of its own: `#error don't`.
      if (sign === '"' || sign === "'") at = endOfQuoted(match.index, sign);
      else if (!isDirective) return { at, inside: { ends: `)${match.groups?.word ?? ''}"` } };
    }
  };
}

/** The name of an include guard around the whole file: `#ifndef X`, `#define X`, and `#endif` at the end. */
export function guardOf(lines: readonly string[], directives: ReadonlyMap<number, Directive>): string | null {
  const ordered = [...directives.entries()];
  const [first, second] = ordered;
  const last = ordered.at(-1);
  if (!first || !second || !last || first[1].name !== 'ifndef' || second[1].name !== 'define') return null;
  const [name = ''] = first[1].rest.split(/\s/);
  if (name === '' || second[1].rest.split(/\s/)[0] !== name || last[1].name !== 'endif') return null;
  const around = [...lines.slice(0, first[0]), ...lines.slice(last[0] + 1)];
  const isAlone = around.every((line) => /^\s*(\/\/.*|\/?\*.*)?$/.test(line));
  return isAlone && closesAtEnd(ordered) ? name : null;
}

/** The first `#ifndef` is closed by the last `#endif`, and has no `#else`. */
function closesAtEnd(ordered: readonly (readonly [number, Directive])[]): boolean {
  let depth = 0;
  for (const [index, [, { name }]] of ordered.entries()) {
    if (/^if/.test(name)) depth += 1;
    if (name === 'endif') depth -= 1;
    if (depth === 1 && /^el/.test(name)) return false;
    if (depth === 0 && index < ordered.length - 1) return false;
  }
  return depth === 0;
}
