/**
 * How near an answer comes to what a statement's samples show: the very same, the same words, words from among theirs, the
 * same form. It is what decides where no official tool does, and only among answers of the form that was understood. Pure.
 */
import { wordsOfLines } from './output-shape.ts';

/** From 0, what has nothing in common, to 4, the very same. */
export function likeness(printed: string, sample: string): number {
  const [own, theirs] = [wordsOfLines(printed), wordsOfLines(sample)];
  const form = (lines: readonly (readonly string[])[]) => lines.map(({ length }) => length).join(' ');
  const words = (lines: readonly (readonly string[])[]) => lines.flat().toSorted().join(' ');
  const text = (lines: readonly (readonly string[])[]) => lines.map((line) => line.join(' ')).join('\n');
  const [size, other] = [own.flat().length, theirs.flat().length];
  if (size !== other) return 0;
  if (text(own) === text(theirs)) return 4;
  if (words(own) === words(theirs)) return 3;
  if (form(own) !== form(theirs)) return 0;
  return isAmong(own.flat(), theirs.flat()) ? 2 : 1;
}

/** Numbers between the smallest and the largest of theirs; words and letters that are theirs. */
function isAmong(own: readonly string[], theirs: readonly string[]): boolean {
  const numbers = theirs.map(Number).filter((number) => !Number.isNaN(number));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const letters = new Set(theirs.join(''));
  return own.every((word) => {
    const number = Number(word);
    if (!Number.isNaN(number) && numbers.length > 0) return number >= low && number <= high;
    return word.length === (theirs[0]?.length ?? 0) && [...word].every((letter) => letters.has(letter));
  });
}
