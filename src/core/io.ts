/** What a problem's handlers are given to touch the outside world with. Nothing here is journaled call by call. */
import type { Sandbox } from './sandbox.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

export type HttpResponse = {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export interface Http {
  /** Spaced per host and identified by User-Agent. Any status is a response; no connection is an `UnavailableError`. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** Small files of Polya's own (caches, memories): atomic, 0600, named by a relative path of safe segments. */
export interface Files {
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Adds one line, whole, beside what other processes add at the same time. Readers skip lines they cannot read. */
  append(path: string, line: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Chance {
  /** Uniform in [0, 1). */
  next(): number;
}

export interface Io {
  readonly http: Http;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly sandbox: Sandbox;
}
