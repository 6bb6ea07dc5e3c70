/** The fetch for providers: it waits for thinking models, follows no redirection, and insists on a stream that it asked for. */
import { APICallError } from '@ai-sdk/provider';
import { networkOf } from '../io/network.ts';
import type { Connection } from './provider.ts';
import { ReplyTooLong } from './reply.ts';

/** Node's own fetch gives up after 300 s without a byte. This one does after `silenceTimeoutMs`; 0 waits forever. */
export function fetchFor({
  silenceTimeoutMs = 0,
  stream = true,
  network = networkOf(process.env),
}: Pick<Connection, 'silenceTimeoutMs' | 'stream' | 'network'>): typeof fetch {
  const timeouts = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs };
  // A redirection could send keys and prompts anywhere.
  const patient: typeof fetch = (input, init) =>
    network.fetch(input instanceof Request ? input.url : input, { ...init, redirect: 'manual' }, timeouts);
  const bounded = boundedFetch(patient);
  return stream ? eventStreamFetch(bounded) : bounded;
}

/** Of a body, unpacked: 256 KiB of gzip may be 28 MB, and a reply is held several times on its way. */
const mostBodyBytes = 16 * 1024 ** 2;

function boundedFetch(fetchReply: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchReply(input, init);
    if (!response.body) return response;
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > mostBodyBytes)
          controller.error(new ReplyTooLong(`${mostBodyBytes / 1024 ** 2} MB, unpacked`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers, url } = response;
    const bounded = new Response(response.body.pipeThrough(count), { status, statusText, headers });
    return Object.defineProperty(bounded, 'url', { value: url });
  };
}

/** What is no event stream is an error that holds it: the provider's package would skip it and report an empty reply. */
function eventStreamFetch(fetchReply: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchReply(input, init);
    const body = response.ok ? response.clone().body : null;
    const other = body && (await readIfNoStream(body));
    if (!other) return response;
    void response.body?.cancel().catch(() => {});
    throw new APICallError({
      message: 'it is no event stream',
      url: response.url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: other,
    });
  };
}

const longestText = 65_536;
const lineBeginnings = [':', 'data:', 'event:', 'id:', 'retry:'];

/** The text of a body that is no event stream; undefined, as soon as that is known, for one that is, or is empty. */
async function readIfNoStream(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  while (text.length < longestText) {
    const { done, value } = await reader.read();
    if (done) return text || undefined;
    text = (text + decoder.decode(value, { stream: true })).trimStart();
    if (lineBeginnings.some((beginning) => text.startsWith(beginning))) {
      text = '';
      break;
    }
  }
  // Not awaited: the half of a cloned body is cancelled only together with the other half.
  void reader.cancel().catch(() => {});
  return text || undefined;
}
