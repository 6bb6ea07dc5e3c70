/**
 * One file of a contest's site: asked for again where the site is busy or the connection was cut, and kept in the cache. Only addresses of the site are asked, and each redirect is held against them.
 */
import { ResponseTooLargeError, UnavailableError, UserError } from '../../../core/errors.ts';
import type { DownloadResponse } from '../../../core/io.ts';
import { retryAfterMs } from '../../../models/retry-after.ts';
import { type IntakeParts, sha256 } from './source.ts';

export type Site = {
  /** `https://atcoder.jp`; pages lie there, and only they may ask who their reader is. */
  readonly origin: string;
  /** Origins of files, the site's own included. */
  readonly origins: readonly string[];
};

export const atCoder: Site = {
  origin: 'https://atcoder.jp',
  origins: ['https://atcoder.jp', 'https://img.atcoder.jp'],
};

/** HTTPS, or plain HTTP to a test site on this machine. Throws `UserError` for anything else. */
export function siteAt(text: string): Site {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || !['http:', 'https:'].includes(url.protocol)) {
    throw new UserError({
      code: 'address-invalid',
      what: `${JSON.stringify(text)} is no address of a site.`,
      fix: 'Write it as https://HOST or, for a test site on this machine, http://127.0.0.1:PORT.',
    });
  }
  const { protocol, hostname, origin } = url;
  if (protocol === 'http:' && !/^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname)) {
    throw new UserError({
      code: 'plain-http-refused',
      what: `${origin} is not asked over plain HTTP.`,
      why: 'Tools that come from there are run, and they could be changed on the way.',
      fix: 'Write https://, or name a test site on this machine.',
    });
  }
  return origin === atCoder.origin ? atCoder : { origin, origins: [origin] };
}

/** The address as it is asked, or null where it is not to be. */
export function allowedUrl(site: Site, text: string, base: string = site.origin): URL | null {
  const url = URL.parse(text, base);
  const isPlain = url?.username === '' && url.password === '';
  return isPlain && site.origins.includes(url.origin) ? url : null;
}

/** Null where the site has no such file. */
export type Fetch = (requested: Wanted, signal: AbortSignal) => Promise<Uint8Array | null>;

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

type FetchParts = Pick<IntakeParts, 'http' | 'clock' | 'cache' | 'session' | 'sessionFile' | 'onProgress'>;

const mostTries = 5;
const longestWaitMs = 60_000;
const mostBytes = { page: 8 * 1024 * 1024, file: 256 * 1024 * 1024 };
const mostRedirects = 5;

export function fetchFrom(site: Site, parts: FetchParts): Fetch {
  const { cache, onProgress } = parts;
  return async (requested, signal) => {
    const url = requireAllowed(site, requested.url, site.origin, requested.noun);
    const name = sha256(url.href);
    const kept = requested.isFresh ? null : await cache.readBytes(name);
    if (kept && (requested.faultOf?.(kept) ?? null) === null) return kept;
    onProgress(`asking ${url.host} for ${requested.noun}`);
    const bytes = await new Download({ ...parts, site, url, wanted: requested, signal }).get();
    if (bytes && (requested.isKept?.(bytes) ?? true)) await cache.write(name, bytes, { mode: 0o600 });
    return bytes;
  };
}

type DownloadJob = FetchParts & {
  readonly site: Site;
  readonly url: URL;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
};

/** `bytes` is null where the site has no such file; `why`: it may be asked for again. */
type Outcome = { readonly bytes: Uint8Array | null } | { readonly why: string; readonly afterMs?: number };

/** All tries at one file. After one login all later visits are logged in. */
class Download {
  readonly #job: DownloadJob;
  #isLoggedIn = false;

  constructor(job: DownloadJob) {
    this.#job = job;
  }

