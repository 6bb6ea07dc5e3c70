/** The form of a journal's rows that encoder and decoder agree on. */

/**
 * Strings from this many characters on become blobs. Shorter ones stay in the row, and so do those with half a surrogate
 * pair: JSON can say it, the UTF-8 of a blob cannot.
 */
export const inlineCharacters = 512;

/**
 * What may stand in a body for something else: a long string, a value that every request repeats, a list of messages by its
 * last, one message of a chain, or an object of the user's that looks like one of these.
 */
const referenceKeys = ['$blob', '$json', '$messages', '$message', '$plain'] as const;

export function referenceKey(value: object): (typeof referenceKeys)[number] | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? referenceKeys.find((key) => key === keys[0]) : undefined;
}
