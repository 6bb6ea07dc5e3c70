/** A file that is wanted of a site, and what fetching it takes of the outside world. */
import type { IntakeParts } from './parts.ts';

export type Wanted = {
  /** Absolute, or relative to the site. */
  readonly url: string;
  readonly kind: 'page' | 'file';
  /** For people: `the statement`. */
  readonly noun: string;
  /** Null where what came can be used; else what is wrong with it: it is asked for again, and never kept. */
  readonly faultOf?: (bytes: Uint8Array) => string | null;
  /** Whether it goes into the cache; default: yes. */
  readonly isKept?: (bytes: Uint8Array) => boolean;
  /** Ask although it is there. */
  readonly isFresh?: boolean;
};

export type FetchParts = Pick<
  IntakeParts,
  'http' | 'clock' | 'cache' | 'session' | 'sessionFile' | 'sha256' | 'onProgress'
>;
