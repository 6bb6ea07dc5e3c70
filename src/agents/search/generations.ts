/**
 * The generation and number of the next candidate, and which generations are over. What is due every generation does
 * not wait for a slow last candidate: it is due when as many candidates of any generation are settled. Pure.
 */

export type Slot = { readonly id: string; readonly generation: number; readonly number: number };

type Block = { begun: number; settled: number; isFull: boolean };

export class Generations {
  readonly #blocks: Block[] = [{ begun: 0, settled: 0, isFull: false }];
  /** The last generation that is complete, with all before it; -1 if there is none. */
  over = -1;
  #settled = 0;
  #rounds = 0;

  /** The one that candidates are begun in. */
  get current(): number {
    return this.#blocks.length - 1;
  }

  /** One of the programs that the search begins with. */
  beginFirst(): Slot {
    const [block] = this.#blocks;
    if (!block || block.isFull) throw new Error('Generation 0 is over.');
    return slotOf(block, 0);
  }

  /** Ends the first programs. Returns the generations that are complete because of it. */
  closeFirst(): readonly number[] {
    const [block] = this.#blocks;
    if (block) block.isFull = true;
    return this.#close(isOver);
  }

  /** Whether the next candidate would be the first of a generation beyond the last one that there is to be. */
  isExhausted(populationSize: number, maxGenerations: number): boolean {
    return this.#next(populationSize) > maxGenerations;
  }

  begin(populationSize: number): Slot {
    const generation = this.#next(populationSize);
    const last = this.#blocks[this.current];
    // A population that was made smaller meanwhile may have ended it.
    if (last && this.current > 0 && generation > this.current) last.isFull = true;
    const block = this.#blocks[generation] ?? { begun: 0, settled: 0, isFull: false };
    this.#blocks[generation] = block;
    const slot = slotOf(block, generation);
    block.isFull = block.begun >= populationSize;
    return slot;
  }

  /** The generations that are over because of it, the first one first. */
  settle({ generation }: Pick<Slot, 'generation'>): readonly number[] {
    const block = this.#blocks[generation];
    if (block) block.settled += 1;
    if (generation > 0) this.#settled += 1;
    return this.#close(isOver);
  }

  /** The number of the round that is full, once, where a generation's worth of candidates was settled since the last. */
  nextRound(populationSize: number): number | null {
    if (this.#settled < populationSize) return null;
    this.#settled -= populationSize;
    this.#rounds += 1;
    return this.#rounds;
  }

  /** Nothing more is begun: what was begun of the last one is all of it. */
  end(): readonly number[] {
    return this.#close(({ begun, settled }) => begun > 0 && settled >= begun);
  }

  #next(populationSize: number): number {
    const { isFull = false, begun = 0 } = this.#blocks[this.current] ?? {};
    return this.current === 0 || isFull || begun >= populationSize ? this.current + 1 : this.current;
  }

  #close(isClosed: (block: Block) => boolean): readonly number[] {
    const closed: number[] = [];
    for (const [number, block] of this.#blocks.entries()) {
      if (number <= this.over) continue;
      if (!isClosed(block)) break;
      this.over = number;
      closed.push(number);
    }
    return closed;
  }
}

const isOver = ({ begun, settled, isFull }: Block): boolean => isFull && settled >= begun;

function slotOf(block: Block, generation: number): Slot {
  block.begun += 1;
  const two = (number: number) => String(number).padStart(2, '0');
  return { id: `gen${two(generation)}_id${two(block.begun)}`, generation, number: block.begun };
}
