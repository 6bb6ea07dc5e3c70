/**
 * Lines that somebody types, or that come through a pipe, waited for no longer than one likes. Typed in the terminal's own
 * way, so that Ctrl-C stays the signal that it is. While an editor runs they are left to it.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export class Lines {
  readonly #typed: string[] = [];
  readonly #input: Readable;
  #reader: ReturnType<typeof createInterface>;
  #isOver = false;
  #isPaused = false;
  #wake: () => void = () => undefined;

  constructor(input: Readable) {
    this.#input = input;
    this.#reader = this.#opened();
  }

  /** The end of the input is reached, and all its lines are taken. */
  get isOver(): boolean {
    return this.#isOver && this.#typed.length === 0;
  }

  /** The next line, not taken. */
  get next(): string | null {
    return this.#typed[0] ?? null;
  }

  take(): string | null {
    return this.#typed.shift() ?? null;
  }

  /** Until there is a new line or the input ends, at most so long. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const count = this.#typed.length;
    const wasOver = this.#isOver;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      this.#wake = () => {
        if (this.#typed.length !== count || this.#isOver !== wasOver) end();
      };
    });
  }

  /** Somebody else reads the terminal meanwhile. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return work();
    this.#isPaused = true;
    this.#reader.close();
    this.#input.pause();
    try {
      return await work();
    } finally {
      this.#isPaused = false;
      this.#reader = this.#opened();
    }
  }

  close(): void {
    this.#isPaused = true;
    this.#reader.close();
    this.#input.pause();
  }

  #opened(): ReturnType<typeof createInterface> {
    // It may have come to its end while it was lent.
    if (this.#input.readableEnded || this.#input.destroyed) this.#isOver = true;
    const reader = createInterface({ input: this.#input, terminal: false });
    reader.on('line', (line) => {
      this.#typed.push(line);
      this.#wake();
    });
    reader.on('close', () => {
      if (this.#isPaused) return;
      this.#isOver = true;
      this.#wake();
    });
    return reader;
  }
}
