/** `polya run --background`: a run in a process of its own is watched, told where it is asked, and stopped like any other. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endsWithTests } from '../support/session-worker.ts';
import { until } from '../support/until.ts';
import { newPlace, polya } from './shell.ts';

const run = ['run', '--family', 'plain', '--agent', 'single-call', '--problem', 'text=Why?', '--background'];

test('a run goes on in the background, and is stopped from here', async () => {
  const place = newPlace();
  const slow = { roles: { '*': { '*': [{ text: 'Because.', delayMs: 3_600_000 }] } } };
  writeFileSync(join(place.folder, 'slow.json'), JSON.stringify(slow));
  const begun = await polya(place, [...run, '--model', 'scripted:slow.json', '--json']);
  expect([begun.code, begun.err]).toEqual([0, expect.stringContaining('Estimate')]);
  const { run: id, pid } = JSON.parse(begun.out);
  endsWithTests(pid);
  const { pid: owner } = await until(async () => {
    const { out } = await polya(place, ['runs', 'list', '--json']);
    return JSON.parse(out).runs.find((each: { id: string }) => each.id === id) ?? null;
  }, 50);
  expect(owner).toBe(pid);
  expect(await polya(place, ['runs', 'stop', id])).toMatchObject({ code: 0 });
});

test('a person is asked by that process, whose address is in the store and in its output', async () => {
  const place = newPlace();
  const begun = await polya(place, [...run, '--model', 'manual:http', '--json']);
  expect([begun.code, begun.err]).toEqual([0, expect.any(String)]);
  const { run: id, pid, answerAt, logFile } = JSON.parse(begun.out);
  endsWithTests(pid);
  expect((await fetch(answerAt)).ok).toBe(true);
  expect(readFileSync(logFile, 'utf8')).toContain(answerAt);
  expect(await polya(place, ['runs', 'stop', id])).toMatchObject({ code: 0 });
});

test('what keeps a run from beginning is said here', async () => {
  const place = newPlace();
  const refused = await polya(place, [...run, '--model', 'scripted:none.json']);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('none.json')]);
});
