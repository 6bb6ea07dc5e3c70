/**
 * What is more than one run, recorded before (test/fixtures): run-sets, sessions of a contest, and runs that ended before
 * they were done. Each is read, and what can go on goes on.
 */

import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { difference, type Journal } from './alike.ts';
import { call } from './cli.ts';
import { factsOf } from './facts.ts';
import { expectedOf, unpacked, using } from './fixture.ts';

const contest = 'workspace/polya001';

describe.each([
  ['endings', 'whole', ''],
  ['run-set', 'whole', ''],
  ['run-set', 'cut', ''],
  ['session', 'whole', contest],
  ['session', 'cut', contest],
] as const)('%s, %s', (name, state, place) => {
  const expected = expectedOf(name)[state] ?? {};

  test('all runs are read and replayed', async () => {
    await using(join(unpacked(name, state), place), {}, async (polya) => {
      expect((await polya.ids()).toSorted()).toEqual(Object.keys(expected).toSorted());
      for (const [id, facts] of Object.entries(expected)) {
        expect(factsOf(polya, await polya.events(id)), id).toMatchObject(facts);
        const end = facts.outcome === null ? { complete: false } : { complete: true, isSame: true };
        expect(await polya.replay(id), id).toMatchObject(end);
      }
    });
  });
});

describe('a run that ended before it was done', () => {
  test('goes on where its user stopped it', async () => {
    await using(unpacked('endings', 'whole'), {}, async (polya) => {
      expect(await polya.resume('stopped')).toMatchObject({ outcome: 'solved' });
      expect(await polya.replay('stopped')).toMatchObject({ isSame: true });
    });
  });

  test('goes on where its provider was missing', async () => {
    const folder = unpacked('endings', 'whole');
    copyFileSync(join(folder, 'script.yaml'), join(folder, 'broken.yaml'));
    await using(folder, {}, async (polya) => {
      expect(await polya.resume('lacking')).toMatchObject({ outcome: 'solved' });
      expect(await polya.replay('lacking')).toMatchObject({ isSame: true });
    });
  });

  test('at a limit is forked with more room', async () => {
    await using(unpacked('endings', 'whole'), {}, async (polya) => {
      await expect(polya.resume('limited')).rejects.toThrow(coded('run-ended'));
      expect(await polya.fork('limited', { id: 'more', limits: { modelCalls: 5 } })).toMatchObject({
        outcome: 'solved',
      });
    });
  });
});

describe('a run-set', () => {
  const [tight = '', broken = ''] = [...new Set(Object.keys(expectedOf('run-set').whole ?? {}).map(setOf))];

  test('whose process was killed goes on with what is missing, and becomes what it became then', async () => {
    const [folder, home] = [unpacked('run-set', 'cut'), temporaryFolder('home')];
    const ended = await call({ folder, home }, ['run-set', 'resume', broken, '--json']);
    expect(ended.code).toBe(1);
    const { rows } = JSON.parse(ended.out);
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'solved',
      'solved',
      'wrong',
      'solved',
      'solved',
    ]);
    const then = unpacked('run-set', 'whole');
    for (const id of Object.keys(expectedOf('run-set').whole ?? {}).filter((each) => setOf(each) === broken))
      expect(difference(await journalIn(folder, id), await journalIn(then, id)), id).toBe(null);
  });

  test('that was short of budget goes on with more', async () => {
    const [folder, home] = [unpacked('run-set', 'whole'), temporaryFolder('home')];
    const more = ['run-set', 'resume', tight, '--max-tokens', '9000', '--json'];
    expect(await call({ folder, home }, more)).toMatchObject({ code: 0 });
  });
});

test('a session is shown and exported, and does not go on', async () => {
  const [folder, home] = [unpacked('session', 'cut'), temporaryFolder('home')];
  const place = { folder: join(folder, contest), home };
  const runs = Object.keys(expectedOf('session').whole ?? {});
  const shown = await call(place, ['ahc', 'status', 'night', '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ status: 'crashed', runs });
  expect(await call(place, ['ahc', 'export', 'night', '--out', 'copy'])).toMatchObject({ code: 0 });
  expect(existsSync(join(place.folder, 'copy/best_solution.cpp'))).toBe(true);
  const refused = await call(place, ['ahc', 'solve', '--session-id', 'night', '--foreground']);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('An earlier version of Polya')]);
});

function setOf(run: string): string {
  return run.replace(/-\d+$/, '');
}

async function journalIn(folder: string, id: string, place = ''): Promise<Journal> {
  return using(join(folder, place), {}, async (polya) => ({ events: await polya.events(id), folder }));
}
