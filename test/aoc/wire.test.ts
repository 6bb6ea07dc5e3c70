import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnavailableError, UserError } from '../../src/core/errors.ts';
import type { Sandbox } from '../../src/core/sandbox.ts';
import { aocFamily } from '../../src/families/aoc/family.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { startPracticeSite } from '../../src/practice/site.ts';
import { dayOne, type Fixture, type Session, startFixture } from './fixture.ts';

/** Tells of toolchains, runs nothing: what programs do is tested in `solve.test.ts`. */
const limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 512e6,
  processes: 64,
  fileBytes: 16e6,
  diskBytes: 64e6,
  outputBytes: 1e6,
};
const talkingSandbox: Sandbox = {
  info: async () => ({
    backend: 'none',
    version: '0',
    toolchains: [{ language: 'python', version: 'Python 3.11.2', level: '', sourceFile: 'main.py' }],
    limits,
    compileLimits: limits,
    enforcement: {
      wallMs: '',
      cpuMs: '',
      memoryBytes: '',
      processes: '',
      fileBytes: '',
      diskBytes: '',
      outputBytes: '',
    },
  }),
  exec: () => Promise.reject(new Error('runs nothing')),
};

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const submit = (session: Session, answer: string) =>
  session.play('SubmitAnswer', { year: 2000, day: 1, answer });

async function truth(): Promise<readonly [string, string]> {
  const headers = { cookie: `session=${fixture.session}` };
  const input = await fixture.io.http.request({
    method: 'GET',
    url: `${fixture.site.url}/2000/day/1/input`,
    headers,
  });
  fixture.asked.length = 0;
  return ticketStubs.solve(input.body);
}

describe('posing', () => {
  test('a face with all that a replay needs, and no secret', async () => {
    const { problem } = await fixture.open();
    expect(problem.face).toMatchObject({
      family: 'aoc',
      id: 'aoc/practice/2000/1/python',
      title: 'Ticket Stubs',
      reference: dayOne,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      stages: ['part1', 'part2'],
      detail: { toolchain: 'Python 3.11.2', level: '' },
    });
    expect(problem.face.statement[0]).toMatchObject({
      text: expect.stringContaining('## --- Day 1: Ticket Stubs ---'),
    });
    expect(problem.face.brief.environment).toContain('Python 3.11.2');
    expect(problem.face.brief.environment).toContain('10 s of wall time, 10 s of CPU time, 512 MB of memory');
    expect(JSON.stringify(problem.face)).not.toContain(fixture.session);
  });

  test('page and input are asked for once; another account is another problem', async () => {
    const first = await fixture.open();
    expect(fixture.asked).toEqual(['GET /2000/day/1', 'GET /2000/day/1/input']);
    const again = await fixture.open();
    expect(fixture.asked).toHaveLength(2);
    expect(again.problem.face).toEqual(first.problem.face);

    fixture.session = fixture.site.sessionFor('ada', 7);
    const other = await fixture.open({ ...dayOne, seed: 7 });
    expect(fixture.asked).toHaveLength(4);
    expect(other.problem.face.contentHash).not.toBe(first.problem.face.contentHash);
  });

  test.each([
    [{ ...dayOne, day: 26 }, 'has no day 26 of 2000. It has days 1, 2 of 2000'],
    [{ ...dayOne, year: 2031 }, 'has no day 1 of 2031'],
    [{ ...dayOne, lang: 'cobol' }, 'not a language'],
    [{ ...dayOne, site: 'nowhere' }, 'There is no site named nowhere. Choose one of: practice.'],
    [{ ...dayOne, site: 'constructor' }, 'There is no site named constructor'],
  ])('%j is refused before anybody is asked', async (reference, message) => {
    const refused = fixture.open(reference);
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow(message);
    expect(fixture.asked).toEqual([]);
  });

  test('what is missing is named: toolchain, session, site', async () => {
    await expect(fixture.open({ ...dayOne, lang: 'cpp' })).rejects.toThrow('cannot run C++ programs');
    const session = fixture.session;
    fixture.session = 'dead-cookie';
    const dead = await fixture.open().catch((error: unknown) => error);
    expect(dead).toBeInstanceOf(UnavailableError);
    expect(String(dead)).toContain('does not know this session any more');
    expect(String(dead) + JSON.stringify(dead)).not.toContain('dead-cookie');
    fixture.session = session;
    await fixture.site.close();
    await expect(fixture.open()).rejects.toThrow('could not be reached');
    await expect(fixture.open({ ...dayOne, seed: 1 })).rejects.toBeInstanceOf(UnavailableError);
  });

  test('a day that the site does not have after all', async () => {
    const sites = {
      practice: {
        events: [{ year: 1999, days: [1] }],
        connect: async () => ({ baseUrl: fixture.site.url, session: fixture.session }),
      },
    };
    const family = aocFamily({ ...fixture.settings, sites });
    const posed = family.pose({ ...dayOne, year: 1999 }, fixture.io, new AbortController().signal);
    await expect(posed).rejects.toThrow('has no day 1 of 1999, or it is still locked');
  });

  test('a site that was reset is another account: what was kept of the first one is not used', async () => {
    const [one] = await truth();
    await submit(await fixture.open(), one);
    await fixture.site.close();
    const stateFolder = await mkdtemp(join(tmpdir(), 'polya-aoc-reset-'));
    fixture.site = await startPracticeSite({ stateFolder, clock: fixture.clock });
    fixture.session = fixture.site.sessionFor('ada');
    expect(await submit(await fixture.open(), one)).toMatchObject({
      data: { verdict: 'right', source: 'site' },
    });
    await rm(stateFolder, { recursive: true });
  });

  test('opening needs neither a site nor a file', async () => {
    const { problem } = await fixture.open();
    const reopened = aocFamily({ ...fixture.settings, sites: {} }).open(problem.face);
    expect(reopened.tools?.map(({ name }) => name)).toEqual([
      'DownloadProblemStatement',
      'DownloadInput',
      'RunGeneratedCode',
      'SubmitAnswer',
    ]);
  });
});

