/**
 * Work that names all that it needs, in slices: any host that fits does a slice, as often as it likes, and says the same but
 * for times. `Elsewhere` is what a problem sees of it, `Slices` what a store of several hosts keeps. No slice holds a path.
 */
import type { Json } from './json.ts';
import type { LanguageId, Sandbox } from './sandbox.ts';

/** A part of a work: nothing but this reaches another host. */
export type Slice = {
  readonly body: Json;
  /** By name. One that several slices have travels once. */
  readonly files: Readonly<Record<string, Uint8Array>>;
};

/** What is to be done, by whom, and when it is done. */
export type SlicedWork = {
  /** Whose `doSlice` does it. */
  readonly family: string;
  /** The first toolchain of each is needed, in the same version. */
  readonly languages: readonly LanguageId[];
  /** Asked for when somebody is there who can do them: at most so many. None: there is nothing to be done. */
  slices(most: number): Promise<readonly Slice[]>;
  /** Whether what has come will do; undefined stands for what has not. */
  isEnough(results: readonly (Json | undefined)[]): boolean;
};

/** By slice; where `isEnough` said so, some are undefined. `processor`: the class that did all; absent: that of the host that asks. */
export type SlicedResults = { readonly results: readonly (Json | undefined)[]; readonly processor?: string };

/** Other hosts, which do slices of a work. */
export interface Elsewhere {
  /** Null: no host does it, and who asks does all of it. Throws when `signal` is aborted. */
  do(work: SlicedWork, signal: AbortSignal): Promise<SlicedResults | null>;
}

/** What does a slice on another host. `atOnce`: how many things it may run side by side. */
export type SlicePlace = { readonly sandbox: Sandbox; readonly atOnce: number };

/** As it lies in the store: `name` is a hash of all of it, `files` are hashes by name. */
export type StoredSlice = {
  readonly name: string;
  readonly family: string;
  readonly body: Json;
  readonly files: Readonly<Record<string, string>>;
};

export type SliceState = {
  readonly name: string;
  /** A worker has it in hand. */
  readonly isHeld: boolean;
  /** JSON; null: not done yet. */
  readonly result: string | null;
  readonly failure: string | null;
};

export interface Slices {
  /** Keeps files for an hour from when they were named last. Returns those that the store lacks. */
  lacking(hashes: readonly string[]): Promise<readonly string[]>;
  putFile(hash: string, bytes: Uint8Array): Promise<void>;
  files(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Gives them out to these workers, or says again that they are waited for. A slice that is there keeps its result. */
  offer(slices: readonly StoredSlice[], workers: readonly string[]): Promise<readonly SliceState[]>;
  /** Their results were taken, or nobody wants them. */
  withdraw(names: readonly string[]): Promise<void>;
  /** Some that are given out to this worker and that nobody has in hand. */
  take(workerId: string, limit: number): Promise<readonly StoredSlice[]>;
  /** Nothing where the slice was withdrawn, or another was first. */
  finish(name: string, end: { readonly result: string } | { readonly failure: string }): Promise<void>;
}
