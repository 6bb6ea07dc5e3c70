/** Lines that stay and, on a terminal, a status below them that is drawn anew. Plain ANSI. */
import { count } from '../text/format.ts';
import { fitToWidth } from '../text/wrap.ts';
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
    const lines = [this.#status()].flat().map((line) => fitToWidth(line, this.#output.columns - 1));
    this.#output.write(lines.map((line) => this.#output.paint('faint', line)).join('\n'));
    this.#above = lines.length - 1;
  }
}

/** A picture drawn anew in its place, on terminals that are too narrow or too low for it; without one, when it has changed. */
export class Repainter {
  readonly #output: Output;
  #lines = 0;
  #last = '';

  constructor(output: Output) {
    this.#output = output;
  }

  /** `text` ends with a newline. The last picture is shown whole, because nothing is drawn over it. */
  show(text: string, { isLast = false } = {}): void {
    if (!this.#output.isTerminal) {
      if (text !== this.#last) this.#output.write(`${this.#last === '' ? '' : '\n'}${text}`);
    } else {
      const lines = text.split('\n').slice(0, -1);
      const visible = isLast ? lines : this.#fitLines(lines);
      const { sequence } = this.#output.paint;
      const back = this.#lines > 0 ? sequence(`${this.#lines}A`) : '';
      // The terminal cuts off lines that are too wide: only it knows the widths of its characters.
      const [withoutWrapping, withWrapping] = [sequence('?7l'), sequence('?7h')];
      this.#output.write(`${back}\r${sequence('J')}${withoutWrapping}${visible.join('\n')}\n${withWrapping}`);
      this.#lines = visible.length;
    }
    this.#last = text;
  }

  /** Lines that scrolled out cannot be redrawn: only the beginning is shown, with a note that there is more. */
  #fitLines(lines: readonly string[]): readonly string[] {
    const { rows, paint } = this.#output;
    // The cursor needs a row below the picture.
    const capacity = Math.max(2, (rows ?? Number.POSITIVE_INFINITY) - 1);
    if (lines.length <= capacity) return lines;
    const left = lines.length - (capacity - 1);
    return [
      ...lines.slice(0, capacity - 1),
      paint('faint', `… ${count(left, 'more line')} in a higher window`),
    ];
  }
}
