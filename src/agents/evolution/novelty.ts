/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so what is compared is not the programs but what each changed in the one it was made from: its
 * runs of tokens, without comments, with names told apart only within a run. Pure.
 */
import { type Run, runsOf, sameText } from './token-runs.ts';

/** A program as far as novelty is concerned. */
export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

export type Likeness = { readonly id: string; readonly likeness: number };

/** Runs of so many programs are kept; those of others are made again when they are asked for. */
const kept = 256;

export class Novelty {
  readonly #python: boolean;
  readonly #texts = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #children = new Map<string, Work[]>();
  readonly #runs = new Map<string, ReadonlySet<Run>>();

  constructor(language: string) {
    this.#python = language === 'python';
  }

  add(work: Work): void {
    this.#works.set(work.id, work);
    const text = sameText(work.source, this.#python);
    if (!this.#texts.has(text)) this.#texts.set(text, work.id);
    const siblings = this.#children.get(parentOf(work)) ?? [];
    siblings.push(work);
    this.#children.set(parentOf(work), siblings);
  }

  /** What it is most like: its parent, another child of it, or whatever is the same but for comments and spaces. */
  nearest(work: Work): Likeness | null {
    const same = this.#texts.get(sameText(work.source, this.#python));
    if (same !== undefined) return { id: same, likeness: 1 };
    const parent = this.#works.get(parentOf(work));
    const base = parent ? this.#runsOf(parent) : new Set<Run>();
    const change = changeOf(base, this.#runsOf(work));
    if (parent && change.added.size + change.removed.size === 0) return { id: parent.id, likeness: 1 };
    let nearest: Likeness | null = null;
    for (const sibling of this.#children.get(parentOf(work)) ?? []) {
      if (sibling.id === work.id) continue;
      const likeness = alike(change, changeOf(base, this.#runsOf(sibling)));
      if (likeness > (nearest?.likeness ?? 0)) nearest = { id: sibling.id, likeness };
    }
    return nearest;
  }

  #runsOf({ id, source }: Work): ReadonlySet<Run> {
    const known = this.#runs.get(id);
    if (known) return known;
    const runs = runsOf(source, this.#python);
    this.#runs.set(id, runs);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > kept && oldest !== undefined) this.#runs.delete(oldest);
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
