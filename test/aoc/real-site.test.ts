/** The site `aoc`, whole, over HTTP: in the place of adventofcode.com stands a server that speaks its wire. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { aocMetrics } from '../../src/families/aoc/metrics.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts';
import { readJournal } from '../../src/run/load.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { askDesk, newPlace, openIn, type Place, playRun, toolsOf } from './whole-run.ts';

const problem = { site: 'aoc', year: 2015, day: 1, lang: 'python' };
const question = { site: 'aoc', year: 2015, day: 1 };
const { submit } = toolsOf(2015, 1);

let place: Place;
let site: PracticeSite;
let proxy: RecordingProxy;
let session = '';

beforeEach(async () => {
  place = newPlace();
  site = await startPracticeSite({
    stateFolder: join(place.folder, 'site'),
    events: [{ year: 2015, puzzles: [ticketStubs] }],
    cooldownMs: 20,
  });
  proxy = await startRecordingProxy(site.url);
  session = site.sessionFor('ada');
});
afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await site.close();
});

const options = (env: Record<string, string> = {}) => ({
  familyOptions: { aoc: { baseUrl: proxy.url } },
  env: { ...place.env, POLYA_CONTACT: 'ada@example.org', ...env },
});
const download = (env: Record<string, string> = {}) =>
  askDesk(place, (desk) => desk.download(question), options(env));
const sessionFile = () => join(place.folder, '.config/polya/aoc-session');
const writeSession = async (text: string, mode: number) => {
  await mkdir(join(place.folder, '.config/polya'), { recursive: true });
  await writeFile(sessionFile(), text);
  await chmod(sessionFile(), mode);
};

describe('before the site is asked', () => {
  test('no cookie: both ways are named, and the one without an account', async () => {
    const refused = playRun(place, { problem, replies: [], options: options() });
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow(/AOC_SESSION.*\.config\/polya\/aoc-session.*--site practice/);
    expect(proxy.asked).toEqual([]);
  });

  test('no contact: said how to give one', async () => {
    await expect(download({ AOC_SESSION: session, POLYA_CONTACT: ' ' })).rejects.toThrow(
      'Set the environment variable POLYA_CONTACT',
    );
    expect(proxy.asked).toEqual([]);
  });

  test.each(['me', 'Žofie@žluť.cz', 'a@b.c\r\nx-evil: 1'])(
    'a contact that reaches nobody: %j',
    async (POLYA_CONTACT) => {
      await expect(download({ AOC_SESSION: session, POLYA_CONTACT })).rejects.toThrow(
        'neither an e-mail address nor a link',
      );
      expect(proxy.asked).toEqual([]);
    },
  );

  test('a cookie file that others can read is refused, and not told', async () => {
    await writeSession(`${session}\n`, 0o644);
    const refused = await download({}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect(String(refused)).toMatch(/can be read or changed by others.*mode 644.*chmod 600/);
    expect(String(refused)).not.toContain(session);
    await writeSession(`session=${session}\n\n`, 0o600);
    expect((await download({})).title).toBe('Ticket Stubs');
  });

  test('what is no cookie is refused, and not told', async () => {
    const refused = await download({ AOC_SESSION: 'a b\r\nx-evil: 1' }).catch((error: unknown) => error);
    expect(String(refused)).toContain('is none');
    expect(String(refused)).not.toContain('evil');
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    [{ year: 2014, day: 1 }, 'There is no Advent of Code 2014'],
    [{ year: 2020, day: 26 }, 'has no day 26'],
    [{ year: 2025, day: 13 }, 'has no day 13. It has 12 days'],
    [{ year: 2990, day: 1 }, 'not open yet'],
  ])('%j', async (day, message) => {
    const refused = playRun(place, { problem: { ...problem, ...day }, replies: [], options: options() });
    await expect(refused).rejects.toThrow(message);
    expect(proxy.asked).toEqual([]);
  });
});

describe('a run', () => {
  test('a session that dies in the middle ends it, and a new one lets it go on', async () => {
    const [one] = ticketStubs.solve((await download({ AOC_SESSION: session })).input);
    site.expireSession(session);
    const replies = [{ toolCalls: [submit(one)] }];
    const { metrics } = await playRun(place, {
      problem,
      replies,
      options: options({ AOC_SESSION: session }),
    });
    expect(metrics).toMatchObject({
      outcome: 'error',
      error_type_part1: 'unavailable',
      last_failure_part1: 'unavailable',
    });

    await writeSession(site.sessionFor('ada'), 0o600);
    const polya = openIn(place, replies, options());
    const resumed = await resumeRun(polya.world, metrics.run_id);
    await resumed.done;
    const { events } = await readJournal(polya.world.store, metrics.run_id);
    await polya.close();
    expect(aocMetrics(events)).toMatchObject({
      success_part1: true,
      last_failure_part1: null,
      tool_call_counts_part1: { SubmitAnswer: 1 },
      error_type_part2: 'agent_stopped',
    });
  });
});

test('what aocd has kept of this account is not asked for again', async () => {
  const folder = join(place.folder, '.config/aocd');
  await mkdir(join(folder, 'github.ada.1'), { recursive: true });
  await mkdir(join(folder, 'github.eve.2'), { recursive: true });
  await writeFile(join(folder, 'token2id.json'), JSON.stringify({ [session]: 'github.ada.1' }));
  await writeFile(join(folder, 'github.ada.1/2015_01_input.txt'), '2-6:3\n');
  await writeFile(join(folder, 'github.eve.2/2015_01_input.txt'), '1-2:1\n');
  await writeFile(join(folder, 'github.ada.1/2015_01a_answer.txt'), '12\n');
  const day = await download({ AOC_SESSION: session });
  expect(day.input).toBe('2-6:3\n');
  expect(proxy.asked.map(({ what }) => what)).toEqual(['GET /2015/day/1']);

  const replies = [{ toolCalls: [submit('13')] }];
  const { events } = await playRun(place, { problem, replies, options: options({ AOC_SESSION: session }) });
  expect(JSON.stringify(events)).toContain('"verdict":"too-high"');
  expect(proxy.asked).toHaveLength(1);
});
