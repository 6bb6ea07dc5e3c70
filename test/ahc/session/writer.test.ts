/** Who keeps a session's folder as its journal says: whatever comes when, and where there is no room for a while. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionWriter } from '../../../src/apps/ahc/session/writer.ts';
import type { Folder } from '../../../src/core/io.ts';
import { openFolder } from '../../../src/io/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { candidate, facts, journal, note, small, start } from './journals.ts';

/** Of an empty session; `change` is what another disk would do. */
function writing(change: (session: Folder) => Partial<Folder> = () => ({})) {
  const workspace = temporaryFolder('writer');
  const path = join(workspace, 'full');
  mkdirSync(path);
  const session = openFolder(path);
  const told: string[] = [];
  const nowMs = Date.now();
  const manifest = {
    ...facts,
    ...{ version: 1 as const, home: '', writer: null, settings: {}, configured: {} },
    configuration: { 'evolution.mutation_prompts': ['sk-secret-12345'] },
    ...{ keepsFiles: true, maxLogBytes: 1e6, logsAreJson: false, runs: [...facts.runs] },
  };
  const writer = new SessionWriter({
    place: { folder: { ...session, ...change(session) }, manifest },
    workspace: openFolder(workspace),
    now: () => nowMs,
    mask: (text) => text.replaceAll('sk-secret-12345', '[redacted]'),
    onTrouble: (message) => told.push(message),
  });
  return { writer, path, told };
}

test('a file that cannot be written is told once, stops nothing, and is made good when it can', async () => {
  const { writer, path, told } = writing();
  writeFileSync(join(path, 'solutions'), 'in the way');
  await writer.begin(small.slice(0, 9));
  for (const event of small.slice(7, 12)) writer.onEvent(event);
  await writer.settle();
  expect(told).toEqual([expect.stringContaining('solutions')]);
  rmSync(join(path, 'solutions'));
  for (const event of small.slice(12)) writer.onEvent(event);
  await writer.settle();
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
  await writer.fail('the journal cannot be written');
  expect(JSON.parse(readFileSync(join(path, 'session.json'), 'utf8'))).toMatchObject({
    status: 'failed',
    error_message: 'the journal cannot be written',
  });
});

test('what happens while it looks for what is missing is written: it was forgotten at one moment of that', async () => {
  const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
  const notes = numbers.map((number) => note('candidate', candidate(1, number)));
  const [begun, ...later] = journal([start, ...notes]);
  // One candidate in each turn of what is to be done next.
  const { writer, path } = writing((session) => ({
    files: async (name) => {
      const there = await session.files(name).catch(() => []);
      void (async () => {
        for (const event of later) writer.onEvent(await event);
      })();
      return there;
    },
  }));
  await writer.begin(begun ? [begun] : []);
  await writer.settle();
  expect(readdirSync(join(path, 'candidates')).toSorted()).toEqual(
    numbers.map((number) => `${candidate(1, number).id}.json`),
  );
});
