/**
 * One file of the site: tried again where the site is busy or the connection was cut (from where it was cut), and kept in
 * the cache. It knows nothing of what is in a file, nor of redirects and logins, which are a visit's.
 */
import { TooMuchSent, UnavailableError, UserError } from '../../../core/errors.ts';
import type { DownloadResponse } from '../../../core/io.ts';
import type { Site } from './place.ts';
import { requireAllowed, Visits } from './visit.ts';
import type { FetchParts, Wanted } from './wanted.ts';

/** Null where the site has no such file. */
export type Fetch = (wanted: Wanted, signal: AbortSignal) => Promise<Uint8Array | null>;

const mostTries = 5;
const longestWaitMs = 60_000;

export function fetchFrom(site: Site, parts: FetchParts): Fetch {
  return async (wanted, signal) => {
    const url = requireAllowed(site, wanted.url, site.origin, wanted.noun);
    const name = parts.sha256(url.href);
    const kept = wanted.isFresh ? null : await parts.cache.readBytes(name);
    if (kept && (wanted.faultOf?.(kept) ?? null) === null) return kept;
    parts.onProgress(`asking ${url.host} for ${wanted.noun}`);
    const bytes = await new Attempts(site, parts, wanted, signal).get(url, name);
    if (bytes && (wanted.isKept?.(bytes) ?? true)) await parts.cache.write(name, bytes, { mode: 0o600 });
    await parts.cache.remove(partOf(name));
    return bytes;
  };
}

function partOf(name: string): string {
  return `${name}.part`;
}

/** The tries at one file: what has come of it so far, and why the last one failed. */
class Attempts {
  readonly #visits: Visits;
  readonly #parts: FetchParts;
  readonly #wanted: Wanted;
  readonly #signal: AbortSignal;
  #why = '';

  constructor(site: Site, parts: FetchParts, wanted: Wanted, signal: AbortSignal) {
    this.#visits = new Visits(site, parts, wanted, signal);
    this.#parts = parts;
    this.#wanted = wanted;
    this.#signal = signal;
  }

  async get(url: URL, name: string): Promise<Uint8Array | null> {
    const { cache, clock, onProgress } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const begun = this.#wanted.isFresh && tries === 1 ? null : await cache.readBytes(partOf(name));
      const outcome = await this.#once(url, begun);
      if (outcome.kind === 'whole') return outcome.bytes;
      if (outcome.kind === 'missing') return null;
      if (outcome.part && outcome.part.length > 0)
        await cache.write(partOf(name), outcome.part, { mode: 0o600 });
      else await cache.remove(partOf(name));
      this.#why = outcome.why;
      if (tries >= mostTries) throw this.#gaveUp(url);
      const waitMs = Math.min(longestWaitMs, outcome.afterMs ?? 500 * 2 ** tries);
      onProgress(`${this.#why} Trying again in ${Math.ceil(waitMs / 1000)} s`);
      await clock.sleep(waitMs, this.#signal);
    }
  }

  async #once(url: URL, begun: Uint8Array | null): Promise<Outcome> {
    let reply: DownloadResponse;
    try {
      reply = await this.#visits.follow(url, begun);
    } catch (error) {
      if (!(error instanceof UnavailableError) || error instanceof TooMuchSent) throw error;
      const { what, why } = error.explanation;
      return { kind: 'again', why: [what, why].filter(Boolean).join(' '), part: begun };
    }
    const { status, headers } = reply;
    if (status === 404 || status === 410) return { kind: 'missing' };
    if (status === 429 || status >= 500) {
      return {
        kind: 'again',
        why: `${url.host} is busy (${status}).`,
        part: begun,
        afterMs: retryAfter(headers),
      };
    }
    // What was begun is not what is there now: from the start.
    if (status === 416)
      return { kind: 'again', why: `${url.host} has another file now.`, part: null, afterMs: 0 };
    if (status !== 200 && status !== 206) throw refusal(url, status, this.#wanted.noun);
    return this.#taken(url, reply, begun);
  }

  #taken(
    url: URL,
    { status, headers, bytes: came, isWhole }: DownloadResponse,
    begun: Uint8Array | null,
  ): Outcome {
    const from = Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? 0);
    const isRest = status === 206 && begun !== null && from === begun.length;
    if (status === 206 && !isRest)
      return { kind: 'again', why: `${url.host} sent another part.`, part: null, afterMs: 0 };
    const bytes = isRest ? joined(begun, came) : came;
    if (!isWhole) return { kind: 'again', why: `The connection to ${url.host} was cut.`, part: bytes };
    const fault = this.#wanted.faultOf?.(bytes) ?? null;
    return fault === null ? { kind: 'whole', bytes } : { kind: 'again', why: fault, part: null };
  }

  #gaveUp(url: URL): UnavailableError {
    return new UnavailableError({
      code: 'could-not-fetched-from-in',
      what: `${capital(this.#wanted.noun)} could not be fetched from ${url.host} in ${mostTries} tries.`,
      why: this.#why,
      fix: 'Run `polya ahc init` again later: it goes on where it was. Without network, give what you have with --from.',
    });
  }
}

type Outcome =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'again';
      readonly why: string;
      readonly part: Uint8Array | null;
      readonly afterMs?: number | undefined;
    };

function capital(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function refusal(url: URL, status: number, noun: string): UserError {
  return new UserError({
    code: 'refusal',
    what: `${url.host} refused ${noun} (${status}).`,
    fix: `Look at ${url.href} in a browser; what you can see there can be saved and given with --from.`,
  });
}
