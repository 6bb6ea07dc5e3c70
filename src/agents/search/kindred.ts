/**
 * What all children of one program changed in it, and which of these changes another one is most like. Found by what was
 * added: only who has added a run of the same tokens can be alike at all, so a hundred children that did something else
 * cost nothing. Decides exactly as a comparison with each of them would. Pure.
 */
import { namesIn, type Run, runsOf, type Tokens } from './token-runs.ts';

export type Likeness = { readonly id: string; readonly likeness: number };

type Runs = ReadonlySet<Run>;
type Change = { readonly id: string; readonly added: Runs; readonly removed: Runs };

const none: Runs = new Set();

export class Kindred {
  readonly #known: ReadonlySet<string>;
  readonly #base: Runs;
  readonly #changes: Change[] = [];
  /** Places in `#changes`, by a run that was added there. */
  readonly #addedIn = new Map<Run, number[]>();
  /** Of those that added nothing. */
  readonly #lessening: number[] = [];
  /** Whoever is looked at is mostly added right after. */
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
    for (const run of change.added) {
      const places = this.#addedIn.get(run);
      if (places) places.push(place);
      else this.#addedIn.set(run, [place]);
    }
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
