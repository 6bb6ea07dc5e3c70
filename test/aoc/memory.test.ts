/** What one run learns of answers, and what other runs of the account make of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { parseGuesses } from '../../src/families/aoc/guesses.ts';
import { dayOne, type Fixture, startFixture, submit } from './fixture.ts';
import { talkingSandbox } from './talking-sandbox.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ sandbox: talkingSandbox });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const siteSays = "That's not the right answer; your answer is too high.";

describe('the memory of an account', () => {
  test('another run is told what the site would say to its answer, and nothing of earlier ones', async () => {
    const [one] = await fixture.truth();
    const high = Number(one) + 10;
    expect((await submit(await fixture.open(), String(high))).text).toBe(siteSays);

    const other = await fixture.open({ ...dayOne, outputCharacters: 500 });
    fixture.asked.length = 0;
    const blocked = await submit(other, String(high + 50));
    expect(blocked).toMatchObject({ data: { verdict: 'too-high', source: 'memory', memoryOf: 'account' } });
    // Word for word what the site says, so that no run learns of another one's answers.
    expect(blocked.text).toBe(siteSays);
    expect(JSON.stringify(blocked)).not.toContain(String(high));
    expect(fixture.asked).toEqual([]);
    // What the run was told is its own from then on, and no tighter than it was told.
    expect((await submit(other, String(high + 60))).text).toContain('Your earlier answers already told so');
    expect((await submit(other, String(high + 40))).text).toBe(siteSays);
    expect(await submit(other, String(high - 5))).toMatchObject({ data: { source: 'site' } });
  });

  test('an answer that was accepted judges later runs, and is kept for good', async () => {
    const [one] = await fixture.truth();
    await submit(await fixture.open(), one);
    const file = (await fixture.keptFiles()).find((name) => name.endsWith('guesses.jsonl')) ?? '';
    expect(parseGuesses((await fixture.io.files.read(file)) ?? '')).toEqual([
      { part: 1, answer: one, verdict: 'right', run: 'test' },
    ]);
    const other = await fixture.open();
    fixture.asked.length = 0;
    expect(await submit(other, '1')).toMatchObject({ data: { verdict: 'too-low', source: 'local' } });
    expect(await submit(other, one)).toMatchObject({ data: { verdict: 'right', source: 'local' } });
    expect(fixture.asked).toEqual([]);
  });

  test('another account knows nothing of it', async () => {
    const [one] = await fixture.truth();
    await submit(await fixture.open(), String(Number(one) + 10));
    fixture.session = fixture.site.sessionFor('grace');
    const other = await fixture.open({ ...dayOne, user: 'grace' });
    expect(await submit(other, '99999999')).toMatchObject({ data: { source: 'site' } });
  });

  test('a new session with the same input still knows what is wrong, and tells the site what is right', async () => {
    const [one] = await fixture.truth();
    const first = await fixture.open();
    const high = String(Number(one) + 10);
    await submit(first, high);
    fixture.clock.advance(60_000);
    fixture.site.expireSession(fixture.session);
    fixture.session = fixture.site.sessionFor('ada');
    const second = await fixture.open();
    fixture.asked.length = 0;
    expect(await submit(second, high)).toMatchObject({ data: { verdict: 'too-high', source: 'memory' } });
    expect(fixture.asked).toEqual([]);
    expect(await submit(second, one)).toMatchObject({ data: { verdict: 'right', source: 'site' } });
  });

  test('a disk that is full loses no verdict: the run goes on, and has it in its journal', async () => {
    const append = fixture.io.files.append;
    const full = {
      code: 'disk-full',
      what: 'Polya cannot write.',
      why: 'The disk is full.',
      fix: 'Free some space.',
    };
    Object.assign(fixture.io.files, {
      append: () => Promise.reject(new UnavailableError(full)),
    });
    const session = await fixture.open();
    expect(await submit(session, '-5')).toMatchObject({
      data: { verdict: 'too-low', source: 'site', notKept: expect.stringContaining('The disk is full') },
    });
    expect(await submit(session, '-5')).toMatchObject({ data: { source: 'memory', memoryOf: 'run' } });
    Object.assign(fixture.io.files, { append });
    expect((await submit(session, '-4')).data?.notKept).toBeUndefined();
  });

  test('part 2 has a memory of its own', async () => {
    const [one, two] = await fixture.truth();
    const session = await fixture.open();
    await submit(session, String(Number(one) + 10));
    await submit(session, one);
    expect(await submit(session, String(Number(two) + 1))).toMatchObject({
      data: { part: 2, source: 'site' },
    });
  });

  test('what another run was told while this one waited for a lock is not sent again', async () => {
    const [session, other] = [await fixture.open(), await fixture.open()];
    await submit(session, '-5');
    const { sleep } = fixture.clock;
    fixture.clock.sleep = async (ms, signal) => {
      fixture.clock.sleep = sleep;
      await sleep(ms, signal);
      expect(await submit(other, '-4')).toMatchObject({ data: { verdict: 'too-low', source: 'site' } });
    };
    fixture.asked.length = 0;
    expect(await submit(session, '-4')).toMatchObject({
      data: { verdict: 'too-low', source: 'memory', waitedMs: 60_000 },
    });
    expect(fixture.asked.filter((what) => what.startsWith('POST'))).toHaveLength(2);
  });

  test('lines that nobody can read are skipped', () => {
    const good = '{"part":1,"answer":"5","verdict":"wrong"}';
    expect(
      parseGuesses(`\n{"part":1,"ans\n${good}\n{"part":3,"answer":"5","verdict":"wrong"}\nnull`),
    ).toEqual([{ part: 1, answer: '5', verdict: 'wrong' }]);
  });

  test('four processes that remember at once lose nothing', async () => {
    const folder = join(fixture.folder, 'shared');
    const child = join(import.meta.dirname, '../support/append-child.ts');
    const processes = ['a', 'b', 'c', 'd'].map((name) =>
      spawn(process.execPath, [child, folder, name, '50'], { stdio: 'inherit' }),
    );
    await Promise.all(processes.map((each) => once(each, 'exit')));
    const guesses = parseGuesses(await readFile(join(folder, 'guesses.jsonl'), 'utf8'));
    expect(new Set(guesses.map(({ answer }) => answer)).size).toBe(200);
  });
});
