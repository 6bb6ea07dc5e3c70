/** What real replies broke in the induction graph: each finding under its name. Programs run in the real sandbox. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Grid } from '../../src/core/problem.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import {
  type Asked,
  type Induced,
  induced,
  instruct,
  mirror,
  mirrored,
  outputs,
  solvedBy,
  wordsOf,
} from '../support/induction.ts';

const same = (grid: Grid): Grid => grid;
const sandbox = chooseSandbox({ env: process.env });
const program = (source: string, more: object = {}) => ({ rationale: 'a rule', program: source, ...more });
const mirroring = 'def transform(grid):\n    return [row[::-1] for row in grid]';

/** Replies by role, those of the call for another rule apart; the last of each for ever. */
function saying(said: Readonly<Record<string, readonly (string | object)[]>>) {
  return (asked: Asked) => {
    const { role, index, branch } = asked.call;
    const lines = said[branch === '' || branch === 'main' ? 'another' : role] ?? [];
    return lines[Math.min(index, lines.length - 1)] ?? '';
  };
}

const programs = (sources: readonly (string | object)[], { settings, ...more }: Induced = {}) =>
  induced(
    saying({
      programmer: sources.map((source) => (typeof source === 'string' ? program(source) : source)),
      another: more.model ? [] : [{ rationale: '', follows: true, rule: '', test_outputs: [] }],
    }),
    { settings: { representation: 'programs', ...settings }, world: { io: { sandbox } }, ...more },
  );

