/**
 * The routes of the practice site: who asks, is the day open, which page. Knows no sockets, and neither judges answers
 * nor writes HTML.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import type { Clock } from '../core/io.ts';
import { judge } from './judging.ts';
import type { Account, Ledger } from './ledger.ts';
import { dayPage, indexPage, replyPage } from './pages.ts';
import { opensAtMs, type Puzzle, practiceYear } from './puzzle.ts';
import { seededRandom } from './random.ts';

export type Site = {
  readonly puzzles: readonly Puzzle[];
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly cooldownMs: number;
};

export function createRoutes(site: Site): Hono {
  const routes = new Hono();
  routes.get('/', (context) => context.html(indexPage(site.puzzles, visitorOf(site, context)?.user ?? null)));
  routes.get('/:year/day/:day', (context) => showDay(site, context));
  routes.get('/:year/day/:day/input', (context) => sendInput(site, context));
  routes.post(
    '/:year/day/:day/answer',
    bodyLimit({ maxSize: 16 * 1024, onError: (context) => tooMuchData(site, context) }),
    (context) => takeAnswer(site, context),
  );
  routes.get('/auth/login', (context) => context.text('Whoever started this site gives out its sessions.\n'));
  routes.notFound((context) => context.text('There is nothing here.\n', 404));
  return routes;
}

function showDay(site: Site, context: Context): Response {
  const puzzle = openPuzzle(site, context);
  if (!puzzle) return locked(context);
  const account = visitorOf(site, context);
  if (!account) return context.html(dayPage(puzzle, null));
  const answers = puzzle.solve(inputFor(puzzle, account));
  const stars = site.ledger.starsOf(account, puzzle.day);
  return context.html(dayPage(puzzle, { name: account.user, stars, answers }));
}

function sendInput(site: Site, context: Context): Response {
  const puzzle = openPuzzle(site, context);
  if (!puzzle) return locked(context);
  const account = visitorOf(site, context);
  if (!account)
    return context.text('Puzzle inputs differ by user. Please log in to get your puzzle input.\n', 400);
  return context.text(inputFor(puzzle, account));
}

async function takeAnswer(site: Site, context: Context): Promise<Response> {
  const puzzle = openPuzzle(site, context);
  if (!puzzle) return locked(context);
  const account = visitorOf(site, context);
  if (!account) return context.redirect('/auth/login');
  const form = await context.req.parseBody();
  const attempt = {
    day: puzzle.day,
    level: Number(form.level),
    answer: typeof form.answer === 'string' ? form.answer : '',
  };
  const truth = puzzle.solve(inputFor(puzzle, account));
  const nowMs = site.clock.now();
  const rules = { truth, nowMs, starsInYear: site.puzzles.length * 2, cooldownMs: site.cooldownMs };
  const reply = site.ledger.attempt(account, { ...attempt, nowMs }, (history) =>
    judge(history, attempt, rules),
  );
  return context.html(replyPage(puzzle.day, reply, account.user));
}

function tooMuchData(site: Site, context: Context): Response {
  const account = visitorOf(site, context);
  if (!account) return context.redirect('/auth/login');
  return context.html(replyPage(Number(context.req.param('day')), { kind: 'too-much-data' }, account.user));
}

function visitorOf(site: Site, context: Context): Account | null {
  const session = getCookie(context, 'session');
  return session ? site.ledger.accountOf(session) : null;
}

/** The puzzle that a path names, if there is one and its day has come. */
function openPuzzle(site: Site, context: Context): Puzzle | null {
  const { year, day } = context.req.param();
  if (year !== String(practiceYear)) return null;
  const puzzle = site.puzzles.find((candidate) => String(candidate.day) === day);
  return puzzle && site.clock.now() >= opensAtMs(practiceYear, puzzle.day) ? puzzle : null;
}

function locked(context: Context): Response {
  const text = 'There is no such puzzle, or it is still locked: each opens at midnight in New York.\n';
  return context.text(text, 404);
}

function inputFor(puzzle: Puzzle, { user, seed }: Account): string {
  return puzzle.generate(seededRandom(JSON.stringify([practiceYear, puzzle.day, user, seed])));
}
