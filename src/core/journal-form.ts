/**
 * The form of a journal's rows: which strings become blobs, and what stands in a body for them. What the encoder and the
 * decoder must agree on, and nothing else.
 */

/**
 * Strings from this many characters on are kept as blobs; shorter ones stay in the row, and so do those with half a
 * surrogate pair in them: JSON can say it, the UTF-8 of a blob cannot.
 */
export const inlineCharacters = 512;

/**
 * What may stand in a body for something else: a long string, a value that every request repeats, a list of messages by
 * its last, one message of a chain, or an object of the user's own that only looks like one of these.
 */
const referenceKeys = ['$blob', '$json', '$messages', '$message', '$plain'] as const;

export function referenceKey(value: object): (typeof referenceKeys)[number] | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? referenceKeys.find((key) => key === keys[0]) : undefined;
}
