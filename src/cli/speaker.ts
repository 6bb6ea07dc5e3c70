/** What one model call says, as it arrives, made into lines for a terminal. Pure. */
import { count } from '../text/format.ts';

export type DeltaPart = { readonly type: 'text' | 'reasoning'; readonly text: string };

export type OutputLine = DeltaPart & { readonly isFirst: boolean };

export class Speaker {
  /** How many characters it has said. */
  heard = 0;
  /** The beginning of a line that is not whole yet. */
  pending = '';
  #type: DeltaPart['type'] = 'text';
  #isFirst = true;
  readonly #words: Words | null;

  /** `isShort`: shows only the length of programs and data. */
  constructor(isShort = false) {
    this.#words = isShort ? new Words() : null;
  }

  /** As far as it may be shown. */
  get unfinished(): string {
    return this.#words?.isHiding ? '' : this.pending;
  }

  /** The lines that are whole now. */
  append({ type, text }: DeltaPart, columns: number): OutputLine[] {
    if (text === '') return [];
    const before = type === this.#type ? [] : this.end();
    this.#type = type;
    this.heard += text.length;
    const [lines, rest] = wrapped(this.pending + text, columns);
    this.pending = rest;
    return [...before, ...this.#toOutputLines(lines)];
  }

  /** So much has been said by now, not all of it to us. */
  countMissed(characters: number): void {
    this.heard = Math.max(this.heard, characters);
  }

  /** All that has been said of a whole message; what was heard before is not said again. */
  flush(all: readonly DeltaPart[], columns: number): OutputLine[] {
    const lines: OutputLine[] = [];
    let skipped = this.heard;
    for (const { type, text } of all) {
      const rest = text.slice(skipped);
      skipped = Math.max(0, skipped - text.length);
      if (rest !== '') lines.push(...this.append({ type, text: rest }, columns));
    }
    return lines;
  }

  /** It says no more: the line that is not whole is one. */
  end(): OutputLine[] {
    const rest = this.pending;
    this.pending = '';
    const last = this.#toOutputLines([rest]);
    const text = this.#words?.end() ?? '';
    return text === '' ? last : [...last, this.#line(text)];
  }

  #line(text: string): OutputLine {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return { type: this.#type, text, isFirst };
  }

  #toOutputLines(all: readonly string[]): OutputLine[] {
    const lines = this.#words ? all.flatMap((line) => this.#words?.of(line) ?? []) : all;
    return lines.flatMap((line) => {
      if (line.trim() === '') return [];
      return [this.#line(line.trimEnd())];
    });
  }
}

/** What ends a text that is no prose, by what begins it. */
const blocks: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^\s*```/, /^\s*```\s*$/],
  [/^\s*~~~/, /^\s*~~~\s*$/],
  [/^\s*<{5,}/, /^\s*>{5,}/],
  [/^\*{3} Begin Patch/, /^\*{3} End Patch/],
];

/** Of the lines of a message, those that are prose; a program, a patch or data are one line that says how long they are. */
class Words {
  #end: RegExp | null = null;
  #hidden = 0;
  #isBegun = false;

  get isHiding(): boolean {
    return this.#end !== null;
  }

  of(line: string): readonly string[] {
    if (this.#end) {
      const isOver = this.#end.test(line);
      if (!isOver) this.#hidden += 1;
      if (!isOver) return [];
      const text = this.end();
      this.#isBegun = true;
      return [text];
    }
    const isData = !this.#isBegun && /^\s*[{[]/.test(line);
    this.#isBegun ||= line.trim() !== '';
    // JSON is all of its message.
    const [, end] = isData ? [null, /^(?!)/] : (blocks.find(([begin]) => begin.test(line)) ?? []);
    if (end === undefined) return [line];
    this.#end = end;
    this.#hidden = isData ? 1 : 0;
    return [];
  }

  /** Says how much was left out; empty where nothing was. */
  end(): string {
    const text = this.#end ? `(${count(this.#hidden, 'line')} of a program or of data)` : '';
    this.#end = null;
    this.#hidden = 0;
    this.#isBegun = false;
    return text;
  }
}

/** Lines end at newlines, and where they would be longer than the terminal is wide: there at a blank if there is one. */
function wrapped(text: string, columns: number): [lines: string[], rest: string] {
  const lines: string[] = [];
  let rest = text.replaceAll('\t', '  ');
  for (;;) {
    const newline = rest.indexOf('\n');
    if (newline >= 0 && newline <= columns) {
      lines.push(rest.slice(0, newline));
      rest = rest.slice(newline + 1);
    } else if (rest.length > columns) {
      const blank = rest.lastIndexOf(' ', columns);
      const end = blank > columns / 2 ? blank : completeCharacters(rest, columns);
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).replace(/^ /, '');
    } else {
      return [lines, rest];
    }
  }
}

/** Not through a character of two code units. */
function completeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
