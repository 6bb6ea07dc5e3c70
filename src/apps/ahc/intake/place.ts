/**
 * Which addresses are asked: those of the site that a contest is on, and no other, looked at again after each
 * redirect. HTTPS, or plain HTTP to a test site on this machine.
 */
import { UserError } from '../../../core/errors.ts';

export type Site = {
  /** `https://atcoder.jp`; pages lie there, and only they may ask who their reader is. */
  readonly origin: string;
  /** Of files, the site's own among them. */
  readonly origins: readonly string[];
};

export const atCoder: Site = {
  origin: 'https://atcoder.jp',
  origins: ['https://atcoder.jp', 'https://img.atcoder.jp'],
};

/** Throws `UserError` for an address that is none, and for plain HTTP to another machine. */
export function siteAt(text: string): Site {
  const url = urlOf(text);
  if (url === null || url.username !== '' || !['http:', 'https:'].includes(url.protocol)) {
    throw new UserError({
      code: 'address-invalid',
      what: `${JSON.stringify(text)} is no address of a site.`,
      fix: 'Write it as https://HOST or, for a test site on this machine, http://127.0.0.1:PORT.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UserError({
      code: 'plain-http-refused',
      what: `${url.origin} is not asked over plain HTTP.`,
      why: 'Tools that come from there are run, and anybody on the way could change them.',
      fix: 'Write https://, or name a test site on this machine.',
    });
  }
  return url.origin === atCoder.origin ? atCoder : { origin: url.origin, origins: [url.origin] };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The address as it is asked, or null where it is not to be. */
export function allowedUrl(site: Site, text: string, base: string = site.origin): URL | null {
  const url = urlOf(text, base);
  return url !== null && url.username === '' && url.password === '' && site.origins.includes(url.origin)
    ? url
    : null;
}

export function urlOf(text: string, base?: string): URL | null {
  return URL.parse(text, base);
}
