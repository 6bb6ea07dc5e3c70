/** What the family makes of a site that answers as the practice site never would. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { aocFamily } from '../../src/families/aoc/family.ts';
import { coded } from '../support/coded.ts';
import { dayOne, type Fixture, openSession, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

type Page = { readonly status?: number; readonly body: string };

let fixture: Fixture;
let pages: Record<string, Page>;
let close: () => void;
let baseUrl = '';

beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
  pages = {
    'GET ': { body: '<article class="day-desc"><p>A day without a heading</p></article>' },
    'GET /input': { body: 'one line' },
  };
  const server = createServer((request, response) => {
    const page = pages[`${request.method} ${request.url?.replace('/2000/day/1', '')}`];
    response.writeHead(page?.status ?? 200).end(page?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  baseUrl = `http://127.0.0.1:${port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(async () => {
  close();
  await fixture[Symbol.asyncDispose]();
});

const settings = () => ({
  ...fixture.settings,
  sites: {
    practice: { events: [{ year: 2000, days: [1] }], connect: async () => ({ baseUrl, session: 'x' }) },
  },
});
const open = (reference: JsonObject = dayOne) => openSession(settings(), fixture.io, reference);
const reply = (text: string) => ({ body: `<article><p>${text}</p></article>` });

test('a page without a heading, an input of one line', async () => {
  const session = await open();
  expect(session.problem.spec.title).toBe('Day 1 of 2000');
  const input = await session.play('DownloadInput', { year: 2000, day: 1 });
  expect(input.text).toContain('Your puzzle input has 8 bytes in 1 line.');
  expect(input.text).toContain('This is all of it:\n\none line');
});

test.each([
  [
    { status: 500, body: '<h1>Server trouble</h1>' },
    'failed (HTTP status 500). Server trouble Try again later. If it lasts, the session cookie',
  ],
  [{ status: 302, body: '' }, 'does not know this session'],
  [{ status: 400, body: 'Puzzle inputs differ by user. Please log in.' }, 'does not know this session'],
  [{ status: 429, body: 'Slow down' }, 'failed (HTTP status 429). Slow down'],
  [{ status: 200, body: '<p>A new design</p>' }, 'has no puzzle that Polya can read. It says: A new design'],
  [
    { status: 200, body: '<article class="day-desc">x</article><a>[Log In]</a>' },
    'does not know this session',
  ],
])('a page that is none: %j', async (page, message) => {
  pages['GET '] = page;
  const opened = open();
  await expect(opened).rejects.toBeInstanceOf(UnavailableError);
  await expect(opened).rejects.toThrow(message);
  // Nothing of it was kept.
  pages['GET '] = { body: '<article class="day-desc"><h2>--- Day 1: Back ---</h2></article>' };
  expect((await open()).problem.spec.title).toBe('Back');
});

test.each([
  ['<!DOCTYPE html><html><body>Down for maintenance</body></html>', 'It says: Down for maintenance'],
  ['\n', 'It is empty.'],
])('an input that is none is not kept: %j', async (body, message) => {
  pages['GET /input'] = { body };
  await expect(open()).rejects.toThrow(message);
  // Inputs of arrows begin like a page.
  pages['GET /input'] = { body: '<<>><' };
  const input = await (await open()).play('DownloadInput', { year: 2000, day: 1 });
  expect(input.text).toContain('\n\n<<>><');
});

test('a page that an earlier version kept as an input is asked for again', async () => {
  await fixture.io.files.write('aoc/practice/ada/2000/1/input.txt', '<html>Down</html>');
  const input = await (await open()).play('DownloadInput', { year: 2000, day: 1 });
  expect(input.text).toContain('one line');
});

test('replies without a hint, without a time, and of no known kind', async () => {
  const session = await open();
  pages['POST /answer'] = reply("That's not the right answer.");
  expect(await submit(session, 'fog')).toMatchObject({ data: { verdict: 'wrong', source: 'site' } });
  expect(await submit(session, 'fog')).toMatchObject({ data: { verdict: 'wrong', source: 'memory' } });
  pages['POST /answer'] = reply('You gave an answer too recently.');
  const locked = await submit(session, 'mist');
  // A minute is the guess; after two of them the model is told.
  expect(locked).toMatchObject({
    isError: true,
    data: { verdict: 'too-recent', waitedMs: 120_000, leftMs: 60_000 },
  });
  pages['POST /answer'] = reply('The moon is full.');
  const unknown = await submit(session, 'mist');
  expect(unknown).toMatchObject({ isError: true, data: { verdict: 'unknown', reply: 'The moon is full.' } });
  expect(unknown.text).toContain('The moon is full.');
  pages['POST /answer'] = reply("You don't seem to be solving the right level.");
  expect(await submit(session, 'mist')).toMatchObject({ isError: true, data: { verdict: 'wrong-level' } });
  expect(session.stage()).toBe('part1');
});

test('what the site would not take is not sent to it again, and what no puzzle asks for is not sent at all', async () => {
  const session = await open();
  const long = '9'.repeat(500);
  pages['POST /answer'] = reply("You're posting too much data.");
  expect(await submit(session, long)).toMatchObject({ data: { verdict: 'too-much-data', source: 'site' } });
  pages['POST /answer'] = { status: 500, body: 'It was asked.' };
  expect(await submit(session, long)).toMatchObject({ data: { verdict: 'too-much-data', source: 'memory' } });
  const poured = await submit(session, 'fog '.repeat(1_000_000));
  expect(poured).toMatchObject({ isError: true, data: { verdict: 'too-much-data', source: 'local' } });
  expect(poured.text).toContain('nothing was sent');
});

test('while a lock lasts that is not waited out, nothing is sent', async () => {
  const session = await open();
  pages['POST /answer'] = reply('You gave an answer too recently. You have 1h 2m 3s left to wait.');
  const told = await submit(session, 'fog');
  expect(told).toMatchObject({ data: { verdict: 'too-recent', source: 'site', leftMs: 3_723_000 } });
  expect(told.text).toContain('in 3723 seconds');
  pages['POST /answer'] = { status: 500, body: 'It was asked.' };
  fixture.clock.advance(723_000);
  const again = await submit(session, 'mist');
  expect(again).toMatchObject({ data: { verdict: 'too-recent', source: 'memory', leftMs: 3_000_000 } });
  expect(again.text).toContain('nothing was sent');
  // The rest of it is short enough.
  fixture.clock.advance(2_999_000);
  pages['POST /answer'] = reply("That's not the right answer.");
  expect(await submit(session, 'mist')).toMatchObject({ data: { verdict: 'wrong', waitedMs: 1_000 } });
});

test('replies that nobody can read are counted as wrong ones, so that no site is asked for ever', async () => {
  const session = await open({ ...dayOne, maxWrongAnswers: 2 });
  pages['POST /answer'] = reply('The moon is full.');
  for (const answer of ['1', '2']) await submit(session, answer);
  expect(await submit(session, '3')).toMatchObject({ data: { verdict: 'no-tries-left', tries: 2 } });
});

test('part 2 that does not show after part 1 is looked for again by the next attempt', async () => {
  const session = await open();
  pages['POST /answer'] = reply("That's the right answer!");
  await expect(submit(session, 'dew')).rejects.toThrow(coded('site-inconsistent', '2'));
  pages['GET '] = {
    body: `<article class="day-desc">One</article><p>Your puzzle answer was <code>dew</code>.</p>
      <article class="day-desc"><p>Two</p></article>`,
  };
  const found = await session.reconcile('SubmitAnswer', { year: 2000, day: 1, answer: 'dew' });
  expect(found).toMatchObject({ data: { verdict: 'right' }, advance: { to: 'part2' } });
  expect(found?.advance?.statement).toContain('\n\nTwo\n\n');
});

test('a journal of another family is not opened', () => {
  const spec = { family: 'aoc', reference: { site: 'practice' } };
  expect(() => aocFamily(settings()).open({ ...emptyFace, ...spec })).toThrow(coded('reference-invalid'));
});

const emptyFace = {
  id: 'x',
  title: 'x',
  contentHash: 'x',
  statement: [],
  brief: { task: '', answerFormat: '', criteria: '', environment: '' },
  stages: [],
  detail: {},
};
