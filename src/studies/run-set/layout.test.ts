import { expect, test } from 'vitest';
import { layoutOf } from './layout.ts';
import type { RowPlan } from './plan.ts';

function row(changes: Partial<RowPlan>): RowPlan {
  return {
    name: 'row',
    family: 'qa',
    problem: { question: 'x' },
    agent: 'chain',
    settings: {},
    models: { default: 'openai/gpt-5' },
    modelSettings: {},
    limits: {},
    ...changes,
  };
}

test('systems stand side by side under what tells them apart, problems below one another', () => {
  const problems = ['a', 'b'].map((question) => ({ question }));
  const rows = problems.flatMap((problem, at) =>
    ['openai/gpt-5', 'openai/gpt-5-mini'].map((model) =>
      row({ name: `rope ${at + 1}, ${model}`, problem, models: { default: model } }),
    ),
  );
  expect(layoutOf({ rows })).toEqual({
    lines: ['rope 1', 'rope 2'],
    columns: ['gpt-5', 'gpt-5-mini'],
    places: [
      { line: 0, column: 0 },
      { line: 0, column: 1 },
      { line: 1, column: 0 },
      { line: 1, column: 1 },
    ],
  });
});

test.each([
  ['agents', [row({ agent: 'chain' }), row({ agent: 'react' })], ['chain', 'react']],
  [
    'settings',
    [row({ settings: { votes: 3 } }), row({ settings: { votes: 5 } }), row({})],
    ['votes 3', 'votes 5', 'chain'],
  ],
  [
    'a model and a limit',
    [row({ limits: { tokens: 5 } }), row({ models: { default: 'x/y' } })],
    ['openai/gpt-5, tokens 5', 'x/y'],
  ],
])('%s are named by what differs', (_name, rows, columns) => {
  expect(layoutOf({ rows }).columns).toEqual(columns);
});

test('repetitions share a cell', () => {
  const rows = ['x (1)', 'x (2)'].flatMap((name) => [row({ name }), row({ name, agent: 'react' })]);
  expect(layoutOf({ rows })).toMatchObject({ lines: ['x'], columns: ['chain', 'react'] });
});

test('problems that have a system each are a list, and no table of empty cells', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((agent) => row({ name: agent, agent, problem: { agent } }));
  expect(layoutOf({ rows })).toMatchObject({ lines: ['a', 'b', 'c', 'd', 'e'], columns: ['a'] });
});

test('what all names have behind a comma is left out', () => {
  const rows = ['1', '2'].flatMap((question) =>
    ['x/a', 'x/b'].map((model) =>
      row({ name: `q ${question}, chain, ${model}`, problem: { question }, models: { default: model } }),
    ),
  );
  expect(layoutOf({ rows })).toMatchObject({ lines: ['q 1', 'q 2'], columns: ['a', 'b'] });
});

test('where nothing is compared, and in a search over settings, each row has a line of its own', () => {
  expect(layoutOf({ rows: [row({ name: 'a' }), row({ name: 'b' })] })).toMatchObject({
    lines: ['a', 'b'],
    columns: ['chain'],
  });
  const rows = Array.from({ length: 40 }, (_, at) => row({ name: `${at}`, settings: { at } }));
  expect(layoutOf({ rows }).lines).toHaveLength(40);
  expect(layoutOf({ rows: [] }).lines).toEqual([]);
});
