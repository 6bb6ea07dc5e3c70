/** Lines that stay and, on a terminal, a status below them that is drawn anew. Plain ANSI. */
import { fitted } from '../text/wrap.ts';

import type { Output } from './contract.ts';

const redrawEveryMs = 200;

export class Screen {
  readonly #output: Output;
  readonly #status: () => string | readonly string[];
  readonly #timer: NodeJS.Timeout | null;
  /** Lines of the status that are to be cleared above the one that the cursor stands in. */
  #above = 0;

  /** `status` is asked for at each redraw. */
  constructor(output: Output, status: () => string | readonly string[]) {
    this.#output = output;
    this.#status = status;
    this.#timer = output.isTerminal ? setInterval(() => this.#draw(), redrawEveryMs) : null;
    // The run keeps the process alive, not its picture.
    this.#timer?.unref();
  }

  line(text: string): void {
    if (!this.#output.isHeld) this.clear();
    this.#output.write(`${text}\n`);
    this.#draw();
  }

  /** Until it is drawn again. */
  clear(): void {
    const { sequence } = this.#output.paint;
    const clearLine = sequence('2K');
    const clearAbove = `${sequence('1A')}${clearLine}`.repeat(this.#above);
    if (this.#timer) this.#output.write(`\r${clearLine}${clearAbove}`);
    this.#above = 0;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.clear();
  }

  #draw(): void {
    if (!this.#timer) return;
    if (this.#output.isHeld) {
      this.#above = 0;
      return;
    }
    this.clear();
    // One column less: a full line would wrap, and then it would not be cleared as a whole.
    const lines = [this.#status()].flat().map((line) => fitted(line, this.#output.columns - 1));
    this.#output.write(lines.map((line) => this.#output.paint('faint', line)).join('\n'));
    this.#above = lines.length - 1;
  }
}
