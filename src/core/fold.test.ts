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
import { applyEvent, emptyView, foldRun } from './fold.ts';

const start: Said = ['', 'run-start', header];
const ask: Said = ['#1', 'model-request', { role: 'solver' }];

describe('the fold of a run', () => {
  test('adds up what was used, in all and by role', () => {
    const view = foldRun(
      eventsOf([
        start,
        ask,
        ['#1', 'model-response', ok({}, tokens(10, 5, 0.5))],
        ['#2', 'model-request', { role: 'judge' }],
        ['#2', 'model-response', { status: 'error', error: {}, usage: { tokens: null, costUsd: null } }],
        ['#3', 'model-request', { role: 'solver' }],
        ['#3', 'model-response', { status: 'error', error: {} }],
        ['#4', 'exec-start'],
        ['#4', 'exec-end', ok()],
        ['#5', 'model-request', { role: 'solver' }],
        ['#5', 'model-response', { status: 'refused', limit: 'tokens', max: 1 }],
      ]),
    );
    expect(view.totals).toMatchObject({
      modelCalls: 3,
      failedModelCalls: 2,
      tokens: { input: 10, output: 5 },
      callsOfUnknownTokens: 1,
      costUsd: 0.5,
      callsOfUnknownCost: 1,
      programs: 1,
    });
    expect(view.byRole.solver).toMatchObject({ modelCalls: 2, costUsd: 0.5 });
    expect(view.byRole.judge).toMatchObject({ modelCalls: 1, callsOfUnknownCost: 1 });
    expect(view.open).toEqual([]);
  });

  test('counts tool calls by name, whatever a model calls its tools', () => {
    const names = ['run', 'run', 'constructor', '__proto__', 'toString'];
    const view = foldRun(
      eventsOf([
        start,
        ...names.flatMap((name, index): Said[] => [
          [`#${index}`, 'tool-call', { name }],
          [`#${index}`, 'tool-result', ok({ text: '', isError: name !== 'run' })],
        ]),
      ]),
    );
    expect(Object.entries(view.totals.toolCalls)).toEqual([
      ['run', 2],
      ['constructor', 1],
      ['__proto__', 1],
      ['toString', 1],
    ]);
    expect(view.totals.failedToolCalls).toBe(3);
  });

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
    const lost: Said[] = [
      start,
      ['a#1', 'model-request'],
      ['b#1', 'model-request'],
      ['b#2', 'model-request'],
      ['#1', 'check-start'],
    ];
    expect(foldRun(eventsOf(lost)).open.length).toBe(4);
    expect(foldRun(eventsOf(lost)).possiblyBilled).toBe(0);
    const resumed = foldRun(eventsOf([...lost, ['', 'run-resume']]));
    expect([resumed.possiblyBilled, resumed.open.length]).toEqual([3, 4]);
    const broken = foldRun(eventsOf([start, ask, ['#1', 'model-response', cancelled('branch')]]));
    expect(broken.possiblyBilled).toBe(1);
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

  test('is the same event by event', () => {
    const events = eventsOf([start, ask, ['', 'note'], ['#1', 'model-response', ok({}, tokens(1, 1))]]);
    let view = emptyView;
    for (const event of events) view = applyEvent(view, event);
    expect(view).toEqual(foldRun(events));
    expect(emptyView.open).toEqual([]);
  });
});
