/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so programs are compared by what each changed in its parent: its runs of tokens, without
 * comments, with names of its own told apart only within a run. Pure.
 */
import knownWords from './known-words.json' with { type: 'json' };

export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

/** So many runs are kept, of the latest families that were looked at; others are made again when they are asked for. */
const usuallyKept = 1_000_000;

export class Novelty {
  readonly #python: boolean;
  readonly #kept: number;
  readonly #fingerprints = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #children = new Map<string, Work[]>();
  /** By their parents, the least recently used first. */
  readonly #families = new Map<string, { readonly parent: Work | undefined; readonly kindred: Kindred }>();
  /** A program that is looked at is mostly added right after. */
  #latest: { readonly work: Work; readonly tokens: Tokens; readonly fingerprint: string } | null = null;

  constructor(language: string, kept: number = usuallyKept) {
    this.#python = language === 'python';
    this.#kept = kept;
  }

  add(work: Work): void {
    const { tokens, fingerprint } = this.#read(work);
    this.#works.set(work.id, work);
    if (!this.#fingerprints.has(fingerprint)) this.#fingerprints.set(fingerprint, work.id);
    const parent = parentOf(work);
    listed(this.#children, parent).push(work);
    this.#families.get(parent)?.kindred.add(work.id, tokens);
  }

  /** Of a program that was not judged: proposed again, it is new. */
  forget(work: Work): void {
    const { id } = work;
    for (const [fingerprint, first] of this.#fingerprints)
      if (first === id) this.#fingerprints.delete(fingerprint);
    this.#works.delete(id);
    const parent = parentOf(work);
    this.#children.set(
      parent,
      (this.#children.get(parent) ?? []).filter((each) => each.id !== id),
    );
    this.#families.delete(parent);
  }

  /** A program that differs only in comments, spaces and names; else the most similar child of the same parent. */
  nearest(work: Work): Likeness | null {
    const { tokens, fingerprint } = this.#read(work);
    const same = this.#fingerprints.get(fingerprint);
    if (same !== undefined) return { id: same, likeness: 1 };
    return this.#familyOf(parentOf(work)).nearest(work.id, tokens);
  }

  #read(work: Work) {
    if (this.#latest?.work === work) return this.#latest;
    const tokens = tokensOf(work.source, this.#python);
    this.#latest = { work, tokens, fingerprint: fingerprintOf(tokens) };
    return this.#latest;
  }

  #familyOf(name: string): Kindred {
    const parent = this.#works.get(name);
    let family = this.#families.get(name);
    // A parent that was not known when its first children came is known now.
    if (!family || family.parent !== parent) {
      const tokens = ({ source }: Work) => tokensOf(source, this.#python);
      family = { parent, kindred: new Kindred(parent ? tokens(parent) : null) };
      for (const child of this.#children.get(name) ?? []) family.kindred.add(child.id, tokens(child));
    }
    this.#families.delete(name);
    this.#families.set(name, family);
    this.#forget();
    return family.kindred;
  }

  /** The one that is asked for now stays, however large it is. */
  #forget(): void {
    let runs = 0;
    for (const { kindred } of this.#families.values()) runs += kindred.size;
    for (const [oldest, { kindred }] of this.#families) {
      if (runs <= this.#kept || this.#families.size === 1) break;
      this.#families.delete(oldest);
      runs -= kindred.size;
    }
  }
}

const parentOf = ({ parents }: Work): string => parents[0] ?? '';

/** The list under a key; a new one if there is none. */
function listed<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

export type Likeness = { readonly id: string; readonly likeness: number };

type Runs = ReadonlySet<Run>;
type Change = { readonly id: string; readonly added: Runs; readonly removed: Runs };

const none: Runs = new Set();

/**
 * The changes of all children of one program, and which of them another change is most like. Only children that share
 * an added run are compared; the result is the same as if all were.
 */
class Kindred {
  readonly #known: ReadonlySet<string>;
  readonly #base: Runs;
  readonly #changes: Change[] = [];
  /** Places in `#changes`, by a run that was added there. */
  readonly #addedIn = new Map<Run, number[]>();
  /** Places of changes that added nothing. */
  readonly #lessening: number[] = [];
  /** A program that is looked at is mostly added right after. */
  #latest: { readonly tokens: Tokens; readonly change: Change } | null = null;
  #size: number;

  /** Null: of no program, as first programs are. */
  constructor(parent: Tokens | null) {
    this.#known = namesIn(parent ?? []);
    this.#base = parent ? runsOf(parent, this.#known) : none;
    this.#size = this.#base.size;
  }

  get size(): number {
    return this.#size;
  }

  add(id: string, tokens: Tokens): void {
    const change = this.#changeOf(id, tokens);
    const place = this.#changes.push(change) - 1;
    for (const run of change.added) listed(this.#addedIn, run).push(place);
    if (change.added.size === 0) this.#lessening.push(place);
    this.#size += change.added.size + change.removed.size;
  }

  /** The first of the most similar; null where nothing is shared. */
  nearest(id: string, tokens: Tokens): Likeness | null {
    const change = this.#changeOf(id, tokens);
    this.#latest = { tokens, change };
    // A repeated statement makes no new run; the fingerprint has told already that the program is a different one.
    if (change.added.size + change.removed.size === 0) return null;
    let [nearest, at] = [0, -1];
    for (const [place, common] of this.#sharing(change.added)) {
      const other = this.#changes[place];
      if (!other || other.id === id) continue;
      const added = jaccard(change.added, other.added, common);
      if (added < nearest) continue;
      // Two rewrites remove the same runs: they are the same change only if they also add the same.
      const likeness = Math.min(added, jaccard(change.removed, other.removed));
      if (likeness > nearest || (likeness === nearest && likeness > 0 && place < at)) {
        [nearest, at] = [likeness, place];
      }
    }
    const found = this.#changes[at];
    return found ? { id: found.id, likeness: nearest } : null;
  }

  /** How many of the runs each has added as well; none where it is none, but for those that added nothing either. */
  #sharing(added: Runs): ReadonlyMap<number, number> {
    const common = new Map<number, number>();
    if (added.size === 0) for (const place of this.#lessening) common.set(place, 0);
    for (const run of added) {
      for (const place of this.#addedIn.get(run) ?? []) common.set(place, (common.get(place) ?? 0) + 1);
    }
    return common;
  }

  #changeOf(id: string, tokens: Tokens): Change {
    const latest = this.#latest;
    this.#latest = null;
    if (latest?.tokens === tokens) return latest.change;
    const runs = runsOf(tokens, this.#known);
    return { id, added: without(runs, this.#base), removed: without(this.#base, runs) };
  }
}

function jaccard(one: Runs, other: Runs, common: number = commonOf(one, other)): number {
  return one.size === 0 && other.size === 0 ? 1 : common / (one.size + other.size - common);
}

function commonOf(one: Runs, other: Runs): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const run of fewer) if (more.has(run)) common += 1;
  return common;
}

function without(all: Runs, those: Runs): Runs {
  const left = new Set<Run>();
  for (const run of all) if (!those.has(run)) left.add(run);
  return left;
}

/** A hash of a run: enough to tell runs of one session apart. */
export type Run = number;

const length = 7;

/** A quote behind a backslash begins nothing: where the one before it is not closed, none in its line is. */
const token =
  /[A-Za-z_]\w*|(?:0[xX][\da-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\w*|(?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*'|::|->|<<=?|>>=?|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|\S/g;

/** Names with a meaning of their own: exchanging one changes the program. */
const words: ReadonlySet<string> = new Set(knownWords.join(' ').split(' '));

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
    const said = `${isOwn ? `$${numbers.get(each)}` : each} `;
    for (let place = 0; place < said.length; place += 1) {
      const code = said.charCodeAt(place);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul((other << 5) ^ (other >>> 27) ^ code, 0x5bd1e995);
    }
  }
  return `${tokens.length} ${one >>> 0} ${other >>> 0}`;
}

/** Constants of the C++ library, which look like a program's own. */
const constant = /^(?:[A-Z\d]+_(?:MAX|MIN|EPSILON)|M_[A-Z\d_]+|EOF|NULL|INFINITY|NAN|CLOCKS_PER_SEC)$/;

/** What may follow a name without saying that the name is a type. */
const joining = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'for', 'as']);

/** Words before an expression; a name behind any other word is declared there. */
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