describe('a program that reproduces the train pairs and makes no grid of a test input', () => {
  const failing = (body: string) =>
    `def transform(grid):\n    if grid[0][0] == 7:\n        ${body}\n    return [row[::-1] for row in grid]`;

  test.each([
    ['crashes', 'return grid[9]', /Test 1: .*IndexError: list index out of range/s],
    ['returns nothing', 'return None', /Test 1: What transform returned is no grid/],
    ['returns an empty grid', 'return []', /Test 1: What transform returned is no grid: /],
    ['returns ragged rows', 'return [[1], [1, 2]]', /Test 1: What transform returned is no grid: row 2/],
    ['returns too big a grid', 'return [[0] * 31]', /Test 1: What transform returned is no grid: .*31/],
    ['returns words', "return 'none'", /Test 1: What transform returned is no grid/],
  ])('is told so and goes on: it %s', async (_name, body, told) => {
    const { end, asked, replay } = await programs([failing(body), mirroring]);
    expect(end.outcome).toBe('solved');
    expect(asked).toHaveLength(2);
    const words = asked.map(wordsOf)[1] ?? '';
    expect(words).toMatch(told);
    expect(words).toContain('it must make a grid of every test input, too');
    expect(words).toContain('Test 2 (2×2):\n0 6\n6 0');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('and where its versions are used up, the run has no answer and says why', async () => {
    const { end, view } = await programs([failing('return grid[9]')], { settings: { revisions: 1 } });
    expect(end.outcome).toBe('gave-up');
    expect(end.solution?.detail).toMatch(
      /has used up all 2 steps\. .*no output of test 1: .*IndexError: list index out of range/,
    );
    expect(view.lines[0]?.status).toBe('failed_max_steps');
  });
});

describe('the second attempt', () => {
  const answerOf = (end: { solution?: { answer?: unknown } | null }) =>
    end.solution?.answer as { attempts: Grid[][] };
  const rule = (test: readonly (Grid | null)[], more: object = {}) => ({
    rationale: 'the first row alone decides',
    follows: true,
    rule: 'Turn the first row round.',
    test_outputs: test.map((grid, at) => ({
      sample: at + 1,
      grid: grid?.map((row) => row.join(' ')).join('\n') ?? null,
    })),
    ...more,
  });
  const run = (another: string | object, settings: object = {}) =>
    induced(
      saying({
        instruction: [instruct('Mirror it.')],
        generator: [solvedBy(mirror, mirrored)],
        another: [another],
      }),
      {
        settings: { hypotheses: 2, anotherRule: true, ...settings },
      },
    );

  test('is another rule, where all hypotheses agree: one more call', async () => {
    const { end, rolesAsked, asked, replay } = await run(rule(mirror.queries));
    expect(answerOf(end).attempts).toEqual(mirror.queries.map((grid) => [mirrored(grid), grid]));
    expect(end.outcome).toBe('solved');
    expect(rolesAsked).toHaveLength(5);
    const words = asked.map(wordsOf).at(-1) ?? '';
    expect(words).toContain('This rule reproduces every train pair:\n\n1. Mirror it.');
    expect(words).toContain('Test 2 (2×2):\n0 6\n6 0');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('differs where it can: one test output of two', async () => {
    const { end } = await run(rule([mirror.queries[0] ?? [], mirrored(mirror.queries[1] ?? [])]));
    expect(answerOf(end).attempts.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('is the first one where the look finds that what was made does not follow', async () => {
    const { end } = await run(rule(mirror.queries, { follows: false }));
    expect(answerOf(end).attempts).toEqual(mirror.queries.map((grid) => [grid, mirrored(grid)]));
  });

  test.each<[string, string | object]>([
    ['the same outputs', rule(mirror.queries.map(mirrored))],
    ['no rule', rule([], { rule: '' })],
    ['a finding without another rule', rule([], { rule: '', follows: false })],
    ['no grid', rule([[[1], [1, 2]], null])],
    ['a refusal in words', 'I cannot think of another one.'],
    ['another form', instruct('Mirror it.')],
  ])('stays away, and all is as it was: %s', async (_name, another) => {
    const { end, rolesAsked } = await run(another);
    expect(end).toMatchObject({ outcome: 'solved' });
    expect(answerOf(end).attempts).toEqual(mirror.queries.map((grid) => [mirrored(grid)]));
    expect(rolesAsked).toHaveLength(5);
  });

  test('of labelled lines is read, too', async () => {
    const said = 'Rationale: rows\nFollows: no\nRule: Copy it.\nTest 1:\n7 8 9\nTest 2:\n6 0\n0 6';
    const { end } = await run(said, { replies: 'text' });
    expect(answerOf(end).attempts).toEqual(mirror.queries.map((grid) => [grid, mirrored(grid)]));
  });

  test('is not asked for where the hypotheses differ, where none is right, or where it is off', async () => {
    const said = {
      instruction: [instruct('Copy it.')],
      generator: [solvedBy(mirror, same)],
      another: [rule([])],
    };
    const wrong = await induced(saying(said), {
      settings: { hypotheses: 2, anotherRule: true, maxSteps: 1 },
    });
    expect(wrong.rolesAsked).toHaveLength(4);
    expect((await run(rule(mirror.queries), { anotherRule: false })).rolesAsked).toHaveLength(4);
    const right = mirror.pairs.map(({ output }) => output);
    const differing = (asked: Asked) =>
      asked.call.role === 'instruction'
        ? instruct('Mirror it.')
        : outputs(right, asked.call.branch === 'steps-1' ? mirror.queries : mirror.queries.map(mirrored));
    const two = await induced(differing, { settings: { hypotheses: 2, anotherRule: true } });
    expect(two.rolesAsked).toHaveLength(4);
  });

  test('of a program is run, and goes first only if it reproduces the train pairs', async () => {
    const another = (source: string) => ({ rationale: '', follows: false, rule: source, test_outputs: [] });
    const runs = async (source: string) => {
      const { end } = await induced(
        saying({ programmer: [program(mirroring)], another: [another(source)] }),
        {
          settings: { representation: 'programs', anotherRule: true },
          world: { io: { sandbox } },
        },
      );
      return answerOf(end).attempts;
    };
    const sevens =
      'def transform(grid):\n    return grid if grid[0][0] in (6, 7) else [row[::-1] for row in grid]';
    expect(await runs(sevens)).toEqual(mirror.queries.map((grid) => [grid, mirrored(grid)]));
    const copy = 'def transform(grid):\n    return grid';
    expect(await runs(copy)).toEqual(mirror.queries.map((grid) => [mirrored(grid), grid]));
  });

  test('that a limit does not allow costs no answer', async () => {
    const { end } = await induced(
      saying({ instruction: [instruct('Mirror it.')], generator: [solvedBy(mirror, mirrored)] }),
      { settings: { anotherRule: true }, limits: { modelCalls: 2 } },
    );
    expect(end.outcome).toBe('solved');
  });
});

test('after a revision the generator starts from the inputs, and a sample that it leaves out does not keep a rejected grid', async () => {
  const [first = [], second = []] = mirror.pairs.map(({ output }) => output);
  const { end, asked, view } = await induced(
    saying({
      instruction: [instruct('Copy it.'), instruct('Mirror it.', { revises: 1 })],
      generator: [
        solvedBy(mirror, same),
        outputs([first, null], mirror.queries.map(mirrored)),
        outputs([null, second], []),
      ],
    }),
  );
  expect(end.outcome).toBe('solved');
  const [, , , revised = '', again = ''] = asked.map(wordsOf);
  expect(revised).not.toContain('output now');
  expect(revised).toContain('Begin from the inputs');
  expect(revised.match(/Mirror it\./g)).toHaveLength(1);
  expect(again).toContain('train 2: its output is missing.');
  expect(view.lines[0]?.steps[1]?.train).toEqual([first, second]);
});

describe('a right rule that was carried out wrongly', () => {
  test.each<[string, JsonObject, string | object]>([
    ['in JSON', {}, instruct('', { mind: 'the last row' })],
    [
      'in labelled lines',
      { replies: 'text' },
      'Rationale: a slip\nInstruction: none\nMind: the last row\nDone: no',
    ],
  ])('is carried out again and not written anew: %s', async (_name, settings, again) => {
    const { end, asked, view } = await induced(
      saying({
        instruction: [instruct('Mirror it.'), again],
        generator: [
          outputs(
            [
              [[0, 0, 1]],
              [
                [3, 2],
                [4, 5],
              ],
            ],
            mirror.queries.map(mirrored),
          ),
          solvedBy(mirror, mirrored),
        ],
      }),
      { settings },
    );
    expect(end.outcome).toBe('solved');
    const last = asked.map(wordsOf).at(-1) ?? '';
    expect(last).toContain('Mind this time: the last row');
    expect(last).toContain('Instructions:\n1. Mirror it.');
    expect(last).not.toContain('output now');
    expect(view.lines[0]?.steps[1]?.instruction).toMatchObject({ text: '', mind: 'the last row' });
  });

  test('before there is any instruction it is no way on', async () => {
    const { end } = await induced(saying({ instruction: [instruct('', { mind: 'all' })], generator: [] }));
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { detail: /sees no way on/ } });
  });
});

describe('a program that passed, where the model is to decide', () => {
  test.each<[string, JsonObject, string | object]>([
    ['a field', {}, program('', { keep: true })],
    ['one word', { replies: 'text' }, 'KEEP'],
    ['the same program', {}, program(mirroring)],
  ])('stays without being sent again: %s', async (_name, settings, decision) => {
    const first = 'replies' in settings ? `\`\`\`python\n${mirroring}\n\`\`\`` : program(mirroring);
    const { end, asked, view } = await induced(saying({ programmer: [first, decision] }), {
      settings: { representation: 'programs', afterPass: 'decide', ...settings },
      world: { io: { sandbox } },
    });
    expect(end.outcome).toBe('solved');
    expect(asked).toHaveLength(2);
    expect(asked.map(wordsOf)[1]).not.toContain('unchanged');
    expect(view.lines[0]?.status).toBe('completed');
  });
});
