/**
 * HTTP for handlers: spaced per host, identified, limited in time and size.
 * Redirects are not followed, because on some sites the redirect is the answer ("log in first").
 * Knows nothing of any site; keeps no cookies, caches nothing and puts no header into an error.
 */
import type { Agent, request as undiciRequest } from 'undici';
import { TooMuchSent, UnavailableError } from '../core/errors.ts';
import type {
  Clock,
  DownloadRequest,
  DownloadResponse,
  Downloads,
  Http,
  HttpRequest,
  HttpResponse,
} from '../core/io.ts';
import { systemClock } from './clock.ts';
import { createTurns, politeSpacingMs, type SpacingMs, type TakeTurn } from './spacing.ts';

/** Who asks: sites want to know a tool and how to reach the person that uses it. */
export type Identity = {
  readonly tool: string;
  readonly version: string;
  /** Where the tool itself and its makers are found. */
  readonly home?: string;
  /** An address or a link of the tool's user; sent with every request. */
  readonly contact?: string;
};

export type HttpOptions = {
  readonly identity: Identity;
  readonly spacingMs?: SpacingMs;
  /** Absent: requests are spaced within this process only. */
  readonly takeTurn?: TakeTurn;
  readonly clock?: Clock;
  /** From connecting to the last byte; waiting for one's turn is not counted. */
  readonly timeoutMs?: number;
  readonly bodyBytes?: number;
};

export function createHttp(options: HttpOptions): Http & Downloads {
  const turns = createTurns(
    options.spacingMs ?? politeSpacingMs,
    options.clock ?? systemClock,
    options.takeTurn,
  );
  const timeoutMs = options.timeoutMs ?? 30_000;
  const bodyBytes = options.bodyBytes ?? 8 * 1024 * 1024;
  let agent: Agent | undefined;
  let patient: Agent | undefined;
  const headers = { 'user-agent': userAgentOf(options.identity) };
  return {
    async download(asked) {
      const url = new URL(asked.url);
      // Loaded here for the same reason as below.
      const undici = await import('undici');
      await turns.wait(url.hostname, asked.signal);
      patient ??= new undici.Agent({
        connect: { timeout: timeoutMs },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      try {
        return await receive(undici.request, asked, { agent: patient, headers });
      } catch (error) {
        asked.signal?.throwIfAborted();
        if (error instanceof UnavailableError || codeOf(error) === 'UND_ERR_INVALID_ARG') throw error;
        const timedOut = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(codeOf(error));
        throw unreachable(url, reasonOf(error, { timedOut, timeoutMs, bodyBytes: asked.mostBytes }));
      }
    },
    async request(asked) {
      const url = new URL(asked.url);
      // Loaded here: it takes longer to load than everything else in this room, and most commands ask nobody.
      const undici = await import('undici');
      await turns.wait(url.hostname, asked.signal);
      agent ??= new undici.Agent({ connect: { timeout: timeoutMs }, maxResponseSize: bodyBytes });
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const signal = anySignal(asked.signal, timeout);
        return await send(undici.request, asked, { agent, headers, signal });
      } catch (error) {
        asked.signal?.throwIfAborted();
        if (codeOf(error) === 'UND_ERR_INVALID_ARG') throw error;
        throw unreachable(url, reasonOf(error, { timedOut: timeout.aborted, timeoutMs, bodyBytes }));
      }
    },
  };
}

export function userAgentOf(identity: Identity): string {
  const { home, contact: person } = identity;
  const contacts = [home ? `+${home}` : '', person ?? ''].filter(Boolean).join('; ');
  const contact = contacts ? ` (${contacts})` : '';
  // Header values hold printable ASCII only; a name with an accent must not break every request.
  return `${identity.tool}/${identity.version}${contact}`.replaceAll(/[^\x20-\x7e]/g, '?');
}

type Sending = {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

async function send(
  request: typeof undiciRequest,
  asked: HttpRequest,
  { agent, headers, signal }: Sending,
): Promise<HttpResponse> {
  const form = asked.form ? new URLSearchParams(asked.form).toString() : undefined;
  const response = await request(asked.url, {
    dispatcher: agent,
    method: asked.method,
    signal,
    headers: {
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...asked.headers,
      ...headers,
    },
    ...(form === undefined ? {} : { body: form }),
  });
  const body = await response.body.text();
  return { status: response.statusCode, url: asked.url, headers: flatten(response.headers), body };
}

type Circumstances = { readonly timedOut: boolean; readonly timeoutMs: number; readonly bodyBytes: number };

function reasonOf(error: unknown, { timedOut, timeoutMs, bodyBytes }: Circumstances): string {
  if (timedOut) return `It did not answer within ${timeoutMs / 1000} seconds.`;
  const code = codeOf(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `It sent more than ${bodyBytes} bytes.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Its name could not be resolved.';
  if (code === 'ECONNREFUSED') return 'Nothing listens there.';
  return `The connection failed${code ? ` (${code})` : ''}.`;
}

function unreachable(url: URL, why: string): UnavailableError {
  return new UnavailableError({
    code: 'unreachable',
    what: `${url.origin} could not be reached.`,
    why,
    fix: 'Check the network and that the site is up, then try again.',
  });
}

/** Of one file, from connecting to its last byte: whoever sends a byte a second is not waited for. */
const longestMs = 15 * 60_000;

export async function receive(
  request: typeof undiciRequest,
  asked: DownloadRequest,
  { agent, headers }: { readonly agent: Agent; readonly headers: Readonly<Record<string, string>> },
): Promise<DownloadResponse> {
  const response = await request(asked.url, {
    dispatcher: agent,
    method: 'GET',
    signal: anySignal(asked.signal, AbortSignal.timeout(longestMs)),
    headers: { ...asked.headers, ...headers },
  });
  const chunks: Uint8Array[] = [];
  const common = { status: response.statusCode, headers: flatten(response.headers) };
  let length = 0;
  try {
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > asked.mostBytes) throw tooMuch(asked);
      chunks.push(chunk);
    }
    return { ...common, bytes: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    asked.signal?.throwIfAborted();
    if (error instanceof TooMuchSent) throw error;
    return { ...common, bytes: Buffer.concat(chunks), isWhole: false };
  }
}

function tooMuch({ url, mostBytes }: DownloadRequest): TooMuchSent {
  return new TooMuchSent({
    code: 'too-much',
    what: `${new URL(url).origin} sent more than ${mostBytes} bytes for one file.`,
    why: 'Nothing of it was kept.',
    fix: 'Look at the address in a browser; what is right about it can be given by hand.',
  });
}

export function anySignal(signal: AbortSignal | undefined, timeout: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

export function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
