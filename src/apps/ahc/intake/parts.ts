/** What `init` is handed of the outside world. */
import type { Clock, Downloads, Folder } from '../../../core/io.ts';
import type { ProgramFiles, Sandbox } from '../../../core/sandbox.ts';

export type IntakeParts = {
  readonly http: Downloads;
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  /** Hexadecimal. */
  readonly sha256: (bytes: string | Uint8Array) => string;
  /** What has been downloaded, for all workspaces of a user. */
  readonly cache: Folder;
  /** The cookie of the user's account at AtCoder, read when a page asks for it. */
  readonly session: () => string | null;
  /** Where that may be written, for advice. */
  readonly sessionFile: string;
  /** Brings what a crate depends on, by the user's own cargo. */
  readonly vendor: VendorCrates;
  /** `2026-11-21T08:30:00Z` */
  readonly isoTime: (ms: number) => string;
  /** One line for a person who waits. */
  readonly onProgress: (line: string) => void;
};

/** Files for `vendor/`, or why there are none, in a sentence. Takes manifest and lockfile alone: nothing of them is run. */
export type VendorCrates = (
  crate: {
    readonly manifest: Uint8Array;
    readonly lock: Uint8Array;
    /** Names of its sources: cargo wants them to be there. */
    readonly sources: readonly string[];
  },
  signal: AbortSignal,
) => Promise<{ readonly files: ProgramFiles } | { readonly files: null; readonly why: string }>;

/** Something that `init` could not do; the rest is done, and the next `init` tries again. */
export type Trouble = {
  readonly what: string;
  readonly why?: string;
  readonly fix: string;
  /** False where nothing is missing: a guess that should be looked at, say. */
  readonly isUnfinished: boolean;
};
