/** The site `aoc` through the command line: in the place of adventofcode.com stands a server that speaks its wire. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts';
import { type RecordingProxy, startRecordingProxy } from '../aoc/recording-proxy.ts';
import { typed } from '../support/typed.ts';
import { runShape } from './schemas.ts';
import { newPlace, type Place, polya, solvingScript } from './shell.ts';

let place: Place;
let site: PracticeSite;
let proxy: RecordingProxy;

async function serve(year: number): Promise<void> {
  place = newPlace();
  site = await startPracticeSite({
    stateFolder: join(place.env.HOME ?? '', 'site'),
    events: [{ year, puzzles: [ticketStubs] }],
    cooldownMs: 20,
  });
  proxy = await startRecordingProxy(site.url);
  Object.assign(place.env, { AOC_SESSION: site.sessionFor('ada'), POLYA_CONTACT: 'ada@example.org' });
}

beforeEach(() => serve(2015));
afterEach(async () => {
  vi.useRealTimers();
  await proxy[Symbol.asyncDispose]();
  await site.close();
});

const call = (...argv: string[]) => polya(place, argv, { aoc: { baseUrl: proxy.url } });
const asked = () => proxy.asked.map(({ what }) => what);
const day = (year = 2015) => ['--year', String(year), '--day', '1'];
const run = (year = 2015) =>
  typed`aoc run ${day(year)} --lang python --model ${solvingScript(place, 0, year)}`;

describe('a run', () => {
  test('solves both parts, is measured, and keeps no cookie', async () => {
    const { code, out, err } = await call(...run(), '--json');
    expect(code).toBe(0);
    expect(runShape.parse(JSON.parse(out))).toMatchObject({
      problem: 'aoc/aoc/2015/1/python',
      metrics: {
        site: 'aoc',
        success_part1: true,
        error_type_part1: null,
        tool_call_counts_part1: { DownloadInput: 0, RunGeneratedCode: 1, SubmitAnswer: 1 },
        success_part2: true,
      },
    });
    const shown = await call('runs', 'show', 'last', '--full', '--json');
    const exported = await call('runs', 'export', 'last', '--with-puzzle');
    const cookie = place.env.AOC_SESSION ?? '';
    for (const text of [out, err, shown.out, exported.out]) expect(text).not.toContain(cookie);
    for (const name of readdirSync(join(place.folder, '.polya'))) {
      expect(readFileSync(join(place.folder, '.polya', name)).includes(cookie), name).toBe(false);
    }
  });

  test('a dry run asks once, for the run that follows too', async () => {
    const dry = await call(...run(), '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('Ticket Stubs') });
    expect(existsSync(join(place.folder, '.polya'))).toBe(false);
    expect(asked()).toEqual(['GET /2015/day/1', 'GET /2015/day/1/input']);
    await call(...run(), '--dry-run');
    expect(asked()).toHaveLength(2);
  });

  test('of the event that is running is refused with the reason, and written down where it is not', async () => {
    await proxy[Symbol.asyncDispose]();
    await site.close();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2025, 11, 5, 12) });
    await serve(2025);
    const refused = await call(...run(2025));
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/2025 is still running.*About page says no.*--allow-running-event/s);
    expect(asked()).toEqual([]);
    const { code } = await call(...run(2025), '--allow-running-event');
    expect(code).toBe(0);
    const shown = await call('runs', 'show', 'last', '--event', '1', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({ body: { problem: { detail: { runningEvent: true } } } });
    expect((await call('aoc', 'fetch', ...day(2025), '--fresh')).code).toBe(2);
    expect((await call('aoc', 'fetch', ...day(2025), '--allow-running-event')).code).toBe(0);
  });
});

describe('fetch and status', () => {
  test('the statement to read, the input as a file, asked for once', async () => {
    const first = await call('aoc', 'fetch', ...day());
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^## Day 1: Ticket Stubs\n\nYou have taken/);
    const { file, size } =
      /Input: (?<file>\S+) \(\d+ lines, (?<size>[\d,]+) bytes\)/.exec(first.err)?.groups ?? {};
    expect(readFileSync(file ?? '', 'utf8').length).toBe(Number(size?.replace(',', '')));
    expect(first.err).toContain('0 stars so far');
    await call('aoc', 'fetch', ...day());
    expect(asked()).toEqual(['GET /2015/day/1', 'GET /2015/day/1/input']);
    const json = JSON.parse((await call('aoc', 'fetch', ...day(), '--fresh', '--json')).out);
    expect(json).toMatchObject({
      site: 'aoc',
      year: 2015,
      day: 1,
      title: 'Ticket Stubs',
      stars: 0,
      input: { file },
    });
    expect(json.parts).toHaveLength(1);
    expect(asked()).toHaveLength(3);
  });

  test('on the real site there is nobody to choose', async () => {
    for (const argv of [run(), ['aoc', 'fetch', ...day()], ['aoc', 'status']]) {
      const refused = await call(...argv, '--user', 'ada');
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toMatch(/nobody to choose.*Leave out --user and --seed/s);
    }
    expect((await call(...run(), '--seed', '7')).code).toBe(2);
    expect(asked()).toEqual([]);
  });

  test('status asks nobody, and so wants no contact', async () => {
    const { POLYA_CONTACT: _, ...env } = place.env;
    const told = await polya({ ...place, env }, ['aoc', 'status'], { aoc: { baseUrl: proxy.url } });
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is kept of aoc') });
  });

  test('what is kept and what was answered, without a request', async () => {
    expect(await call('aoc', 'status')).toMatchObject({
      code: 0,
      out: 'Nothing is kept of aoc. `./polya aoc fetch` fetches a day.\n',
    });
    expect((await call('aoc', 'status', '--year', '2016')).out).toMatch(/^Nothing is kept of 2016 of aoc/);
    await call(...run());
    const requests = asked().length;
    const told = await call('aoc', 'status');
    expect(told.out).toMatch(
      /year +day +title[^\n]+\n2015 +1 +Ticket Stubs +2 +yes +yes +2\n\npart +answer +verdict\n/,
    );
    expect(told.out).toMatch(/\n +1 +\d+ +right\n +2 +\d+ +right\n$/);
    const { days } = JSON.parse((await call('aoc', 'status', ...day(), '--json')).out);
    expect(days).toMatchObject([{ year: 2015, day: 1, stars: 2, hasPage: true, hasInput: true }]);
    expect(days[0].guesses).toHaveLength(2);
    expect(asked()).toHaveLength(requests);
  });
});
