/** What is posed: the spec, what it takes from the site, the tools and the grade; nothing of answers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnavailableError, UserError } from '../../src/core/errors.ts';
import { aocFamily } from '../../src/families/aoc/family.ts';
import { inputPreview } from '../../src/families/aoc/tools.ts';
import { startPracticeSite } from '../../src/practice/site.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dayOne, type Fixture, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
});
afterEach(() => fixture[Symbol.asyncDispose]());

describe('posing', () => {
  test('a spec with all that a replay needs, and no secret', async () => {
    const { problem } = await fixture.open();
    expect(problem.spec).toMatchObject({
      family: 'aoc',
      id: 'aoc/practice/2000/1/python',
      title: 'Ticket Stubs',
      reference: dayOne,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      stages: ['part1', 'part2'],
      detail: { toolchain: 'Python 3.11.2', level: '' },
    });
    expect(problem.spec.statement[0]).toMatchObject({
      text: expect.stringContaining('## Day 1: Ticket Stubs'),
    });
    expect(problem.spec.brief.environment).toContain('Python 3.11.2');
    expect(problem.spec.brief.environment).toContain('There is the standard library only.');
    expect(problem.spec.brief.environment).toContain(
      '10 s of CPU time, 30 s of wall time, 512 MiB of memory. Of up to 6000 characters',
    );
    expect(JSON.stringify(problem.spec)).not.toContain(fixture.session);
  });

  test('an input of 750 bytes is shown completely, of a long one an excerpt', () => {
    const short = `${'12345678\n'.repeat(83)}end`;
    expect(inputPreview(short)).toBe(
      `Your puzzle input has 750 bytes in 84 lines. This is all of it:\n\n${short}`,
    );
    expect(inputPreview(short.repeat(3))).toMatch(
      /Its beginning and its end:[\s\S]*bytes cut[\s\S]{100,400}end$/,
    );
  });

  test('page and input are asked for once; another account is another problem', async () => {
    const first = await fixture.open();
    expect(fixture.asked).toEqual(['GET /2000/day/1', 'GET /2000/day/1/input']);
    const again = await fixture.open();
    expect(fixture.asked).toHaveLength(2);
    expect(again.problem.spec).toEqual(first.problem.spec);

    fixture.session = fixture.site.sessionFor('ada', 7);
    const other = await fixture.open({ ...dayOne, seed: 7 });
    expect(fixture.asked).toHaveLength(4);
    expect(other.problem.spec.contentHash).not.toBe(first.problem.spec.contentHash);
  });

  test.each([
    [{ ...dayOne, day: 26 }, 'has no day 26 of 2000. It has days 1, 2'],
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
    await expect(fixture.open({ ...dayOne, lang: 'cpp' })).rejects.toThrow(coded('no-toolchain'));
    const session = fixture.session;
    fixture.session = 'dead-cookie';
    const dead = await fixture.open().catch((error: unknown) => error);
    expect(dead).toBeInstanceOf(UnavailableError);
    expect(String(dead)).toContain('does not know this session any more');
    expect(String(dead) + JSON.stringify(dead)).not.toContain('dead-cookie');
    fixture.session = session;
    await fixture.site.close();
    await expect(fixture.open()).rejects.toThrow(coded('unreachable'));
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
    const posed = family.load({ ...dayOne, year: 1999 }, fixture.io, new AbortController().signal);
    await expect(posed).rejects.toThrow(coded('day-locked', '1999'));
  });

  test('a site that was reset is another account: what was kept of the first one is not used', async () => {
    const [one] = await fixture.truth();
    await submit(await fixture.open(), one);
    await fixture.site.close();
    const stateFolder = temporaryFolder('aoc-reset');
    fixture.site = await startPracticeSite({ stateFolder, clock: fixture.clock });
    fixture.session = fixture.site.sessionFor('ada');
    expect(await submit(await fixture.open(), one)).toMatchObject({
      data: { verdict: 'right', source: 'site' },
    });
  });

  test('opening needs neither a site nor a file', async () => {
    const { problem } = await fixture.open();
    const reopened = aocFamily({ ...fixture.settings, sites: {} }).open(problem.spec);
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
    expect(input.text).toMatch(/Your puzzle input has \d+ bytes in \d+ lines/);
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
