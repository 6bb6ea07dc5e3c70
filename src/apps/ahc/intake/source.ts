/** Where a contest comes from: its site, or files of the user's. Both give the same things. */
import { createHash } from 'node:crypto';
import type { Clock, Downloads, Folder } from '../../../core/io.ts';
import type { ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import { pageOf } from '../../../pages/page.ts';
import type { TaskPage } from './page.ts';

/** By their paths. */
export type Files = Readonly<Record<string, Uint8Array>>;

/** An archive or a folder of tools, unpacked. */
export type FetchedTools = {
  readonly files: Files;
  /** The hash of the archive, or of all files of a folder. */
  readonly sha256: string;
  /** For people: an address or a path. */
  readonly from: string;
};

export interface ContestSource {
  /** The address of the task's page; null if it came from a file. */
  readonly url: string | null;
  /** Null where the time of the contest is unknown. Throws `UserError` where there is no such contest. */
  schedule(signal: AbortSignal): Promise<Schedule | null>;
  /** The bytes of the task's page; null if there is none. */
  page(signal: AbortSignal): Promise<Uint8Array | null>;
  /** Null where there are none. Throws `BadArchive` for one that cannot be used. */
  tools(page: TaskPage, signal: AbortSignal): Promise<FetchedTools | null>;
  /** Null where it is not there. */
  file(requested: WantedFile, signal: AbortSignal): Promise<Uint8Array | null>;
  /** What its user has beside page and tools: a statement in Markdown, and what pahcer was told. */
  readonly own?: { readonly statement: string | null; readonly pahcer: string | null };
}

export type WantedFile = {
  /** The address as written in the page. */
  readonly address: string;
  /** For people: `the image a.png`. */
  readonly noun: string;
  /** A web page in the place of any other file is a fault of the site. */
  readonly isPage?: boolean;
};

/** The last name of an address or a path, as a file may be called; null where nothing of it can be used. */
export function fileNameOf(address: string): string | null {
  const [path = ''] = address.split(/[?#]/);
  const name = decoded(path.split('/').at(-1) ?? '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(-80);
  return /^\.*$/.test(name) || name.endsWith('.tmp') ? null : name.replace(/^\.+/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Schedule = { readonly startMs: number; readonly endMs: number };

/** Null where the page does not tell: the contest may still be running. */
export function parseSchedule(html: string): Schedule | null {
  const page = pageOf(html);
  const times = page('.contest-duration time').toArray();
  const [startMs, endMs] = times.map((time) => instantOf(page(time).text().trim()));
  return startMs !== undefined && endMs !== undefined && startMs < endMs ? { startMs, endMs } : null;
}

/** `2026-03-14 19:00:00+0900`; NaN for anything else. */
function instantOf(text: string): number {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)([+-]\d\d):?(\d\d)$/.exec(text);
  return found ? Date.parse(`${found[1]}T${found[2]}${found[3]}:${found[4]}`) : Number.NaN;
}

export type Standing = 'over' | 'running' | 'not-begun' | 'unknown';

export function standingOf(schedule: Schedule | null, nowMs: number): Standing {
  if (!schedule) return 'unknown';
  if (nowMs < schedule.startMs) return 'not-begun';
  return nowMs < schedule.endMs ? 'running' : 'over';
}

export type IntakeParts = {
  readonly http: Downloads;
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  /** What has been downloaded, for all workspaces of a user. */
  readonly cache: Folder;
  /** The cookie of the user's account at AtCoder, read when a page asks for it. */
  readonly session: () => string | null;
  /** The file into which the user may write the cookie, for advice. */
  readonly sessionFile: string;
  /** Brings what a crate depends on, by the user's own cargo. */
  readonly vendor: VendorCrates;
  /** One line for a person who waits. */
  readonly onProgress: (line: string) => void;
};

/** Files for `vendor/`, or why there are none, in a sentence. Takes manifest and lockfile alone: nothing of them is run. */
export type VendorCrates = (
  crate: {
    readonly manifest: Uint8Array;
    /** The manifests of inner crates, by their path. */
    readonly inner: Readonly<Record<string, Uint8Array>>;
    /** Null where the crate has none. */
    readonly lock: Uint8Array | null;
    /** Names of its sources: cargo wants them to be there. */
    readonly sources: readonly string[];
  },
  signal: AbortSignal,
) => Promise<
  /** `exchanged`: what is there at another version than the tools name, in words. */
  | { readonly files: ProgramFiles; readonly exchanged: readonly string[] }
  /** `isTried`: what is on this machine would not do either. */
  | { readonly files: null; readonly why: string; readonly isTried: boolean }
>;

/** Something that `init` could not do; the rest is done, and the next `init` tries again. */
export type Trouble = {
  readonly what: string;
  readonly why?: string;
  readonly fix: string;
  /** False where nothing is missing: a guess that should be looked at, say. */
  readonly isUnfinished: boolean;
};

const trouble = (isIncomplete: boolean) => {
  return (what: string, fix: string, why?: string): Trouble => ({
    what,
    why,
    fix,
    isUnfinished: isIncomplete,
  });
};
export const missing = trouble(true);
export const note = trouble(false);

/** Bytes that are no UTF-8 become replacement characters. */
export function pageText(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

/** Hexadecimal. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `2026-11-21T08:30:00Z` */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
