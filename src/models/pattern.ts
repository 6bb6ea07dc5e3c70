/** Patterns for roles and branches in script files: `*` stands for any characters, none and `/` included. Pure. */

/** The pattern that fits `name` best: the name itself, else the one with the most letters of its own. */
export function bestPattern(patterns: readonly string[], name: string): string | undefined {
  if (patterns.includes(name)) return name;
  return patterns.filter((pattern) => matches(pattern, name)).sort(moreSpecificFirst)[0];
}

export function matches(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let from = head.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= end;
}

/** Never by the order in the file: objects put keys that look like numbers first. */
function moreSpecificFirst(a: string, b: string): number {
  return countLiteralChars(b) - countLiteralChars(a) || (a < b ? -1 : 1);
}

function countLiteralChars(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}
