/** One request over HTTP to a server of chat completions, and the reading of whatever it sends back. */
import { APICallError } from '@ai-sdk/provider';
import { isJsonObject } from '../../core/json.ts';
import type { ModelFailure } from '../../core/model.ts';
import { plainJson } from '../../text/model-json.ts';
import { failureOf } from '../ai-sdk-failure.ts';
import type { Collected } from '../collected.ts';
import { readErrorBody } from '../error-body.ts';
import { type Exchange, reportPace } from '../live-model.ts';
import { failure, ReplyTooLong, unknownUsage } from '../reply.ts';
import { openBody, type ServerEvent } from '../server-events.ts';
import { ReplyCollector } from './reply.ts';
import { type ChatRequestOptions, chatBody } from './request.ts';
import { errorIn, errorInFailure, type ServerError } from './server-error.ts';

export type ChatExchangeOptions = ChatRequestOptions & {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
};

export function chatExchange(options: ChatExchangeOptions): Exchange {
  // Some name the address of the route itself.
  const url = `${options.baseUrl.replace(/(\/chat\/completions)?\/*$/, '')}/chat/completions`;
  return async (request, call) => {
    const body = new AbortController();
    const signal = AbortSignal.any([call.signal, body.signal]);
    try {
      const sent = chatBody(request, options, call.quirks);
      const response = await post(options, { url, sent, signal });
      reportPace(headersOf(response), call);
      const reply = new ReplyCollector(call.onDelta, options.keepsDetails);
      return await readReply(response, reply, { sent, breakOff: () => body.abort() });
    } finally {
      // A connection that its server keeps open would keep this process alive.
      body.abort();
    }
  };
}

/** How long a server may be silent behind a finish reason before its reply counts as complete without its usage. */
const usageMs = 2_000;
/** How long a body may go on behind its end. One that is read to its end leaves a connection for the next call. */
const drainMs = 100;

async function post(
  options: ChatExchangeOptions,
  { url, sent, signal }: { readonly url: string; readonly sent: string; readonly signal: AbortSignal },
): Promise<Response> {
  const headers = new Headers({ ...options.headers, 'content-type': 'application/json' });
  headers.set('authorization', `Bearer ${options.apiKey}`);
  let response: Response;
  try {
    response = await options.fetch(url, { method: 'POST', headers, body: sent, signal });
  } catch (error) {
    if (!(error instanceof TypeError) || error.cause === undefined) throw error;
    throw new APICallError({ message: error.message, cause: error.cause, url, requestBodyValues: {} });
  }
  if (response.ok) return response;
  throw await statusError(response, url, sent);
}

/** `sent`: the body of the request, in which a refused field is looked up. */
async function statusError(response: Response, url: string, body: string): Promise<APICallError> {
  const responseBody = await response.text().catch(() => '');
  const error = errorInFailure(plainJson(responseBody));
  return new APICallError({
    message: error?.message ?? response.statusText,
    url,
    requestBodyValues: plainJson(body),
    statusCode: response.status,
    responseHeaders: headersOf(response),
    responseBody,
    data: error && { error },
  });
}

async function readReply(
  response: Response,
  reply: ReplyCollector,
  { sent, breakOff }: { readonly sent: string; readonly breakOff: () => void },
): Promise<Collected> {
  const body = await openBody(response);
  const noReply = (text: string) => unreadableResponse(response, sent, text);
  if (body.kind === 'events') return readEvents(body.events, reply, { noReply, breakOff });
  const values = body.kind === 'json' ? jsonValues(body.text) : [];
  // A stream of JSON without events has a value a line, and must tell its end as any stream.
  const isStream = values.length > 1;
  if (/^<(!doctype|html|head|body)\b/i.test(body.text))
    return reply.collected(false, notFoundFailure('a web page', body.text));
  if (values.some(isOtherWire)) return reply.collected(false, notFoundFailure('a reply of another API'));
  for (const value of values) {
    const isReply = isStream || hasChoices(value);
    const error = isReply ? errorIn(value) : errorInFailure(value);
    if (error && !reply.hasArrived) throw noReply(JSON.stringify({ error }));
    if (error) return reply.collected(isStream, failureOf(error, Date.now()));
    reply.add(value);
  }
  if (lineEndMark.test(body.text)) reply.end();
  if (values.some(hasChoices)) return reply.collected(isStream);
  if (body.text === '') return reply.collected(true);
  throw noReply(body.text);
}

