/** How many wrong answers a run may send, and the last day of an event. */
import { expect, test } from 'vitest';
import { practiceEvents, puzzles } from '../../src/practice/puzzles/index.ts';
import { dayOne, type Fixture, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

const patient = { sandbox: talkingSandbox, longestWaitMs: 60 * 60_000 };
const posts = ({ asked }: Fixture) => asked.filter((request) => request.startsWith('POST')).length;

test('after so many wrong answers to a part nothing is sent any more', async () => {
  await using fixture = await startFixture({ ...patient, maxWrongAnswers: 2 });
  const [one] = await fixture.truth();
  const session = await fixture.open();
  await submit(session, '-9');
  // What is blocked does not count: it was never sent.
  expect(await submit(session, '-9')).toMatchObject({ data: { source: 'memory' } });
  await submit(session, '-8');
  fixture.asked.length = 0;
  const refused = await submit(session, one);
  expect(refused).toMatchObject({
    isError: true,
    data: { verdict: 'no-tries-left', source: 'local', tries: 2 },
  });
  expect(refused.text).toContain('You cannot solve part 1 any more');
  expect(fixture.asked).toEqual([]);

  // Another run may; and a reference may say another number.
  const other = await fixture.open({ ...dayOne, maxWrongAnswers: 0 });
  expect(await submit(other, one)).toMatchObject({ data: { verdict: 'no-tries-left', tries: 0 } });
  const free = await fixture.open();
  expect(await submit(free, one)).toMatchObject({ data: { verdict: 'right', source: 'site' } });
  // The next part has tries of its own.
  expect(await submit(free, '-9')).toMatchObject({ data: { verdict: 'too-low', part: 2 } });
});

test('a known right answer is judged even without tries', async () => {
  await using fixture = await startFixture(patient);
  const [one] = await fixture.truth();
  await submit(await fixture.open(), one);
  const session = await fixture.open({ ...dayOne, maxWrongAnswers: 0 });
  expect(await submit(session, one)).toMatchObject({ data: { verdict: 'right', source: 'local' } });
});

test('on the practice site wrong answers are not counted', async () => {
  await using fixture = await startFixture(patient);
  const session = await fixture.open();
  for (let number = 12; number > 0; number--) await submit(session, String(-number));
  expect(posts(fixture)).toBeGreaterThanOrEqual(12);
});

test('the last day has one part; its second star comes with all the others', async () => {
  await using fixture = await startFixture(patient);
  const last = { ...dayOne, day: 25 };
  const session = await fixture.open(last);
  expect(session.problem.spec.stages).toEqual(['part1']);
  expect(session.problem.spec.brief.task).toContain('which has one part only');
  const second = await session.play('DownloadProblemStatement', { year: 2000, day: 25, part: 2 });
  expect(second).toMatchObject({ isError: true, data: { mistake: 'no-part-2' } });

  const truth = await truthOf(fixture, 25);
  const solved = await session.play('SubmitAnswer', { year: 2000, day: 25, answer: truth[0] ?? '' });
  expect(solved).toMatchObject({
    data: { verdict: 'right', stars: 1, isOnlyPart: true },
    advance: { to: null },
  });
  expect(solved.text).toContain('The day is solved.');

  for (const day of practiceEvents[0]?.days ?? []) if (day !== 25) await solve(fixture, day);
  const again = await fixture.open(last);
  const complete = await again.play('SubmitAnswer', { year: 2000, day: 25, answer: truth[0] ?? '' });
  expect(complete).toMatchObject({ data: { verdict: 'right', source: 'local', stars: 2 } });
});

async function solve(fixture: Fixture, day: number): Promise<void> {
  const session = await fixture.open({ ...dayOne, day });
  for (const answer of await truthOf(fixture, day)) {
    await session.play('SubmitAnswer', { year: 2000, day, answer });
  }
}

async function truthOf(fixture: Fixture, day: number): Promise<readonly string[]> {
  const url = `${fixture.site.url}/2000/day/${day}/input`;
  const headers = { cookie: `session=${fixture.session}` };
  const { body } = await fixture.io.http.request({ method: 'GET', url, headers });
  return puzzles.find((puzzle) => puzzle.day === day)?.solve(body) ?? [];
}
