/** Makes a conversation shorter whose model has no context for it: old results of tools lose their middle. Pure. */
import type { Message } from '../../core/model.ts';

const newestKept = 3;
const [headCharacters, tailCharacters] = [600, 600];
/** A result that is not much longer than what would remain stays as it is. */
const longestKept = 2_000;

export type Shortened = {
  readonly messages: readonly Message[];
  /** How many results lost their middle, and how many characters that were. */
  readonly results: number;
  readonly characters: number;
};

/** `results`: where results stand among the messages, the oldest first. */
export function shortenOldResults(messages: readonly Message[], results: readonly number[]): Shortened {
  const old = new Set(results.slice(0, Math.max(0, results.length - newestKept)));
  let [count, characters] = [0, 0];
  const shorter = (text: string): string => {
    if (text.length <= longestKept) return text;
    const omitted = text.length - headCharacters - tailCharacters;
    count += 1;
    characters += omitted;
    const head = text.slice(0, headCharacters).toWellFormed();
    return `${head}\n[… ${omitted} characters of this old result are left out …]\n${text.slice(-tailCharacters).toWellFormed()}`;
  };
  const shortened = messages.map((message, index): Message => {
    if (!old.has(index)) return message;
    if (message.role === 'tool') return { ...message, content: shorter(message.content) };
    const isText = message.role === 'user' && typeof message.content === 'string';
    return isText ? { ...message, content: shorter(message.content) } : message;
  });
  return { messages: shortened, results: count, characters };
}
