/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so programs are compared by what each changed in its parent: its runs of tokens, without
 * comments, with names of its own told apart only within a run. Pure.
 */
import { fingerprintOf, namesIn, type Run, runsOf, type Tokens, tokensOf } from './tokens.ts';

/** A program as far as novelty is concerned. */
export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

/** So many runs are kept, of the latest families that were looked at; others are made again when they are asked for. */
const usuallyKept = 1_000_000;

export class Novelty {
  readonly #python: boolean;
  readonly #kept: number;
  readonly #fingerprints = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #children = new Map<string, Work[]>();
  /** By their parents; the one that was asked for last stands at the end. */
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

  /** What it is most like: whatever is the same but for comments, spaces and names, or another child of its parent. */
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

/** The list under a key, which is begun where there is none. */
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
 * What all children of one program changed in it, and which of these changes another one is most like. Only a child
 * that added a run of the same tokens can be alike at all, so children that did something else cost nothing. It decides
 * exactly as a comparison with each of them would.
 */
class Kindred {
  readonly #known: ReadonlySet<string>;
  readonly #base: Runs;
  readonly #changes: Change[] = [];
  /** Places in `#changes`, by a run that was added there. */
  readonly #addedIn = new Map<Run, number[]>();
  /** Of those that added nothing. */
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

  /** Runs that are held. */
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

  /** Of several that are alike, the first one; null where none is like it in anything. */
  nearest(id: string, tokens: Tokens): Likeness | null {
    const change = this.#changeOf(id, tokens);
    this.#latest = { tokens, change };
    // The same statement once more makes no run that was not there; that it is another program, its fingerprint has said.
    if (change.added.size + change.removed.size === 0) return null;
    let [nearest, at] = [0, -1];
    for (const [place, common] of this.#sharing(change.added)) {
      const other = this.#changes[place];
      if (!other || other.id === id) continue;
      const added = jaccard(change.added, other.added, common);
      if (added < nearest) continue;
      // Two rewrites have removed the same: only who also added the same has made the same change.
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
