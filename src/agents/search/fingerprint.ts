/**
 * Two programs that differ in comments, spaces and names of their own have one fingerprint. Names are told by the order
 * in which they first stand in the whole program, so that another variable at one place makes another program. Which
 * names are its own is read off their surroundings, not known: where that fails, two programs count as different, and
 * cost an evaluation. Pure.
 */
import { isName, type Tokens } from './token-runs.ts';

export function fingerprintOf(tokens: Tokens): string {
  const own = ownNames(tokens);
  const numbers = new Map<string, number>();
  // Two hashes together, so that no two programs of a session have both alike.
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (const [at, each] of tokens.entries()) {
    const isOwn = own.has(each) && tokens[at - 1] !== '::';
    if (isOwn && !numbers.has(each)) numbers.set(each, numbers.size);
    const said = `${isOwn ? `$${numbers.get(each)}` : each} `;
    for (let place = 0; place < said.length; place += 1) {
      const code = said.charCodeAt(place);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul((other << 5) ^ (other >>> 27) ^ code, 0x5bd1e995);
    }
  }
  return `${tokens.length} ${one >>> 0} ${other >>> 0}`;
}

/** Of the C++ library, written like one's own. */
const constant = /^(?:[A-Z\d]+_(?:MAX|MIN|EPSILON)|M_[A-Z\d_]+|EOF|NULL|INFINITY|NAN|CLOCKS_PER_SEC)$/;

function ownNames(tokens: Tokens): ReadonlySet<string> {
  const own = new Set<string>();
  for (const [at, each] of tokens.entries()) {
    if (isName(each) && !own.has(each) && !constant.test(each) && isOwnAt(tokens, at)) own.add(each);
  }
  return own;
}

/** What may follow a name without saying that the name is a type. */
const joining = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'for', 'as']);

/** Words behind which an expression stands; behind every other one, what is named is declared there. */
const leading = new Set(
  'return else case throw new delete goto do yield print and or not in is if from import as'.split(' '),
);

/** A member, a function that is called, or a type may be the library's. */
function isOwnAt(tokens: Tokens, at: number): boolean {
  const [before = '', after = ''] = [tokens[at - 1], tokens[at + 1]];
  if (before === '.' || before === '->' || before === '::') return false;
  if (after === '(') return isDeclaring(before) || isDefinition(tokens, at + 1);
  return !/^[A-Za-z_]/.test(after) || joining.has(after);
}

const isDeclaring = (before: string): boolean => /^[A-Za-z_]/.test(before) && !leading.has(before);

const longestHead = 200;

/** `(…) {`: no call is followed by a block. */
function isDefinition(tokens: Tokens, open: number): boolean {
  let depth = 0;
  for (let at = open; at < Math.min(tokens.length, open + longestHead); at += 1) {
    if (tokens[at] === '(') depth += 1;
    if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return /^(?:\{|const|noexcept|->)$/.test(tokens[at + 1] ?? '');
  }
  return false;
}
