/**
 * Things that wait, by their owner: next is the owner who was served longest ago, each in the order of its things.
 * Several rotations can share one memory of who was served, and are then fair together.
 */
const mostRemembered = 1_000;

export class Served {
  readonly #at = new Map<string, number>();
  #count = 0;

  add(owner: string): void {
    this.#count += 1;
    this.#at.delete(owner);
    this.#at.set(owner, this.#count);
    const [oldest] = this.#at.keys();
    if (this.#at.size > mostRemembered && oldest !== undefined) this.#at.delete(oldest);
  }

  /** Greater the later it was; 0: never, or so long ago that it is forgotten. */
  last(owner: string): number {
    return this.#at.get(owner) ?? 0;
  }
}

export class Rotation<T> {
  readonly #queues = new Map<string, T[]>();
  readonly #served: Served;

  constructor(served = new Served()) {
    this.#served = served;
  }

  add(owner: string, item: T): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.push(item);
    else this.#queues.set(owner, [item]);
  }

  /** Whose turn it is. */
  get first(): T | undefined {
    const owner = this.#next();
    return owner === undefined ? undefined : this.#queues.get(owner)?.[0];
  }

  /** When that one was served last; infinite where nothing waits. */
  get firstServed(): number {
    const owner = this.#next();
    return owner === undefined ? Number.POSITIVE_INFINITY : this.#served.last(owner);
  }

  takeFirst(): void {
    const owner = this.#next();
    if (owner === undefined) return;
    this.#drop(owner, 0);
    this.#served.add(owner);
  }

  remove(owner: string, item: T): void {
    const index = this.#queues.get(owner)?.indexOf(item) ?? -1;
    if (index >= 0) this.#drop(owner, index);
  }

  *all(): Generator<T> {
    for (const queue of this.#queues.values()) yield* queue;
  }

  #next(): string | undefined {
    let next: string | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const owner of this.#queues.keys()) {
      const last = this.#served.last(owner);
      if (last >= earliest) continue;
      next = owner;
      earliest = last;
      if (last === 0) break;
    }
    return next;
  }

  #drop(owner: string, index: number): void {
    const queue = this.#queues.get(owner);
    queue?.splice(index, 1);
    if (queue?.length === 0) this.#queues.delete(owner);
  }
}
