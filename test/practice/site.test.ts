import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeClock, fakeClock } from '../../src/io/clock.ts';
import { createHttp } from '../../src/io/http.ts';
import { opensAtMs, practiceYear } from '../../src/practice/puzzle.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let stateFolder = '';
let clock: FakeClock;
let site: PracticeSite;
const http = createHttp({ identity: { tool: 'polya-test', version: '0' } });

beforeEach(async () => {
  stateFolder = temporaryFolder('practice');
  clock = fakeClock(Date.UTC(2026, 0, 1));
  site = await startPracticeSite({ stateFolder, clock });
});
afterEach(() => site.close());

const path = (day: number, rest = '') => `${site.url}/${practiceYear}/day/${day}${rest}`;

function get(url: string, session: string | null = site.sessionFor('ada')) {
  return http.request({
    method: 'GET',
    url,
    headers: session === null ? {} : { cookie: `session=${session}` },
  });
}

function post(answer: string, level = 1, day = 1, session = site.sessionFor('ada')) {
  const headers = { cookie: `session=${session}` };
  return http.request({
    method: 'POST',
    url: path(day, '/answer'),
    headers,
    form: { level: String(level), answer },
  });
}

async function truthFor(session = site.sessionFor('ada')) {
  return ticketStubs.solve((await get(path(1, '/input'), session)).body);
}

describe('pages', () => {
  test('a day shows part one, then more with every star', async () => {
    const [one, two] = await truthFor();
    const fresh = (await get(path(1))).body;
    expect(fresh).toContain('<article class="day-desc"><h2>--- Day 1: Ticket Stubs ---</h2>');
    expect(fresh).not.toContain('Part Two');
    expect(fresh).not.toContain('Your puzzle answer was');
    expect(fresh).toContain('name="level" value="1"');

    await post(one);
    const half = (await get(path(1))).body;
    expect(half).toContain('--- Part Two ---');
    expect(half).toContain(`<p>Your puzzle answer was <code>${one}</code>.</p>`);
    expect(half).toContain('The first half of this puzzle is complete!');
    expect(half).toContain('name="level" value="2"');

    await post(two, 2);
    const whole = (await get(path(1))).body;
    expect(whole.match(/Your puzzle answer was/g)).toHaveLength(2);
    expect(whole).toContain('Both parts of this puzzle are complete!');
    expect(whole).not.toContain('<form');
  });

  test('who is not logged in, or whose session is dead, reads part one and gets no further', async () => {
    for (const session of [null, 'dead']) {
      const page = await get(path(1), session);
      expect(page.status).toBe(200);
      expect(page.body).toContain('[Log In]');
      expect((await get(path(1, '/input'), session)).status).toBe(400);
    }
    const answered = await post('1', 1, 1, 'dead');
    expect(answered.status).toBe(302);
    expect(answered.headers.location).toBe('/auth/login');
  });

  test('the index names the days, other paths nothing', async () => {
    expect((await get(site.url)).body).toContain('Day 2: The Night Mail');
    expect((await get(`${site.url}/auth/login`)).status).toBe(200);
    expect((await get(`${site.url}/nothing`)).status).toBe(404);
    expect((await get(path(10))).status).toBe(404);
    expect((await get(`${site.url}/2015/day/1`)).status).toBe(404);
    expect((await get(path(26, '/input'))).status).toBe(404);
  });

  test('a day is locked until midnight in New York', async () => {
    const early = fakeClock(opensAtMs(practiceYear, 1) - 1);
    const sealed = await startPracticeSite({ stateFolder, clock: early });
    const url = `${sealed.url}/${practiceYear}/day/1`;
    expect((await get(url)).status).toBe(404);
    expect((await get(`${url}/input`)).status).toBe(404);
    early.advance(1);
    expect((await get(`${url}/input`)).status).toBe(200);
    await sealed.close();
  });

  test('a name is text, not HTML', async () => {
    const page = await get(path(1), site.sessionFor('<script>alert(1)</script>'));
    expect(page.body).not.toContain('<script>');
  });

  test('every account has its own input, and keeps it', async () => {
    const input = async (user: string, seed?: number) =>
      (await get(path(2, '/input'), site.sessionFor(user, seed))).body;
    expect(await input('ada')).toBe(await input('ada'));
    expect(await input('ada')).not.toBe(await input('bob'));
    expect(await input('ada', 1)).not.toBe(await input('ada', 2));
  });
});

describe('answers', () => {
  test('wrong ones say where to look, and lock the account for a while', async () => {
    const [one] = await truthFor();
    const wrong = await post(String(Number(one) + 1));
    expect(wrong.body).toContain("That's not the right answer; your answer is too high.");
    expect(wrong.body).toContain('one minute');
    clock.advance(-5_000);
    expect((await post(one)).body).toContain('You gave an answer too recently');
    expect((await post(one)).body).toContain('You have 1m 5s left to wait');
    clock.advance(64_500);
    expect((await post(one)).body).toContain('You have 1s left to wait');
    clock.advance(500);
    expect((await post('0')).body).toContain('too low');
    clock.advance(60_000);
    expect((await post(one)).body).toContain("That's the right answer");
  });

  test('the wrong part, too much, and an account that has everything', async () => {
    expect((await post('1', 2)).body).toContain(
      "You don't seem to be solving the right level. Did you already complete it?",
    );
    expect((await post('1'.repeat(500))).body).toContain("You're posting too much data");
    expect((await post('1'.repeat(50_000))).body).toContain("You're posting too much data");
    expect((await post('1', 1, 10)).status).toBe(404);

    const small = await startPracticeSite({
      stateFolder: join(stateFolder, 'small'),
      events: [{ year: practiceYear, puzzles: [ticketStubs] }],
    });
    const cookie = `session=${small.sessionFor('ada')}`;
    const url = `${small.url}/${practiceYear}/day/1`;
    const input = await http.request({ method: 'GET', url: `${url}/input`, headers: { cookie } });
    const send = (level: string, answer: string) =>
      http.request({ method: 'POST', url: `${url}/answer`, headers: { cookie }, form: { level, answer } });
    const [one, two] = ticketStubs.solve(input.body);
    await send('1', one);
    await send('2', two);
    expect((await send('1', one)).body).toContain("You've finished every puzzle");
    await small.close();
  });

  test('survive a restart of the site, cooldown and sessions included', async () => {
    const session = site.sessionFor('ada');
    const [one] = await truthFor();
    await post(one);
    await post('0', 2);
    await site.close();
    site = await startPracticeSite({ stateFolder, clock });
    expect(site.sessionFor('ada')).toBe(session);
    expect((await get(path(1))).body).toContain('The first half of this puzzle is complete!');
    expect((await post('1', 2)).body).toContain('too recently');
  });

  test('two sites on one folder share stars', async () => {
    const other = await startPracticeSite({ stateFolder, clock });
    const [one] = await truthFor();
    await post(one);
    const seen = await get(`${other.url}/${practiceYear}/day/1`, other.sessionFor('ada'));
    expect(seen.body).toContain('The first half of this puzzle is complete!');
    await other.close();
  });
});

test('a port that is taken is explained', async () => {
  const port = Number(new URL(site.url).port);
  await expect(startPracticeSite({ stateFolder, port })).rejects.toThrow(
    `could not be started on port ${port}`,
  );
});
