/**
 * What Python and SymPy print, as LaTeX: `Matrix([[1, 2]])`, `Interval.open(0, 1)`, `Fraction(1, 2)`, sets, dictionaries,
 * conditions joined by `&`. It knows how these are written, not what they mean.
 */
import written from './python.json' with { type: 'json' };

/** `#1` stands for the first of as many arguments; without an arity it is the joint between any number, with brackets around. */
const calls: Readonly<Record<string, string>> = written.calls;
const constants: Readonly<Record<string, string>> = written.constants;
const own: Readonly<Record<string, (items: readonly string[]) => string | null>> = {
  ...{
    array: matrix,
    Matrix: matrix,
    ImmutableMatrix: matrix,
    ImmutableDenseMatrix: matrix,
    MutableDenseMatrix: matrix,
  },
  set: unwrapCall,
  frozenset: unwrapCall,
  Interval: interval,
};

function buildCollection(name: string, items: readonly string[]): string | null {
  const form = calls[`${name}/${items.length}`];
  if (form === undefined && Object.hasOwn(own, name)) return own[name]?.(items) ?? null;
  if (form !== undefined) {
    const filled = form.replaceAll(
      /#(\d)/g,
      (_, at: string) => items[Number(at) - 1]?.replaceAll(/^['"]|['"]$/g, '') ?? '',
    );
    return name.startsWith('Interval')
      ? filled.replace(/^\[(?=-\s*oo,)/, '(').replace(/(?<=, oo)\]$/, ')')
      : filled;
  }
  const [, open = '', joint = '', close = ''] = /^([({\\]*)(.*?)([)}\\]*)$/.exec(calls[name] ?? '') ?? [];
  return joint === '' || items.length === 0 ? null : `${open}${items.join(joint)}${close}`;
}

/** The interval, with a flag for each open end. */
function interval([a = '', b = '', isLowOpen, isHighOpen]: readonly string[]): string | null {
  return `${isLowOpen === 'True' ? '(' : '['}${a}, ${b}${isHighOpen === 'True' ? ')' : ']'}`;
}

const names = [...new Set([...Object.keys(calls), ...Object.keys(own)].map((name) => name.split('/')[0]))];
const called = new RegExp(
  String.raw`(?<![\\\p{L}\w.])(${names.join('|').replaceAll('.', '\\.')})\s*\(`,
  'gu',
);
const deepest = 24;

export function fromPython(text: string): string {
  const bare = text
    .replaceAll(/\b([a-z])\s*\*\s*\(\s*\1\s*([+-])\s*1\s*\)\s*\/\/\s*2\b/g, '$1*($1$2 1)/2')
    .replaceAll(/(?<![\w.\\])(?:math|cmath|np|numpy|sp|sympy)\.(?=[A-Za-z])/g, '')
    .replaceAll(
      /(?<![\w\\{])S\.([A-Z]\w*)|(?<![\w\\{])(?:EmptySet|Reals)\b/g,
      (name, known) => constants[known ?? name] ?? name,
    );
  const changed = rewritePython(bare, 0);
  return text.includes('\\') ? changed : rewriteCollection(conditions(changed));
}

function rewritePython(text: string, depth: number): string {
  if (depth > deepest || !text.includes('(')) return text;
  let result = '';
  let at = 0;
  for (const match of text.matchAll(called)) {
    if (match.index < at) continue;
    const open = match.index + match[0].length - 1;
    const end = findClosing(text, open);
    if (end === null) break;
    const items = parts(text.slice(open + 1, end)).map((item) => rewritePython(item, depth + 1));
    const latex = buildCollection(match[1] ?? '', items);
    if (latex === null) continue;
    result += text.slice(at, match.index) + latex;
    at = end + 1;
  }
  return result + text.slice(at);
}

/** Where the bracket closes that opens here; null where it does not. */
function findClosing(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ('([{'.includes(text[at] ?? ' ')) depth += 1;
    else if (')]}'.includes(text[at] ?? ' ')) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

/** What commas outside of brackets part. */
function parts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at] ?? ',';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (at < text.length && (character !== ',' || depth > 0)) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return found.filter((part, at) => part !== '' || at < found.length - 1);
}

function inside(text: string, open: string): readonly string[] | null {
  const bare = text.trim();
  return bare.startsWith(open) && findClosing(bare, 0) === bare.length - 1 ? parts(bare.slice(1, -1)) : null;
}

/** Rows in brackets, a column, or rows, columns and entries. */
function matrix([first = '', columns, entries]: readonly string[]): string | null {
  const items = inside(entries ?? first, '[');
  if (!items || items.length === 0) return null;
  const width = Number(columns);
  const rows =
    entries === undefined
      ? items.map((item) => inside(item, '[') ?? [item])
      : Array.from({ length: Number(first) }, (_, row) => items.slice(row * width, (row + 1) * width));
  return `\\begin{pmatrix}${rows.map((row) => row.join(' & ')).join(' \\\\ ')}\\end{pmatrix}`;
}

/** `set()` is empty, `set([1, 2])` holds what stands in the brackets. */
function unwrapCall([only, ...more]: readonly string[]): string | null {
  if (only === undefined) return '\\emptyset';
  const items = inside(only, '[') ?? inside(only, '{') ?? inside(only, '(');
  return items && more.length === 0 ? buildCollection('FiniteSet', items) : null;
}

/** `(-oo < x) & (x < 2)`. */
function conditions(text: string): string {
  if (!/\)\s*[&|]\s*\(/.test(text) || !/[<>=]/.test(text)) return text;
  return text
    .replaceAll(/\(\s*-oo\s*<\s*\w+\s*\)\s*&\s*|\s*&\s*\(\s*\w+\s*<\s*oo\s*\)/g, '')
    .replaceAll(/\)\s*&\s*\(/g, ') \\text{ and } (')
    .replaceAll(/\)\s*\|\s*\(/g, ') \\text{ or } (');
}

const pair = /^\s*['"]?([A-Za-z]\w*)['"]?\s*:\s*([^:<>=|≤≥≠∈]+)$/;

/** `{1, 2}` is a set, `{x: 1, y: 2}` says what is what, and a list of such says it several times. */
function rewriteCollection(text: string): string {
  const items = inside(text, '{');
  const assigned = (each: string) => {
    const pairs = inside(each, '{')?.map((item) => pair.exec(item));
    return pairs?.length && !pairs.includes(null)
      ? pairs.map((found) => `${found?.[1]} = ${found?.[2]}`).join(', ')
      : null;
  };
  const groups = (inside(text, '[') ?? [text]).map(assigned);
  if (groups.length > 0 && !groups.includes(null)) return groups.join('; ');
  return items && items.length > 1 ? `\\{${items.join(', ')}\\}` : text;
}

/** SymPy prints `log(6)` for the natural logarithm. */
export function withPythonLogarithm(text: string): string | null {
  return text.includes('\\') || !/(?<!\w)log\(/.test(text) ? null : text.replaceAll(/(?<!\w)log\(/g, '\\ln(');
}

/** `6 - 5*I`, `6-5j`, `2*E`: other letters for i and e. Null where they are none. */
export function withPythonConstants(text: string): string | null {
  if (/^[\d\s.()+\-*/e]*\dj[\d\s.()+\-*/ej]*$/.test(text)) return text.replaceAll('j', 'i');
  const isBare = !/[A-Za-z]/.test(text.replaceAll(/\b(?:sqrt|pi|exp|I|E)\b/g, ''));
  if (!/(?<![\w\\])[IE](?!\w)/.test(text) || !(isBare || text.includes('*')) || text.includes('\\text'))
    return null;
  return text.replaceAll(/(?<![\w\\])[IE](?!\w)/g, (letter) => letter.toLowerCase());
}
