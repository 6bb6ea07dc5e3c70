/** The arguments of a call in Python that are written out: strings, numbers, lists and dictionaries. Nothing is calculated. */
import type { Json, JsonObject } from '../core/json.ts';
import type { KnownTool } from './tool-names.ts';

/** `end`: behind the closing parenthesis; null where the arguments cannot be read, and `why` says what is wrong. */
export type ReadArguments =
  | { readonly args: JsonObject; readonly end: number; readonly why?: undefined }
  | { readonly args: null; readonly end: null; readonly why: string };

class UnreadableArguments extends Error {}

const maxDepth = 20;
const words: Readonly<Record<string, Json>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

export class PythonArguments {
  readonly #text: string;
  #at: number;

  /** `at`: behind the opening parenthesis. */
  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  read(tool: KnownTool): ReadArguments {
    try {
      return { args: this.#arguments(tool), end: this.#at };
    } catch (error) {
      if (error instanceof UnreadableArguments) return { args: null, end: null, why: error.message };
      throw error;
    }
  }

  #arguments({ parameters, required }: KnownTool): JsonObject {
    const args: Record<string, Json> = {};
    const order = [...required, ...parameters.filter((name) => !required.includes(name))];
    for (let index = 0; !this.#consume(')'); index += 1) {
      const named = this.#match(/([A-Za-z_]\w{0,99})\s*=(?!=)/y)?.[1];
      const value = this.#value(0);
      const name = named ?? order[index];
      if (
        named === undefined &&
        index === 0 &&
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value)
      )
        Object.assign(args, value);
      else if (name !== undefined) args[name] = value;
      if (!this.#consume(',') && this.#peek() !== ')')
        throw new UnreadableArguments(
          'its arguments are not written out as plain values, or its parenthesis does not close',
        );
    }
    return args;
  }

  #value(depth: number): Json {
    if (depth > maxDepth) throw new UnreadableArguments('its arguments are nested too deeply');
    if (this.#consume('[')) {
      const items: Json[] = [];
      while (!this.#consume(']')) {
        items.push(this.#value(depth + 1));
        if (!this.#consume(',') && this.#peek() !== ']')
          throw new UnreadableArguments('a list in it does not close');
      }
      return items;
    }
    if (this.#consume('{')) return this.#parseDict(depth);
    const string = this.#strings();
    if (string !== null) return string;
    const number = this.#match(/-?\d{1,400}(?:\.\d{1,400})?(?![\w.])/y)?.[0];
    if (number !== undefined)
      return Number.isSafeInteger(Number(number)) || number.includes('.') ? Number(number) : number;
    const word = this.#match(/[A-Za-z]{4,5}(?![\w.(])/y)?.[0] ?? '';
    const known = words[word];
    if (known !== undefined) return known;
    throw new UnreadableArguments(
      'an argument of it is calculated, and not written out as a string, a number or a list',
    );
  }

  #parseDict(depth: number): JsonObject {
    const entries: [string, Json][] = [];
    while (!this.#consume('}')) {
      const key = this.#strings();
      if (key === null || !this.#consume(':'))
        throw new UnreadableArguments('a dictionary in it cannot be read');
      entries.push([key, this.#value(depth + 1)]);
      if (!this.#consume(',') && this.#peek() !== '}')
        throw new UnreadableArguments('a dictionary in it does not close');
    }
    return Object.fromEntries(entries);
  }

  /** Strings one behind the other are one; null where none begins. */
  #strings(): string | null {
    let text: string | null = null;
    for (;;) {
      const start = this.#match(/([rRuU]?)("""|'''|"|')/y);
      if (!start) return text;
      text = (text ?? '') + this.#string(start[2] ?? '', /r/i.test(start[1] ?? ''));
    }
  }

  #string(quote: string, isRaw: boolean): string {
    let written = '';
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === undefined || (sign === '\n' && quote.length === 1))
        throw new UnreadableArguments(
          'a string in it does not end (one of several lines stands between """)',
        );
      if (this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        return written;
      }
      const next = this.#text[this.#at + 1] ?? '';
      this.#at += sign === '\\' ? 2 : 1;
      if (sign !== '\\') written += sign;
      else if (isRaw) written += sign + next;
      else written += this.#code(next) ?? escapes[next] ?? (/[\\'"]/.test(next) ? next : sign + next);
    }
  }

  /** `\x41` and `\u0041`; null for other escapes. */
  #code(letter: string): string | null {
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : 0;
    const code = this.#text.slice(this.#at, this.#at + digits);
    if (digits === 0 || !/^[\da-fA-F]+$/.test(code) || code.length < digits) return null;
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #peek(): string | undefined {
    this.#match(/(?=\S|$)/y);
    return this.#text[this.#at];
  }

  #consume(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** Behind blanks and remarks. */
  #match(pattern: RegExp): RegExpExecArray | null {
    while (/[\s#]/.test(this.#text[this.#at] ?? '')) {
      const end = this.#text[this.#at] === '#' ? this.#text.indexOf('\n', this.#at) : this.#at + 1;
      this.#at = end < 0 ? this.#text.length : end;
    }
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}
