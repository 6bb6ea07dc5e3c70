/** Hints: those of the settings, and those that a person sends while the run lives, from the turn on that follows. */

import { expect, test } from 'vitest';
import { proofNoteOf } from '../../../src/notes/proof.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { startRun } from '../../../src/run/start.ts';
import { coded } from '../../support/coded.ts';
import { proof, proofRun, proofWorld, report, specOf } from '../../support/proof-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventsOf } from '../../support/world.ts';

const said = { solver: [proof('P')], grader: [report('wrong'), report()] };

test('each is a turn of its own, in every conversation with the solver', async () => {
  const run = await proofRun({ said, settings: { hints: ['Use induction.', ' Look at parity. '] } });
  for (const messages of run.of('solver')) {
    expect(messages.slice(2, 4).map(({ content }) => content)).toEqual([
      expect.stringMatching(/: Use induction\.$/),
      expect.stringMatching(/: Look at parity\.$/),
    ]);
  }
  expect(JSON.stringify(run.of('grader'))).not.toContain('parity');
});

test('an empty hint is refused before anything is spent', async () => {
  await expect(proofRun({ said, settings: { hints: ['  '] } })).rejects.toThrow(coded('settings-invalid'));
});

test('one that comes while it runs holds from the next turn of the solver, and is journaled with it', async () => {
  const folder = temporaryFolder();
  const asked: string[] = [];
  const options = {
    said,
    settings: { attempts: 2 },
    onCall: async ({ role, index, branch }: { role: string; index: number; branch: string }) => {
      if (role !== 'grader' || index !== 0 || branch !== 'attempt-1') return;
      await world.store.post('run', { kind: 'tell', text: 'Try $n = 2$.', atMs: 1 });
    },
  };
  const world = proofWorld(options, folder, ({ role, request }) => {
    if (role === 'solver') asked.push(JSON.stringify(request.messages));
  });
  await (await startRun(world, specOf(options))).done;
  const notes = (await eventsOf(world, 'run')).map(proofNoteOf);
  expect(notes.filter((note) => note?.kind === 'hint')).toEqual([
    { kind: 'hint', data: { attempt: 1, iteration: 0, turn: 'correct', hint: 'Try $n = 2$.' } },
  ]);
  expect(asked.map((text) => text.includes('Try $n = 2$.'))).toEqual([false, false, true]);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
});
