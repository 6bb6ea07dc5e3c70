/** The fetch for providers: it waits for thinking models, follows no redirection, and insists on a stream that it asked for. */
import { APICallError } from '@ai-sdk/provider';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { networkOf } from '../io/network.ts';
import { plainJson } from '../text/model-json.ts';
import type { Connection } from './provider.ts';
import { ReplyTooLong } from './reply.ts';
import { openBody, type ServerEvent } from './server-events.ts';

/** An event of a stream as its provider's package reads it; null for what is no event of this wire. */
export type AdaptEvent = (event: JsonObject) => JsonObject | null;

type Events = {
  readonly adaptEvent?: AdaptEvent;
  /** A complete reply, where no stream was asked for, as its provider's package reads it. */
  readonly adaptReply?: (json: JsonObject) => JsonObject;
  /** The events of a reply that came as JSON although a stream was asked for; none where it is no reply. */
  readonly eventsIn?: (json: unknown) => readonly JsonObject[];
  /** Whether a reply is over with an event: what breaks off behind it loses nothing but perhaps its usage. */
  readonly isEnd?: (event: JsonObject, before: JsonObject) => boolean;
  /** How long a server may keep a connection open behind the end of a reply; missing: as long as it likes. */
  readonly endTimeoutMs?: number;
  /** What a stream lacks that ended after this event; null where it lacks nothing, or was broken off. */
  readonly lastEvent?: (before: JsonObject) => JsonObject | null;
};

/** Node's own fetch gives up after 300 s without a byte. This one does after `silenceTimeoutMs`; 0 waits forever. */
export function fetchFor({
  silenceTimeoutMs = 0,
  stream = true,
  network = networkOf(process.env),
  ...events
}: Pick<Connection, 'silenceTimeoutMs' | 'stream' | 'network'> & Events): typeof fetch {
  const timeouts = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs };
  // A redirection could send keys and prompts anywhere.
  const patient: typeof fetch = (input, init) =>
    network.fetch(input instanceof Request ? input.url : input, { ...init, redirect: 'manual' }, timeouts);
  const bounded = boundedFetch(patient);
  if (stream) return eventStreamFetch(bounded, events);
  return events.adaptReply ? replyFetch(bounded, events.adaptReply) : bounded;
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
    return withBody(response, response.body.pipeThrough(count));
  };
}

/** A body that is no JSON object stays as it is: its error is the package's to tell. */
function replyFetch(fetchReply: typeof fetch, adaptReply: NonNullable<Events['adaptReply']>): typeof fetch {
  return async (input, init) => {
    const response = await fetchReply(input, init);
    if (!response.ok || !response.body) return response;
    const text = await response.text();
    const json = plainJson(text);
    const adapted = isJsonObject(json) ? JSON.stringify(adaptReply(json)) : text;
    return withBody(response, new Blob([adapted]).stream());
  };
}

/**
 * What is no event stream is an error that holds it: the provider's package would skip it and report an empty reply. Of a
 * stream, what is no event of its wire is left out: the package would throw the complete reply away.
 */
function eventStreamFetch(
  fetchReply: typeof fetch,
  {
    adaptEvent = (event) => event,
    eventsIn = () => [],
    isEnd = () => false,
    lastEvent = () => null,
    endTimeoutMs,
  }: Events,
): typeof fetch {
  return async (input, init) => {
    const corrupt = new AbortController();
    const signal = AbortSignal.any([corrupt.signal, ...(init?.signal ? [init.signal] : [])]);
    const response = await fetchReply(input, { ...init, signal });
    if (!response.ok) return response;
    const body = await openBody(response);
    if (body.kind === 'events') {
      const onSkip = () => countSkipped(init?.signal);
      const onEnd = () => endTimeoutMs && setTimeout(() => corrupt.abort(), endTimeoutMs);
      const reader = { adaptEvent, isEnd, lastEvent, onSkip, onEnd };
      const text = ReadableStream.from(eventTexts(body.events, reader));
      return withBody(response, text.pipeThrough(new TextEncoderStream()));
    }
    if (body.text === '') return withBody(response, null);
    const found = body.kind === 'json' ? eventsIn(plainJson(body.text)) : [];
    const events = found.map(adaptEvent).filter((event) => event !== null);
    if (events.length > 0)
      return withBody(response, new Blob(events.map((each) => eventText(JSON.stringify(each)))).stream());
    throw new APICallError({
      message: 'it is no event stream',
      url: response.url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: body.text,
    });
  };
}

function withBody({ status, statusText, headers, url }: Response, body: ReadableStream | null): Response {
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperty(response, 'url', { value: url });
}

type EventReader = Required<Omit<Events, 'adaptReply' | 'eventsIn' | 'endTimeoutMs'>> & {
  readonly onSkip: () => void;
  /** Starts the timer that breaks the body off. */
  readonly onEnd: () => NodeJS.Timeout | 0 | undefined;
};

async function* eventTexts(
  events: AsyncIterable<ServerEvent>,
  { adaptEvent, isEnd, lastEvent, onSkip, onEnd }: EventReader,
): AsyncGenerator<string> {
  let last: JsonObject = {};
  let isOver = false;
  let timer: NodeJS.Timeout | 0 | undefined;
  try {
    for await (const { data } of events) {
      const value = plainJson(data);
      // What is no JSON is damage, or a mark of the end.
      const adaptation =
        value === undefined && data.trim() !== '' ? data : isJsonObject(value) ? adaptEvent(value) : null;
      if (adaptation === null && !isKeepAlive(value)) onSkip();
      if (adaptation === null) continue;
      if (typeof adaptation === 'object') {
        isOver = isEnd(adaptation, last);
        last = adaptation;
        if (isOver) timer ??= onEnd();
      }
      const text = adaptation === value || adaptation === data ? data : JSON.stringify(adaptation);
      yield eventText(text);
    }
  } catch (error) {
    if (!isOver || error instanceof ReplyTooLong) throw error;
  } finally {
    if (timer) clearTimeout(timer);
  }
  const missing = lastEvent(last);
  if (missing) yield eventText(JSON.stringify(missing));
}

/** Anthropic's and OpenAI's own signs of life. */
function isKeepAlive(value: unknown): boolean {
  return isJsonObject(value) && (value.type === 'ping' || value.type === 'response.in_progress');
}

const skippedBySignal = new WeakMap<AbortSignal, number>();

function countSkipped(signal: AbortSignal | null | undefined): void {
  if (signal) skippedBySignal.set(signal, (skippedEventsOf(signal) ?? 0) + 1);
}

/** How many events were no part of the reply to the request with this signal; undefined where all were. */
export function skippedEventsOf(signal: AbortSignal): number | undefined {
  return skippedBySignal.get(signal);
}

function eventText(data: string): string {
  return `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}
