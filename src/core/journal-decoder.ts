/** Decodes rows to events; before a damaged row, what is whole is still read. It is handed a way to get blobs. */
import type { Event } from './event.ts';
import { referenceKey } from './journal-form.ts';
import { type Json, setKey } from './json.ts';
import type { Message } from './model.ts';
import type { EventRow } from './store.ts';

export type GetBlobs = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Where a journal stops being readable, and why. */
export type Damage = { readonly seq: number; readonly reason: string };

/** Decodes rows of one run, in order. Blobs are fetched in few rounds and remembered; messages are shared. */
export class JournalDecoder {
  readonly #getBlobs: GetBlobs;
  readonly #texts = new Map<string, string>();
  readonly #links = new Map<string, Link>();
  /** The links below which all that there are have been fetched. */
  readonly #followed = new Set<string>();
  /** By the head that a request names. */
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

function referred(value: object): string {
  return String(Object.values(value)[0]);
}
