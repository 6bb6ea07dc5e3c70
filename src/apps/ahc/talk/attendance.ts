/** What is known of a terminal that is attached to a session. Types alone. */

import type { Shell } from '../../../cli/contract.ts';
import type { Store } from '../../../core/store.ts';
import type { AhcSession } from '../load/session.ts';
import type { Seen } from '../session/json.ts';
import type { SessionPlace } from '../session/manifest.ts';
import type { Lines } from './lines.ts';

export type Attending = {
  readonly shell: Shell;
  readonly ahc: AhcSession;
  readonly place: SessionPlace;
  readonly folder: Seen['folder'];
};

export type Attendance = Attending & {
  readonly store: Store;
  readonly lines: Lines;
  readonly leaving: AbortController;
  /** Keys of what was said from here and not heard yet. */
  readonly waiting: Set<string>;
  /** The question that was replied to last, so that it is not shown once more before the reply is received. */
  replied: number;
  /** By what is confirmed: what its user wrote last, for which question. */
  readonly drafts: Map<string, { readonly seq: number; readonly text: string }>;
  hasStopped: boolean;
  hasLeft: boolean;
};
