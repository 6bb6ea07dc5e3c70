/** One request to the server of models, as whoever watches it sees it. */
import type { IncomingHttpHeaders } from 'node:http';

export type Exchange = {
  /** 1, 2, 3 … */
  readonly number: number;
  readonly wire: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came, byte for byte. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the client went away before the reply was complete. */
  readonly abandoned: Promise<void>;
};
