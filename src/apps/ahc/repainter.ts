/**
 * A picture of several lines that is drawn anew in its place on a terminal. Elsewhere each picture that differs from the
 * one before it is written below it, so that a file or a pipe has them all. It knows nothing of what it shows.
 */
import type { Output } from '../../cli/output.ts';
import { count } from '../../text/format.ts';

/** A line that is too wide is cut off by the terminal: it alone knows how wide its characters are. */
const [withoutWrapping, withWrapping] = ['\x1b[?7l', '\x1b[?7h'];

export class Repainter {
  readonly #output: Output;
  #lines = 0;
  #last = '';

  constructor(output: Output) {
    this.#output = output;
  }

  /** `text` ends with a newline. The last one is shown whole: nothing is drawn over it. */
  show(text: string, { isLast = false } = {}): void {
    if (!this.#output.isTerminal) {
      if (text !== this.#last) this.#output.write(`${this.#last === '' ? '' : '\n'}${text}`);
    } else {
      const lines = text.split('\n').slice(0, -1);
      const shown = isLast ? lines : this.#fitting(lines);
      const back = this.#lines > 0 ? `\x1b[${this.#lines}A` : '';
      this.#output.write(`${back}\r\x1b[J${withoutWrapping}${shown.join('\n')}\n${withWrapping}`);
      this.#lines = shown.length;
    }
    this.#last = text;
  }

  /** What has scrolled out of a terminal cannot be drawn anew: the beginning is shown, and that there is more. */
  #fitting(lines: readonly string[]): readonly string[] {
    const { rows, paint } = this.#output;
    // One row is where the cursor stands below the picture.
    const room = Math.max(2, (rows ?? Number.POSITIVE_INFINITY) - 1);
    if (lines.length <= room) return lines;
    const left = lines.length - (room - 1);
    return [...lines.slice(0, room - 1), paint('faint', `… ${count(left, 'more line')} in a higher window`)];
  }
}
