/** What a report says of a session: when it became better, what paid, on which inputs. */
import { describe, expect, test } from 'vitest';
import { creditor, followed, milestonesOf } from '../../../src/apps/ahc/session/course.ts';
import { sessionFiles } from '../../../src/apps/ahc/session/files.ts';
import { foldSession } from '../../../src/apps/ahc/session/fold.ts';
import { reportJson, strategyOf } from '../../../src/apps/ahc/session/report.ts';
import type { Event } from '../../../src/core/event.ts';
import type { CandidateNote } from '../../../src/notes/evolution.ts';
import { candidate, evaluation, facts, journal, note, small, start } from './journals.ts';

const counting = { direction: 'maximise', scoring: 'absolute' } as const;

test('each candidate has its time and what was spent until then, once', () => {
  const again = note('candidate', candidate(0, 1, { operator: 'initial' }));
  const events = [...small, ...journal([again])];
  expect(milestonesOf(small).map(({ id, isBest, tokens, costUsd }) => [id, isBest, tokens, costUsd])).toEqual(
    [
      ['gen00_id01', true, 120, 0.5],
      ['gen01_id01', true, 120, 0.5],
      ['gen01_id02', false, 120, 0.5],
      ['gen02_id01', false, 120, 0.5],
    ],
  );
  expect(milestonesOf(events).map(({ id }) => id)).toEqual([
    'gen01_id01',
    'gen01_id02',
    'gen02_id01',
    'gen00_id01',
  ]);
});

test('operators, hints and islands are credited with what became better, and with what it cost', () => {
  const events = journal([
    start,
    note('candidate', candidate(0, 1, { operator: 'initial', score: 100 })),
    note('best', { id: 'gen00_id01', generation: 0, score: 100, because: 'first' }),
    note('hint', { number: 1, text: 'go left' }),
    note('candidate', candidate(1, 1, { parents: ['gen00_id01'], score: 130, hints: [1] })),
    note('best', { id: 'gen01_id01', generation: 1, score: 130, because: 'better' }),
    note('candidate', candidate(1, 2, { parents: ['gen01_id01'], score: 120 })),
    note(
      'candidate',
      candidate(1, 3, { operator: 'rewrite', parents: ['gen00_id01'], score: 125, island: 2 }),
    ),
    note('candidate', candidate(1, 4, { status: 'duplicate', score: null, evaluation: null })),
    note(
      'candidate',
      candidate(1, 5, { status: 'unanswered', score: null, tokens: { input: null, output: null } }),
    ),
  ]);
  const state = foldSession(events);
  const change = creditor(state, counting)((each) => each.note.operator === 'change');
  expect(change).toEqual({
    made: 4,
    evaluated: 2,
    spared: 1,
    useless: 1,
    betterThanParents: 1,
    improvements: 1,
    gain: 30,
    tokens: null,
  });
  expect(creditor(state, counting)((each) => each.note.hints.includes(1))).toMatchObject({
    made: 1,
    gain: 30,
    tokens: 120,
  });
  expect(creditor(state, counting)((each) => each.note.island === 2)).toMatchObject({
    made: 1,
    betterThanParents: 1,
    improvements: 0,
    gain: 0,
  });
});

test('with relative scoring, credit is taken by the best that is known in the end', () => {
  const events = journal([
    start,
    note('candidate', candidate(0, 1, { operator: 'initial', score: 1, evaluation: evaluation([100, 100]) })),
    note('best', { id: 'gen00_id01', generation: 0, score: 1, because: 'first' }),
    note(
      'candidate',
      candidate(1, 1, { parents: ['gen00_id01'], score: 1, evaluation: evaluation([50, 100]) }),
    ),
    note('best', { id: 'gen01_id01', generation: 1, score: 1, because: 'better' }),
  ]);
  const relative = { direction: 'minimise', scoring: 'relative' } as const;
  const state = foldSession(events);
  // The first program's share was 1 when it was alone; now it is (0.5 + 1) / 2.
  expect(creditor(state, relative)(() => true)).toMatchObject({ improvements: 1, gain: 250_000_000 });
});

describe('the numbers of `report --json`', () => {
  function seenFrom(events: readonly Event[]) {
    const place = { ...facts, folder: null as never };
    return { place, facts, status: 'completed' as const, row: null, state: foldSession(events), events };
  }

  test('tell course, credit and hints', () => {
    const told = reportJson(seenFrom(small));
    expect(told.course.map(({ id, score }) => [id, score])).toEqual([
      ['gen00_id01', 15],
      ['gen01_id01', 22.5],
      ['gen01_id02', null],
      ['gen02_id01', null],
    ]);
    expect(told.operators).toMatchObject([
      { operator: 'initial' },
      { operator: 'change', improvements: 1, gain: 7.5 },
    ]);
    expect(told.hints).toMatchObject([{ number: 1, text: 'try beams', made: 0 }]);
    expect(strategyOf(seenFrom(small), 1)).toBe('Annealing');
  });

  test('name a prompt of the user’s with its words', () => {
    const parameters = { prompt: 'mutation_prompts[0]', wording: 'my words' };
    const events = journal([start, note('candidate', candidate(0, 1, { parameters }))]);
    expect(reportJson(seenFrom(events)).prompts).toMatchObject([
      { name: 'mutation_prompts[0]', words: 'my words', made: 1 },
    ]);
  });

  test('names the strategy of each island, also where several follow one', () => {
    const strategy = (name: string) => ({ name, idea: name, reasons: '', library: [], contests: [] });
    const noted = (...names: readonly string[]) =>
      note('strategies', { strategies: names.map(strategy), origin: 'model' });
    const events = journal([
      start,
      noted('Rejected'),
      noted('Greedy', 'Beam'),
      ...[1, 2, 3].map((island) => note('candidate', candidate(0, island, { island }))),
    ]);
    expect([1, 2, 3].map((island) => strategyOf(seenFrom(events), island))).toEqual([
      'Greedy',
      'Beam',
      'Greedy',
    ]);
    const state = foldSession(events);
    const written = sessionFiles(state, facts, { isAlive: false })['strategies.json'] ?? '';
    expect(JSON.parse(written).map(({ name }: { name: string }) => name)).toEqual(['Greedy', 'Beam']);
  });
});

test('a hint is credited with what was made for it, not with all whose prompts held it', () => {
  const note = (more: Partial<CandidateNote>) =>
    ({ generation: 2, hints: [1, 2], parameters: {}, ...more }) as CandidateNote;
  expect(followed(note({}), 1)).toBe(false);
  expect(followed(note({ parameters: { hint: 1 } }), 1)).toBe(true);
  expect(followed(note({ parameters: { hint: 2 } }), 1)).toBe(false);
  expect(followed(note({ generation: 0 }), 2)).toBe(true);
});
