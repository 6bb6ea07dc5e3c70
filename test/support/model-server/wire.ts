/** What a provider's protocol is to the server of models, and what the protocols share. One file a protocol. Pure. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../../src/core/json.ts';
import type {
  AssistantMessage,
  FinishReason,
  ImagePart,
  ModelErrorKind,
  ModelRequest,
  ModelSuccess,
  TextPart,
} from '../../../src/core/model.ts';
import type { Tokens } from '../../../src/core/usage.ts';
import failureTable from './failures.json' with { type: 'json' };
import wireHeaders from './headers.json' with { type: 'json' };

export interface Wire {
  readonly name: keyof typeof wireHeaders;
  /** Paths below any base URL. */
  readonly path: RegExp;
  /** The header or query parameter in which the key must come; null where local servers want none. */
  readonly key: string | null;
  /** Throws `Refusal` for what the real server would not take. */
  read(body: Body, url: URL): WireRequest;
  whole(said: Said, body: Body): unknown;
  /** Server-sent events, ready to be written. */
  events(said: Said, body: Body): Iterable<string>;
  error(told: Told): {
    readonly status: number;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** An error in the middle of a stream that began well. */
  errorEvent(told: Told): string;
}

/** A request's JSON as it came. */
export type Body = Readonly<Record<string, unknown>>;

export type WireRequest = {
  readonly request: ModelRequest;
  /** The model's name in the client's request. */
  readonly model: string;
  readonly streams: boolean;
};

export type Told = {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryAfterMs?: number;
};

/** What the real server refuses: told in its own words. */
export class Refusal extends Error {
  readonly told: Told;

  constructor(message: string) {
    super(message);
    this.told = { kind: 'bad-request', message };
  }
}

/** One reply of a model. */
export type Said = {
  /** Unlike that of any other reply of this server. */
  readonly id: string;
  readonly model: string;
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly finish: FinishReason;
  /** Null: the server tells no usage. */
  readonly tokens: Tokens | null;
};

export function saidOf({ message, finish, usage }: ModelSuccess, id: string, model: string): Said {
  const words = (type: 'text' | 'reasoning') =>
    message.content.map((part) => (part.type === type ? part.text : '')).join('');
  const calls = message.content.flatMap((part, index) => {
    if (part.type !== 'tool-call') return [];
    const json = part.args ? JSON.stringify(part.args) : (part.raw ?? '');
    return [{ id: `${id}_${index}`, name: part.name, json }];
  });
  return {
    id,
    model,
    reasoning: words('reasoning'),
    text: words('text'),
    calls,
    finish,
    tokens: usage.tokens,
  };
}

/** Pieces for streaming: a few whole characters each. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}

/** What proves that a thought is this server's own and was not changed on its way through a client's history. */
export function signatureOf(thought: string): string {
  return createHash('sha256').update(`thought: ${thought}`).digest('base64');
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Seconds since 1970, the same for every reply: replies are equal where requests are. */
export const createdAtSeconds = 1_900_000_000;

export const jsonObject = z.record(z.string(), z.json());

export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(z.prettifyError(parsed.error));
}

/** What OpenAI's wires send as the content of a turn. */
type Content = string | readonly { readonly text?: string; readonly image_url?: string }[];

export function wordsOf(content: Content): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

export function userParts(content: Content): string | (TextPart | ImagePart)[] {
  if (typeof content === 'string') return content;
  return content.map(({ text = '', image_url: url }) =>
    url === undefined ? { type: 'text', text } : imageOf(url),
  );
}

function imageOf(url: string): ImagePart {
  const { mediaType, data } = /^data:(?<mediaType>[^;]+);base64,(?<data>.*)$/s.exec(url)?.groups ?? {};
  if (!mediaType || data === undefined)
    throw new Refusal('Images must be data URLs here: this server fetches nothing.');
  return { type: 'image', mediaType, data };
}

/** The arguments as the model wrote them: an object, or anything else. */
export function argumentsOf(json: string): { args: JsonObject } | { args: null; raw: string } {
  if (json.trim() === '') return { args: {} };
  try {
    const value = jsonObject.safeParse(JSON.parse(json));
    return value.success ? { args: value.data } : { args: null, raw: json };
  } catch {
    return { args: null, raw: json };
  }
}

export type AssistantPart = AssistantMessage['content'][number];

/** How providers tell each kind of failure: the status that nearly all have, and the words of each. */
export const failures: Readonly<Record<ModelErrorKind, (typeof failureTable)[ModelErrorKind]>> = failureTable;

export function retryAfter({ retryAfterMs }: Told): Record<string, string> {
  return retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
}
