/** Values from one side to the other, in order, as they come: the reader waits, the writer does not. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  send(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  /** What was sent is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#values.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
