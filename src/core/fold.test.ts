import { describe, expect, test } from 'vitest';
import {
  cancelled,
  eventsOf,
  header,
  ok,
  type Said,
  tokens,
  unavailable,
} from '../../test/support/script-events.ts';
import { foldRun } from './fold.ts';

const start: Said = ['', 'run-start', header];
const ask: Said = ['#1', 'model-request', { role: 'solver' }];

describe('the fold of a run', () => {
  test('counts a call that is made again once', () => {
    for (const first of [cancelled('end'), unavailable]) {
      const view = foldRun(
        eventsOf([
          start,
          ['#1', 'tool-call', { name: 'run' }],
          ['#1', 'tool-result', first],
          ['', 'run-end', { outcome: 'cancelled', again: [{ branch: '', ordinal: 1, attempt: 0 }] }],
          ['', 'run-resume'],
          ['#1', 'tool-result', ok()],
        ]),
      );
      expect(view.lives).toBe(2);
      expect(view.totals).toMatchObject({ toolCalls: { run: 1 }, failedToolCalls: 0 });
      expect([view.open, view.suspended]).toEqual([[], []]);
    }
  });

  test('knows a call that was in flight when its process was killed', () => {
    const view = foldRun(
      eventsOf([
        start,
        ['#1', 'tool-call', { name: 'run' }],
        ['a#1', 'model-request', { role: 'solver' }],
        ['', 'run-resume'],
        ['', 'stage-end', { stage: 'one' }],
        ['#1', 'tool-result', ok()],
        ['a#1', 'model-response', ok({}, tokens(10, 5))],
      ]),
    );
    expect(view.totals.toolCalls).toEqual({ run: 1 });
    expect(view.byRole.solver?.tokens.input).toBe(10);
    expect(view.stages.map(({ totals }) => totals.tokens.input)).toEqual([10, 0]);
    expect(view.open).toEqual([]);
  });

  test('does not wait for what an agent lived without', () => {
    const end: Said = ['', 'run-end', { outcome: 'cancelled' }];
    const life: Said[] = [start, ['#1', 'exec-start'], ['#1', 'exec-end', unavailable], end];
    expect(foldRun(eventsOf([...life, ['', 'run-resume']])).open).toEqual([]);
  });

  test('gives time and tokens to the stage in which a call was made', () => {
    const view = foldRun(
      eventsOf([
        start,
        ['a#1', 'model-request', { role: 'solver' }],
        ['#1', 'tool-call', { name: 'submit' }],
        ['#1', 'tool-result', ok()],
        ['', 'stage-end', { stage: 'one' }],
        ['', 'stage-start', { stage: 'two' }],
        ['a#1', 'model-response', ok({}, tokens(10, 5))],
        ['a#2', 'clock', ok(1)],
        ['', 'stage-end', { stage: 'two' }],
        ['', 'run-end', { outcome: 'solved' }],
      ]),
    );
    expect(view.stages.map(({ stage, isDone, aliveMs }) => [stage, isDone, aliveMs])).toEqual([
      ['one', true, 4_000],
      ['two', true, 3_000],
      ['', false, 1_000],
    ]);
    expect(view.stages.map(({ totals }) => totals.tokens.input)).toEqual([10, 0, 0]);
    expect(view.stages[0]?.totals.toolCalls).toEqual({ submit: 1 });
    expect([view.end?.outcome, view.aliveMs]).toEqual(['solved', 9_000]);
  });

  test('tells what may have been billed and nobody knows', () => {
    const missing: Said[] = [
      start,
      ['a#1', 'model-request'],
      ['b#1', 'model-request'],
      ['b#2', 'model-request'],
      ['#1', 'check-start'],
    ];
    expect(foldRun(eventsOf(missing)).open.length).toBe(4);
    expect(foldRun(eventsOf(missing)).possiblyBilled).toBe(0);
    const resumed = foldRun(eventsOf([...missing, ['', 'run-resume']]));
    expect([resumed.possiblyBilled, resumed.open.length]).toEqual([3, 4]);
    const runView = foldRun(eventsOf([start, ask, ['#1', 'model-response', cancelled('branch')]]));
    expect(runView.possiblyBilled).toBe(1);
  });

  test('of a fork tells what its parent paid, and leaves what was in flight to it', () => {
    const view = foldRun(
      eventsOf([
        start,
        ask,
        ['#1', 'model-response', ok({}, tokens(10, 5, 0.5))],
        ['#2', 'model-request', { role: 'solver' }],
        ['', 'run-fork', { ...header, seed: 'forked' }],
        ['#2', 'model-request', { role: 'solver' }],
        ['#2', 'model-response', ok({}, tokens(1, 1, 0.25))],
      ]),
    );
    expect([view.inherited.costUsd, view.totals.costUsd, view.possiblyBilled]).toEqual([0.5, 0.75, 0]);
    expect([view.header?.seed, view.aliveMs]).toEqual(['forked', 5_000]);
  });
});
