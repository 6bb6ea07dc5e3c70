/**
 * Whether a program was run already: the same tokens, whatever its comments and spaces. Asked before the costly
 * evaluation. A program that only names things differently counts as new, which costs an evaluation. Pure.
 */
import { codeTokens } from '../../text/cpp-tokens.ts';

export class Novelty {
  readonly #isPython: boolean;
  /** The id of the first program of each text. */
  readonly #first = new Map<string, string>();

  constructor(language: string) {
    this.#isPython = language === 'python';
  }

  add(source: string, id: string): void {
    const text = this.#textOf(source);
    if (!this.#first.has(text)) this.#first.set(text, id);
  }

  /** For a program that was not judged: proposed again, it is new. */
  remove(source: string, id: string): void {
    const text = this.#textOf(source);
    if (this.#first.get(text) === id) this.#first.delete(text);
  }

  /** The id of the program that has the same tokens; null where there is none. */
  duplicateOf(source: string): string | null {
    return this.#first.get(this.#textOf(source)) ?? null;
  }

  /** In Python spaces have a meaning: only those at the ends of lines have none. */
  #textOf(source: string): string {
    if (this.#isPython) return source.replaceAll(/[ \t]*(?:#[^\n]*)?(?=\n|$)|\r/g, '').trim();
    const tokens = codeTokens(source).map(({ text }) => text.trim());
    return tokens.join(' ');
  }
}
