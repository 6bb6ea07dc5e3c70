/** Values from one side to the other, in order, as they come: the reader waits, the writer does not. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #isClosed = false;
  #wake = Promise.withResolvers<void>();

  send(value: T): void {
    this.#values.push(value);
    this.#wake.resolve();
  }

  /** What was sent is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      for (let value = this.#values.shift(); value !== undefined; value = this.#values.shift()) yield value;
      if (this.#isClosed) return;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }
}
