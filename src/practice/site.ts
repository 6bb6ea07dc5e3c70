/**
 * A site like Advent of Code, on this machine and over real HTTP: its pages, forms, cookies and replies, with puzzles
 * of our own. Nobody can sign up: whoever starts it asks it for sessions. Several processes may serve one folder.
 */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { UnavailableError } from '../core/errors.ts';
import type { Clock } from '../core/io.ts';
import { systemClock } from '../io/clock.ts';
import { openLedger } from './ledger.ts';
import { type PracticeEvent, practiceYear } from './puzzle.ts';
import { puzzles } from './puzzles/index.ts';
import { createRoutes } from './routes.ts';

export { practiceEvents } from './events.ts';

export type PracticeSiteOptions = {
  /** Where accounts and stars are kept; made when missing. */
  readonly stateFolder: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly clock?: Clock;
  /** How long a first wrong answer locks an account; the fourth and the seventh lock it longer. */
  readonly cooldownMs?: number;
  /** Absent: the practice year. An event of a year to come is locked until its days do. */
  readonly events?: readonly PracticeEvent[];
};

export type PracticeSite = {
  /** Without a slash at the end. */
  readonly url: string;
  /** The value of the `session` cookie of an account, which is opened on first use. Another seed, another account. */
  sessionFor(user: string, seed?: string | number): string;
  /** Ends a session, as time does on the real site; `sessionFor` then has a new one. Who knows it can visit `/auth/logout`. */
  expireSession(session: string): void;
  /** A link that logs a browser in as the owner of a session. */
  loginUrl(session: string): string;
  close(): Promise<void>;
};

export async function startPracticeSite(options: PracticeSiteOptions): Promise<PracticeSite> {
  const ledger = openLedger(options.stateFolder);
  const routes = createRoutes({
    events: options.events ?? [{ year: practiceYear, puzzles }],
    ledger,
    clock: options.clock ?? systemClock,
    cooldownMs: options.cooldownMs ?? 60_000,
  });
  // Without the flag, the adaptor would replace this process's own Request and Response.
  const server = createAdaptorServer({ fetch: routes.fetch, overrideGlobalObjects: false });
  try {
    await listen(server, options.port ?? 0);
  } catch (error) {
    ledger.close();
    throw portTaken(options.port ?? 0, error);
  }
  const url = `http://127.0.0.1:${portOf(server)}`;
  return {
    url,
    sessionFor: (user, seed = '') => ledger.sessionFor(user, String(seed)),
    expireSession: (session) => ledger.expire(session),
    loginUrl: (session) => `${url}/auth/login?session=${session}`,
    async close() {
      await stop(server);
      ledger.close();
    },
  };
}

function listen(server: ServerType, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function portOf(server: ServerType): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The practice site has no port.');
  return address.port;
}

function stop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Clients keep their connections open for the next request; nobody will ask again.
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

function portTaken(port: number, error: unknown): UnavailableError {
  return new UnavailableError({
    what: `The practice site could not be started on port ${port}.`,
    why: error instanceof Error ? error.message : String(error),
    fix: 'Choose another port, or none: then a free one is taken.',
  });
}
