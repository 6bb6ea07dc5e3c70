/**
 * The loop with graders who vote, reviewed reports and a pool: killed with SIGKILL at every kind of boundary it comes out
 * as if nothing had happened, with the same counters, proofs and reports; and it can be forked at a step.
 */
import { describe, expect, test } from 'vitest';
import { proofNoteOf } from '../../../src/notes/proof.ts';
import { forkRun } from '../../../src/run/fork.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { startRun } from '../../../src/run/start.ts';
import { expectWhole, killAt, moments, uninterrupted } from '../../support/kills.ts';
import { answerText, proof, proofWorld, report, type Said, specOf } from '../../support/proof-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventsOf } from '../../support/world.ts';

describe('killed', () => {
  test('at every kind of boundary, and again while it is resumed', async () => {
    const whole = await uninterrupted('verify-loop');
    // What is killed has something to lose: corrections, votes of two sides, a void report, a choice.
    const journal = whole.journal?.join('\n') ?? '';
    for (const seen of ['"turn":"correct"', '"verdict":"void"', '"end":"failures"', '"kind":"selection"'])
      expect(journal).toContain(seen);
    const total = (moment: string) => (moment.endsWith('append') ? whole.appends : whole.effects);
    for (const [index, moment] of moments.entries()) {
      const folder = temporaryFolder();
      const number = Math.floor((total(moment) * (index + 1)) / (moments.length + 1));
      const context = `killed at ${moment} ${number}`;
      expect(await killAt({ folder, agent: 'verify-loop', how: 'start', moment, number }), context).toBe(
        'SIGKILL',
      );
      if (moment === 'during-effect')
        expect(await killAt({ folder, agent: 'verify-loop', how: 'resume', moment, number: 3 })).toBe(
          'SIGKILL',
        );
      await expectWhole(folder, whole, context);
    }
  });
});

describe('forked', () => {
  const said: Said = {
    solver: ({ request, index }) => proof(`version ${index}, ${request.messages.length} turns`),
    grader: [report('wrong'), report('wrong'), report('wrong'), report()],
  };

  async function forked(change: Parameters<typeof forkRun>[2]) {
    const world = proofWorld({ said }, temporaryFolder());
    await (await startRun(world, specOf({ said }))).done;
    const events = await eventsOf(world, 'run');
    const second = events.find((event) => {
      const note = proofNoteOf(event);
      return note?.kind === 'counters' && note.data.iteration === 1;
    });
    const handle = await forkRun(world, 'run', { at: second?.seq ?? 0, ...change });
    const end = await handle.done;
    const notes = (await eventsOf(world, 'fork')).map(proofNoteOf);
    expect(await replayRun(world, 'fork')).toMatchObject({ complete: true, isSame: true });
    await world.store.close();
    return { end, notes, shared: second?.seq ?? 0 };
  }

  test('at the second iteration, with a hint: it holds from the next turn, and what was is kept', async () => {
    const { end, notes } = await forked({ id: 'fork', hint: 'Look at parity.' });
    expect(notes.filter((note) => note?.kind === 'hint')).toEqual([
      { kind: 'hint', data: { attempt: 1, iteration: 1, turn: 'correct', hint: 'Look at parity.' } },
    ]);
    const drafts = notes.flatMap((note) => (note?.kind === 'draft' ? [note.data.text] : []));
    expect(drafts).toEqual([
      proof('version 0, 2 turns'),
      proof('version 1, 4 turns'),
      proof('version 2, 4 turns'),
      proof('version 3, 5 turns'),
      proof('version 4, 5 turns'),
    ]);
    expect(answerText(end)).toBe(proof('version 4, 5 turns'));
  });

  test('with another constant: it holds for what comes', async () => {
    const { notes } = await forked({ id: 'fork', settings: { passes: 2 } });
    expect(notes.findLast((note) => note?.kind === 'attempt-end')?.data).toMatchObject({
      end: 'accepted',
      passes: 2,
    });
  });
});
