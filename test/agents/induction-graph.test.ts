/** The induction graph in words: it solves, corrects, fails, runs out of steps, and lives with replies of any form. */
import { describe, expect, test } from 'vitest';
import { nodeUsage } from '../../src/apps/arc/outcomes.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { Grid } from '../../src/core/problem.ts';
import { foldInduction } from '../../src/notes/induction.ts';
import {
  type Asked,
  done,
  induced,
  instruct,
  mirror,
  mirrored,
  outputs,
  solvedBy,
  structured,
  wordsOf,
} from '../support/induction.ts';

const same = (grid: Grid): Grid => grid;
const answers = { type: 'grids', attempts: mirror.queries.map((grid) => [mirrored(grid)]) };

/** Replies by role, the last of them for ever. */
function by(said: Readonly<Record<string, readonly (string | object)[]>>) {
  return ({ call }: Asked) => {
    const lines = said[call.role] ?? [];
    return lines[Math.min(call.index, lines.length - 1)] ?? '';
  };
}

describe('the loop', () => {
  test('solves in one step: instruction, generator, verifier, end', async () => {
    const { end, rolesAsked, view, replay } = await induced(
      by({ instruction: [instruct('Mirror it.')], generator: [solvedBy(mirror, mirrored)] }),
    );
    expect(end).toMatchObject({ outcome: 'solved', solution: { end: 'answered', answer: answers } });
    expect(rolesAsked).toEqual(['instruction', 'generator']);
    expect(view.lines).toMatchObject([
      {
        name: 'steps-1',
        status: 'completed',
        steps: [
          {
            number: 1,
            instruction: { text: 'Mirror it.', rationale: 'because', confidence: 'high', done: false },
            status: 'changed',
            train: mirror.pairs.map(({ output }) => output),
            verification: { passed: true, score: 1 },
          },
        ],
      },
    ]);
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('corrects itself: the instructor is shown what differs, the generator never what is expected', async () => {
    const { end, asked } = await induced(
      by({
        instruction: [instruct('Copy it.'), instruct('Mirror it.', { revises: 1 })],
        generator: [solvedBy(mirror, same), solvedBy(mirror, mirrored)],
      }),
    );
    expect(end.outcome).toBe('solved');
    const [first, generator, second, last] = asked.map(wordsOf);
    expect(first).toContain('Train 2, output (2×2):\n3 2\n5 4');
    expect(first).toContain('There is no instruction and no output yet.');
    expect(first).not.toContain('difference:');
    expect(generator).not.toContain('3 2');
    expect(generator).not.toContain('difference');
    expect(second).toContain('4 of 4 cells are wrong');
    expect(second).toContain('1. Copy it.');
    expect(second).toContain('Step 2 of at most 10');
    expect(last).toContain('Instruction 1 was replaced.');
    expect(last).toContain('Instructions:\n1. Mirror it.\n');
    expect(last?.match(/Mirror it/g)).toHaveLength(1);
  });

  test('runs out of steps, and still hands in its last outputs', async () => {
    const { end, view, rolesAsked } = await induced(
      by({ instruction: [instruct('Copy it.')], generator: [solvedBy(mirror, same)] }),
      { settings: { maxSteps: 3 } },
    );
    expect(end).toMatchObject({
      outcome: 'gave-up',
      solution: { answer: { attempts: mirror.queries.map((grid) => [grid]) } },
    });
    expect(end.solution?.detail).toBe(
      '0 of 1 hypothesis reproduces the train pairs. steps-1 has used up all 3 steps.',
    );
    expect(view.lines[0]).toMatchObject({ status: 'failed_max_steps', steps: [{}, {}, {}] });
    expect(rolesAsked).toHaveLength(6);
  });

  test("50 steps are 150 nodes: the engine's own limit of 25 does not end it", async () => {
    const { end, view, replay } = await induced(
      by({
        instruction: [instruct('Copy it.')],
        generator: [...Array.from({ length: 49 }, () => solvedBy(mirror, same)), solvedBy(mirror, mirrored)],
      }),
      { settings: { maxSteps: 50 } },
    );
    expect(end.outcome).toBe('solved');
    expect(view.lines[0]?.steps).toHaveLength(50);
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('`done` before the train outputs are right is questioned once, and then believed', async () => {
    const { end, view, asked } = await induced(
      by({ instruction: [instruct('Copy it.'), done, done], generator: [solvedBy(mirror, same)] }),
    );
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { answer: { type: 'grids' } } });
    expect(view.lines[0]).toMatchObject({ status: 'failed' });
    const last = asked.at(-1);
    expect(last && wordsOf(last)).toContain('not every train output is right yet: train 1, train 2');
  });
});

describe('when the train pairs are right', () => {
  const said = {
    instruction: [instruct('Mirror it.'), instruct('The second test too.'), done],
    generator: [
      outputs(
        mirror.pairs.map(({ output }) => output),
        [mirrored(mirror.queries[0] ?? []), null],
      ),
      outputs([], [null, mirrored(mirror.queries[1] ?? [])]),
    ],
  };

  test('a test output that is missing is asked for again at once', async () => {
    const { end, rolesAsked, asked } = await induced(by(said));
    expect(end).toMatchObject({ outcome: 'solved', solution: { answer: answers } });
    expect(rolesAsked).toEqual(['instruction', 'generator', 'generator']);
    expect(asked[2] && wordsOf(asked[2])).toContain('test 2: its output is missing.');
  });

  test('and where it stays missing, the rule is not done: its instructor sees which one', async () => {
    const { end, asked, view } = await induced(by(said), { settings: { repairs: 0 } });
    expect(end).toMatchObject({ outcome: 'solved', solution: { answer: answers } });
    expect(asked).toHaveLength(4);
    expect(asked[2] && wordsOf(asked[2])).toContain('Test 2, output now: there is none yet.');
    expect(view.lines[0]?.steps).toHaveLength(2);
  });

  test('done is not believed while a test output is missing, and why it ended is told', async () => {
    const { end, asked } = await induced(by({ ...said, instruction: [instruct('Mirror it.'), done] }), {
      settings: { repairs: 0 },
    });
    expect(asked.map(wordsOf).at(-1)).toContain('not every train output is right yet: test 2 has none');
    expect(end.outcome).toBe('gave-up');
    const once = await induced(by(said), { settings: { repairs: 0, maxSteps: 1 } });
    expect(once.end).toMatchObject({
      outcome: 'gave-up',
      solution: {
        detail: expect.stringContaining('reproduced, but there is no output of test 2.'),
        answer: { attempts: [[[[9, 8, 7]]], []] },
      },
    });
  });

  test('what is broken again later is not handed in', async () => {
    const { end, view } = await induced(
      by({
        instruction: [instruct('Mirror it.'), instruct('Copy it.')],
        generator: [solvedBy(mirror, mirrored), solvedBy(mirror, same)],
      }),
      { settings: { afterPass: 'decide', maxSteps: 3, attempts: 1 } },
    );
    expect(end).toMatchObject({ outcome: 'solved', solution: { answer: answers } });
    expect(view.lines[0]?.status).toBe('completed');
  });
});

describe('outputs', () => {
  const right = mirror.pairs.map(({ output }) => output);

  test('that are missing, null or too many move none of the others', async () => {
    const { view, end } = await induced(
      by({
        instruction: [instruct('Mirror.'), instruct('Mirror the others, too.')],
        generator: [
          {
            status: 'two',
            train_outputs: [{ sample: 2, grid: '3 2\n5 4' }],
            test_outputs: [null, { grid: '0 6\n6 0' }],
          },
          {
            status: 'one',
            train_outputs: [
              { sample: 1, grid: '0 0 1' },
              { sample: 3, grid: '1' },
              { sample: 2, grid: null },
            ],
            test_outputs: [[[9, 8, 7]]],
          },
        ],
      }),
      { settings: { repairs: 0 } },
    );
    const [first, second] = view.lines[0]?.steps ?? [];
    expect(first?.train).toEqual([null, right[1]]);
    expect(first?.test).toEqual([
      null,
      [
        [0, 6],
        [6, 0],
      ],
    ]);
    expect(second?.train).toEqual(right);
    expect(end.outcome).toBe('solved');
  });

  test('that are no grids are asked for again, with their place; what can be read stays', async () => {
    const { end, asked, view } = await induced(
      by({
        instruction: [instruct('Mirror.')],
        generator: [
          outputs([right[0] ?? [], [[3, 2], [5]]], mirror.queries.map(mirrored)),
          outputs([null, right[1] ?? []], []),
        ],
      }),
    );
    expect(end.outcome).toBe('solved');
    const again = asked.at(-1);
    expect(again && wordsOf(again)).toMatch(/Your reply cannot be used. train 2: .*row 2/);
    expect(view.lines[0]?.unreadable).toMatchObject([{ role: 'generator' }]);
  });

  test('of which none can ever be read end the hypothesis, after so many tries', async () => {
    const { end, rolesAsked, view } = await induced(
      by({ instruction: [instruct('Mirror.')], generator: ['I would rather talk.'] }),
      { settings: { repairs: 2 } },
    );
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { answer: { attempts: [[], []] } } });
    expect(end.solution?.detail).toContain("The generator's reply cannot be used.");
    expect(rolesAsked.filter((role) => role === 'generator')).toHaveLength(3);
    expect(view.lines[0]).toMatchObject({ status: 'failed', steps: [{ verification: null }] });
  });
});

