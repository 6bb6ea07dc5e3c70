/** The folder of a session is brought up to date with its journal: whatever comes when, and where there is no room for a while. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { factsOf, inHeader } from '../../../src/apps/ahc/session/context.ts';
import { sessionFiles } from '../../../src/apps/ahc/session/files.ts';
import { foldSession } from '../../../src/apps/ahc/session/fold.ts';
import { SessionFolder } from '../../../src/apps/ahc/session/folder.ts';
import { sessionsIn } from '../../../src/apps/ahc/session/sessions.ts';
import type { Event } from '../../../src/core/event.ts';
import { openFolder } from '../../../src/io/folder.ts';
import { followJournal } from '../../../src/run/load.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writtenStore } from '../../support/written-store.ts';
import { facts, header, small } from './journals.ts';

const session = { ...facts, configuration: { 'evolution.mutation_prompts': ['sk-secret-12345'] } };
const begun: Event = {
  ...(small[0] as Event),
  kind: 'run-start',
  body: { ...header, context: inHeader(session) },
};
const events = [begun, ...small.slice(1)];

/** The folder of one session; each writer is that of another process. */
function kept() {
  const workspace = temporaryFolder('session-folder');
  const path = join(workspace, 'night');
  mkdirSync(path);
  const { store, write } = writtenStore('r1');
  const troubles: string[] = [];
  const writer = () =>
    new SessionFolder({
      store,
      storeName: '/home/me/.polya',
      runId: 'r1',
      folder: openFolder(path),
      workspace: openFolder(workspace),
      mask: (text) => text.replaceAll('sk-secret-12345', '[redacted]'),
      onTrouble: (message) => troubles.push(message),
    });
  return { store, write, writer, path, workspace, troubles };
}

test('a file that cannot be written is reported once, stops nothing, and is made good when it can', async () => {
  const { write, writer, path, troubles } = kept();
  writeFileSync(join(path, 'solutions'), 'in the way');
  const first = writer();
  for (const upTo of [9, 12]) {
    write(events.slice(0, upTo));
    await first.update();
  }
  expect(troubles).toEqual([expect.stringContaining('solutions')]);
  rmSync(join(path, 'solutions'));
  write(events);
  await first.update();
  expect(readdirSync(join(path, 'solutions'))).toHaveLength(4);
  expect(readFileSync(join(path, 'best_solution.cpp'), 'utf8')).toBe('int main() { return 1; }\n');
  const log = readFileSync(join(path, 'logs/session.log'), 'utf8');
  expect(log).toContain('Key [redacted]');
  expect(log.match(/^\S+Z [A-Z]+ 1\.\d+ /gm)).toHaveLength(small.length);
  // Nor in a file that others may be given.
  expect(readFileSync(join(path, 'session.json'), 'utf8')).toContain('[redacted]');
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => /\.(?:json|log)$/.test(each)))
    expect(readFileSync(join(path, name), 'utf8')).not.toContain('sk-secret-12345');
});

test('session.json is written last: one that says completed lacks nothing', async () => {
  const { write, writer, path } = kept();
  writeFileSync(join(path, 'logs'), 'in the way');
  write(events);
  await writer().update();
  expect(readdirSync(path)).not.toContain('session.json');
  rmSync(join(path, 'logs'));
  await writer().update();
  expect(JSON.parse(readFileSync(join(path, 'session.json'), 'utf8')).status).toBe('completed');
});

test.each(events.map((_, at) => at))(
  'killed behind event %i, it has after the next process what the whole journal makes',
  async (at) => {
    const { store, write, writer, path, workspace } = kept();
    write(events.slice(0, at));
    if (at > 0) await writer().update();
    write(events);
    await Promise.all([writer().update(), writer().update()]);
    const state = foldSession((await followJournal(store, 'r1')()).events);
    const whole = factsOf(state, { workspace, store: '/home/me/.polya' });
    for (const [name, text] of Object.entries(sessionFiles(state, whole, { isAlive: false })))
      expect([name, readFileSync(join(path, name), 'utf8')]).toEqual([
        name,
        text.replaceAll('sk-secret-12345', '[redacted]'),
      ]);
    const log = readFileSync(join(path, 'logs/session.log'), 'utf8');
    expect(log.match(/^\S+Z [A-Z]+ 1\.\d+ /gm)).toHaveLength(small.length);
    const rows = readFileSync(join(workspace, 'results.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(2);
  },
);

test('a session of an earlier version is found by its manifest.json, and stays what it is', async () => {
  const { write, writer, path, workspace } = kept();
  const { store: home, ...context } = facts;
  const earlier = { version: 1, home, writer: null, ...context };
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(earlier));
  write(events);
  await writer().update();
  const [place] = await sessionsIn({ id: '', folder: openFolder(workspace), config: null as never });
  expect(place).toMatchObject({ name: 'night', runs: ['r1'], store: home, earlier: { contest: 'polya002' } });
  expect(dirname(path)).toBe(workspace);
});
