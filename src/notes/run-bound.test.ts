/** What the page tells of a run's way to its limits, and of its gold answer. */
import { expect, test } from 'vitest';
import type { Header } from '../core/event.ts';
import { emptyView, type RunView } from '../core/fold.ts';
import { withoutGold } from './note.ts';
import { boundOf } from './run-bound.ts';

const limited = (limits: Header['limits'], more: Partial<RunView> = {}): RunView => ({
  ...emptyView,
  header: {
    version: 1,
    runId: 'a',
    prompts: {},
    promptsHash: '',
    models: {},
    limits,
    sandbox: null,
    codeVersion: '',
    seed: '',
    retry: { maxRetries: 0, firstWaitMs: 0, maxWaitMs: 0 },
    agent: { name: 'a', settings: {} },
    problem: {
      ...{
        family: 'a',
        id: 'a',
        title: 'a',
        reference: {},
        contentHash: '',
        statement: [],
        stages: [],
        detail: {},
      },
      brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    },
  },
  ...more,
});

test('the nearest limit bounds a run; one without limits has none', () => {
  expect(boundOf(limited({}))).toBeNull();
  expect(boundOf(emptyView)).toBeNull();
  const totals = { ...emptyView.totals, modelCalls: 3 };
  const view = limited({ modelCalls: 4, wallMs: 60_000 }, { totals, aliveMs: 6_000 });
  expect(boundOf(view)).toEqual({ share: 0.75, text: '3 of 4 (model calls)' });
  expect(boundOf(limited({ toolCalls: 0 }))).toMatchObject({ share: 1 });
  expect(boundOf(limited({ wallMs: 1_000 }, { aliveMs: 9_000 }))?.share).toBe(1);
});

test.each([
  ['another number: 4 is not 10/3.', '10/3', 'another number: 4 is not [gold answer].'],
  ['4 and 14 and 4.', '4', '[gold answer] and 14 and [gold answer].'],
  ['It is (a+b)*c?', '(a+b)*c', 'It is [gold answer]?'],
  ['Nothing of it.', '', 'Nothing of it.'],
  ['Nothing of it.', null, 'Nothing of it.'],
])('a sentence without the gold answer: %s', (sentence, gold, text) => {
  expect(withoutGold(sentence, gold)).toBe(text);
});