describe('replies', () => {
  test('an empty instruction is asked for again, and then ends the hypothesis', async () => {
    const { end, view, rolesAsked } = await induced(by({ instruction: [instruct('  ')] }));
    expect(end.outcome).toBe('gave-up');
    expect(rolesAsked).toEqual(['instruction', 'instruction']);
    // The last reply was said to be asked for again as well.
    expect(view.lines[0]?.unreadable).toHaveLength(1);
    expect(view.lines[0]?.detail).toMatch(/^The instruction's reply cannot be used/);
  });

  test('of text are parsed: labelled lines, and grids under their samples', async () => {
    const { end, asked, view } = await induced(
      by({
        instruction: [
          '**Instruction:** Mirror it,\nrow by row.\nRevises: none\nDone: no\nRationale: pairs\nConfidence: Low',
        ],
        generator: [
          'Status: mirrored all\n\n**Train 1:**\n```\n0 0 1\n```\n### Train 2\n3 2\n5 4\n\nTest 1: 9,8,7\nTest 2 output:\n[[0,6],[6,0]]',
        ],
      }),
      { settings: { replies: 'text' } },
    );
    expect(end.outcome).toBe('solved');
    expect(asked.every(({ request }) => request.output === undefined)).toBe(true);
    expect(view.lines[0]?.steps[0]).toMatchObject({
      instruction: { text: 'Mirror it,\nrow by row.', confidence: 'low', rationale: 'pairs' },
      status: 'mirrored all',
    });
  });

  test.each([
    ['spaced', '2 3\n4 5'],
    ['json', '[[2,3],\n [4,5]]'],
    ['csv', '2,3\n4,5'],
  ])('grids are shown as %s', async (grids, shown) => {
    const { asked } = await induced(by({ instruction: [done] }), { settings: { grids } });
    const [first] = asked;
    expect(first && wordsOf(first)).toContain(`Train 2, input (2×2):\n${shown}`);
  });

  test('a refusal ends the run as refused', async () => {
    const refusal = { ...structured({}), finish: 'refusal', message: { role: 'assistant', content: [] } };
    const { end } = await induced(() => refusal as never);
    expect(end).toMatchObject({
      outcome: 'refused',
      solution: { detail: expect.stringContaining('refused') },
    });
  });
});

describe('pictures and settings', () => {
  test('pictures go with every grid and difference, made by us', async () => {
    const { asked } = await induced(
      by({ instruction: [instruct('Copy.')], generator: [solvedBy(mirror, same)] }),
      { settings: { images: true, maxSteps: 2 } },
    );
    const [first, second, third] = asked.map(wordsOf).map((words) => words.match(/\[image\]/g)?.length ?? 0);
    // All samples of a small task in one picture; the generator's without the outputs; what is wrong in another.
    expect([first, second, third]).toEqual([1, 1, 2]);
    expect(asked.map(wordsOf)[0]).toContain('Colours: 0 black, 1 blue, 2 red,');
    const part = asked[0]?.request.messages[1]?.content[1];
    expect(part).toMatchObject({
      type: 'image',
      mediaType: 'image/png',
      data: expect.stringMatching(/^iVBORw0KGgo/),
    });
  });
});

test('each node has its four token counts and its cost, priced by the snapshot in the journal', async () => {
  const { events } = await induced(
    by({
      instruction: [instruct('Copy.'), instruct('Mirror.')],
      generator: [solvedBy(mirror, same), solvedBy(mirror, mirrored)],
    }),
    {
      model: { price: { inputUsdPerMillion: 2.5, cachedInputUsdPerMillion: 0.25, outputUsdPerMillion: 20 } },
    },
  );
  const nodes = nodeUsage([{ view: foldRun(events), induction: foldInduction(events) }]);
  // What `structured` says of every reply: 100 tokens in, 40 of them cached, 20 out.
  const costUsd = (2 * ((100 - 40) * 2.5 + 40 * 0.25 + 20 * 20)) / 1_000_000;
  const tokens = { input: 200, cachedInput: 80, output: 40 };
  expect(nodes).toMatchObject([
    { node: 'instruction', calls: 2, tokens, total: 240, costUsd: expect.closeTo(costUsd, 12) },
    { node: 'generator', calls: 2, tokens, total: 240, costUsd: expect.closeTo(costUsd, 12) },
    { node: 'verifier', calls: 0, total: 0, costUsd: 0 },
  ]);
});
