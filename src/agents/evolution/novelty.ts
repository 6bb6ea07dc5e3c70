/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so what is compared is not the programs but what each changed in the one it was made from: its
 * runs of tokens, without comments, with names of its own told apart only within a run. Pure.
 */
import { fingerprintOf } from './fingerprint.ts';
import { namesIn, type Run, runsOf, type Tokens, tokensOf } from './token-runs.ts';

/** A program as far as novelty is concerned. */
export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

export type Likeness = { readonly id: string; readonly likeness: number };

/** So many runs are kept, of the latest programs that were looked at; others are made again when they are asked for. */
const kept = 1_000_000;

export class Novelty {
  readonly #python: boolean;
  readonly #fingerprints = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #children = new Map<string, Work[]>();
  readonly #runs = new Map<string, ReadonlySet<Run>>();
  #runsKept = 0;

  constructor(language: string) {
    this.#python = language === 'python';
  }

  add(work: Work): void {
    this.#works.set(work.id, work);
    const fingerprint = fingerprintOf(this.#tokensOf(work));
    if (!this.#fingerprints.has(fingerprint)) this.#fingerprints.set(fingerprint, work.id);
    const siblings = this.#children.get(parentOf(work)) ?? [];
    siblings.push(work);
    this.#children.set(parentOf(work), siblings);
  }

  /** What it is most like: whatever is the same but for comments, spaces and names, or another child of its parent. */
  nearest(work: Work): Likeness | null {
    const tokens = this.#tokensOf(work);
    const same = this.#fingerprints.get(fingerprintOf(tokens));
    if (same !== undefined) return { id: same, likeness: 1 };
    const parent = this.#works.get(parentOf(work));
    const ofParent = parent ? this.#tokensOf(parent) : [];
    const known = namesIn(ofParent);
    const base = parent ? this.#runsBy(`${parent.id} itself`, () => runsOf(ofParent, known)) : new Set<Run>();
    const change = changeOf(base, runsOf(tokens, known));
    let nearest: Likeness | null = null;
    for (const sibling of this.#children.get(parentOf(work)) ?? []) {
      if (sibling.id === work.id) continue;
      const runs = this.#runsBy(sibling.id, () => runsOf(this.#tokensOf(sibling), known));
      const likeness = alike(change, changeOf(base, runs));
      if (likeness > (nearest?.likeness ?? 0)) nearest = { id: sibling.id, likeness };
    }
    return nearest;
  }

  #tokensOf({ source }: Work): Tokens {
    return tokensOf(source, this.#python);
  }

  #runsBy(name: string, make: () => ReadonlySet<Run>): ReadonlySet<Run> {
    const runs = this.#runs.get(name) ?? make();
    if (!this.#runs.has(name)) this.#runsKept += runs.size;
    // Whoever was asked for last goes last.
    this.#runs.delete(name);
    this.#runs.set(name, runs);
    for (const [oldest, old] of this.#runs) {
      if (this.#runsKept <= kept || oldest === name) break;
      this.#runs.delete(oldest);
      this.#runsKept -= old.size;
    }
    return runs;
  }
}

const parentOf = ({ parents }: Work): string => parents[0] ?? '';

type Change = { readonly added: ReadonlySet<Run>; readonly removed: ReadonlySet<Run> };

function changeOf(before: ReadonlySet<Run>, after: ReadonlySet<Run>): Change {
  return { added: without(after, before), removed: without(before, after) };
}

/** Two rewrites have removed the same: only who also added the same has made the same change. */
function alike(one: Change, other: Change): number {
  // The same statement once more makes no run that was not there; that it is another program, its fingerprint has said.
  if (one.added.size + one.removed.size === 0) return 0;
  return Math.min(jaccard(one.added, other.added), jaccard(one.removed, other.removed));
}

function jaccard(one: ReadonlySet<Run>, other: ReadonlySet<Run>): number {
  if (one.size === 0 && other.size === 0) return 1;
  const common = one.size - without(one, other).size;
  return common / (one.size + other.size - common);
}

function without(all: ReadonlySet<Run>, those: ReadonlySet<Run>): ReadonlySet<Run> {
  const left = new Set<Run>();
  for (const run of all) if (!those.has(run)) left.add(run);
  return left;
}
