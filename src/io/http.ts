/** HTTP, spaced per host, limited in time and size. It follows no redirect: some sites answer by one ("log in first"). */
import type { Dispatcher, request as undiciRequest } from 'undici';
import { ResponseTooLargeError, UnavailableError } from '../core/errors.ts';
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
import { type Network, networkOf, proxyFailure, type SilenceTimeouts } from './network.ts';
import { codeOf } from './plain-file.ts';
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
  /** Called when a request is sent. Absent: by the variables of this process. */
  readonly network?: () => Network;
};

export function createHttp(options: HttpOptions): Http & Downloads {
  const { spacingMs = politeSpacingMs, clock = systemClock, takeTurn } = options;
  const { timeoutMs = 30_000, bodyBytes = 8 * 1024 * 1024 } = options;
  const network = options.network ?? (() => networkOf(process.env));
  const turns = createTurns(spacingMs, clock, takeTurn);
  const headers = { 'user-agent': userAgentOf(options.identity) };
  return {
    async download(downloadRequest) {
      const url = new URL(downloadRequest.url);
      // Loaded here for the same reason as below.
      const undici = await import('undici');
      await turns.wait(url.hostname, downloadRequest.signal);
      const dispatcher = await network().dispatcher(downloadRequest.url);
      const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      try {
        return await readResponse(undici.request, downloadRequest, { dispatcher, headers, ...timeouts });
      } catch (error) {
        downloadRequest.signal?.throwIfAborted();
        const code = codeOf(error);
        throwIfProxyFailed(error, url, network());
        if (error instanceof UnavailableError || code === 'UND_ERR_INVALID_ARG') throw error;
        const timedOut = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
        throw unreachable(url, timedOut ? tooSlow(timeoutMs) : reasonOf(code, downloadRequest.mostBytes));
      }
    },
    async request(httpRequest) {
      const url = new URL(httpRequest.url);
      // Loaded here: it takes longer to load than everything else in this room, and most commands send no request.
      const undici = await import('undici');
      await turns.wait(url.hostname, httpRequest.signal);
      const dispatcher = await network().dispatcher(httpRequest.url);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([...(httpRequest.signal ? [httpRequest.signal] : []), timeout]);
      try {
        return await send(undici.request, httpRequest, { dispatcher, headers, signal, bodyBytes });
      } catch (error) {
        httpRequest.signal?.throwIfAborted();
        const code = codeOf(error);
        throwIfProxyFailed(error, url, network());
        if (code === 'UND_ERR_INVALID_ARG') throw error;
        throw unreachable(url, timeout.aborted ? tooSlow(timeoutMs) : reasonOf(code, bodyBytes));
      }
    },
  };
}

export function userAgentOf({ tool, version, home, contact }: Identity): string {
  const contacts = [home ? `+${home}` : '', contact ?? ''].filter(Boolean).join('; ');
  // Header values hold printable ASCII only; a name with an accent must not break every request.
  return `${tool}/${version}${contacts && ` (${contacts})`}`.replaceAll(/[^\x20-\x7e]/g, '?');
}

function throwIfProxyFailed(error: unknown, url: URL, network: Network): void {
  const failed = proxyFailure(error, network.route(url.href));
  if (!failed) return;
  throw new UnavailableError({
    code: 'proxy-failed',
    what: `${url.origin} was not asked.`,
    why: failed.message,
    fix: 'Put the proxy right, or exempt the site with NO_PROXY.',
  });
}

type RequestInit = {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

async function send(
  request: typeof undiciRequest,
  { method, url, ...asked }: HttpRequest,
  { headers, bodyBytes, ...sending }: RequestInit & { readonly bodyBytes: number },
): Promise<HttpResponse> {
  const body = asked.form && new URLSearchParams(asked.form).toString();
  const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = { ...form, ...asked.headers, ...headers };
  const response = await request(url, { ...sending, method, headers: sent, body });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    // The pool is shared, so that the limit is kept here.
    if (length > bodyBytes) throw Object.assign(new Error('too much'), { code: tooLarge });
    chunks.push(chunk);
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return { status: response.statusCode, url, headers: flatten(response.headers), body: text };
}

const tooLarge = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

function tooSlow(timeoutMs: number): string {
  return `It did not answer within ${timeoutMs / 1000} seconds.`;
}

function reasonOf(code: string, bodyBytes: number): string {
  if (code === tooLarge) return `It sent more than ${bodyBytes} bytes.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Its name could not be resolved.';
  if (code === 'ECONNREFUSED') return 'Nothing listens there.';
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)) {
    return `Its certificate is not trusted (${code}). If it is signed by an authority of your own, name its file in POLYA_CA or NODE_EXTRA_CA_CERTS.`;
  }
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

/** Of one file, from connecting to its last byte: a site that sends a byte a second is not waited for. */
const longestMs = 15 * 60_000;

async function readResponse(
  request: typeof undiciRequest,
  downloadRequest: DownloadRequest,
  { headers, ...sending }: Omit<RequestInit, 'signal'> & SilenceTimeouts,
): Promise<DownloadResponse> {
  const { signal, mostBytes } = downloadRequest;
  const response = await request(downloadRequest.url, {
    ...sending,
    method: 'GET',
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(longestMs)]),
    headers: { ...downloadRequest.headers, ...headers },
  });
  const chunks: Uint8Array[] = [];
  const common = { status: response.statusCode, headers: flatten(response.headers) };
  let length = 0;
  try {
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > mostBytes) throw responseTooLarge(downloadRequest);
      chunks.push(chunk);
    }
    return { ...common, bytes: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ResponseTooLargeError) throw error;
    return { ...common, bytes: Buffer.concat(chunks), isWhole: false };
  }
}

function responseTooLarge({ url, mostBytes }: DownloadRequest): ResponseTooLargeError {
  return new ResponseTooLargeError({
    code: 'too-much',
    what: `${new URL(url).origin} sent more than ${mostBytes} bytes for one file.`,
    why: 'Nothing of it was kept.',
    fix: 'Look at the address in a browser; what is right about it can be given by hand.',
  });
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
