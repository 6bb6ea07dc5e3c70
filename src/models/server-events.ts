/**
 * The body of a reply as its events, whatever its content type says: server-sent events as the standard has them, one JSON
 * value, or JSON by lines. Knows no fields of any event.
 */

export type ServerEvent = { readonly name: string; readonly data: string };

/** `text` is a body that is neither JSON nor a stream of events. */
export type Body =
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerEvent> }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

const fieldNames = /^(:|data\b|event\b|id\b|retry\b)/;
/** The longest name with its colon. */
const decidingLength = 6;
const maxTextLength = 65_536;

/** Reads as far as is needed to know what the body is. Throws what the connection breaks with. */
export async function openBody(response: Response): Promise<Body> {
  const parts = textChunks(response);
  let start = '';
  while (start.length < decidingLength && !/^[:{[<]/.test(start)) {
    const { done, value } = await parts.next();
    if (done) break;
    start = (start + value).trimStart();
  }
  if (/^[{[]/.test(start)) return { kind: 'json', text: await remainder(start, parts) };
  const isNamedStream = /event-stream/i.test(response.headers.get('content-type') ?? '');
  if (fieldNames.test(start) || (isNamedStream && start !== '' && !start.startsWith('<')))
    return { kind: 'events', events: eventsOf(start, parts) };
  return { kind: 'text', text: await remainder(start, parts, maxTextLength) };
}

/** A byte order mark is taken off, and characters whose bytes come apart are put together. */
async function* textChunks({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    if (text) yield text;
  }
  const last = decoder.decode();
  if (last) yield last;
}

async function remainder(
  start: string,
  parts: AsyncGenerator<string>,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<string> {
  let text = start;
  for await (const part of parts) {
    text += part;
    if (text.length >= maxLength) break;
  }
  return text;
}

async function* eventsOf(start: string, pieces: AsyncGenerator<string>): AsyncGenerator<ServerEvent> {
  const event = new EventBuilder();
  let rest = '';
  for await (const part of joined(start, pieces)) {
    rest += part;
    // A CR at the end may be half of a CRLF: it is kept for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const complete = event.add(line);
      if (complete) yield complete;
    }
  }
  // The last event may lack its blank line, and its last line its end.
  for (const line of [...rest.split('\r'), '']) {
    const complete = event.add(line);
    if (complete) yield complete;
  }
}

async function* joined(start: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* parts;
}

class EventBuilder {
  #name = '';
  #data: string[] = [];

  /** Returns the event that a blank line completes. */
  add(line: string): ServerEvent | undefined {
    if (line === '') return this.#take();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value.trim();
    return undefined;
  }

  #take(): ServerEvent | undefined {
    const event = this.#data.length > 0 ? { name: this.#name, data: this.#data.join('\n') } : undefined;
    this.#name = '';
    this.#data = [];
    return event;
  }
}
