/**
 * Rows that were pasted together are one text, and not a message each: terminals that are asked to say where a paste begins
 * and ends. Of one that does not, every row is a line of its own.
 */

/** What a terminal is sent so that it tells, and so that it tells no more. */
export const pasting = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

export class Pasted {
  #rows: string[] = [];
  #isOpen = false;

  /** Rows wait for the Enter that sends them with what is typed behind them. */
  get isWaiting(): boolean {
    return this.#rows.length > 0;
  }

  /** Of a key that the line editor has had already; true at the end of a paste. */
  hears(key: string | undefined): boolean {
    if (key === 'paste-start') this.#isOpen = true;
    if (key !== 'paste-end') return false;
    this.#isOpen = false;
    return true;
  }

  /** A row has ended; the whole text where it is the last one, else null. */
  ended(row: string): string | null {
    this.#rows.push(row);
    return this.#isOpen ? null : this.taken();
  }

  taken(): string {
    const text = this.#rows.join('\n');
    this.#rows = [];
    return text;
  }
}
