/**
 * The body of a file, taken in as it comes: what had come when the connection ended is kept, and what is too much is not
 * waited for. Also the small things that all requests have in common. Knows no turns and no site.
 */
import type { Agent, request as undiciRequest } from 'undici';
import { TooMuchSent } from '../core/errors.ts';
import type { DownloadRequest, DownloadResponse } from '../core/io.ts';

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
