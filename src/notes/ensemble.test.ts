/** What reports read of an ensemble's notes: the last of a kind counts, foreign ones are passed over. */
import { expect, test } from 'vitest';
import type { Event } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import { answerText, ensembleNotesOf, type SampleNote, strategyNames } from './ensemble.ts';

const text = (text: string) => ({ type: 'text', text: text }) as const;

function noteEvent(kind: string, data: JsonObject, seq: number): Event {
  return {
    seq,
    atMs: 0,
    branch: '',
    ordinal: null,
    attempt: 0,
    kind: 'note',
    body: { kind, data, index: 1 },
  };
}

const sample = (number: number, name: string, said: string): SampleNote => ({
  number,
  name,
  strategy: 'chain',
  answer: text(said),
  failed: null,
  detail: '',
  repairs: 0,
  steps: 0,
  summaries: 0,
  review: null,
  tokens: null,
});

test('samples come by their numbers, the last note of one counts, and other notes are left alone', () => {
  const events = [
    noteEvent('sample', sample(2, 'chain-2', 'b'), 1),
    noteEvent('sample', sample(1, 'chain-1', 'a'), 2),
    noteEvent('sample', sample(2, 'chain-2', 'c'), 3),
    noteEvent('plan', { plan: 'no shape of ours' }, 4),
    noteEvent('reminder', { number: 1 }, 5),
  ];
  const { plan, samples, vote, decision } = ensembleNotesOf(events);
  expect(samples.map(({ answer }) => answer && answerText(answer))).toEqual(['a', 'c']);
  expect([plan, vote, decision]).toEqual([null, null, null]);
  expect(strategyNames).toContain(samples[0]?.strategy);
});
