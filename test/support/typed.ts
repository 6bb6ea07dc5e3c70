/**
 * A command line as its user types it: divided at blanks and line breaks. What is put in stays one word, whatever it holds;
 * a list is as many words.
 */
export function typed(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (const [index, text] of texts.entries()) {
    for (const [number, piece] of text.split(/\s+/).entries()) {
      if (number > 0 && word !== null) [word] = [null, words.push(word)];
      if (piece) word = (word ?? '') + piece;
    }
    const value = values[index];
    if (typeof value === 'string' || typeof value === 'number') word = `${word ?? ''}${value}`;
    else if (value) words.push(...value);
  }
  return word === null ? words : [...words, word];
}
