/** Journals that are torn, newer or without a head: refused for writing, readable as far as they are whole. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { JournalError } from '../../src/core/errors.ts';
import { forkRun } from '../../src/run/fork.ts';
import { followJournal, readJournal } from '../../src/run/load.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { coded } from '../support/coded.ts';
import { answered, familyOf, oddRun, oddWorld, say, toolOf } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const lengthy = 'x'.repeat(2_000);

/**
 * A stopped run: 1 start, 2 request, 3 response, 4 tool-call, 5 tool-result, 6 tool-call, 7 cancelled, 8 end; then SQL is
 * done to it.
 */
async function damagedBy(sql: string) {
  let isHanging = true;
  const family = familyOf({
    tools: [
      toolOf('long', async () => ({ text: lengthy })),
      toolOf('wait', async (_args, { signal }) => {
        if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        return { text: '' };
      }),
    ],
  });
  const folder = temporaryFolder();
  const world = oddWorld({
    folder,
    family,
    solve: async (run) => {
      await say(run, 'a');
      await run.tool('long', { text: `${lengthy} asked` });
      await run.tool('wait', {});
      return answered('');
    },
  });
  const handle = await startRun(world, oddRun());
  await until(async () => (await world.store.get('run'))?.lastSeq === 6);
  handle.stop();
  await handle.done;
  isHanging = false;
  const database = new DatabaseSync(join(folder, 'polya.db'));
  database.exec(sql);
  database.close();
  return world;
}

describe('a torn journal', () => {
  test.each<[string, string, number]>([
    ['half a body', 'UPDATE events SET body = substr(body, 1, 9) WHERE seq = 5', 5],
    ['half a request', 'UPDATE events SET body = substr(body, 1, 9) WHERE seq = 2', 2],
    ['no head that can be read', "UPDATE events SET body = '{' WHERE seq = 1", 1],
    ['a missing line', 'DELETE FROM events WHERE seq = 4', 4],
    [
      'missing lines and a torn one',
      "DELETE FROM events WHERE seq = 3; UPDATE events SET body = '' WHERE seq = 5",
      3,
    ],
    [
      'a missing blob',
      `DELETE FROM blobs WHERE hash = (SELECT substr(body, instr(body, '$blob') + 8, 22)
      FROM events WHERE seq = 5)`,
      5,
    ],
  ])('with %s is refused for writing, and read up to there', async (_what, sql, seq) => {
    const world = await damagedBy(sql);
    const before = await world.store.events('run');
    for (const go of [
      () => resumeRun(world, 'run'),
      () => replayRun(world, 'run'),
      () => forkRun(world, 'run', { id: 'fork' }),
    ]) {
      await expect(go()).rejects.toThrow(JournalError);
      await expect(go()).rejects.toThrow(coded('journal-damaged'));
    }
    const { events, damage } = await readJournal(world.store, 'run');
    expect(damage?.seq).toBe(seq);
    expect(events.map((event) => event.seq)).toEqual(
      Array.from({ length: seq - 1 }, (_, index) => index + 1),
    );
    expect(await world.store.events('run')).toEqual(before);
    expect((await world.store.get('run'))?.owner).toBeNull();
    expect((await world.store.list()).length).toBe(1);
  });

  test('with a settlement that nobody asked for is refused', async () => {
    const world = await damagedBy('UPDATE events SET ordinal = 9 WHERE seq = 5');
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('journal-damaged', 'main#9'));
  });

  test('without a head is refused, and can be read', async () => {
    const world = await damagedBy("UPDATE events SET kind = 'note' WHERE seq = 1");
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('journal-damaged'));
    expect((await readJournal(world.store, 'run')).events.length).toBe(8);
  });

  test('can be forked from where it is whole', async () => {
    const world = await damagedBy("UPDATE events SET body = '' WHERE seq = 7");
    const end = await (await forkRun(world, 'run', { id: 'fork', at: 5 })).done;
    expect(end.outcome).toBe('answered');
  });

  test('of a newer version is refused as such, whatever is in it, and read', async () => {
    const world = await damagedBy(
      `UPDATE events SET body = replace(body, '"version":1', '"version":2') WHERE seq = 1;
       UPDATE events SET ordinal = 9 WHERE seq = 5`,
    );
    for (const go of [resumeRun, replayRun]) {
      await expect(go(world, 'run')).rejects.toThrow(coded('journal-newer', '2'));
    }
    expect(await readJournal(world.store, 'run')).toMatchObject({ damage: null });
  });
});

test('a journal is read on from any event', async () => {
  const world = await damagedBy('SELECT 1');
  const { events, damage } = await followJournal(world.store, 'run', 6)();
  expect([events.map(({ seq }) => seq), damage]).toEqual([[7, 8], null]);
  const torn = await damagedBy('DELETE FROM events WHERE seq = 7');
  expect(await followJournal(torn.store, 'run', 6)()).toEqual({
    events: [],
    damage: { seq: 7, reason: 'it is missing' },
  });
});

test('a replay of a journal without an end says where it ends', async () => {
  const cut = async (seq: number) =>
    replayRun(await damagedBy(`DELETE FROM events WHERE seq > ${seq}`), 'run');
  expect(await cut(1)).toEqual({ complete: false, at: 'The journal ends before main#1.' });
  expect(await cut(3)).toEqual({ complete: false, at: 'The journal ends before main#2.' });
  expect(await cut(4)).toEqual({ complete: false, at: 'The journal ends before main#2.' });
  expect(await cut(7)).toMatchObject({ complete: true, journaled: null, isSame: false });
});
