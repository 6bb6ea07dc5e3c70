/** What a provider's protocol is to the server: how it is asked, and how it answers. One file a wire. */
import type { ModelErrorKind, ModelRequest } from '../../core/model.ts';
import type { Said } from './said.ts';

export type WireRequest = {
  readonly request: ModelRequest;
  /** As the client wrote it. */
  readonly model: string;
  readonly streams: boolean;
};

export type Told = {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryAfterMs?: number;
};

export type WireError = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What the real server refuses: told in its own words. */
export class Refusal extends Error {
  readonly told: Told;

  constructor(message: string, kind: ModelErrorKind = 'bad-request') {
    super(message);
    this.told = { kind, message };
  }
}

export interface Wire {
  readonly name: string;
  /** Paths below any base URL. */
  readonly path: RegExp;
  /** The header or query parameter in which the key must come; null where local servers want none. */
  readonly key: string | null;
  /** Throws `Refusal` for what the real server would not take. */
  read(body: Readonly<Record<string, unknown>>, url: URL): WireRequest;
  whole(said: Said, body: Readonly<Record<string, unknown>>): unknown;
  /** Server-sent events, ready to be written. */
  events(said: Said, body: Readonly<Record<string, unknown>>): Iterable<string>;
  error(told: Told): WireError;
  /** An error in the middle of a stream that began well. */
  errorEvent(told: Told): string;
  /** Beside those of every HTTP response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The status that a failure of a kind has with nearly every provider. */
export const statuses: Readonly<Record<ModelErrorKind, number>> = {
  'rate-limit': 429,
  overloaded: 503,
  network: 502,
  timeout: 504,
  auth: 401,
  'bad-request': 400,
  'context-overflow': 400,
  refusal: 400,
  malformed: 200,
  'script-exhausted': 500,
  aborted: 499,
  other: 501,
};

export function retryAfter({ retryAfterMs }: Told): Record<string, string> {
  return retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
}
