/**
 * Lines that somebody types, or that come through a pipe, waited for no longer than one likes. At a terminal what is told
 * meanwhile stands above the line that is being typed, which stays as it is; rows that are pasted together are one line.
 * While an editor runs they are left to it.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline';
import type { Readable } from 'node:stream';
import { Pasted, pasting } from './pasted.ts';

export type LinesTerminal = {
  readonly output: NodeJS.WritableStream;
  /** It may be asked to say what is pasted; a dumb one would show what it is asked with. */
  readonly tellsPastes: boolean;
  /** Ctrl-C, which is no signal while lines are edited here. */
  onInterrupt(): void;
};

export class Lines {
  readonly #typed: string[] = [];
  readonly #input: Readable;
  readonly #terminal: LinesTerminal | null;
  #pasted = new Pasted();
  readonly #onKey = (_text: unknown, key?: { readonly name?: string }): void => this.#hear(key?.name);
  /** A prompt stands there, with what is typed so far behind it. */
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

  /** Asks for the next line, at a terminal; what is typed already stays. */
  show(prompt: string): void {
    if (!this.#terminal || this.#isOver) return;
    this.#reader.setPrompt(prompt);
    this.#reader.prompt(true);
    this.#isShown = true;
  }

  /** What this writes stands above the line that is being typed. */
  above(write: () => void): void {
    const output = this.#terminal?.output;
    if (!output || !this.#isShown) return write();
    const { rows } = this.#reader.getCursorPos();
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    write();
    // The line is drawn again so many rows up as it had before.
    output.write('\n'.repeat(rows));
    this.#reader.prompt(true);
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
    // It may have come to its end while it was lent.
    if (this.#input.readableEnded || this.#input.destroyed) this.#isOver = true;
    const terminal = this.#terminal;
    const reader = terminal
      ? createInterface({ input: this.#input, output: terminal.output, terminal: true })
      : createInterface({ input: this.#input, terminal: false });
    // What was pasted and not sent is gone with the line that was typed behind it.
    this.#pasted = new Pasted();
    if (terminal) reader.on('SIGINT', () => terminal.onInterrupt());
    if (terminal?.tellsPastes) {
      this.#input.on('keypress', this.#onKey);
      terminal.output.write(pasting.on);
    }
    reader.on('line', (line) => {
      this.#isShown = false;
      this.#type(this.#pasted.ended(line));
    });
    reader.on('close', () => {
      if (this.#isPaused) return;
      this.#isOver = true;
      this.#type(this.#pasted.isWaiting ? this.#pasted.taken() : null);
      this.#wake();
    });
    return reader;
  }

  #type(line: string | null): void {
    if (line === null) return;
    this.#typed.push(line);
    this.#wake();
  }

  /** Pasted rows that end with a new line are sent by it, as typed ones are; else what is behind it stands at the prompt. */
  #hear(key: string | undefined): void {
    const output = this.#terminal?.output;
    if (!this.#pasted.hears(key) || !this.#pasted.isWaiting || !output) return;
    if (this.#reader.line === '') return this.#type(this.#pasted.taken());
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#reader.prompt(true);
    this.#isShown = true;
  }
}
