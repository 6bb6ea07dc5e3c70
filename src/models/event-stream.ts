/**
 * A fetch for replies that must be event streams: what begins as anything else is an error that holds what came, for
 * the provider's reader would skip it all and tell of an empty reply. It judges nothing: ai-sdk-failure.ts does.
 */
import { APICallError } from '@ai-sdk/provider';

export function eventStreamFetch(fetchReply: typeof fetch): typeof fetch {
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

/** The text of a body that is no event stream; of one that is, or that is empty, undefined as soon as that is known. */
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
