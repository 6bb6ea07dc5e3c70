/**
 * A picture of several lines that is drawn anew in its place on a terminal. Elsewhere each picture that differs from the
 * one before it is written below it, so that a file or a pipe has them all. It knows nothing of what it shows.
 */
import type { Output } from '../shell.ts';

export class Repainter {
  readonly #output: Output;
  #lines = 0;
  #last = '';

  constructor(output: Output) {
    this.#output = output;
  }

  /** `text` ends with a newline, and none of its lines is wider than the terminal. */
  show(text: string): void {
    if (!this.#output.isTerminal) {
      if (text !== this.#last) this.#output.write(`${this.#last === '' ? '' : '\n'}${text}`);
    } else {
      const back = this.#lines > 0 ? `\x1b[${this.#lines}A` : '';
      this.#output.write(`${back}\r\x1b[J${text}`);
      this.#lines = text.split('\n').length - 1;
    }
    this.#last = text;
  }
}
