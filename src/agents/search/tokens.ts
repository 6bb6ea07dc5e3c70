/** A program as tokens without comments, as the set of its runs of tokens, and as a fingerprint. Pure. */

/** A hash of a run: enough to tell runs of one session apart. */
export type Run = number;

const length = 7;

/** A quote behind a backslash begins nothing: where the one before it is not closed, none in its line is. */
const token =
  /[A-Za-z_]\w*|(?:0[xX][\da-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\w*|(?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*'|::|->|<<=?|>>=?|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|\S/g;

/** Names that mean something by themselves: who takes another one has changed the program. */
const words: ReadonlySet<string> = new Set(
  (
    'alignas alignof auto bool break case catch char class const constexpr continue decltype default delete do double else ' +
    'enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator ' +
    'private protected public register return short signed sizeof static static_cast struct switch template this throw true ' +
    'try typedef typename union unsigned using virtual void volatile while int64_t uint64_t int32_t uint32_t size_t ' +
    'std vector array deque list set map multiset multimap unordered_map unordered_set queue stack priority_queue bitset ' +
    'string pair tuple optional function greater less include define pragma first second numeric_limits chrono ' +
    'milliseconds microseconds nanoseconds steady_clock system_clock high_resolution_clock mt19937 mt19937_64 ' +
    'def elif import from in is not and or lambda pass None True False range print yield with as global except finally'
  ).split(' '),
);

export type Tokens = readonly string[];

export function tokensOf(source: string, python: boolean): Tokens {
  // A string may hold what looks like a comment: both are read in one go, and the string is kept.
  const comments = python
    ? /((?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*')|#[^\n]*/g
    : /((?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
  return source.replace(comments, (_all, text: string | undefined) => text ?? ' ').match(token) ?? [];
}

function isName(text: string): boolean {
  return /^[A-Za-z_]/.test(text) && !words.has(text);
}

export function namesIn(tokens: Tokens): ReadonlySet<string> {
  return new Set(tokens.filter(isName));
}

/**
 * In a run, names that are not in `known` are numbered by the order in which they first stand in it: what is new may be
 * called anything, while another one of the known names is a change.
 */
export function runsOf(tokens: Tokens, known: ReadonlySet<string>): ReadonlySet<Run> {
  const hashes = hashesOf(tokens);
  const isNew = tokens.map((each) => isName(each) && !known.has(each));
  const runs = new Set<Run>();
  for (let start = 0; start === 0 || start + length <= tokens.length; start += 1) {
    const end = Math.min(start + length, tokens.length);
    const names: string[] = [];
    let hash = basis;
    for (let at = start; at < end; at += 1) {
      const isFree = isNew[at] && !(at + 1 < end && tokens[at + 1] === '(');
      hash = mixed(hash, isFree ? numberIn(names, tokens[at] ?? '') : (hashes[at] ?? 0));
    }
    runs.add(hash >>> 0);
  }
  return runs;
}

/** Runs overlap: each token would be hashed again for each of them. */
function hashesOf(tokens: Tokens): readonly number[] {
  const known = new Map<string, number>();
  return tokens.map((each) => {
    const hash = known.get(each) ?? [...each].reduce((sum, one) => mixed(sum, one.charCodeAt(0)), basis);
    known.set(each, hash);
    return hash;
  });
}

function numberIn(names: string[], name: string): number {
  const at = names.indexOf(name);
  return at >= 0 ? at : names.push(name) - 1;
}

const basis = 0x811c9dc5;

function mixed(hash: number, value: number): number {
  const next = Math.imul(hash ^ value, 0x01000193);
  return next ^ (next >>> 15);
}

/**
 * Two programs that differ in comments, spaces and names of their own have one fingerprint. Names are numbered by the
 * order in which they first stand in the whole program, so that another variable at one place makes another program.
 * Which names are its own is read off their surroundings: where that fails, two programs count as different, and cost
 * an evaluation.
 */
export function fingerprintOf(tokens: Tokens): string {
  const own = new Set(
    tokens.filter((each, at) => isName(each) && !constant.test(each) && isOwnAt(tokens, at)),
  );
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
  const isDeclaring = /^[A-Za-z_]/.test(before) && !leading.has(before);
  if (after === '(') return isDeclaring || isDefinition(tokens, at + 1);
  return !/^[A-Za-z_]/.test(after) || joining.has(after);
}

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
