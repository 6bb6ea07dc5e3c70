/** The form of a journal's rows that encoder and decoder agree on. */
import type { Message } from './model.ts';

/** By message: its link in the chain, and the link before it. */
export type Links = WeakMap<Message, { readonly parent: string; readonly hash: string }>;

/** Strings from this length on become blobs, except with half a surrogate pair: JSON can hold it, UTF-8 cannot. */
export const inlineCharacters = 512;

/** The keys of references in a body: to a blob, to JSON, to messages, to one message; the last marks a user's look-alike. */
const referenceKeys = ['$blob', '$json', '$messages', '$message', '$plain'] as const;

export function referenceKey(value: object): (typeof referenceKeys)[number] | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? referenceKeys.find((key) => key === keys[0]) : undefined;
}
