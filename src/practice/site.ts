/** A site like Advent of Code on this machine, over real HTTP. Its program asks it for sessions: there is no sign-up. */
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Clock } from '../core/io.ts';
import { systemClock } from '../io/clock.ts';
import { judge, missingStars, starsOf } from './judging.ts';
import { type Account, type Ledger, openLedger } from './ledger.ts';
import { listenHere } from './listen.ts';
import { dayPage, type EventList, indexPage, replyPage } from './pages.ts';
import { type AnyPuzzle, opensAtMs, type PracticeEvent, practiceYear, seededRandom } from './puzzle.ts';
import { puzzles } from './puzzles/index.ts';

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

type Site = {
  readonly events: readonly PracticeEvent[];
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly cooldownMs: number;
};

/** A puzzle whose day has come. */
type OpenDay = PracticeEvent & { readonly puzzle: AnyPuzzle };

function createRoutes(site: Site): Hono {
  const routes = new Hono();
  routes.get('/', (context) => showIndex(site, context));
  routes.get('/:year/day/:day', (context) => showDay(site, context));
  routes.get('/:year/day/:day/input', (context) => sendInput(site, context));
  routes.post(
    '/:year/day/:day/answer',
    bodyLimit({ maxSize: 16 * 1024, onError: (context) => responseTooLarge(site, context) }),
    (context) => takeAnswer(site, context),
  );
  routes.get('/auth/login', (context) => logIn(site, context));
  routes.get('/auth/logout', (context) => logOut(site, context));
  routes.notFound((context) => context.text('There is nothing here.\n', 404));
  return routes;
}

function showIndex(site: Site, context: Context): Response | Promise<Response> {
  const account = findVisitor(site, context);
  const lists = site.events.map(({ year, puzzles }): EventList => {
    const answerTimes = account ? site.ledger.answeredBy(account, year) : new Map<number, number>();
    const days = puzzles.map((puzzle) => ({
      day: puzzle.day,
      title: isOpen(site, year, puzzle) ? puzzle.title : null,
      stars: starsOf(puzzle, puzzles, answerTimes),
    }));
    return { year, days };
  });
  return context.html(indexPage(lists, account?.user ?? null));
}

function showDay(site: Site, context: Context): Response | Promise<Response> {
  const open = openDay(site, context);
  if (!open) return locked(context);
  const { year, puzzle, puzzles } = open;
  const account = findVisitor(site, context);
  if (!account) return context.html(dayPage(year, puzzle, null));
  const answerTimes = site.ledger.answeredBy(account, year);
  const parts = answerTimes.get(puzzle.day) ?? 0;
  const visitor = {
    name: account.user,
    stars: starsOf(puzzle, puzzles, answerTimes),
    answers: parts === 0 ? [] : puzzle.solve(inputFor(open, account)).slice(0, parts),
    missing: missingStars(puzzles, answerTimes),
  };
  return context.html(dayPage(year, puzzle, visitor));
}

function sendInput(site: Site, context: Context): Response {
  const open = openDay(site, context);
  if (!open) return locked(context);
  const account = findVisitor(site, context);
  if (!account)
    return context.text('Puzzle inputs differ by user. Please log in to get your puzzle input.\n', 400);
  return context.text(inputFor(open, account));
}

async function takeAnswer(site: Site, context: Context): Promise<Response> {
  const open = openDay(site, context);
  if (!open) return locked(context);
  const account = findVisitor(site, context);
  if (!account) return context.redirect('/auth/login');
  const form = await context.req.parseBody();
  const attempt = { level: Number(form.level), answer: typeof form.answer === 'string' ? form.answer : '' };
  const { year, puzzle, puzzles } = open;
  const nowMs = site.clock.now();
  const truth = puzzle.solve(inputFor(open, account));
  const rules = { puzzle, puzzles, truth, nowMs, cooldownMs: site.cooldownMs };
  const at = { year, day: puzzle.day, level: attempt.level, nowMs };
  const reply = site.ledger.attempt(account, at, (history) => judge(history, attempt, rules));
  return context.html(replyPage(year, puzzle.day, reply, account.user));
}

function responseTooLarge(site: Site, context: Context): Response | Promise<Response> {
  const account = findVisitor(site, context);
  if (!account) return context.text('That is too much data.\n', 413);
  const { year, day } = context.req.param();
  const reply = { kind: 'too-much-data' } as const;
  return context.html(replyPage(Number(year), Number(day), reply, account.user), 413);
}

/** For browsers: a link with a session in it becomes a cookie. */
function logIn(site: Site, context: Context): Response {
  const session = context.req.query('session');
  if (!session || !site.ledger.accountOf(session)) {
    return context.text('Whoever started this site gives out its sessions.\n');
  }
  setCookie(context, 'session', session, { httpOnly: true, sameSite: 'Lax', path: '/' });
  return context.redirect('/');
}

/** Ends the session for all clients that use it, programs included. */
function logOut(site: Site, context: Context): Response {
  const session = getCookie(context, 'session');
  if (session) site.ledger.expire(session);
  deleteCookie(context, 'session', { path: '/' });
  return context.redirect('/');
}

function findVisitor(site: Site, context: Context): Account | null {
  const session = getCookie(context, 'session');
  return session ? site.ledger.accountOf(session) : null;
}

/** What a path names, if there is such a puzzle and its day has come. */
function openDay(site: Site, context: Context): OpenDay | null {
  const { year, day } = context.req.param();
  const event = site.events.find((candidate) => String(candidate.year) === year);
  const puzzle = event?.puzzles.find((candidate) => String(candidate.day) === day);
  return event && puzzle && isOpen(site, event.year, puzzle) ? { ...event, puzzle } : null;
}

function isOpen(site: Site, year: number, { day }: AnyPuzzle): boolean {
  return site.clock.now() >= opensAtMs(year, day);
}

function locked(context: Context): Response {
  const text = 'There is no such puzzle, or it is still locked: each opens at midnight in New York.\n';
  return context.text(text, 404);
}

function inputFor({ year, puzzle }: OpenDay, { user, seed }: Account): string {
  return puzzle.generate(seededRandom(JSON.stringify([year, puzzle.day, user, seed])));
}
