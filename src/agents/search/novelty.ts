/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so programs are compared by what each changed in its parent: its runs of tokens, without
 * comments, with names of its own told apart only within a run. Pure.
 */
export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

export type SimilarityResult = { readonly id: string; readonly likeness: number };

/** Hashes of runs of tokens, sorted, each once. */
type Runs = Uint32Array;
type Change = { readonly id: string; readonly added: Runs; readonly removed: Runs };

/** What the children of one program changed in it; those of none, what they consist of. */
type Family = {
  readonly names: ReadonlySet<string>;
  readonly base: ReadonlySet<Run>;
  changes: readonly Change[];
};

export class Novelty {
  readonly #isPython: boolean;
  /** The first program of each fingerprint. */
  readonly #first = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #families = new Map<string, Family>();

  constructor(language: string) {
    this.#isPython = language === 'python';
  }

  add(work: Work): void {
    const tokens = this.#tokensOf(work);
    const fingerprint = fingerprintOf(tokens);
    if (!this.#first.has(fingerprint)) this.#first.set(fingerprint, work.id);
    const family = this.#familyOf(work);
    family.changes = [...family.changes, changeIn(family, work.id, tokens)];
    this.#works.set(work.id, work);
  }

  /** Of a program that was not judged: proposed again, it is new. */
  removeWork(work: Work): void {
    for (const [fingerprint, id] of this.#first) if (id === work.id) this.#first.delete(fingerprint);
    this.#works.delete(work.id);
    const family = this.#familyOf(work);
    family.changes = family.changes.filter(({ id }) => id !== work.id);
  }

  /** A program that differs only in comments, spaces and names; else the most similar child of the same parent. */
  nearest(work: Work): SimilarityResult | null {
    const tokens = this.#tokensOf(work);
    const same = this.#first.get(fingerprintOf(tokens));
    if (same !== undefined) return { id: same, likeness: 1 };
    const family = this.#familyOf(work);
    const { added, removed } = changeIn(family, work.id, tokens);
    // A repeated statement makes no new run; the fingerprint has told already that the program is a different one.
    if (added.length + removed.length === 0) return null;
    let nearest: SimilarityResult | null = null;
    for (const other of family.changes) {
      if (other.id === work.id) continue;
      // Two rewrites remove the same runs: they are the same change only if they also add the same.
      const likeness = Math.min(jaccard(added, other.added), jaccard(removed, other.removed));
      if (likeness > (nearest?.likeness ?? 0)) nearest = { id: other.id, likeness };
    }
    return nearest;
  }

  #tokensOf({ source }: Work): Tokens {
    return tokensOf(source, this.#isPython);
  }

  /** A parent is known before its children are. */
  #familyOf({ parents: [name = ''] }: Work): Family {
    const known = this.#families.get(name);
    if (known) return known;
    const parent = this.#works.get(name);
    const tokens = parent ? this.#tokensOf(parent) : [];
    const names = namesIn(tokens);
    const family = { names, base: parent ? runsOf(tokens, names) : new Set<Run>(), changes: [] };
    this.#families.set(name, family);
    return family;
  }
}

function changeIn({ names, base }: Family, id: string, tokens: Tokens): Change {
  const runs = runsOf(tokens, names);
  return {
    id,
    added: Uint32Array.from([...runs].filter((run) => !base.has(run))).sort(),
    removed: Uint32Array.from([...base].filter((run) => !runs.has(run))).sort(),
  };
}

function jaccard(one: Runs, other: Runs): number {
  let [at, to, common] = [0, 0, 0];
  while (at < one.length && to < other.length) {
    const difference = (one[at] ?? 0) - (other[to] ?? 0);
    if (difference === 0) common += 1;
    if (difference <= 0) at += 1;
    if (difference >= 0) to += 1;
  }
  const all = one.length + other.length - common;
  return all === 0 ? 1 : common / all;
}

/** A hash of a run: enough to tell runs of one session apart. */
export type Run = number;

const length = 7;

/** A quote behind a backslash begins nothing: where the one before it is not closed, none in its line is. */
const token =
  /[A-Za-z_]\w*|(?:0[xX][\da-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\w*|(?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*'|::|->|<<=?|>>=?|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|\S/g;

/** Names with a meaning of their own: exchanging one changes the program. */
const words: ReadonlySet<string> = new Set(
  `alignas alignof auto bool break case catch char class const constexpr continue decltype default delete do double else
enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator
private protected public register return short signed sizeof static static_cast struct switch template this throw true
try typedef typename union unsigned using virtual void volatile while int64_t uint64_t int32_t uint32_t size_t
std vector array deque list set map multiset multimap unordered_map unordered_set queue stack priority_queue bitset
string pair tuple optional function greater less include define pragma first second numeric_limits chrono
milliseconds microseconds nanoseconds steady_clock system_clock high_resolution_clock mt19937 mt19937_64
def elif import from in is not and or lambda pass None True False range print yield with as global except finally`.split(
    /\s+/,
  ),
);

type Tokens = readonly string[];

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

/** The runs of tokens as hashes. In a run, names not in `known` are numbered, so that they may be called anything. */
export function runsOf(tokens: Tokens, known: ReadonlySet<string>): ReadonlySet<Run> {
  const hashes = hashTokens(tokens);
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
function hashTokens(tokens: Tokens): readonly number[] {
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
 * Equal for programs that differ only in comments, spaces and names of their own, which are numbered in the order of
 * the program. Own names are recognised by their surroundings; where that fails, two programs count as different, which
 * costs an evaluation.
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
    const text = `${isOwn ? `$${numbers.get(each)}` : each} `;
    for (let place = 0; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul((other << 5) ^ (other >>> 27) ^ code, 0x5bd1e995);
    }
  }
  return `${tokens.length} ${one >>> 0} ${other >>> 0}`;
}

/** Constants of the C++ library, which look like a program's own. */
const constant = /^(?:[A-Z\d]+_(?:MAX|MIN|EPSILON)|M_[A-Z\d_]+|EOF|NULL|INFINITY|NAN|CLOCKS_PER_SEC)$/;

/** Words before an expression; a name behind any other word is declared there. */
const leading = new Set(
  'return else case throw new delete goto do yield print and or not in is if from import as'.split(' '),
);

/** Whether a name is declared, assigned or indexed here; a member, and a function that is called, may be the library's. */
function isOwnAt(tokens: Tokens, at: number): boolean {
  const [before = '', after = ''] = [tokens[at - 1], tokens[at + 1]];
  if (before === '.' || before === '->' || before === '::') return false;
  if (/^[A-Za-z_]/.test(before)) return !leading.has(before);
  return after === '=' || after === '[' || (/^[*&>]$/.test(before) && /^[;,)]$/.test(after));
}
