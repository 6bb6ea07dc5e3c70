/**
 * One question to a site, with all that it leads to: redirects are followed by hand and looked at each time, and the
 * cookie is sent to pages of the site that ask for a login, and nowhere else. Knows nothing of trying again.
 */
import { UserError } from '../../../core/errors.ts';
import type { DownloadResponse } from '../../../core/io.ts';
import { allowedUrl, type Site } from './place.ts';
import type { FetchParts, Wanted } from './wanted.ts';

const mostBytes = { page: 8 * 1024 * 1024, file: 256 * 1024 * 1024 };
const mostRedirects = 5;

/** The visits for one file: whoever had to log in once stays so. */
export class Visits {
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
      code: 'leads-from-one-address-next',
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
        code: 'session-cookie-holds-characters-no',
        what: 'The session cookie holds characters that no cookie may hold.',
        fix: `Copy the value of REVEL_SESSION alone into ATCODER_SESSION or ${this.#parts.sessionFile}.`,
      });
    }
    if (session !== null && !this.#withSession && this.#wanted.kind === 'page') {
      this.#withSession = true;
      return;
    }
    throw new UserError({
      code: 'shows-only-who-logged-in',
      what: `${url.origin} shows ${this.#wanted.noun} only to who is logged in.`,
      why: this.#withSession
        ? 'It did not take the session cookie: it may have expired.'
        : 'There is no session cookie.',
      fix: `Log in with a browser and put the value of its cookie REVEL_SESSION into ATCODER_SESSION, or into ${this.#parts.sessionFile} (mode 600). Or save the page and give it with --from.`,
    });
  }
}

/** Throws `UserError` for an address of somebody else. */
export function requireAllowed(site: Site, text: string, base: string, noun: string): URL {
  const url = allowedUrl(site, text, base);
  if (url) return url;
  throw new UserError({
    code: 'address-leads-another-site-was',
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
