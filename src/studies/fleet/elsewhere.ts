/**
 * Gives slices of work out over the store and waits for their results. All slices of a work go to workers of one class of
 * processor: the one of this host before others, then the one that it went to before. It does no slice itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf } from '../../core/errors.ts';
import type { Fleet, LivingWorker, RunNeeds } from '../../core/fleet.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import type { Elsewhere, Slice, SlicedResults, SlicedWork, StoredSlice } from '../../core/slices.ts';
import type { Store } from '../../core/store.ts';
import { hashText } from '../../run/hash.ts';
import { looks } from '../../run/looking.ts';
import { kindOf, toolchainsIn, unfitBecause } from './fits.ts';
import { platformIn } from './host.ts';
import { willPass } from './trouble.ts';

export type ElsewhereOptions = {
  readonly store: Pick<Store, 'fleet' | 'hints'>;
  readonly sandbox: Pick<Sandbox, 'info'>;
  readonly codeVersion: string;
  /** The class of this host. */
  readonly processor: string;
  /** Why something is done here although workers are there; each reason once. */
  tell(line: string): void;
  /** For how long slices may be in nobody's hand. */
  readonly patienceMs?: number;
};

/** Results that come together are asked for together. */
const togetherMs = 50;
const usualPatienceMs = 10_000;
/** For each slot: one that ends early finds another. */
const slicesForSlot = 2;
const mostMegabytes = 64;

type Chosen = { readonly needs: RunNeeds; readonly processor: string };

export class FleetElsewhere implements Elsewhere {
  readonly #options: ElsewhereOptions;
  readonly #told = new Set<string>();
  /** Where the last work went. */
  #processor: string | null = null;

  constructor(options: ElsewhereOptions) {
    this.#options = options;
  }

  async do(work: SlicedWork, signal: AbortSignal): Promise<SlicedResults | null> {
    try {
      const fleet = (await this.#options.store.fleet?.()) ?? null;
      return fleet && (await this.#give(fleet, work, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!willPass(error)) throw error;
      return this.#stays(errorOf(error).message);
    }
  }

  async #give(fleet: Fleet, work: SlicedWork, signal: AbortSignal) {
    const needs = await this.#needsOf(work);
    const workers = await fitting(fleet, needs);
    const chosen = this.#chosen(workers);
    if (!chosen) return null;
    const [processor, slots] = chosen;
    const slices = await work.slices(slicesForSlot * slots);
    if (slices.length === 0) return null;
    const bytes = Math.max(...slices.map(bytesOf));
    if (bytes > mostMegabytes * 2 ** 20)
      return this.#stays(
        `a slice has ${Math.ceil(bytes / 2 ** 20)} MB of files, of ${mostMegabytes} at most`,
      );
    const files = new Map<string, Uint8Array>();
    const stored = slices.map((slice) => storedAs(work.family, slice, { needs, processor }, files));
    try {
      for (const hash of await fleet.slices.lacking([...files.keys()])) {
        signal.throwIfAborted();
        await fleet.slices.putFile(hash, files.get(hash) ?? new Uint8Array());
      }
      const results = await this.#wait(fleet, { work, stored, needs, processor }, signal);
      return results && { results, ...(processor === this.#options.processor ? {} : { processor }) };
    } finally {
      await fleet.slices.withdraw(stored.map(({ name }) => name)).catch(() => undefined);
    }
  }

  async #wait(
    fleet: Fleet,
    { work, stored, needs, processor }: Chosen & { work: SlicedWork; stored: readonly StoredSlice[] },
    signal: AbortSignal,
  ) {
    const { store, patienceMs = usualPatienceMs } = this.#options;
    const results: (Json | undefined)[] = stored.map(() => undefined);
    const isOurs = (topic: string): boolean => stored.some(({ name }) => topic === `slice ${name}`);
    let heldAt = performance.now();
    for await (const _ of looks(store, { isOurs, signal })) {
      const workers = (await fitting(fleet, needs)).filter((each) => each.processor === processor);
      const pending = stored.filter((_, at) => results[at] === undefined);
      const ids = workers.map(({ id }) => id);
      for (const { name, isHeld, result, failure } of await fleet.slices.offer(pending, ids)) {
        if (failure !== null) return this.#stays(failure);
        if (isHeld || result !== null) heldAt = performance.now();
        if (result !== null) results[stored.findIndex((each) => each.name === name)] = JSON.parse(result);
      }
      if (!results.includes(undefined) || work.isEnough(results)) return results;
      if (ids.length === 0) return this.#stays('the last worker that could do it is gone');
      if (performance.now() - heldAt > patienceMs)
        return this.#stays('the workers are busy with other things');
      await sleep(togetherMs, undefined, { signal });
    }
    throw signal.reason;
  }

  async #needsOf({ family, languages }: SlicedWork): Promise<RunNeeds> {
    const info = await this.#options.sandbox.info();
    const firsts = languages.flatMap(
      (each) => info.toolchains.find(({ language }) => language === each) ?? [],
    );
    return {
      family: kindOf(family),
      codeVersion: this.#options.codeVersion,
      isolation: info.isolation,
      toolchains: [...toolchainsIn({ toolchains: firsts }), platformIn(info)],
      ...{ providers: [], code: [], files: [] },
    };
  }

  /** A class of processor, and its slots. */
  #chosen(workers: readonly LivingWorker[]): readonly [string, number] | undefined {
    const slots = new Map<string, number>();
    for (const each of workers) slots.set(each.processor, (slots.get(each.processor) ?? 0) + each.slots);
    const classes = [...slots].toSorted(([, a], [, b]) => b - a);
    const known = [this.#options.processor, this.#processor];
    const chosen = known.flatMap((one) => classes.filter(([each]) => each === one))[0] ?? classes[0];
    this.#processor = chosen?.[0] ?? this.#processor;
    return chosen;
  }

  #stays(why: string): null {
    if (!this.#told.has(why)) this.#options.tell(`Evaluated on this host: ${why.replace(/\.$/, '')}.`);
    this.#told.add(why);
    return null;
  }
}

async function fitting(fleet: Fleet, needs: RunNeeds): Promise<readonly LivingWorker[]> {
  return (await fleet.workers()).filter((each) => unfitBecause(needs, each) === null);
}

function bytesOf({ files }: Slice): number {
  return Object.values(files).reduce((sum, bytes) => sum + bytes.byteLength, 0);
}

function storedAs(family: string, slice: Slice, where: Chosen, files: Map<string, Uint8Array>): StoredSlice {
  const hashes = Object.entries(slice.files).map(([name, bytes]) => {
    const hash = hashText(bytes);
    files.set(hash, bytes);
    return [name, hash] as const;
  });
  const named = { family, body: slice.body, files: Object.fromEntries(hashes) };
  return { name: hashText(canonicalJson({ ...named, ...where })), ...named };
}