function hasChoices(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'choices' in value && Array.isArray(value.choices);
}

/** Ollama's own, Anthropic's, or OpenAI's responses. */
function isOtherWire(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return typeof value.done === 'boolean' || value.type === 'message' || value.object === 'response';
}

/** Asked again, it would send the same. `page`: its words are shown. */
function notFoundFailure(what: string, page = ''): ModelFailure {
  const words = readErrorBody(page).message;
  const message = `The server sent ${what} and no chat completion. The base URL is probably wrong: set it to where the server speaks OpenAI's chat completions; it often ends with /v1.${words && ` The page says: ${words}`}`;
  return failure('malformed', message, { retryable: false, usage: unknownUsage });
}

/** One value, or one a line. */
function jsonValues(text: string): readonly unknown[] {
  const value = plainJson(text);
  if (value !== undefined) return [value];
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !endMark.test(line.trim()));
  const values = lines.map((line) => plainJson(line));
  return values.includes(undefined) ? [] : values;
}

/** Holds the body, so that its words are shown, and an error in it is judged. */
function unreadableResponse(response: Response, body: string, responseBody: string): APICallError {
  return new APICallError({
    message: 'it is no chat completion',
    url: response.url,
    requestBodyValues: plainJson(body),
    statusCode: response.status,
    responseHeaders: headersOf(response),
    responseBody,
  });
}

const endMark = /^(data:\s*)*\[done\]$/i;
const lineEndMark = /^[ \t]*(data:\s*)*\[done\]\s*$/im;

/** A connection that breaks after a complete reply loses nothing but perhaps its usage. */
async function readEvents(
  events: AsyncIterable<ServerEvent>,
  reply: ReplyCollector,
  { noReply, breakOff }: { readonly noReply: (text: string) => APICallError; readonly breakOff: () => void },
): Promise<Collected> {
  let failed: ModelFailure | undefined;
  let silence: NodeJS.Timeout | undefined;
  let isDraining = false;
  try {
    for await (const event of events) {
      if (isDraining) {
        const serverError = errorIn(plainJson(event.data), event.name);
        if (serverError) reply.recordLateError(serverError.message);
        continue;
      }
      const lines = event.data.split('\n').map((line) => line.trim());
      const isEnd = lines.some((line) => endMark.test(line));
      const isMark = isEnd && lines.length === 1;
      if (isEnd) reply.end();
      const error = isMark ? undefined : addEvent(event, reply);
      if (error && !reply.hasArrived && !failed) throw noReply(JSON.stringify({ error }));
      if (error) failed ??= failureOf(error, Date.now());
      isDraining = reply.isComplete || isMark;
      if (isDraining) {
        clearTimeout(silence);
        silence = setTimeout(breakOff, drainMs);
        continue;
      }
      // A sign of life is no part of a reply.
      if (!(reply.isFinished || failed) || (silence && !event.data.includes('"choices"'))) continue;
      silence = silence?.refresh() ?? setTimeout(breakOff, usageMs);
    }
  } catch (thrown) {
    if (thrown instanceof ReplyTooLong || APICallError.isInstance(thrown)) throw thrown;
    if (!reply.isOver) failed ??= failureOf(thrown, Date.now());
  } finally {
    clearTimeout(silence);
  }
  return reply.collected(true, failed);
}

function addEvent({ name, data }: ServerEvent, reply: ReplyCollector): ServerError | undefined {
  const values = eventValues(data);
  if (values.length === 0) {
    if (/^error$/i.test(name) || /^\W?error\b/i.test(data)) return errorIn(data, 'error');
    if (/"(choices|delta)"/.test(data)) reply.markCorrupt();
    else reply.skip();
    return undefined;
  }
  let found: ServerError | undefined;
  for (const value of values) {
    found ??= errorIn(value, name);
    reply.add(value);
  }
  return found;
}

/** Some servers leave out the blank line between two events, or write the name of the field twice. */
function eventValues(data: string): readonly unknown[] {
  const value = plainJson(data);
  if (value !== undefined) return [value];
  const lines = data.split('\n').map((line) => line.replace(/^(data:\s*)+/, '').trim());
  const values = lines.filter((line) => line !== '' && !endMark.test(line)).map((line) => plainJson(line));
  return values.includes(undefined) ? [] : values;
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}
