/** A picture drawn anew in its place, on terminals that are too narrow or too low for it; without one, when it has changed. */
import { count } from '../text/format.ts';
import type { Output } from './contract.ts';

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
      const shown = isLast ? lines : this.#fitting(lines);
      const { sequence } = this.#output.paint;
      const back = this.#lines > 0 ? sequence(`${this.#lines}A`) : '';
      // The terminal cuts off lines that are too wide: only it knows the widths of its characters.
      const [withoutWrapping, withWrapping] = [sequence('?7l'), sequence('?7h')];
      this.#output.write(`${back}\r${sequence('J')}${withoutWrapping}${shown.join('\n')}\n${withWrapping}`);
      this.#lines = shown.length;
    }
    this.#last = text;
  }

  /** Lines that scrolled out cannot be redrawn: only the beginning is shown, with a note that there is more. */
  #fitting(lines: readonly string[]): readonly string[] {
    const { rows, paint } = this.#output;
    // The cursor needs a row below the picture.
    const room = Math.max(2, (rows ?? Number.POSITIVE_INFINITY) - 1);
    if (lines.length <= room) return lines;
    const left = lines.length - (room - 1);
    return [...lines.slice(0, room - 1), paint('faint', `… ${count(left, 'more line')} in a higher window`)];
  }
}
