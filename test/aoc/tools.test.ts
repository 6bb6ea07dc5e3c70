import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
});
afterEach(() => fixture[Symbol.asyncDispose]());

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
