/**
 * How an event becomes a row, and a row an event again.
 * Long strings become blobs that are kept once; the messages of a request become the head of a chain of blobs, each
 * naming its parent, so that a conversation costs what was said and not the square of it.
 * Knows no store and no hash function: both are handed in.
 */
import type { Event } from './event.ts';
import { canonicalJson, type Json, mapSorted, setKey } from './json.ts';
import type { Message } from './model.ts';
import type { BlobRow, EventRow } from './store.ts';

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

export type Hash = (text: string) => string;

/** Encodes the events of one run. It remembers which blobs it gave out and what it has hashed. */
export class JournalEncoder {
  readonly #hash: Hash;
  readonly #given = new Set<string>();
  readonly #chained = new WeakMap<Message, { parent: string; hash: string }>();
  readonly #repeated = new WeakMap<object, BlobRow>();
  /** The last conversation, its links, and whether they are given out: a request begins with all of the one before. */
  readonly #said: Message[] = [];
  readonly #links: string[] = [];
  #areLinksGiven = false;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  /** `conversation` is what a model-response answers; its message becomes the next link of that chain. */
  encode(event: Event, conversation: readonly Message[] = []): { row: EventRow; blobs: BlobRow[] } {
    const blobs: BlobRow[] = [];
    const { seq, atMs, branch, ordinal, attempt, kind } = event;
    try {
      const body = JSON.stringify(this.#packBody(event, conversation, blobs));
      return { row: { seq, atMs, branch, ordinal, attempt, kind, body }, blobs };
    } catch (error) {
      // What cannot be said is not written, and neither are its blobs.
      for (const { hash } of blobs) this.#given.delete(hash);
      this.#areLinksGiven = false;
      throw error;
    }
  }

  /** The text that `encode` would put into the row of this intent, without giving out its blobs. */
  fingerprint(kind: Event['kind'], body: unknown): string {
    return JSON.stringify(this.#packBody({ kind, body }, [], null));
  }

  #packBody(
    event: { kind: Event['kind']; body: unknown },
    conversation: readonly Message[],
    blobs: BlobRow[] | null,
  ): unknown {
    if (event.kind === 'model-request' && isRequest(event.body)) {
      const { tools, output } = event.body;
      const messages = new Packed({ $messages: this.#head(event.body.messages, blobs) });
      const whole = { tools: this.#whole(tools, blobs), output: this.#whole(output, blobs) };
      return this.#pack({ ...event.body, ...whole, messages }, blobs);
    }
    if (event.kind === 'model-response' && isResponse(event.body)) {
      const { result } = event.body;
      const hash = this.#chain(result.message, this.#head(conversation, blobs), blobs);
      const message = new Packed({ $message: hash });
      return this.#pack({ ...event.body, result: { ...result, message } }, blobs);
    }
    return this.#pack(event.body, blobs);
  }

  /** Keys come in order, as in `canonicalJson`. Strings of `long` characters and more become blobs. */
  #pack(value: unknown, blobs: BlobRow[] | null, long = inlineCharacters): unknown {
    if (typeof value === 'string') {
      const isInline = value.length < long || !value.isWellFormed();
      return isInline ? value : { $blob: this.#give(value, blobs) };
    }
    if (Array.isArray(value)) return value.map((inner) => this.#pack(inner, blobs, long));
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Packed) return value.value;
    const packed = mapSorted(value, (inner) => this.#pack(inner, blobs, long));
    return referenceKey(value) ? { $plain: packed } : packed;
  }

  /** What a model says is said nowhere else in the same words; the arguments of its calls are, in the calls' events. */
  #packMessage(message: Message, blobs: BlobRow[] | null): unknown {
    if (message.role !== 'assistant') return this.#pack(message, blobs);
    const content = message.content.map((part) =>
      this.#pack(part, blobs, part.type === 'tool-call' ? inlineCharacters : Number.POSITIVE_INFINITY),
    );
    return this.#pack({ ...message, content: new Packed(content) }, blobs);
  }

  /** What every request of a run says again: the definitions of tools, the schema of a reply. */
  #whole(value: object | undefined, blobs: BlobRow[] | null): unknown {
    if (!value) return value;
    let blob = this.#repeated.get(value);
    if (!blob) {
      const text = canonicalJson(deepFreeze(value));
      if (text.length < inlineCharacters) return value;
      blob = { hash: this.#hash(text), text };
      this.#repeated.set(value, blob);
    }
    this.#giveOnce(blob, blobs);
    return new Packed({ $json: blob.hash });
  }

  #head(messages: readonly Message[], blobs: BlobRow[] | null): string {
    const known = blobs && !this.#areLinksGiven ? 0 : commonStart(messages, this.#said);
    this.#said.length = known;
    this.#links.length = known;
    let head = this.#links[known - 1] ?? '';
    for (const message of messages.slice(known)) {
      head = this.#chain(message, head, blobs);
      this.#said.push(message);
      this.#links.push(head);
    }
    this.#areLinksGiven = blobs !== null;
    return head;
  }

  #chain(message: Message, parent: string, blobs: BlobRow[] | null): string {
    const known = this.#chained.get(message);
    if (known?.parent === parent && (!blobs || this.#given.has(known.hash))) return known.hash;
    // Frozen, because the hash is remembered by the object: a message changed later would keep an old hash.
    const text = JSON.stringify({ message: this.#packMessage(deepFreeze(message), blobs), parent });
    const hash = this.#give(text, blobs);
    this.#chained.set(message, { parent, hash });
    return hash;
  }

  #give(text: string, blobs: BlobRow[] | null): string {
    const hash = this.#hash(text);
    this.#giveOnce({ hash, text }, blobs);
    return hash;
  }

  #giveOnce(blob: BlobRow, blobs: BlobRow[] | null): void {
    if (!blobs || this.#given.has(blob.hash)) return;
    this.#given.add(blob.hash);
    blobs.push(blob);
  }
}

/** A part of a body that is packed already. */
class Packed {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export type GetBlobs = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Where a journal stops being readable, and why. */
export type Damage = { readonly seq: number; readonly reason: string };

/** Decodes rows of one run, in order. Blobs are fetched in few rounds and remembered; messages are shared. */
export class JournalDecoder {
  readonly #getBlobs: GetBlobs;
  readonly #texts = new Map<string, string>();
  readonly #links = new Map<string, Link>();
  /** The links below which every one is fetched, as far as there are any. */
  readonly #followed = new Set<string>();
  /** By head, those that a request names. */
  readonly #chains = new Map<string, readonly Message[]>();

  constructor(getBlobs: GetBlobs) {
    this.#getBlobs = getBlobs;
  }

  /** What is whole before the first damaged row is returned. */
  async decode(rows: readonly EventRow[]): Promise<{ events: Event[]; damage: Damage | null }> {
    await this.#fetch(rows.flatMap((row) => referencesIn(row.body)));
    await this.#fetchChains(rows.flatMap((row) => matchesIn(row.body, messagesPattern)));
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

  /** A reply alone does not need what was said before it; a request does. */
  async #fetchChains(heads: readonly string[]): Promise<void> {
    let links = heads;
    while (links.length > 0) {
      await this.#fetch(links);
      links = this.#unread(links.flatMap((hash) => this.#follow(hash)));
    }
  }

  /** Goes down a chain; returns where it cannot go on because a link is not fetched. */
  #follow(head: string): string[] {
    let text = this.#texts.get(head);
    let hash = head;
    while (text !== undefined && !this.#followed.has(hash)) {
      this.#followed.add(hash);
      hash = parentIn(text);
      if (hash === '') return [];
      text = this.#texts.get(hash);
    }
    return text === undefined && hash !== head ? [hash] : [];
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
      case '$json':
        return JSON.parse(this.#text(referred(value)));
      case '$messages':
        return this.#messages(referred(value));
      case '$message':
        return this.#link(referred(value)).message;
      case '$plain':
        return this.#unpackObject(Object.values(value)[0] as object);
      default:
        return this.#unpackObject(value);
    }
  }

  #unpackObject(value: object): Record<string, unknown> {
    const unpacked: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) setKey(unpacked, key, this.#unpack(inner));
    return unpacked;
  }

  #text(hash: string): string {
    const text = this.#texts.get(hash);
    if (text === undefined) throw new Error(`the blob ${hash} that it refers to is missing`);
    return text;
  }

  #link(hash: string): Link {
    let link = this.#links.get(hash);
    if (!link) {
      const { parent, message } = JSON.parse(this.#text(hash)) as { parent: string; message: Json };
      link = { parent, message: this.#unpack(message) as Message };
      this.#links.set(hash, link);
    }
    return link;
  }

  #messages(head: string): readonly Message[] {
    const said: Message[] = [];
    let hash = head;
    while (hash !== '' && !this.#chains.has(hash)) {
      const { parent, message } = this.#link(hash);
      said.push(message);
      hash = parent;
    }
    const chain = [...(this.#chains.get(hash) ?? []), ...said.reverse()];
    this.#chains.set(head, chain);
    return chain;
  }
}

type Link = { readonly parent: string; readonly message: Message };

const referencePattern = /"\$(?:blob|json|messages?)":"([^"]+)"/g;
const messagesPattern = /"\$messages":"([^"]+)"/g;

/**
 * Every blob that a text may name, without parsing it, but for the parent of a link. A text that merely quotes a
 * reference yields one too many.
 */
function referencesIn(text: string): string[] {
  return matchesIn(text, referencePattern);
}

function parentIn(link: string): string {
  return /"parent":"([^"]*)"\}$/.exec(link)?.[1] ?? '';
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return text.includes('"$') ? Array.from(text.matchAll(pattern), (match) => match[1] ?? '') : [];
}

function referenceKey(value: object): (typeof referenceKeys)[number] | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? referenceKeys.find((key) => key === keys[0]) : undefined;
}

function referred(value: object): string {
  return String(Object.values(value)[0]);
}

function isRequest(body: unknown): body is { messages: readonly Message[]; tools?: object; output?: object } {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}

function isResponse(body: unknown): body is { result: { message: Message } } {
  if (typeof body !== 'object' || body === null || !('result' in body)) return false;
  const { result } = body;
  return typeof result === 'object' && result !== null && 'message' in result;
}

function commonStart(some: readonly Message[], others: readonly Message[]): number {
  const parting = some.findIndex((message, index) => message !== others[index]);
  return parting < 0 ? some.length : parting;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
