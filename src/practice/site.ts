/**
 * A site like Advent of Code, on this machine and over real HTTP: its pages, forms, cookies and replies, with puzzles
 * of our own. Nobody can sign up: whoever starts it asks it for sessions. Several processes may serve one folder.
 */
import { createAdaptorServer } from '@hono/node-server';
import type { Clock } from '../core/io.ts';
import { systemClock } from '../io/clock.ts';
import { openLedger } from './ledger.ts';
import { listenHere } from './listen.ts';
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
  const { url, close } = await listenHere(server, { port: options.port, name: 'The practice site' }).catch(
    (error: unknown) => {
      ledger.close();
      throw error;
    },
  );
  return {
    url,
    sessionFor: (user, seed = '') => ledger.sessionFor(user, String(seed)),
    expireSession: (session) => ledger.expire(session),
    loginUrl: (session) => `${url}/auth/login?session=${session}`,
    async close() {
      await close();
      ledger.close();
    },
  };
}
