/** The practice site has forgotten its accounts in the middle of a run: `.polya/practice` and the cache were deleted. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { startPracticeSite } from '../../src/practice/site.ts';
import { coded } from '../support/coded.ts';
import { type Fixture, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

const patient = { sandbox: talkingSandbox, longestWaitMs: 60 * 60_000 };
const posts = ({ asked }: Fixture) => asked.filter((request) => request.startsWith('POST')).length;

async function forget(fixture: Fixture, user: string): Promise<void> {
  await fixture.site.close();
  await rm(join(fixture.folder, 'site'), { recursive: true });
  await rm(join(fixture.folder, 'cache'), { recursive: true });
  fixture.site = await startPracticeSite({ stateFolder: join(fixture.folder, 'site'), clock: fixture.clock });
  fixture.session = fixture.site.sessionFor(user);
  fixture.asked.length = 0;
}

test('the answer to part 1 is handed in again once, and then the one to part 2', async () => {
  await using fixture = await startFixture(patient);
  const truth = await fixture.truth();
  const session = await fixture.open();
  await submit(session, truth[0]);
  await forget(fixture, 'ada');
  // The same user and seed get the same input.
  expect(await fixture.truth()).toEqual(truth);
  expect(await submit(session, '-9')).toMatchObject({
    data: { verdict: 'too-low', part: 2, source: 'site' },
  });
  expect(posts(fixture)).toBe(3);
  const solved = await submit(session, truth[1]);
  expect(solved).toMatchObject({ data: { verdict: 'right', part: 2, stars: 2 }, advance: { to: null } });
});

test('what it has shown of part 2 is shown again, though it shows it no more', async () => {
  await using fixture = await startFixture(patient);
  const [one] = await fixture.truth();
  const session = await fixture.open();
  const { advance } = await submit(session, one);
  await forget(fixture, 'ada');
  const again = await session.play('DownloadProblemStatement', { part: 2 });
  expect(again).toEqual({ text: advance?.statement, data: { part: 2 } });
});

test('a site that does not take it is missing, which a resume can mend; the model is not told', async () => {
  await using fixture = await startFixture(patient);
  const [one, two] = await fixture.truth();
  const session = await fixture.open();
  await submit(session, one);
  await forget(fixture, 'somebody else');
  const refused = submit(session, two);
  await expect(refused).rejects.toBeInstanceOf(UnavailableError);
  await expect(refused).rejects.toThrow(coded('part-locked', '2'));
  expect(posts(fixture)).toBe(2);
  // This account has said so before: the answer to part 1 is not sent to it a second time.
  await expect(submit(session, two)).rejects.toThrow(coded('part-locked'));
  expect(posts(fixture)).toBe(3);
});
