/**
 * Whether a program says anything new, asked before the costly evaluation. Two small changes of a long program are
 * almost the same text, so what is compared is not the programs but what each changed in the one it was made from: its
 * runs of tokens, without comments, with names of its own told apart only within a run. Pure.
 */
import { fingerprintOf } from './fingerprint.ts';
import { Kindred, type Likeness } from './kindred.ts';
import { type Tokens, tokensOf } from './token-runs.ts';

/** A program as far as novelty is concerned. */
export type Work = { readonly id: string; readonly source: string; readonly parents: readonly string[] };

/** So many runs are kept, of the latest families that were looked at; others are made again when they are asked for. */
const usuallyKept = 1_000_000;

type Read = { readonly work: Work; readonly tokens: Tokens; readonly fingerprint: string };
type Family = { readonly parent: Work | undefined; readonly kindred: Kindred };

export class Novelty {
  readonly #python: boolean;
  readonly #kept: number;
  readonly #fingerprints = new Map<string, string>();
  readonly #works = new Map<string, Work>();
  readonly #children = new Map<string, Work[]>();
  /** By their parents, whoever was asked for last at the end. */
  readonly #families = new Map<string, Family>();
  /** Whoever is looked at is mostly added right after. */
  #latest: Read | null = null;

  constructor(language: string, kept: number = usuallyKept) {
    this.#python = language === 'python';
    this.#kept = kept;
  }

  add(work: Work): void {
    const { tokens, fingerprint } = this.#read(work);
    this.#works.set(work.id, work);
    if (!this.#fingerprints.has(fingerprint)) this.#fingerprints.set(fingerprint, work.id);
    const parent = parentOf(work);
    const siblings = this.#children.get(parent);
    if (siblings) siblings.push(work);
    else this.#children.set(parent, [work]);
    this.#families.get(parent)?.kindred.add(work.id, tokens);
  }

  /** What it is most like: whatever is the same but for comments, spaces and names, or another child of its parent. */
  nearest(work: Work): Likeness | null {
    const { tokens, fingerprint } = this.#read(work);
    const same = this.#fingerprints.get(fingerprint);
    if (same !== undefined) return { id: same, likeness: 1 };
    return this.#familyOf(parentOf(work)).nearest(work.id, tokens);
  }

  #read(work: Work): Read {
    if (this.#latest?.work === work) return this.#latest;
    const tokens = this.#tokensOf(work);
    this.#latest = { work, tokens, fingerprint: fingerprintOf(tokens) };
    return this.#latest;
  }

  #tokensOf({ source }: Work): Tokens {
    return tokensOf(source, this.#python);
  }

  #familyOf(name: string): Kindred {
    const parent = this.#works.get(name);
    const held = this.#families.get(name);
    // A parent that was not known when its first children came is known now.
    const family = held && held.parent === parent ? held : this.#gathered(name, parent);
    this.#families.delete(name);
    this.#families.set(name, family);
    this.#forget();
    return family.kindred;
  }

  #gathered(name: string, parent: Work | undefined): Family {
    const kindred = new Kindred(parent ? this.#tokensOf(parent) : null);
    for (const child of this.#children.get(name) ?? []) kindred.add(child.id, this.#tokensOf(child));
    return { parent, kindred };
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
