/**
 * How an event becomes a row, and a row an event again.
 * Long strings become blobs that are kept once; the messages of a request become the head of a chain of blobs, each
 * naming its parent, so that a conversation costs what was said and not the square of it.
 * Knows no store and no hash function: both are handed in.
 */
import type { Event } from './event.ts';
import { canonicalJson, type Json } from './json.ts';
import type { Message } from './model.ts';
import type { BlobRow, EventRow } from './store.ts';

/** Strings from this many characters on are kept as blobs; shorter ones stay in the row. */
export const inlineCharacters = 512;

/**
 * What may stand in a body for something else: a long string, a list of messages by its last, one message of a chain,
 * or an object of the user's own that only looks like one of these.
 */
const referenceKeys = ['$blob', '$messages', '$message', '$plain'] as const;

export type Hash = (text: string) => string;

/** Encodes the events of one run. It remembers which blobs it gave out and which messages it has hashed. */
export class JournalEncoder {
  readonly #hash: Hash;
  readonly #given = new Set<string>();
  readonly #chained = new WeakMap<Message, { parent: string; hash: string }>();

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  /** `conversation` is what a model-response answers; its message becomes the next link of that chain. */
  encode(event: Event, conversation: readonly Message[] = []): { row: EventRow; blobs: BlobRow[] } {
    const blobs: BlobRow[] = [];
    const { seq, atMs, branch, ordinal, attempt, kind } = event;
    const body = canonicalJson(this.#packBody(event, conversation, blobs));
    return { row: { seq, atMs, branch, ordinal, attempt, kind, body }, blobs };
  }

  /** The text that `encode` would put into the row of this intent, without giving out its blobs. */
  fingerprint(kind: Event['kind'], body: unknown): string {
    return canonicalJson(this.#packBody({ kind, body }, [], null));
  }

  #packBody(
    event: { kind: Event['kind']; body: unknown },
    conversation: readonly Message[],
    blobs: BlobRow[] | null,
  ): unknown {
    if (event.kind === 'model-request' && isRequest(event.body)) {
      const { messages, ...rest } = event.body;
      return { ...this.#packObject(rest, blobs), messages: { $messages: this.#head(messages, blobs) } };
    }
    if (event.kind === 'model-response' && isResponse(event.body)) {
      const { message, ...rest } = event.body.result;
      const hash = this.#chain(message, this.#head(conversation, blobs), blobs);
      const result = { ...this.#packObject(rest, blobs), message: { $message: hash } };
      return { ...this.#packObject({ ...event.body, result: null }, blobs), result };
    }
    return this.#pack(event.body, blobs);
  }

  #pack(value: unknown, blobs: BlobRow[] | null): unknown {
    if (typeof value === 'string') {
      return value.length < inlineCharacters ? value : { $blob: this.#give(value, blobs) };
    }
    if (Array.isArray(value)) return value.map((inner) => this.#pack(inner, blobs));
    if (typeof value !== 'object' || value === null) return value;
    const packed = this.#packObject(value, blobs);
    return referenceKey(value) ? { $plain: packed } : packed;
  }

  #packObject(value: object, blobs: BlobRow[] | null): Record<string, unknown> {
    const packed: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) packed[key] = this.#pack(inner, blobs);
    return packed;
  }

  #head(messages: readonly Message[], blobs: BlobRow[] | null): string {
    let parent = '';
    for (const message of messages) parent = this.#chain(message, parent, blobs);
    return parent;
  }

  #chain(message: Message, parent: string, blobs: BlobRow[] | null): string {
    const known = this.#chained.get(message);
    if (known?.parent === parent && (!blobs || this.#given.has(known.hash))) return known.hash;
    // Frozen, because the hash is remembered by the object: a message changed later would keep an old hash.
    const text = canonicalJson({ message: this.#pack(deepFreeze(message), blobs), parent });
    const hash = this.#give(text, blobs);
    this.#chained.set(message, { parent, hash });
    return hash;
  }

  #give(text: string, blobs: BlobRow[] | null): string {
    const hash = this.#hash(text);
    if (blobs && !this.#given.has(hash)) {
      this.#given.add(hash);
      blobs.push({ hash, text });
    }
    return hash;
  }
}

export type GetBlobs = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Where a journal stops being readable, and why. */
export type Damage = { readonly seq: number; readonly reason: string };

/** Decodes rows of one run, in order. Blobs are fetched in few rounds and remembered; messages are shared. */
export class JournalDecoder {
  readonly #getBlobs: GetBlobs;
  readonly #texts = new Map<string, string>();
  readonly #chains = new Map<string, readonly Message[]>();

  constructor(getBlobs: GetBlobs) {
    this.#getBlobs = getBlobs;
  }

  /** What is whole before the first damaged row is returned. */
  async decode(rows: readonly EventRow[]): Promise<{ events: Event[]; damage: Damage | null }> {
    await this.#fetch(rows.flatMap((row) => referencesIn(row.body)));
    const events: Event[] = [];
    for (const row of rows) {
      try {
        events.push({ ...row, body: this.#unpack(JSON.parse(row.body)) } as Event);
      } catch (error) {
        return {
          events,
          damage: { seq: row.seq, reason: error instanceof Error ? error.message : String(error) },
        };
      }
    }
    return { events, damage: null };
  }

  async #fetch(hashes: readonly string[]): Promise<void> {
    let wanted = this.#unread(hashes);
    while (wanted.length > 0) {
      const found = await this.#getBlobs(wanted);
      for (const [hash, text] of found) this.#texts.set(hash, text);
      wanted = this.#unread([...found.values()].flatMap(referencesIn));
    }
  }

  #unread(hashes: readonly string[]): string[] {
    return [...new Set(hashes)].filter((hash) => !this.#texts.has(hash));
  }

  #unpack(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#unpack(inner));
    if (typeof value !== 'object' || value === null) return value;
    switch (referenceKey(value)) {
      case '$blob':
        return this.#text(referred(value));
      case '$messages':
        return this.#messages(referred(value));
      case '$message':
        return this.#unpack(this.#link(referred(value)).message);
      case '$plain':
        return this.#unpackObject(Object.values(value)[0] as object);
      default:
        return this.#unpackObject(value);
    }
  }

  #unpackObject(value: object): Record<string, unknown> {
    const unpacked: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) unpacked[key] = this.#unpack(inner);
    return unpacked;
  }

  #text(hash: string): string {
    const text = this.#texts.get(hash);
    if (text === undefined) throw new Error(`the blob ${hash} that it refers to is missing`);
    return text;
  }

  #link(hash: string): { parent: string; message: Json } {
    return JSON.parse(this.#text(hash)) as { parent: string; message: Json };
  }

  #messages(head: string): readonly Message[] {
    const unread: { hash: string; parent: string; message: unknown }[] = [];
    let hash = head;
    while (hash !== '' && !this.#chains.has(hash)) {
      const link = this.#link(hash);
      unread.push({ hash, ...link });
      hash = link.parent;
    }
    for (const { hash: next, parent, message } of unread.reverse()) {
      this.#chains.set(next, [...(this.#chains.get(parent) ?? []), this.#unpack(message) as Message]);
    }
    return this.#chains.get(head) ?? [];
  }
}

/** Every blob that a text may name, without parsing it. A text that merely quotes a reference yields one too many. */
export function referencesIn(text: string): string[] {
  const named = [...text.matchAll(/"\$(?:blob|messages?)":"([^"]+)"/g)].map((match) => match[1] ?? '');
  const parent = text.startsWith('{"message":') ? /"parent":"([^"]+)"\}$/.exec(text)?.[1] : undefined;
  return parent ? [...named, parent] : named;
}

function referenceKey(value: object): (typeof referenceKeys)[number] | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? referenceKeys.find((key) => key === keys[0]) : undefined;
}

function referred(value: object): string {
  return String(Object.values(value)[0]);
}

function isRequest(body: unknown): body is { messages: readonly Message[] } {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}

function isResponse(body: unknown): body is { result: { message: Message } } {
  if (typeof body !== 'object' || body === null || !('result' in body)) return false;
  const { result } = body;
  return typeof result === 'object' && result !== null && 'message' in result;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
