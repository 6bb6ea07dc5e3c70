/**
 * What is worked out for each message of a conversation from those before it: its hash, its length. A request repeats all that
 * was said before. A run copies its list once and compares it once with earlier ones; after that only what is new costs work.
 */
import type { Message } from './model.ts';

/** A message and all before it. Lists that begin alike share it. */
export type Prefix = { readonly message: Message; readonly before: Prefix | null };

type Line = { readonly messages: Message[]; readonly beginnings: Prefix[] };

/** An end of this many messages that a list leaves out is forgotten; before a longer one the beginning is copied. */
const forgottenEnd = 4;
/** How many of a list's messages are asked for the list that they were last part of. */
const mostLooks = 8;

const lines = new WeakMap<Message, Line>();
const kept = new WeakMap<readonly Message[], Prefix>();

/** A copy that nobody else holds. `check` gets what of it was in no kept list before, and may throw. */
export function keepMessages(
  messages: readonly Message[],
  check: (fresh: readonly Message[]) => void = () => undefined,
): readonly Message[] {
  const copy = [...messages];
  const found = findLine(copy);
  const known = found?.known ?? 0;
  const fresh = copy.slice(known);
  check(fresh);
  const line = found ? truncateLine(found.line, known) : { messages: [], beginnings: [] };
  for (const message of fresh) {
    line.beginnings.push({ message, before: line.beginnings.at(-1) ?? null });
    line.messages.push(message);
    // One alone is worked out again as cheaply as it is found, and what a WeakMap holds no young collection frees.
    if (copy.length > 1) lines.set(message, line);
  }
  const prefix = line.beginnings.at(-1);
  if (prefix) kept.set(copy, prefix);
  return copy;
}

/** All of a kept list; undefined for an empty one, and for one that was not kept. */
export function fullPrefix(messages: readonly Message[]): Prefix | undefined {
  return kept.get(messages);
}

export function isSame(some: Prefix | null, other: Prefix | null): boolean {
  let [a, b] = [some, other];
  while (a !== b) {
    if (a?.message !== b?.message) return false;
    [a, b] = [a?.before ?? null, b?.before ?? null];
  }
  return true;
}

/** Values for the beginnings of lists. */
export class Conversation<T> {
  readonly #values = new WeakMap<Prefix, T>();

  /**
   * The value of a whole list. `next` is called for messages after a known beginning, in their order; a known value is worked
   * out anew unless it `holds`. Of a list that was not kept nothing is remembered.
   */
  last(
    messages: readonly Message[],
    next: (message: Message, before: T | undefined, prefix: Prefix | null) => T,
    holds: (value: T) => boolean = () => true,
  ): T | undefined {
    const whole = kept.get(messages);
    if (!whole) return messages.reduce<T | undefined>((before, each) => next(each, before, null), undefined);
    const fresh: Prefix[] = [];
    let value: T | undefined;
    for (let each: Prefix | null = whole; each; each = each.before) {
      value = this.#values.get(each);
      if (value !== undefined && holds(value)) break;
      value = undefined;
      fresh.push(each);
    }
    for (const each of fresh.reverse()) {
      value = next(each.message, value, each.before);
      this.#values.set(each, value);
    }
    return value;
  }
}

function findLine(messages: readonly Message[]): { line: Line; known: number } | null {
  let [best, most]: [Line | undefined, number] = [undefined, 0];
  let looks = 0;
  for (let index = messages.length - 1; index >= 0 && looks < mostLooks; index -= 1) {
    const line = lines.get(messages[index] as Message);
    if (!line || line === best) continue;
    looks += 1;
    const known = commonStart(line.messages, messages);
    if (known > most) [best, most] = [line, known];
    if (known > index) break;
  }
  return best ? { line: best, known: most } : null;
}

function truncateLine(line: Line, length: number): Line {
  if (line.messages.length - length > forgottenEnd) {
    return { messages: line.messages.slice(0, length), beginnings: line.beginnings.slice(0, length) };
  }
  line.messages.length = length;
  line.beginnings.length = length;
  return line;
}

/** A plain loop, because every call goes through a whole conversation. */
function commonStart(some: readonly Message[], siblings: readonly Message[]): number {
  const length = Math.min(some.length, siblings.length);
  for (let at = 0; at < length; at += 1) if (some[at] !== siblings[at]) return at;
  return length;
}
