/** Turns events into rows. Long strings become blobs, and messages a chain of blobs, so that a text is kept once. */
import { Conversation } from './conversation.ts';
import type { Event } from './event.ts';
import { inlineCharacters, type Links, referenceKey } from './journal-form.ts';
import { canonicalJson, changeStrings, deepFreeze, mapSorted } from './json.ts';
import type { Message } from './model.ts';
import type { BlobRow, EventRow } from './store.ts';

export type Hash = (text: string) => string;

/** The fields of an event that are not in its body. */
type EncodedExtras = {
  /** What a model-response answers; its message becomes the next link of that chain. */
  readonly conversation?: readonly Message[];
  /** What the body names by its hash alone: it is not fetched with the event. */
  readonly blobs?: readonly BlobRow[];
};

type Known = {
  /** Where decoded messages came from. */
  readonly links?: Links;
  /** The blobs that the store holds. */
  readonly given?: Iterable<string>;
};

/** Encodes the events of one run. `redact` is applied to texts that are compared, too: what it leaves out makes no difference. */
export class JournalEncoder {
  readonly #hash: Hash;
  readonly #redact: Hash | undefined;
  readonly #initialHashes: Set<string>;
  readonly #chained: Links;
  readonly #repeated = new WeakMap<object, BlobRow>();
  /** The hash of each message's link. */
  readonly #links = new Conversation<string>();

  constructor(hash: Hash, redact?: Hash, known: Known = {}) {
    this.#hash = hash;
    this.#redact = redact;
    this.#chained = known.links ?? new WeakMap();
    this.#initialHashes = new Set(known.given);
  }

  /** As it will come back from the journal. */
  redacted<T>(value: T): T {
    return this.#redact ? changeStrings(value, this.#redact, { names: true }) : value;
  }

  encode(
    event: Event,
    { conversation = [], blobs: named = [] }: EncodedExtras = {},
  ): {
    row: EventRow;
    blobs: BlobRow[];
  } {
    const blobRows: BlobRow[] = [];
    const { seq, atMs, branch, ordinal, attempt, kind } = event;
    try {
      const body = JSON.stringify(this.#packBody(event, conversation, blobRows));
      for (const blob of named) this.#addBlobOnce(blob, blobRows);
      return { row: { seq, atMs, branch, ordinal, attempt, kind, body }, blobs: blobRows };
    } catch (error) {
      // What cannot be encoded is not written, and neither are its blobs.
      for (const { hash } of blobRows) this.#initialHashes.delete(hash);
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
      const messages = new PackedObject({ $messages: this.#head(event.body.messages, blobs) });
      const full = { tools: this.#packFully(tools, blobs), output: this.#packFully(output, blobs) };
      return this.#pack({ ...event.body, ...full, messages }, blobs);
    }
    if (event.kind === 'model-response' && isResponse(event.body)) {
      const { result } = event.body;
      const hash = this.#chain(result.message, this.#head(conversation, blobs), blobs);
      const message = new PackedObject({ $message: hash });
      return this.#pack(
        { ...this.redacted(event.body), result: { ...this.redacted(result), message } },
        blobs,
      );
    }
    return this.#pack(this.redacted(event.body), blobs);
  }

  /** Keys come in order, as in `canonicalJson`. Strings of `long` characters and more become blobs. */
  #pack(value: unknown, blobs: BlobRow[] | null, long = inlineCharacters): unknown {
    if (typeof value === 'string') {
      const isInline = value.length < long || !value.isWellFormed();
      return isInline ? value : { $blob: this.#addBlob(value, blobs) };
    }
    if (Array.isArray(value)) return value.map((inner) => this.#pack(inner, blobs, long));
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof PackedObject) return value.value;
    const archive = mapSorted(value, (inner) => this.#pack(inner, blobs, long));
    return referenceKey(value) ? { $plain: archive } : archive;
  }

  /** What a model says is not said again in the same words; the arguments of its calls are, in the calls' events. */
  #packMessage(message: Message, blobs: BlobRow[] | null): unknown {
    if (message.role !== 'assistant') return this.#pack(message, blobs);
    const content = message.content.map((part) =>
      this.#pack(part, blobs, part.type === 'tool-call' ? inlineCharacters : Number.POSITIVE_INFINITY),
    );
    return this.#pack({ ...message, content: new PackedObject(content) }, blobs);
  }

  /** What every request of a run repeats: the definitions of tools, the schema of a reply. */
  #packFully(value: object | undefined, blobs: BlobRow[] | null): unknown {
    if (!value) return value;
    let blob = this.#repeated.get(value);
    if (!blob) {
      const text = this.redacted(canonicalJson(deepFreeze(value)));
      if (text.length < inlineCharacters) return value;
      blob = { hash: this.#hash(text), text };
      this.#repeated.set(value, blob);
    }
    this.#addBlobOnce(blob, blobs);
    return new PackedObject({ $json: blob.hash });
  }

  #head(messages: readonly Message[], blobs: BlobRow[] | null): string {
    const link = this.#links.last(
      messages,
      (message, parent = '') => this.#chain(message, parent, blobs),
      // A link is given out after those before it.
      (hash) => !blobs || this.#initialHashes.has(hash),
    );
    return link ?? '';
  }

  #chain(message: Message, parent: string, blobs: BlobRow[] | null): string {
    const known = this.#chained.get(message);
    if (known?.parent === parent && (!blobs || this.#initialHashes.has(known.hash))) return known.hash;
    // Frozen, because the hash is remembered by the object: a message changed later would keep an old hash.
    const text = JSON.stringify({
      message: this.#packMessage(this.redacted(deepFreeze(message)), blobs),
      parent,
    });
    const hash = this.#addBlob(text, blobs);
    this.#chained.set(message, { parent, hash });
    return hash;
  }

  #addBlob(text: string, blobs: BlobRow[] | null): string {
    const hash = this.#hash(text);
    this.#addBlobOnce({ hash, text }, blobs);
    return hash;
  }

  #addBlobOnce(blob: BlobRow, blobs: BlobRow[] | null): void {
    if (!blobs || this.#initialHashes.has(blob.hash)) return;
    this.#initialHashes.add(blob.hash);
    blobs.push(blob);
  }
}

/** A part of a body that is packed already. */
class PackedObject {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function isRequest(body: unknown): body is { messages: readonly Message[]; tools?: object; output?: object } {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}

function isResponse(body: unknown): body is { result: { message: Message } } {
  if (typeof body !== 'object' || body === null || !('result' in body)) return false;
  const { result } = body;
  return typeof result === 'object' && result !== null && 'message' in result;
}
