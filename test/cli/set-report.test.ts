/** What a run-set says of money that nobody knows for certain, and of its provider's cache. */
import { describe, expect, test } from 'vitest';
import { rowLine, setText } from '../../src/cli/set-report.ts';
import type { Header, ModelHeader } from '../../src/core/event.ts';
import { emptyView, type OpenEffect, type RunView } from '../../src/core/fold.ts';
import { noTotals } from '../../src/core/totals.ts';
import { formatEta, setJson } from '../../src/open/set-json.ts';
import type { SetPlan } from '../../src/studies/run-set/plan.ts';
import type { RowResult } from '../../src/studies/run-set/rows.ts';
import { noPaint } from '../../src/text/paint.ts';
import { rowOf, setOfRows } from '../studies/sets.ts';

const output = {
  isClosed: false,
  isTerminal: false,
  columns: 100,
  write: () => undefined,
  paint: noPaint,
};
const open = [{ event: { kind: 'model-request' }, stage: '' }] as unknown as OpenEffect[];

function resultOf(
  view: Partial<RunView>,
  kind: ModelHeader['kind'] = 'live',
  budget: SetPlan['budget'] = {},
) {
  const header = {
    problem: { id: 'odd' },
    models: { default: { spec: 'test/odd', kind, price: null } },
  } as unknown as Header;
  const plan = rowOf();
  const row: RowResult = {
    index: 0,
    plan,
    runId: 'set-1',
    state: 'interrupted',
    view: { ...emptyView, header, ...view },
  };
  return { set: setOfRows([plan], { budget }), reason: null, pid: null, rows: [row] };
}

const textOf = (...args: Parameters<typeof resultOf>) => setText(output, resultOf(...args));

describe('calls of which nobody knows whether they were billed', () => {
  test('are told, those too that a process left open which was killed', () => {
    expect(textOf({ possiblyBilled: 1, open })).toContain(
      '2 calls broken off or lost may have been billed (`polya cost` tells how much).',
    );
    expect(setJson(resultOf({ open })).rows).toMatchObject([{ possiblyBilled: 1 }]);
    expect(textOf({ possiblyBilled: 1 }, 'live', { costUsd: 1 })).toContain(
      'may have been billed: the budget counts all that it may have cost',
    );
  });

  test('are none where nobody bills them', () => {
    expect(textOf({ possiblyBilled: 1, open }, 'script')).not.toContain('billed');
    expect(textOf({})).not.toContain('billed');
  });
});

test('a row that the shared budget cut short is told as that, in its own line as in the table, not by what it handed in', () => {
  const end = { outcome: 'scored', cutShort: true, solution: null, grade: null, aliveMs: 1 } as const;
  const result = resultOf({ end });
  const [row] = result.rows;
  for (const state of ['ended', 'interrupted'] as const) {
    expect(rowLine({ ...row, state } as RowResult)).toContain(': limit: the shared budget (scored) ·');
  }
  expect(setText(output, result)).toContain('1 limit: the shared budget (scored)');
  const refused = { ...end, outcome: 'limit', limit: 'costUsd' } as const;
  expect(rowLine(resultOf({ end: refused }).rows[0] as RowResult)).toContain(': limit: the shared budget ·');
  const own = { outcome: 'limit', limit: 'costUsd', solution: null, grade: null, aliveMs: 1 } as const;
  const ended = { ...resultOf({ end: own }).rows[0], state: 'ended' } as RowResult;
  expect(rowLine(ended)).toContain(': limit (budget) ·');
});

test('hosts are named where there is more than one', () => {
  const result = resultOf({});
  const on = (...hosts: readonly string[]) => {
    const rows = hosts.map((host) => ({ ...result.rows[0], host }) as RowResult);
    return setText(output, { ...result, rows });
  };
  expect(on('one', 'one')).not.toContain('host');
  expect(on('one', 'two')).toMatch(/time +host\n/);
  expect(on('one', 'two')).toMatch(/ one\n.* two\n/);
});

test('what came from the cache is told, for all rows together', () => {
  const tokens = { input: 200, cachedInput: 150, output: 1, reasoning: 0 };
  expect(textOf({ totals: { ...noTotals, tokens } })).toContain(
    "Cache: 75 % of the input (150 of 200 tokens) came from the provider's cache.",
  );
  expect(textOf({})).not.toContain('Cache');
});

test('how long a set may still take says what it is from, and is not guessed from nothing', () => {
  const plans = [rowOf(), rowOf(), rowOf(), rowOf()];
  const states = ['ended', 'ended', 'running', 'missing'] as const;
  const aliveMs = [60_000, 120_000, 30_000, 0];
  const rows = plans.map(
    (plan, index): RowResult => ({
      index,
      plan,
      runId: `set-${index + 1}`,
      state: states[index] ?? 'missing',
      view: index < 3 ? { ...emptyView, aliveMs: aliveMs[index] ?? 0 } : null,
    }),
  );
  const set = setOfRows(plans, { concurrency: 2 });
  expect(formatEta({ set, pid: 7, rows })).toBe(
    'about 1 min 30 s left: 2 to go as long as the 2 that have ended (1 min 30 s each), 2 at once',
  );
  expect(formatEta({ set, pid: null, rows }), 'nobody is at work').toBeNull();
  expect(formatEta({ set, pid: 7, rows: rows.slice(2) }), 'nothing has ended').toBeNull();
  expect(formatEta({ set, pid: 7, rows: rows.slice(0, 2) }), 'all has ended').toBeNull();
});