  async get(): Promise<Uint8Array | null> {
    const { clock, onProgress, signal, url, wanted } = this.#job;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#once();
      if ('bytes' in outcome) return outcome.bytes;
      const { why, afterMs = 500 * 2 ** tries } = outcome;
      if (tries >= mostTries) {
        const noun = `${wanted.noun.charAt(0).toUpperCase()}${wanted.noun.slice(1)}`;
        throw new UnavailableError({
          code: 'download-failed',
          what: `${noun} could not be fetched from ${url.host} in ${mostTries} tries.`,
          why,
          fix: 'Run `polya ahc init` again later: it goes on where it was. Without network, give what you have with --from.',
        });
      }
      const waitMs = Math.min(longestWaitMs, afterMs);
      onProgress(`${why} Trying again in ${Math.ceil(waitMs / 1000)} s`);
      await clock.sleep(waitMs, signal);
    }
  }

  async #once(): Promise<Outcome> {
    const { clock, url, wanted } = this.#job;
    let reply: DownloadResponse;
    try {
      reply = await this.#follow();
    } catch (error) {
      if (!(error instanceof UnavailableError) || error instanceof ResponseTooLargeError) throw error;
      const { what, why } = error.explanation;
      return { why: [what, why].filter(Boolean).join(' ') };
    }
    const { status, headers, bytes, isWhole } = reply;
    if (status === 404 || status === 410) return { bytes: null };
    if (status === 429 || status >= 500) {
      return { why: `${url.host} is busy (${status}).`, afterMs: retryAfterMs(headers, clock.now()) };
    }
    if (status !== 200) {
      throw new UserError({
        code: 'download-refused',
        what: `${url.host} refused ${wanted.noun} (${status}).`,
        fix: `Look at ${url.href} in a browser; what you can see there can be saved and given with --from.`,
      });
    }
    if (!isWhole) return { why: `The connection to ${url.host} was cut.` };
    const issue = wanted.faultOf?.(bytes) ?? null;
    return issue === null ? { bytes } : { why: issue };
  }

  /** The cookie is sent with a page alone, and only after the site has asked for it. */
  async #follow(): Promise<DownloadResponse> {
    const { http, site, url: start, wanted, signal } = this.#job;
    let url = start;
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const reply = await http.download({
        url: url.href,
        headers: this.#cookie(url),
        mostBytes: mostBytes[wanted.kind],
        signal,
      });
      if (reply.status < 300 || reply.status >= 400 || reply.status === 304) return reply;
      const next = requireAllowed(site, reply.headers.location ?? '', url.href, wanted.noun);
      if (next.origin === site.origin && /^\/login\b/.test(next.pathname)) {
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
    const { session, wanted, site } = this.#job;
    const cookie = this.#isLoggedIn ? session() : null;
    const isForPage = wanted.kind === 'page' && url.origin === site.origin;
    return cookie !== null && isForPage ? { cookie: `REVEL_SESSION=${cookie}` } : {};
  }

  /** Once; throws `UserError` where there is nothing to log in with. */
  #logIn(url: URL): void {
    const { session, sessionFile, wanted } = this.#job;
    const cookie = session();
    if (cookie !== null && !/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(cookie)) {
      throw new UserError({
        code: 'session-cookie-invalid',
        what: 'The session cookie holds characters that no cookie may hold.',
        fix: `Copy the value of REVEL_SESSION alone into ATCODER_SESSION or ${sessionFile}.`,
      });
    }
    if (cookie === null || this.#isLoggedIn || wanted.kind !== 'page') {
      throw new UserError({
        code: 'login-required',
        what: `${url.origin} shows ${wanted.noun} only to users who are logged in.`,
        why: this.#isLoggedIn
          ? 'It did not take the session cookie: it may have expired.'
          : 'There is no session cookie.',
        fix: `Log in with a browser and put the value of its cookie REVEL_SESSION into ATCODER_SESSION, or into ${sessionFile} (mode 600). Or save the page and give it with --from.`,
      });
    }
    this.#isLoggedIn = true;
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
