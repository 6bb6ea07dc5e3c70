/** Submissions: written in the competition's form, read strictly, scored by the official rule. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countAnsweredInputs } from '../../src/apps/arc/submission.ts';
import type { Grid } from '../../src/core/problem.ts';
import {
  placeholder,
  readSubmission,
  type SubmissionEntry,
  scoreOf,
  submissionOf,
} from '../../src/families/arc/submission.ts';
import { anyGrid, seededRuns } from '../grids/grids.ts';

const tasks = [
  { id: 'a', test: [[[0]]] },
  { id: 'b', test: [[[0]], [[0]]] },
];
const tests = new Map(tasks.map(({ id, test }) => [id, test.length]));
const one: Grid = [[1]];
const two: Grid = [[2]];
const three: Grid = [[3]];

describe('writing', () => {
  test('every task, one entry a test input, placeholders for what nobody ran', () => {
    expect(submissionOf(tasks, () => [])).toEqual({
      a: [{ attempt_1: placeholder, attempt_2: placeholder }],
      b: [
        { attempt_1: placeholder, attempt_2: placeholder },
        { attempt_1: placeholder, attempt_2: placeholder },
      ],
    });
  });

  test.each<[string, readonly (readonly Grid[])[], readonly [Grid, Grid]]>([
    ['two attempts', [[one, two]], [one, two]],
    ['one attempt is given twice', [[one]], [one, one]],
    ['the same twice, and another', [[one, one, two]], [one, two]],
    ['several answers in turn', [[one, two], [three]], [one, three]],
    [
      'several that agree first',
      [
        [one, two],
        [one, three],
      ],
      [one, two],
    ],
    ['an answer without this query', [[], [three]], [three, three]],
  ])('%s', (_name, answers, [first, second]) => {
    const made = submissionOf([{ id: 'a', test: [[[0]]] }], () => answers.map((grids) => [grids]));
    expect(made.a).toEqual([{ attempt_1: first, attempt_2: second }]);
  });

  test('indices are not shifted by what is missing or too much', () => {
    const made = submissionOf(tasks, (id) => (id === 'b' ? [[[], [two], [three]]] : []));
    expect(made.b).toEqual([
      { attempt_1: placeholder, attempt_2: placeholder },
      { attempt_1: two, attempt_2: two },
    ]);
  });

  test('what is written is read back without a fault', () => {
    fc.assert(
      fc.property(fc.array(anyGrid(4), { maxLength: 4 }), (grids) => {
        const made = submissionOf(tasks, () => [[grids, grids]]);
        const read = readSubmission(JSON.parse(JSON.stringify(made)), tests);
        expect(read.faults).toEqual([]);
        expect([...read.entries.keys()]).toEqual(['a', 'b']);
      }),
      seededRuns,
    );
  });
});

describe('reading', () => {
  const entry = { attempt_1: one, attempt_2: two };

  test.each<[string, unknown, string]>([
    ['an unknown task', { c: [entry] }, 'c: there is no such task in the solutions'],
    ['no list', { a: entry }, 'a: it is no list with an entry for each test input'],
    ['too few entries', { b: [entry] }, 'b: it has 1 entry, the task 2 test inputs'],
    ['too many entries', { a: [entry, entry] }, 'a: it has 2 entries, the task 1 test input'],
    ['no entry', { a: [one] }, 'a: test pair 1 is no object with attempt_1 and attempt_2'],
    [
      'a missing attempt',
      { a: [{ attempt_1: one }] },
      'a: test pair 1, attempt_2: it is missing, not a list of rows',
    ],
    [
      'a null attempt',
      { b: [entry, { ...entry, attempt_1: null }] },
      'b: test pair 2, attempt_1: it is null, not a list of rows',
    ],
    [
      'a bad cell',
      { a: [{ ...entry, attempt_2: [[1, 10]] }] },
      'a: test pair 1, attempt_2: row 1, cell 2 is 10, not a whole number from 0 to 9',
    ],
    [
      'a third attempt',
      { a: [{ ...entry, attempt_3: one }] },
      'a: test pair 1 has "attempt_3"; there are attempt_1 and attempt_2 only',
    ],
  ])('%s', (_name, value, expected) => {
    const { faults } = readSubmission(value, tests);
    expect(faults.map(({ task, what }) => `${task}: ${what}`)).toEqual([expected]);
  });
});

/** The rule as its page words it, written anew: nothing of the product is called here. */
function independentScore(
  submission: Record<string, readonly SubmissionEntry[]>,
  solutions: Record<string, readonly Grid[]>,
) {
  let right = 0;
  let pairs = 0;
  for (const [task, outputs] of Object.entries(solutions)) {
    outputs.forEach((output, index) => {
      pairs += 1;
      const guesses = submission[task]?.[index];
      const wanted = JSON.stringify(output);
      if (
        guesses &&
        (JSON.stringify(guesses.attempt_1) === wanted || JSON.stringify(guesses.attempt_2) === wanted)
      )
        right += 1;
    });
  }
  return right / pairs;
}

describe('scoring', () => {
  const solutions = new Map<string, readonly Grid[]>([
    ['a', [one]],
    ['b', [one, two]],
  ]);

  test('any of two attempts, by pairs and by task', () => {
    const entries = new Map([
      [
        'b',
        [
          { attempt_1: three, attempt_2: one },
          { attempt_1: one, attempt_2: one },
        ],
      ],
    ]);
    expect(scoreOf(entries, solutions)).toEqual({
      pairs: 3,
      right: 1,
      score: 1 / 3,
      solved: 0,
      tasks: [
        { task: 'a', pairs: 1, right: 0, attempts: [null], isMissing: true },
        { task: 'b', pairs: 2, right: 1, attempts: [2, null], isMissing: false },
      ],
    });
    expect(scoreOf(new Map(), new Map()).score).toBe(0);
  });

  test('an independent scorer agrees on random submissions', () => {
    const few = fc.constantFrom<Grid>(one, two, [[1, 1]], [[1], [1]]);
    const solution = fc.array(few, { minLength: 1, maxLength: 3 });
    const problem = fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), solution, {
      minKeys: 1,
      maxKeys: 6,
    });
    const made = problem.chain((chosen) =>
      fc.tuple(
        fc.constant(chosen),
        fc.record(
          Object.fromEntries(
            Object.entries(chosen).map(([id, outputs]) => [
              id,
              fc.array(fc.record({ attempt_1: few, attempt_2: few }), {
                minLength: outputs.length,
                maxLength: outputs.length,
              }),
            ]),
          ),
          { requiredKeys: [] },
        ),
      ),
    );
    fc.assert(
      fc.property(made, ([chosen, submission]) => {
        const counts = new Map(Object.entries(chosen).map(([id, outputs]) => [id, outputs.length]));
        const { entries, faults } = readSubmission(submission, counts);
        expect(faults).toEqual([]);
        const ours = scoreOf(entries, new Map(Object.entries(chosen))).score;
        expect(ours).toBe(independentScore(submission as Record<string, SubmissionEntry[]>, chosen));
      }),
      { ...seededRuns, numRuns: 500 },
    );
  });
});

test('a file that is no submission answers nothing', () => {
  const tests = new Map([['a', 1]]);
  expect(
    countAnsweredInputs({ tests }, JSON.stringify({ a: [{ attempt_1: [[1]], attempt_2: [[0]] }] })),
  ).toBe(1);
  for (const text of ['', '{', '[]', '{"b": []}', JSON.stringify({ a: [{ attempt_1: [[1]] }] })])
    expect(countAnsweredInputs({ tests }, text)).toBe(0);
});
