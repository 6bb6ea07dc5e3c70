/**
 * Who may talk to the page's server: pages and scripts of its own user, who have the token. A page of another site has
 * neither the token nor our origin, and a name that was rebound to this machine is no host of ours.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

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
  readonly token: string;
  /** The page's own path: a browser sends the cookie below it only, and so to no other server of this machine. */
  readonly secret: string;
  readonly port: () => number;
};

/** `?token=…` of the first address is exchanged for a cookie; scripts send `Authorization: Bearer …`. */
export function createGuard({ token, secret, port }: Guard): MiddlewareHandler {
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
    const { searchParams } = new URL(url);
    const own = secret + context.req.path;
    const input = searchParams.get('token');
    if (input !== null && method === 'GET' && isSame(input, token)) {
      setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Strict', path: `${secret}/` });
      if (context.req.header('sec-fetch-site') !== 'cross-site') return context.redirect(own);
      // A browser that a file led here sends no strict cookie along with the redirection: this answer leads on itself.
      const screen = searchParams.get('screen') ?? '';
      context.header('refresh', `0; url=${own}${/^#[\w/.-]*$/.test(screen) ? screen : ''}`);
      return context.text('The page opens.');
    }
    const [, bearer = ''] = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '') ?? [];
    if (!isSame(bearer || (getCookie(context, cookie) ?? ''), token)) {
      return rejectRequest(context, 401, 'Open the address that `polya view` told: it holds the token.');
    }
    if (method !== 'GET' && method !== 'HEAD') {
      if (method !== 'POST') return rejectRequest(context, 405, 'There are GET and POST only.');
      // A form of another site cannot send this type without asking first.
      if (!context.req.header('content-type')?.startsWith('application/json'))
        return rejectRequest(context, 415, 'Send JSON, and say so: content-type: application/json.');
    }
    await next();
  };
}

export function rejectRequest(
  context: Context,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415,
  error: string,
) {
  return context.json({ error }, status);
}

/** A number in a query; the default if it is invalid. */
export function numberIn(input: string | undefined, defaultValue: number, most: number): number {
  const number = Number(input ?? defaultValue);
  return Number.isInteger(number) && number >= 0 ? Math.min(number, most) : defaultValue;
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
