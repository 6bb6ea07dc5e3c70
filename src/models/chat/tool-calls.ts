/** Tool calls from the deltas of a stream, however a server numbers, names and repeats them. */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ToolCallPart } from '../../core/model.ts';
import { plainJson } from '../../text/model-json.ts';
import { parseToolArgs } from '../reply.ts';
import type { ToolCallDelta } from './schema.ts';

type Slot = {
  index: number | null;
  id: string;
  name: string;
  pieces: string[];
  extra: JsonObject | undefined;
};

/** The key under which a part keeps what this wire attached to it. */
export const wireKey = 'chat';

export class ToolCallCollector {
  readonly #slots: Slot[] = [];

  /** How many calls there are so far. */
  get count(): number {
    return this.#slots.length;
  }

  /** `isComplete`: the delta is a call of a complete message, and belongs to no other. */
  add(delta: ToolCallDelta, isComplete: boolean): void {
    const name = delta.function?.name || delta.name || '';
    const { index = null, id } = delta;
    const call = { index, id: id ?? '', name, arguments: delta.function?.arguments ?? delta.arguments ?? '' };
    const slot = (isComplete ? undefined : this.#find(call)) ?? this.#open(index);
    slot.id ||= call.id;
    slot.name = joinedName(slot, name);
    if (call.arguments) slot.pieces.push(call.arguments);
    if (delta.extra_content) slot.extra = delta.extra_content;
  }

  #open(index: number | null): Slot {
    const slot: Slot = { index, id: '', name: '', pieces: [], extra: undefined };
    this.#slots.push(slot);
    return slot;
  }

  /** The call that a delta goes on with; undefined where it begins one. */
  #find({
    index,
    id,
    name,
    arguments: part,
  }: Omit<Slot, 'pieces' | 'extra'> & { readonly arguments: string }) {
    const candidates = index === null ? this.#slots : this.#slots.filter((slot) => slot.index === index);
    const same = id ? candidates.findLast((slot) => slot.id === id) : undefined;
    if (same) return startsOther(same, name, part) ? undefined : same;
    const last = candidates.at(-1);
    if (!last) return undefined;
    if (id && last.id && (name || isComplete(last))) return undefined;
    if (index === null && name && last.name && name !== last.name) return undefined;
    return startsOther(last, name, part) ? undefined : last;
  }

  /** Null where a call has no name: nobody can carry it out. */
  parts(): readonly ToolCallPart[] | null {
    const called = this.#slots.filter(({ id, name, pieces }) => id || name || pieces.length > 0);
    if (called.some(({ name }) => !name)) return null;
    const used = new Set<string>();
    return called.map((slot) => toPart(slot, used));
  }
}

/** Some servers send a name in pieces, and some send all of it again: with each delta, or grown. */
function joinedName({ name, pieces }: Slot, part: string): string {
  if (part === '' || part.startsWith(name)) return part || name;
  return pieces.length > 0 ? name : name + part;
}

function isComplete({ pieces }: Slot): boolean {
  return pieces.length > 0 && isJsonObject(plainJson(pieces.join('')));
}

/** A name beside complete arguments that are not those of the call so far. */
function startsOther(slot: Slot, name: string, part: string): boolean {
  if (!name || !slot.name || !isComplete(slot)) return false;
  if (name !== slot.name) return true;
  return part !== '' && isJsonObject(plainJson(part)) && !isSameJson(part, slot.pieces.join(''));
}

function isSameJson(one: string, other: string): boolean {
  return JSON.stringify(plainJson(one)) === JSON.stringify(plainJson(other));
}

function toPart({ id, name, pieces, extra }: Slot, used: Set<string>): ToolCallPart {
  // Results are matched by id, so two calls never share one.
  const unique = id && !used.has(id) ? id : newId();
  used.add(unique);
  return {
    type: 'tool-call',
    id: unique,
    name,
    ...parseToolArgs(argumentsOf(pieces)),
    ...(extra ? { provider: { [wireKey]: { extra_content: extra } } } : {}),
  };
}

/** Mistral takes ids of nine letters and digits only, and all others take those, too. */
function newId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 9);
}

/** Some servers send the complete arguments once more, or with each piece all that they sent before. */
function argumentsOf(parts: readonly string[]): string {
  const joined = parts.join('');
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || isJsonObject(plainJson(joined)) || !isJsonObject(plainJson(last))) return joined;
  const before = parts.slice(0, -1).join('');
  if (!isJsonObject(plainJson(before))) return isRepeatedCall(parts) ? last : joined;
  return isSameJson(before, last) ? before : joined;
}

/** Whether the last piece holds again what the first one began. */
function isRepeatedCall(pieces: readonly string[]): boolean {
  const last = pieces.at(-1)?.trimStart() ?? '';
  return last.startsWith((pieces[0] ?? '').trim());
}
