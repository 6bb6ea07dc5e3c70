/**
 * One file of the site: tried again where the site is busy or the connection was cut (from where it was cut), and kept in
 * the cache. It knows nothing of what is in a file, nor of redirects and logins, which are a visit's.
 */
import { TooMuchSent, UnavailableError, UserError } from '../../../core/errors.ts';
import type { DownloadResponse } from '../../../core/io.ts';
import { allowedUrl, type Site } from './place.ts';
import type { IntakeParts } from './source.ts';

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
      code: 'download-failed',
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
    code: 'download-refused',
    what: `${url.host} refused ${noun} (${status}).`,
    fix: `Look at ${url.href} in a browser; what you can see there can be saved and given with --from.`,
  });
}

const mostBytes = { page: 8 * 1024 * 1024, file: 256 * 1024 * 1024 };
const mostRedirects = 5;

/** The visits for one file. After one login all later visits are logged in. */
class Visits {
  readonly #site: Site;
  readonly #parts: FetchParts;
  readonly #wanted: Wanted;
  readonly #signal: AbortSignal;
  #withSession = false;

  constructor(site: Site, parts: FetchParts, wanted: Wanted, signal: AbortSignal) {
    this.#site = site;
    this.#parts = parts;
    this.#wanted = wanted;
    this.#signal = signal;
  }

  /** The cookie is sent with a page alone, and only after the site has asked for it. */
  async follow(start: URL, begun: Uint8Array | null): Promise<DownloadResponse> {
    let url = start;
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const reply = await this.#parts.http.download({
        url: url.href,
        headers: { ...this.#cookie(url), ...rangeOf(begun) },
        mostBytes: mostBytes[this.#wanted.kind],
        signal: this.#signal,
      });
      if (reply.status < 300 || reply.status >= 400 || reply.status === 304) return reply;
      const next = requireAllowed(this.#site, reply.headers.location ?? '', url.href, this.#wanted.noun);
      if (isLogin(next, this.#site)) {
        this.#logIn(url);
        hops = -1;
        url = start;
      } else url = next;
    }
    throw new UserError({
      code: 'too-many-redirects',
      what: `${start.href} leads from one address to the next without end.`,
      fix: 'Look at it in a browser; what you find there can be given with --from.',
    });
  }

  #cookie(url: URL): Record<string, string> {
    const session = this.#withSession ? this.#parts.session() : null;
    const isForPage = this.#wanted.kind === 'page' && url.origin === this.#site.origin;
    return session !== null && isForPage ? { cookie: `REVEL_SESSION=${session}` } : {};
  }

  /** Once; throws `UserError` where there is nothing to log in with. */
  #logIn(url: URL): void {
    const session = this.#parts.session();
    if (session !== null && !/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(session)) {
      throw new UserError({
        code: 'session-cookie-invalid',
        what: 'The session cookie holds characters that no cookie may hold.',
        fix: `Copy the value of REVEL_SESSION alone into ATCODER_SESSION or ${this.#parts.sessionFile}.`,
      });
    }
    if (session !== null && !this.#withSession && this.#wanted.kind === 'page') {
      this.#withSession = true;
      return;
    }
    throw new UserError({
      code: 'login-required',
      what: `${url.origin} shows ${this.#wanted.noun} only to who is logged in.`,
      why: this.#withSession
        ? 'It did not take the session cookie: it may have expired.'
        : 'There is no session cookie.',
      fix: `Log in with a browser and put the value of its cookie REVEL_SESSION into ATCODER_SESSION, or into ${this.#parts.sessionFile} (mode 600). Or save the page and give it with --from.`,
    });
  }
}

/** Throws `UserError` for an address of another site. */
function requireAllowed(site: Site, text: string, base: string, noun: string): URL {
  const url = allowedUrl(site, text, base);
  if (url) return url;
  throw new UserError({
    code: 'other-site',
    what: `The address of ${noun} leads to another site and was not asked: ${text.slice(0, 200)}`,
    why: `Only ${site.origins.join(' and ')} are asked for a contest's files.`,
    fix: 'Download it yourself if you trust it, and give it with --from.',
  });
}

function rangeOf(begun: Uint8Array | null): Record<string, string> {
  return begun && begun.length > 0 ? { range: `bytes=${begun.length}-` } : {};
}

function isLogin(url: URL, site: Site): boolean {
  return url.origin === site.origin && /^\/login\b/.test(url.pathname);
}

export type Wanted = {
  /** Absolute, or relative to the site. */
  readonly url: string;
  readonly kind: 'page' | 'file';
  /** For people: `the statement`. */
  readonly noun: string;
  /** Null where what came can be used; else what is wrong with it: it is asked for again, and never kept. */
  readonly faultOf?: (bytes: Uint8Array) => string | null;
  /** Whether it goes into the cache; default: yes. */
  readonly isKept?: (bytes: Uint8Array) => boolean;
  /** Ask although it is there. */
  readonly isFresh?: boolean;
};

type FetchParts = Pick<
  IntakeParts,
  'http' | 'clock' | 'cache' | 'session' | 'sessionFile' | 'sha256' | 'onProgress'
>;
