/** First in, first out. Taking the first costs the same however many wait behind it, unlike `Array.shift`. */
export class Queue<T> {
  readonly #items: T[];
  #taken = 0;

  constructor(items: readonly T[]) {
    this.#items = [...items];
  }

  get length(): number {
    return this.#items.length - this.#taken;
  }

  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  dropFirst(): void {
    this.#taken += 1;
    if (this.#taken * 2 >= this.#items.length) this.#forgetTaken();
  }

  clear(): void {
    this.#taken = this.#items.length;
    this.#forgetTaken();
  }

  find(fits: (item: T) => boolean): T | undefined {
    return this.#items.find((item, index) => index >= this.#taken && fits(item));
  }

  #forgetTaken(): void {
    this.#items.splice(0, this.#taken);
    this.#taken = 0;
  }
}
