/** What `solve` and the process of a session say to one another: plain data, without a key. */
import type { ManifestChange, SessionJob } from './live.ts';

export type WorkerOrder = {
  /** Absolute. */
  readonly workspace: string;
  /** The name of the session, whose folder is there. */
  readonly session: string;
  readonly job: SessionJob;
  readonly change: ManifestChange;
  readonly backend: string | null;
  readonly notify: string | null;
  /** Variables of its environment that come from `.env` or the configuration: no other program gets them. */
  readonly unshared: readonly string[];
};

export type WorkerReply =
  | { readonly type: 'begun'; readonly run: string }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly what: string;
      readonly why?: string;
      readonly fix?: string;
      readonly exitCode: number;
    };
