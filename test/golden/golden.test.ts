/**
 * The journals of the toy agents as they are kept in this folder, numbers and times left out. A change here changes what
 * is written for everybody: `npm run golden` writes the files anew, and the difference is to be read.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRow } from '../../src/core/store.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, normalise, toyWorld } from '../support/world.ts';

const isUpdate = process.env.POLYA_GOLDEN === 'update';

test.each(['line', 'archive', 'vote', 'limit', 'session'])('the journal of the agent %s', async (agent) => {
  const world = toyWorld({ folder: temporaryFolder() });
  await (await startRun(world, toyRun(agent))).done;
  const events = normalise(await eventsOf(world, 'run'));
  expectGolden(`${agent}.golden.json`, events);
});

test('the rows of the agent line: what stands in the row and what in blobs', async () => {
  const world = toyWorld({ folder: temporaryFolder() });
  await (await startRun(world, { ...toyRun('line'), settings: { rounds: 1 } })).done;
  const rows = await world.store.events('run');
  expectGolden('rows.golden.json', rows.map(withoutTime));
});

function withoutTime({ seq, branch, ordinal, attempt, kind, body }: EventRow): string {
  const text = body.replaceAll(/"aliveMs":\d+/g, '"aliveMs":0').replaceAll(/"result":1\d{12}/g, '"result":0');
  return `${seq} ${branch}#${ordinal}.${attempt} ${kind} ${text}`;
}

function expectGolden(name: string, lines: readonly string[]): void {
  const file = join(import.meta.dirname, name);
  const text = `${JSON.stringify(lines, null, 1)}\n`;
  if (isUpdate) writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`There is no ${name}: make it with \`npm run golden\`.`);
  expect(lines).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}
