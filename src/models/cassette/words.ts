/** Locks what a reply quotes of a puzzle with the quoted message as the key: a cassette may be passed on, a puzzle may not. */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { ModelRequest } from '../../core/model.ts';
import { type Grams, gramsOf, type Passage, passagesIn, piecesOf } from '../../text/passages.ts';

export type Change = (text: string) => string;

/** `[words of 0123abcd: …]`: whose words, and the words under lock. */
const mark = /\[words of ([0-9a-f]{8}): ([\w-]+)\]/g;
const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

export type Hidden = { readonly grams: Grams; readonly pieces: readonly string[] };

export function hiddenIn(texts: readonly string[]): Hidden {
  return { grams: gramsOf(...texts), pieces: [...new Set(texts.flatMap(piecesOf))] };
}

/** `missing` is called for words that are in no message of the request. */
export function lockWords(request: ModelRequest, hidden: Hidden, missing: () => void): Change {
  const sources = sourcesIn(request);
  return (text) =>
    quotesIn(text, hidden).reduceRight((rest, { start, end }) => {
      const words = text.slice(start, end);
      const source = nearest(sources, words);
      if (!source) missing();
      return source ? `${rest.slice(0, start)}${lock(source, words)}${rest.slice(end)}` : rest;
    }, text);
}

/** Words whose message is missing stay locked; `missing` is called for them. */
export function unlockWords(request: ModelRequest, missing: () => void): Change {
  let keys: Map<string, Buffer> | null = null;
  return (text) =>
    text.replaceAll(mark, (whole, id: string, locked: string) => {
      keys ??= new Map(sourcesIn(request).map((source) => [idOf(source), keyOf(source)]));
      const key = keys.get(id);
      const words = key ? unlock(key, locked) : null;
      if (words === null) missing();
      return words ?? whole;
    });
}

/** Lines and sentences as they stand, and passages in another layout; what overlaps is one. */
function quotesIn(text: string, { grams, pieces }: Hidden): Passage[] {
  const found = [...passagesIn(text, grams), ...pieces.flatMap((piece) => placesOf(piece, text))];
  found.sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

function placesOf(piece: string, text: string): Passage[] {
  const places: Passage[] = [];
  for (let start = text.indexOf(piece); start >= 0; start = text.indexOf(piece, start + piece.length)) {
    places.push({ start, end: start + piece.length });
  }
  return places;
}

/** The message that holds most of the words; the first of those that hold as much. */
function nearest(sources: readonly string[], words: string): string | null {
  const wanted = gramsOf(words);
  let best: { source: string; shared: number } | null = null;
  for (const source of sources) {
    const shared = source.includes(words) ? Number.POSITIVE_INFINITY : sharedBy(source, wanted);
    if (shared > (best?.shared ?? 0)) best = { source, shared };
  }
  return best?.source ?? null;
}

function sharedBy(source: string, wanted: Grams): number {
  if (wanted.size === 0) return 0;
  return passagesIn(source, wanted).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The messages of all others; the model's own words are in the cassette anyway. */
function sourcesIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role === 'assistant') return [];
    if (typeof content === 'string') return [content];
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  });
}

function lock(source: string, words: string): string {
  const key = keyOf(source);
  // The same words have the same lock, so that a run has one cassette.
  const iv = createHash('sha256').update(key).update(words).digest().subarray(0, ivBytes);
  const sealed = createCipheriv(cipher, key, iv);
  const body = Buffer.concat([sealed.update(words, 'utf8'), sealed.final()]);
  return `[words of ${idOf(source)}: ${Buffer.concat([iv, sealed.getAuthTag(), body]).toString('base64url')}]`;
}

function unlock(key: Buffer, locked: string): string | null {
  const bytes = Buffer.from(locked, 'base64url');
  try {
    const opened = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes));
    opened.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const body = bytes.subarray(ivBytes + tagBytes);
    return Buffer.concat([opened.update(body), opened.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function keyOf(source: string): Buffer {
  return createHash('sha256').update('key\0').update(source).digest();
}

function idOf(source: string): string {
  return createHash('sha256').update('id\0').update(source).digest('hex').slice(0, 8);
}
