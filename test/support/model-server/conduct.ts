/** How a server may misbehave, on purpose: what a client has to survive. Pure data; server.ts does it. */
import type { Told } from './wire.ts';

export type Conduct = {
  /** Silence before the first byte. */
  readonly firstByteMs?: number;
  /** The provider's real error of this kind, in the place of a reply. */
  readonly fails?: Told;
  /** The same in the middle of a stream, after so many events. */
  readonly failsAfter?: { readonly events: number; readonly told: Told };
  /** The connection is cut after so many events of a stream; a whole reply is cut in its middle. */
  readonly cutAfter?: number;
  /** The stream ends in good order after so many events, before the reply is complete. */
  readonly endsAfter?: number;
  /** Nothing more comes after so many events, and the connection stays open; 0: not even a status. */
  readonly hangsAfter?: number;
  /** HTTP 200, and then no JSON. */
  readonly garbage?: boolean;
  /** HTTP 200, and then nothing. */
  readonly empty?: boolean;
  /** HTTP 200, and a page for people. */
  readonly page?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The faults with a name for `polya models mock --fault NAME`. */
export const faults: Readonly<Record<string, Conduct>> = {
  'rate-limit': {
    fails: { kind: 'rate-limit', message: 'Rate limit reached. Try again in 1s.', retryAfterMs: 1000 },
  },
  overloaded: { fails: { kind: 'overloaded', message: 'Overloaded' } },
  auth: { fails: { kind: 'auth', message: 'Incorrect API key provided.' } },
  timeout: { fails: { kind: 'timeout', message: 'The request timed out.' } },
  'bad-request': { fails: { kind: 'bad-request', message: 'The request is invalid.' } },
  'context-overflow': {
    fails: {
      kind: 'context-overflow',
      message: 'prompt is too long: 210000 tokens > 200000 maximum (context length exceeded)',
    },
  },
  'error-in-stream': { failsAfter: { events: 3, told: { kind: 'overloaded', message: 'Overloaded' } } },
  cut: { cutAfter: 3 },
  'early-end': { endsAfter: 3 },
  silent: { hangsAfter: 0 },
  garbage: { garbage: true },
  empty: { empty: true },
  page: { page: true },
};
