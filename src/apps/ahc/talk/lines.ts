/**
 * Lines that are typed, or come through a pipe, with a time limit for waiting. At a terminal, output appears above the line
 * that is being typed, which stays as it is; rows that are pasted together are one line. An editor can borrow the terminal.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline';
import type { Readable } from 'node:stream';

export type LinesTerminal = {
  readonly output: NodeJS.WritableStream;
  /** It understands bracketed paste; a dumb terminal would show the codes. */
  readonly tellsPastes: boolean;
  /** Ctrl-C, which sends no signal while the line editor is active. */
  onInterrupt(): void;
};

export class Lines {
  readonly #typed: string[] = [];
  readonly #input: Readable;
  readonly #terminal: LinesTerminal | null;
  /** Rows that are pasted together are one text; a terminal without bracketed paste sends them as single lines. */
  #rows: string[] = [];
  #isPasting = false;
  readonly #onKey = (_text: unknown, key?: { readonly name?: string }): void => this.#hear(key?.name);
  /** A prompt is shown, with the unfinished line behind it. */
  #isShown = false;
  #reader: ReturnType<typeof createInterface>;
  #isOver = false;
  #isPaused = false;
  #wake: () => void = () => undefined;

  constructor(input: Readable, terminal: LinesTerminal | null = null) {
    this.#input = input;
    this.#terminal = terminal;
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

  /** Shows the prompt, at a terminal; an unfinished line stays. */
  show(prompt: string): void {
    if (!this.#terminal || this.#isOver) return;
    this.#reader.setPrompt(prompt);
    this.#reader.prompt(true);
    this.#isShown = true;
  }

  /** Writes above the line that is being typed. */
  above(write: () => void): void {
    const output = this.#terminal?.output;
    if (!output || !this.#isShown) return write();
    const { rows } = this.#reader.getCursorPos();
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    write();
    // The line editor redraws the line as many rows up as the line had before.
    output.write('\n'.repeat(rows));
    this.#reader.prompt(true);
  }

  /** Waits for a new line or the end of the input, at most `ms`. */
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

  /** Lets `work` read the terminal. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return work();
    this.#isPaused = true;
    this.#isShown = false;
    this.#closed();
    try {
      return await work();
    } finally {
      this.#isPaused = false;
      this.#reader = this.#opened();
    }
  }

  close(): void {
    this.#isPaused = true;
    this.#closed();
  }

  #closed(): void {
    this.#reader.close();
    this.#input.off('keypress', this.#onKey);
    if (this.#terminal?.tellsPastes) this.#terminal.output.write(pasting.off);
    this.#input.pause();
  }

  #opened(): ReturnType<typeof createInterface> {
    const terminal = this.#terminal;
    // The input may have ended while it was lent.
    if (this.#input.readableEnded || this.#input.destroyed) this.#isOver = true;
    // Unsent pasted rows are lost with the unfinished line behind them.
    this.#rows = [];
    this.#isPasting = false;
    const reader = createInterface({
      input: this.#input,
      output: terminal?.output,
      terminal: terminal !== null,
    });
    if (terminal) reader.on('SIGINT', () => terminal.onInterrupt());
    if (terminal?.tellsPastes) {
      this.#input.on('keypress', this.#onKey);
      terminal.output.write(pasting.on);
    }
    reader.on('line', (line) => {
      this.#isShown = false;
      this.#rows.push(line);
      if (!this.#isPasting) this.#send();
    });
    reader.on('close', () => {
      if (this.#isPaused) return;
      this.#isOver = true;
      if (this.#rows.length > 0) this.#send();
      this.#wake();
    });
    return reader;
  }

  #send(): void {
    this.#typed.push(this.#rows.join('\n'));
    this.#rows = [];
    this.#wake();
  }

  /** Pasted rows that end with a newline are sent; otherwise the last row stays at the prompt, and Enter sends them. */
  #hear(key: string | undefined): void {
    const output = this.#terminal?.output;
    if (key === 'paste-start') this.#isPasting = true;
    if (key !== 'paste-end') return;
    this.#isPasting = false;
    if (this.#rows.length === 0 || !output) return;
    if (this.#reader.line === '') return this.#send();
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#reader.prompt(true);
    this.#isShown = true;
  }
}

/** Bracketed paste, switched on and off. */
const pasting = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;
