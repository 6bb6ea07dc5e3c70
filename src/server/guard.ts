/**
 * Who may talk to the page's server: pages and scripts of its own user, who have the token. A page of another site has
 * neither the token nor our origin, and a name that was rebound to this machine is no host of ours.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Access } from './access.ts';

const ours = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Guard = {
  readonly access: Access;
  /** The page's own path: a browser sends the cookie below it only, and so to no other server of this machine. */
  readonly secret: string;
  readonly port: () => number;
};

/** `?token=…` of a link is exchanged for a cookie, once; scripts send `Authorization: Bearer …`. */
export function createGuard({ access, secret, port }: Guard): MiddlewareHandler {
  return async (context, next) => {
    const { method, url } = context.req;
    context.header('content-security-policy', policy);
    context.header('referrer-policy', 'no-referrer');
    context.header('x-content-type-options', 'nosniff');
    context.header('cross-origin-opener-policy', 'same-origin');
    context.header('cross-origin-resource-policy', 'same-origin');
    const host = context.req.header('host') ?? '';
    const origin = context.req.header('origin');
    if (!ours.test(host) || (origin !== undefined && origin !== `http://${host}`)) {
      return rejectRequest(context, 403, 'This server is for its own machine and its own page.');
    }
    // Cookies know no ports: two servers of one machine would take each other's.
    const cookie = `polya-${port()}`;
    const hasSession = access.isSession(getCookie(context, cookie) ?? '');
    const code = new URL(url).searchParams.get('token');
    if (code !== null && method === 'GET') {
      if (isPrefetch(context)) return rejectRequest(context, 503, 'A link is opened by a person, not ahead.');
      const session = access.redeemLinkCode(code);
      if (session === null && !hasSession) return rejectStranger(context, usedLink);
      if (session)
        setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: `${secret}/` });
      return leadToPage(context, secret);
    }
    const [, bearer = ''] = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '') ?? [];
    if (!(bearer ? access.isToken(bearer) : hasSession)) return rejectStranger(context, missingLink);
    if (method !== 'GET' && method !== 'HEAD') {
      if (method !== 'POST') return rejectRequest(context, 405, 'There are GET and POST only.');
      // A form of another site cannot send this type without asking first.
      if (!context.req.header('content-type')?.startsWith('application/json'))
        return rejectRequest(context, 415, 'Send JSON, and say so: content-type: application/json.');
    }
    await next();
  };
}

const usedLink =
  'This link was used already, or is not of this page: each link works once. `polya view` in the same folder prints a new one.';
const missingLink = 'Open the link that `polya view` prints in the same folder. Each works once.';

/** What browsers load ahead, before anybody opens it, would use up the link. */
function isPrefetch({ req }: Context): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/.test(req.header(name) ?? ''),
  );
}

/** To the same place without the code. */
function leadToPage(context: Context, secret: string) {
  const own = secret + context.req.path;
  if (context.req.header('sec-fetch-site') !== 'cross-site') return context.redirect(own);
  // A browser that a file led here sends no strict cookie along with the redirection: this answer leads on itself.
  const screen = new URL(context.req.url).searchParams.get('screen') ?? '';
  context.header('refresh', `0; url=${own}${/^#[\w/.-]*$/.test(screen) ? screen : ''}`);
  return context.text('The page opens.');
}

function rejectStranger(context: Context, sentence: string) {
  const isForPerson = context.req.header('accept')?.includes('text/html');
  return isForPerson ? context.text(sentence, 401) : rejectRequest(context, 401, sentence);
}

export function rejectRequest(
  context: Context,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 503,
  error: string,
) {
  return context.json({ error }, status);
}

/** A number in a query; the default if it is invalid. */
export function numberIn(input: string | undefined, defaultValue: number, most: number): number {
  const number = Number(input ?? defaultValue);
  return Number.isInteger(number) && number >= 0 ? Math.min(number, most) : defaultValue;
}