describe('tools', () => {
  test('statement and input', async () => {
    const session = await fixture.open();
    const asked = fixture.asked.length;
    const one = await session.play('DownloadProblemStatement', { year: 2000, day: 1, part: 1 });
    expect(one.text).toContain('How many rides were made in total?');
    const input = await session.play('DownloadInput', { year: 2000, day: 1 });
    expect(input.text).toMatch(/The input has \d+ bytes in \d+ lines/);
    expect(input.text).toMatch(/\[… \d+ bytes cut …\]/);
    expect(input.text.length).toBeLessThan(1_000);
    expect(fixture.asked).toHaveLength(asked);
  });

  test('other days, languages and parts are mistakes that cost no request', async () => {
    const session = await fixture.open();
    const asked = fixture.asked.length;
    const mistakes = [
      await session.play('DownloadProblemStatement', { year: 2000, day: 2, part: 1 }),
      await session.play('DownloadProblemStatement', { year: 2000, day: 1, part: 2 }),
      await session.play('DownloadInput', { year: 2001, day: 1 }),
      await session.play('RunGeneratedCode', { lang: 'cpp', code: '' }),
      await session.play('RunGeneratedCode', { lang: 'brainfuck', code: '' }),
      await session.play('SubmitAnswer', { year: 2000, day: 2, answer: '1' }),
    ];
    expect(mistakes.map((result) => result.isError)).toEqual(mistakes.map(() => true));
    expect(mistakes.map((result) => result.data?.mistake)).toEqual([
      'other-puzzle',
      'part-2-locked',
      'other-puzzle',
      'other-language',
      'other-language',
      'other-puzzle',
    ]);
    expect(fixture.asked).toHaveLength(asked);
  });

  test('answers are strings', async () => {
    const { problem } = await fixture.open();
    const schema = problem.tools?.find(({ name }) => name === 'SubmitAnswer')?.parameters;
    expect(schema?.safeParse({ year: 2000, day: 1, answer: 5 }).success).toBe(false);
    expect(schema?.safeParse({ year: 2000, day: 1, answer: '5' }).success).toBe(true);
  });
});

