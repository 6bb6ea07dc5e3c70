/** Decodes rows to events; before a damaged row, what is whole is still read. It is handed a way to get blobs. */
import type { Event } from './event.ts';
import { type Links, referenceKey } from './journal-form.ts';
import { deepFreeze, type Json, setKey } from './json.ts';
import type { Message } from './model.ts';
import type { EventRow } from './store.ts';

export type LoadBlobs = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Told how many characters were worked on; what it gives is awaited before more is done. */
type Rest = (characters: number) => Promise<void> | undefined;

/** Where a journal stops being readable, and why. */
export type Corruption = { readonly seq: number; readonly reason: string };

/** Decodes rows of one run, in order. Blobs are fetched in few rounds and remembered; messages are shared. */
export class JournalDecoder {
  readonly #getBlobs: LoadBlobs;
  readonly #known: Links | null;
  readonly #rest: Rest;
  /** Characters of blobs that were made use of. */
  #used = 0;
  readonly #texts = new Map<string, string>();
  readonly #parsed = new Map<string, Json>();
  readonly #links = new Map<string, Link>();
  /** The links below which all that there are have been fetched. */
  readonly #followed = new Set<string>();
  /** The links below which nothing is missing. */
  readonly #whole = new Set<string>();

  /** `known` is told which link each message is, for an encoder that meets them again; no requests are decoded then. */
  constructor(getBlobs: LoadBlobs, { known = null, rest }: { known?: Links | null; rest?: Rest } = {}) {
    this.#getBlobs = getBlobs;
    this.#known = known;
    this.#rest = rest ?? (() => undefined);
  }

  /** Returns the intact part before the first damaged row. */
  async decode(rows: readonly EventRow[]): Promise<{ events: Event[]; damage: Corruption | null }> {
    await this.#fetch(rows.flatMap((row) => referencesIn(row.body)));
    await this.#fetchChains(rows.flatMap((row) => matchesIn(row.body, messagesPattern)));
    const events: Event[] = [];
    for (const row of rows) {
      try {
        this.#used = row.body.length;
        events.push({ ...row, body: this.#unpack(JSON.parse(row.body)) } as Event);
        const rest = this.#rest(this.#used);
        if (rest) await rest;
      } catch (error) {
        return {
          events,
          damage: { seq: row.seq, reason: error instanceof Error ? error.message : String(error) },
        };
      }
    }
    if (this.#known) this.#clearLinks();
    return { events, damage: null };
  }

  /** Without the requests, hardly one is named again. */
  #clearLinks(): void {
    for (const hash of this.#links.keys()) this.#texts.delete(hash);
    this.#links.clear();
  }

  async #fetch(hashes: readonly string[]): Promise<void> {
    let requested = this.#missingHashes(hashes);
    while (requested.length > 0) {
      const found = await this.#getBlobs(requested);
      for (const [hash, text] of found) this.#texts.set(hash, text);
      requested = this.#missingHashes([...found.values()].flatMap(referencesIn));
    }
  }

  /** A reply alone does not need what was said before it; a request does. */
  async #fetchChains(headers: readonly string[]): Promise<void> {
    let links = headers;
    while (links.length > 0) {
      await this.#fetch(links);
      links = this.#missingHashes(links.flatMap((hash) => this.#follow(hash)));
    }
  }

  /** Goes down a chain; returns where it cannot go on because a link is not fetched. */
  #follow(head: string): string[] {
    let text = this.#texts.get(head);
    let hash = head;
    while (text !== undefined && !this.#followed.has(hash)) {
      this.#followed.add(hash);
      hash = this.#links.get(hash)?.parent ?? parentIn(text);
      if (hash === '') return [];
      text = this.#texts.get(hash);
    }
    return text === undefined && hash !== head ? [hash] : [];
  }

  #missingHashes(hashes: readonly string[]): string[] {
    return [...new Set(hashes)].filter((hash) => !this.#texts.has(hash));
  }

  #unpack(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#unpack(inner));
    if (typeof value !== 'object' || value === null) return value;
    switch (referenceKey(value)) {
      case '$blob':
        return this.#text(referencedHash(value));
      case '$json':
        return this.#json(referencedHash(value));
      case '$messages':
        return this.#chainMessages(referencedHash(value));
      case '$message':
        return this.#link(referencedHash(value)).message;
      case '$plain':
        return this.#unpackObject(Object.values(value)[0] as object);
      default:
        return this.#unpackObject(value);
    }
  }

  #unpackObject(value: object): Record<string, unknown> {
    const unpacked: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (isChain(inner)) this.#reportMissing(unpacked, key, referencedHash(inner));
      else setKey(unpacked, key, this.#unpack(inner));
    }
    return unpacked;
  }

  /** The list of messages is made when it is read, and forgotten when nobody holds it: all lists are the square of what was said. */
  #reportMissing(body: Record<string, unknown>, key: string, head: string): void {
    this.#checkChain(head);
    let told: WeakRef<readonly Message[]> | undefined;
    const get = (): readonly Message[] => {
      const messages = told?.deref() ?? this.#chainMessages(head);
      told ??= new WeakRef(messages);
      return messages;
    };
    Object.defineProperty(body, key, { enumerable: true, configurable: true, get });
  }

  #text(hash: string): string {
    const text = this.#texts.get(hash);
    if (text === undefined) throw new Error(`the blob ${hash} that it refers to is missing or damaged`);
    this.#used += text.length;
    return text;
  }

  #link(hash: string): Link {
    let link = this.#links.get(hash);
    if (!link) {
      const { parent, message } = JSON.parse(this.#text(hash)) as { parent: string; message: Json };
      link = { parent, message: this.#unpack(message) as Message };
      this.#known?.set(deepFreeze(link.message), { parent, hash });
      this.#links.set(hash, link);
      // All that is asked for from now on is the link.
      this.#texts.set(hash, '');
    }
    return link;
  }

  #json(hash: string): Json {
    const known = this.#parsed.get(hash);
    if (known !== undefined) return known;
    const parsed = JSON.parse(this.#text(hash)) as Json;
    this.#parsed.set(hash, parsed);
    return parsed;
  }

  #checkChain(head: string): void {
    const checked: string[] = [];
    for (let hash = head; hash !== '' && !this.#whole.has(hash); hash = this.#link(hash).parent)
      checked.push(hash);
    for (const hash of checked) this.#whole.add(hash);
  }

  #chainMessages(head: string): readonly Message[] {
    const messages: Message[] = [];
    for (let hash = head; hash !== ''; hash = this.#link(hash).parent)
      messages.push(this.#link(hash).message);
    return messages.reverse();
  }
}

type Link = { readonly parent: string; readonly message: Message };

const referencePattern = /"\$(?:blob|json|messages?)":"([^"]+)"/g;
const messagesPattern = /"\$messages":"([^"]+)"/g;

/** Every blob that a text may name, but for the parent of a link. A text that quotes a reference yields one too many. */
function referencesIn(text: string): string[] {
  return matchesIn(text, referencePattern);
}

function parentIn(link: string): string {
  return /"parent":"([^"]*)"\}$/.exec(link)?.[1] ?? '';
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return text.includes('"$') ? Array.from(text.matchAll(pattern), (match) => match[1] ?? '') : [];
}

function isChain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && referenceKey(value) === '$messages';
}

function referencedHash(value: object): string {
  return String(Object.values(value)[0]);
}
