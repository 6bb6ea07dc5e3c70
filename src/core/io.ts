/** What the functions of a problem touch the outside world with. Nothing here is journaled call by call. */
import type { Sandbox } from './sandbox.ts';

/** One request to a site. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** What a site answered. */
export type HttpResponse = {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Requests to sites. */
export interface Http {
  /** Spaced per host and identified by User-Agent. Any status is a response; no connection is an `UnavailableError`. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

export type DownloadRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More throws `ResponseTooLargeError`, as soon as it is seen. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
};

export type DownloadResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** False where the connection ended first: the rest may be asked for with a Range. */
  readonly isWhole: boolean;
};

/** Files of sites: like `Http`, spaced and identified, and without following redirects. */
export interface Downloads {
  download(request: DownloadRequest): Promise<DownloadResponse>;
}

/** Small files of Polya's own (caches, memories): atomic, 0600, named by a relative path of safe segments. */
export interface Files {
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Adds one line, whole, beside what other processes add. Readers skip lines they cannot read. */
  append(path: string, line: string): Promise<void>;
}

/** How a file of a folder is written. */
export type WriteOptions = {
  readonly mode?: number;
  /** False: it may be lost with the machine's power, which makes writing many files much cheaper. Default: true. */
  readonly isLasting?: boolean;
};

/**
 * One folder of the user's, and nothing outside of it: names are relative, with `/` between folders. A file is there whole
 * or not at all.
 */
export interface Folder {
  /** Absolute, for people and for programs that are started in it. */
  readonly path: string;
  /** Null where there is no such file. Throws `UserError` where there is one that cannot be read. */
  read(name: string): Promise<string | null>;
  readBytes(name: string): Promise<Uint8Array | null>;
  /** Makes the folders on the way. `mode`, default: what the user's own files get. */
  write(name: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Adds one line, whole, beside what other processes add. */
  append(name: string, line: string): Promise<void>;
  /**
   * Throws where `write` or `append` of this name would throw now: rights, something in its place, no room. Makes only the
   * folders on the way.
   */
  tryWrite(name: string): Promise<void>;
  /** The files below a folder, in the order of their names, relative to that folder; none where it is not there. */
  files(name: string): Promise<readonly string[]>;
  /** The same with the length of each, in bytes. */
  sizes(name: string): Promise<ReadonlyMap<string, number>>;
  /** The names of the folders in a folder, sorted; none where it is not there. */
  foldersIn(name: string): Promise<readonly string[]>;
  /** A file or a folder with all that is in it. */
  remove(name: string): Promise<void>;
}

/** One text of an index, in fields: the first counts most, each further one less. */
export type IndexedText = { readonly id: string; readonly fields: readonly string[] };

/** Words in texts, in English (by their stems) and in Japanese (parts of words). */
export interface TextIndex {
  /** The texts that have this word, and how well it fits each: more is better. Several words must stand in a row. */
  find(word: string): ReadonlyMap<string, number>;
}

/** Made from texts that do not change; the first text decides the number of fields. */
export type IndexTexts = (texts: readonly IndexedText[]) => TextIndex;

/** The rows of a table of another program's database. */
export type TableRows = readonly Readonly<Record<string, string | number | bigint | Uint8Array | null>>[];

/** The time, and waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A source of random numbers. */
export interface RandomSource {
  /** Uniform in [0, 1). */
  next(): number;
}

/** What the functions of a problem reach the outside with. */
export interface Io {
  readonly http: Http;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: RandomSource;
  readonly sandbox: Sandbox;
  /**
   * Where the run has come from another host: the files of its user that came with it, by their paths there; null: it is none
   * of them. What this host has under such a path is not meant. Absent: the files of this host are meant.
   */
  readonly userFile?: (path: string) => Promise<string | null>;
  /** The same of folders. What is written into one stays in this process. */
  readonly userFolder?: (path: string) => Folder | null;
}
