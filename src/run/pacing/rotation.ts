/** Things that wait, by their owner: next is the owner who was served longest ago, each in the order of its things. */
const mostRemembered = 1_000;

export class Rotation<T> {
  readonly #queues = new Map<string, T[]>();
  /** Who was served, the last one last; owners that have nothing waiting are remembered too. */
  readonly #served = new Set<string>();

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

  takeFirst(): void {
    const owner = this.#next();
    if (owner === undefined) return;
    this.#drop(owner, 0);
    this.#served.delete(owner);
    this.#served.add(owner);
    const [oldest] = this.#served;
    if (this.#served.size > mostRemembered && oldest !== undefined) this.#served.delete(oldest);
  }

  remove(owner: string, item: T): void {
    const index = this.#queues.get(owner)?.indexOf(item) ?? -1;
    if (index >= 0) this.#drop(owner, index);
  }

  *all(): Generator<T> {
    for (const queue of this.#queues.values()) yield* queue;
  }

  #next(): string | undefined {
    for (const owner of this.#queues.keys()) if (!this.#served.has(owner)) return owner;
    for (const owner of this.#served) if (this.#queues.has(owner)) return owner;
    return undefined;
  }

  #drop(owner: string, index: number): void {
    const queue = this.#queues.get(owner);
    queue?.splice(index, 1);
    if (queue?.length === 0) this.#queues.delete(owner);
  }
}
