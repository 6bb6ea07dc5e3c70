/**
 * The person at the terminal who answers for the model `manual`. Lines are typed in the terminal's own way, so that
 * Ctrl-C stays the signal that it is, and what is pasted at once is read line by line. It knows no model.
 */
import type { Readable, Writable } from 'node:stream';
import type { Shell } from './contract.ts';

export function personAt(
  input: Readable,
  output: Pick<Writable, 'write'>,
  held: { isHeld: boolean },
): NonNullable<Shell['person']> {
  let lines: Lines | null = null;
  return {
    write: (text) => {
      output.write(text);
    },
    readLine: async (signal) => lines?.next(signal) ?? null,
    async alone(work) {
      held.isHeld = true;
      // What was drawn there last is not part of the question.
      output.write('\r\x1b[2K');
      // Loaded here because hardly any run asks a person.
      const { createInterface } = await import('node:readline');
      const reader = createInterface({ input, terminal: false });
      lines = new Lines(reader);
      try {
        return await work();
      } finally {
        lines = null;
        reader.close();
        input.pause();
        held.isHeld = false;
      }
    },
  };
}

type Reader = {
  on(event: 'line', listener: (line: string) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
};

class Lines {
  readonly #typed: string[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(reader: Reader) {
    reader.on('line', (line) => {
      this.#typed.push(line);
      this.#wake();
    });
    reader.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  async next(signal: AbortSignal): Promise<string | null> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (this.#typed.length === 0 && !this.#isClosed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
    signal.throwIfAborted();
    return this.#typed.shift() ?? null;
  }
}
