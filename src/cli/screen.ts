/**
 * Lines that stay and, on a terminal, one status line below them that is drawn anew. Plain ANSI; elsewhere the status
 * is left out. It knows nothing of runs.
 */

import { clip } from '../text/format.ts';
import type { Output } from './output.ts';

const redrawEveryMs = 200;
const clearLine = '\r\x1b[2K';

export class Screen {
  readonly #output: Output;
  readonly #status: () => string;
  readonly #timer: NodeJS.Timeout | null;

  /** `status` is asked for at each redraw; it must be one harmless line. */
  constructor(output: Output, status: () => string) {
    this.#output = output;
    this.#status = status;
    this.#timer = output.isTerminal ? setInterval(() => this.#draw(), redrawEveryMs) : null;
    // The run keeps the process alive, not its picture.
    this.#timer?.unref();
  }

  line(text: string): void {
    this.#output.write(`${this.#timer && !this.#output.isHeld ? clearLine : ''}${text}\n`);
    this.#draw();
  }

  /** Until it is drawn again. */
  clear(): void {
    if (this.#timer) this.#output.write(clearLine);
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.clear();
  }

  #draw(): void {
    if (!this.#timer || this.#output.isHeld) return;
    // One column less: a full line would wrap, and then one line is not enough to clear.
    const text = clip(this.#status(), this.#output.columns - 1);
    this.#output.write(`${clearLine}${this.#output.paint('faint', text)}`);
  }
}
