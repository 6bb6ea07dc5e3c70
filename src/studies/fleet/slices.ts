/** The slices that a worker has in hand: takes them, does them by their families, and hands their results in. */
import { errorOf } from '../../core/errors.ts';
import type { Fleet, GivenOut, WorkerFacts } from '../../core/fleet.ts';
import { canonicalJson } from '../../core/json.ts';
import type { Slices, StoredSlice } from '../../core/slices.ts';
import type { World } from '../../run/world.ts';
import { kindOf } from './fits.ts';
import { willPass } from './trouble.ts';

/** Inputs and tools are the same in many slices. */
const mostKeptBytes = 64 * 2 ** 20;

type Options = { readonly fleet: Fleet; readonly facts: Omit<WorkerFacts, 'runs'>; tell(line: string): void };

type InHand = { readonly kind: string; readonly ending: AbortController; readonly done: Promise<void> };

export class SlicesInHand {
  readonly #world: World;
  readonly #options: Options;
  readonly #slices: Slices;
  readonly #onEnd: () => void;
  readonly #inHand = new Map<string, InHand>();
  readonly #files = new Map<string, Uint8Array>();

  constructor(world: World, options: Options, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#world = world;
    this.#options = options;
    this.#slices = options.fleet.slices;
  }

  get size(): number {
    return this.#inHand.size;
  }

  /** `ahc-evaluation q8Zr…` */
  get names(): readonly string[] {
    return [...this.#inHand].map(([name, { kind }]) => `${kind} ${name.slice(0, 6)}`);
  }

  async take(most: number): Promise<void> {
    if (most <= 0) return;
    for (const slice of await this.#slices.take(this.#options.facts.id, most)) {
      // It was ours, was lost, and nobody else has taken it: what is done here is still good.
      if (this.#inHand.has(slice.name)) continue;
      const ending = new AbortController();
      const done = this.#do(slice, ending.signal).finally(
        () => this.#inHand.delete(slice.name) && this.#onEnd(),
      );
      this.#inHand.set(slice.name, { kind: kindOf(slice.family), ending, done });
      done.catch(() => undefined);
    }
  }

  /** Others may be taken while the store answers. */
  async beat(announced: () => Promise<GivenOut>): Promise<GivenOut> {
    const asked = [...this.#inHand];
    const given = await announced();
    for (const [name, { ending }] of asked) if (!given.slices.has(name)) ending.abort();
    return given;
  }

  async end(): Promise<void> {
    for (const { ending } of this.#inHand.values()) ending.abort();
    await Promise.allSettled([...this.#inHand.values()].map(({ done }) => done));
  }

  async #do({ name, family, body, files }: StoredSlice, signal: AbortSignal): Promise<void> {
    const { facts, tell } = this.#options;
    const { sandbox } = this.#world.io;
    try {
      const { doSlice } = await this.#world.family(family);
      if (!doSlice) throw new Error(`The family ${family} does no slices.`);
      const slice = { body, files: await this.#read(files) };
      const result = await doSlice(slice, { sandbox, atOnce: facts.slots }, signal);
      signal.throwIfAborted();
      await this.#slices.finish(name, { result: canonicalJson(result) });
    } catch (error) {
      if (signal.aborted) return;
      const { message } = errorOf(error);
      tell(`${kindOf(family)} ${name}: ${message}`);
      // Of a store that is gone the lease ends by itself.
      if (!willPass(error)) await this.#slices.finish(name, { failure: `${facts.host}: ${message}` });
    }
  }

  async #read(files: StoredSlice['files']): Promise<Readonly<Record<string, Uint8Array>>> {
    const lacking = [...new Set(Object.values(files))].filter((hash) => !this.#files.has(hash));
    const found = await this.#slices.files(lacking);
    const entries = Object.entries(files).map(([name, hash]) => {
      const bytes = this.#files.get(hash) ?? found.get(hash);
      if (!bytes) throw new Error(`The store has lost ${name}.`);
      return [name, bytes] as const;
    });
    const kept = [...this.#files.values(), ...found.values()];
    if (kept.reduce((sum, { byteLength }) => sum + byteLength, 0) > mostKeptBytes) this.#files.clear();
    else for (const [hash, bytes] of found) this.#files.set(hash, bytes);
    return Object.fromEntries(entries);
  }
}
