import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { dayOne, type Fixture, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
});
afterEach(() => fixture[Symbol.asyncDispose]());

describe('answers', () => {
  test('from a wrong one to both stars', async () => {
    const [one, two] = await fixture.truth();
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
    expect(statement.text).toContain('## Part Two');
    const done = await submit(session, two);
    expect(done).toMatchObject({ data: { verdict: 'right', part: 2 }, advance: { to: null } });
    expect(await submit(session, two)).toMatchObject({ isError: true, data: { mistake: 'all-solved' } });
  });

  test('what this run knows to be wrong is not sent', async () => {
    const [one] = await fixture.truth();
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
    // A float that a program printed is the number that it stands for; one without all its digits is none.
    expect(await submit(session, `${high}.0`)).toMatchObject({
      data: { verdict: 'too-high', source: 'memory', answer: String(high) },
    });
    for (const float of ['1e+16', '-1.5e+20', '12345678901234567890.0'])
      expect(await submit(session, float)).toMatchObject({ isError: true, data: { mistake: 'no-answer' } });
    expect(fixture.asked).toEqual([]);
  });

  test('a long lock is told, not waited out', async () => {
    const session = await fixture.open();
    for (const answer of ['-3', '-2', '-1']) await submit(await fixture.open(), answer);
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
    const [one, two] = await fixture.truth();
    const first = await fixture.open();
    await submit(first, one);
    await submit(first, two);

    const second = await fixture.open();
    expect(second.problem.spec.contentHash).toBe(first.problem.spec.contentHash);
    const seen = JSON.stringify(second.problem.spec);
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

  test('on a half-solved day part 1 is judged by the page, part 2 by the site', async () => {
    const [one, two] = await fixture.truth();
    await submit(await fixture.open(), one);
    const session = await fixture.open();
    fixture.asked.length = 0;
    expect(await submit(session, one)).toMatchObject({ data: { verdict: 'right', source: 'local' } });
    expect(fixture.asked).toEqual([]);
    expect(await submit(session, two)).toMatchObject({ data: { verdict: 'right', source: 'site' } });
    expect(fixture.asked).toEqual(['POST /2000/day/1/answer', 'GET /2000/day/1']);
  });

  test('an answer that was accepted right before a crash is known, and part 2 is asked for', async () => {
    const [one] = await fixture.truth();
    const session = await fixture.open();
    const kept = (await fixture.keptFiles()).find((name) => name.endsWith('page.html')) ?? '';
    const before = await fixture.io.files.read(kept);
    await submit(await fixture.open(), one);
    // As if the process had died before it asked for the new page.
    await fixture.io.files.write(kept, before ?? '');
    expect(await submit(session, one)).toMatchObject({
      data: { verdict: 'right', source: 'local' },
      advance: { to: 'part2', statement: expect.stringContaining('busiest stretch') },
    });
  });

  test('a part that was solved elsewhere meanwhile is judged by the new page', async () => {
    const [one] = await fixture.truth();
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
    const [one] = await fixture.truth();
    const session = await fixture.open();
    const args = { year: 2000, day: 1, answer: one };
    expect(await session.reconcile('SubmitAnswer', args)).toBeNull();
    // The answer arrives, the process dies before it learns of it.
    const interrupted = await fixture.open();
    await submit(interrupted, one);
    expect(await session.reconcile('SubmitAnswer', args)).toMatchObject({
      data: { verdict: 'right', source: 'site', part: 1 },
      advance: {
        to: 'part2',
        statement: expect.stringMatching(/^Here is part 2; the input stays the same\.\n\n## Part Two\n/),
      },
    });
    expect(await session.reconcile('SubmitAnswer', { ...args, answer: '5' })).toBeNull();
  });

  test('an interrupted submission whose verdict was kept is not sent again, and was the site’s', async () => {
    await submit(await fixture.open(dayOne, 'mine'), '-5');
    // The same run, whose process died before the verdict got into its journal.
    const resumed = await fixture.open(dayOne, 'mine');
    const other = await fixture.open(dayOne, 'another');
    fixture.asked.length = 0;
    const args = { year: 2000, day: 1, answer: '-5' };
    const found = await resumed.reconcile('SubmitAnswer', args);
    expect(found).toMatchObject({ data: { verdict: 'too-low', source: 'site' } });
    expect(found?.advance).toBeUndefined();
    expect(fixture.asked).toEqual([]);
    expect(await other.reconcile('SubmitAnswer', args)).toBeNull();
  });

  test('an interrupted submission to a day that was solved before was never sent', async () => {
    const [one] = await fixture.truth();
    await submit(await fixture.open(dayOne, 'earlier'), one);
    const session = await fixture.open(dayOne, 'mine');
    fixture.asked.length = 0;
    expect(await session.reconcile('SubmitAnswer', { year: 2000, day: 1, answer: one })).toBeNull();
    expect(await submit(session, one)).toMatchObject({ data: { verdict: 'right', source: 'local' } });
    expect(fixture.asked).toEqual([]);
  });
});