describe('answers', () => {
  test('from a wrong one to both stars', async () => {
    const [one, two] = await truth();
    const session = await fixture.open();
    const high = await submit(session, String(Number(one) + 10));
    expect(high).toMatchObject({ data: { verdict: 'too-high', source: 'site', part: 1, waitedMs: 0 } });
    expect(high.isError).toBeUndefined();

    const right = await submit(session, ` ${one} `);
    expect(right.data).toMatchObject({
      verdict: 'right',
      source: 'site',
      part: 1,
      answer: one,
      waitedMs: 60_000,
    });
    expect(right.data?.reply).toContain("That's the right answer");
    expect(right.advance).toMatchObject({
      to: 'part2',
      statement: expect.stringContaining('busiest stretch'),
    });
    expect(session.stage()).toBe('part2');

    const statement = await session.play('DownloadProblemStatement', { year: 2000, day: 1, part: 2 });
    expect(statement.text).toContain('## --- Part Two ---');
    const done = await submit(session, two);
    expect(done).toMatchObject({ data: { verdict: 'right', part: 2 }, advance: { to: null } });
    expect(await submit(session, two)).toMatchObject({ isError: true, data: { mistake: 'all-solved' } });
  });

  test('what this run knows to be wrong is not sent', async () => {
    const [one] = await truth();
    const session = await fixture.open();
    const high = Number(one) + 10;
    await submit(session, String(high));
    fixture.asked.length = 0;
    const repeated = await submit(session, String(high));
    expect(repeated).toMatchObject({ data: { verdict: 'too-high', source: 'memory' } });
    expect(repeated.text).toContain('your answer is too high');
    expect(await submit(session, String(high + 5))).toMatchObject({
      data: { verdict: 'too-high', source: 'memory' },
    });
    expect(await submit(session, '  ')).toMatchObject({
      isError: true,
      data: { verdict: 'empty', source: 'local' },
    });
    expect(fixture.asked).toEqual([]);

    // A run of its own knows nothing of the first one's answers.
    const other = await fixture.open();
    expect(await submit(other, String(high))).toMatchObject({
      data: { verdict: 'too-high', source: 'site' },
    });
  });

  test('a long lock is told, not waited out', async () => {
    const session = await fixture.open();
    for (const answer of ['-1', '-2', '-3']) await submit(await fixture.open(), answer);
    expect(await submit(session, '0')).toMatchObject({ data: { verdict: 'too-low' } });
    const locked = await submit(session, '1');
    expect(locked).toMatchObject({
      isError: true,
      data: { verdict: 'too-recent', leftMs: 300_000, waitedMs: 0 },
    });
    expect(locked.text).toContain('300 seconds');
    fixture.clock.advance(300_000);
    expect(await submit(session, '1')).toMatchObject({ data: { verdict: 'too-low', source: 'site' } });
  });

  test('too long an answer, a day that is locked again, and a session that dies', async () => {
    const session = await fixture.open();
    expect(await submit(session, '1'.repeat(300))).toMatchObject({
      isError: true,
      data: { verdict: 'too-much-data' },
    });
    fixture.session = 'dead';
    await expect(submit(session, '1')).rejects.toBeInstanceOf(UnavailableError);
  });

  test('on a day that was solved before, the page judges and part 2 stays hidden', async () => {
    const [one, two] = await truth();
    const first = await fixture.open();
    await submit(first, one);
    await submit(first, two);

    const second = await fixture.open();
    expect(second.problem.face.contentHash).toBe(first.problem.face.contentHash);
    const seen = JSON.stringify(second.problem.face);
    expect(seen).not.toContain('busiest stretch');
    expect(seen).not.toContain(one);
    fixture.asked.length = 0;
    expect(await submit(second, '1')).toMatchObject({ data: { verdict: 'too-low', source: 'local' } });
    expect(await submit(second, one)).toMatchObject({
      data: { verdict: 'right', source: 'local' },
      advance: { to: 'part2' },
    });
    expect(await submit(second, two)).toMatchObject({
      data: { verdict: 'right', source: 'local' },
      advance: { to: null },
    });
    expect(fixture.asked).toEqual([]);
  });

  test('a part that was solved elsewhere meanwhile is judged by the new page', async () => {
    const [one] = await truth();
    const session = await fixture.open();
    await fixture.io.http.request({
      method: 'POST',
      url: `${fixture.site.url}/2000/day/1/answer`,
      headers: { cookie: `session=${fixture.session}` },
      form: { level: '1', answer: one },
    });
    expect(await submit(session, '2')).toMatchObject({ data: { verdict: 'too-low', source: 'local' } });
    expect(await submit(session, one)).toMatchObject({
      data: { verdict: 'right' },
      advance: { to: 'part2' },
    });
  });

  test('an interrupted submission is found on the page, or made again', async () => {
    const [one] = await truth();
    const session = await fixture.open();
    const args = { year: 2000, day: 1, answer: one };
    expect(await session.reconcile('SubmitAnswer', args)).toBeNull();
    // The answer arrives, the process dies before it learns of it.
    const interrupted = await fixture.open();
    await submit(interrupted, one);
    expect(await session.reconcile('SubmitAnswer', args)).toMatchObject({
      data: { verdict: 'right', source: 'site', part: 1 },
      advance: { to: 'part2', statement: expect.stringContaining('Part Two') },
    });
    expect(await session.reconcile('SubmitAnswer', { ...args, answer: '5' })).toBeNull();
  });
});

test('the grade is which parts this run has closed', async () => {
  const { problem } = await fixture.open();
  const context = { io: fixture.io, runId: 'r', stage: '', past: [], signal: new AbortController().signal };
  const grade = (stagesDone: string[]) => problem.grade?.({ answer: null, stagesDone }, context);
  expect(await grade([])).toMatchObject({ correct: false, explanation: 'No part was solved.' });
  expect(await grade(['part1'])).toMatchObject({
    correct: false,
    explanation: 'Part 1 was solved, part 2 was not.',
  });
  expect(await grade(['part1', 'part2'])).toMatchObject({
    correct: true,
    explanation: 'Both parts were solved.',
  });
});
