/** The grader alone: a located list of what is wrong with a proof, by graders who vote. */

import { describe, expect, test } from 'vitest';
import { proofGrader } from '../../src/agents/proof/proof-grader.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ScriptCall } from '../../src/models/scripted.ts';
import { coded } from '../support/coded.ts';
import { answerText, judged, proofRun, type Said, textIn, value } from '../support/proof-run.ts';

const text =
  'Two is even.\nSo two plus two is even.\nClearly it is four.\nNothing else is even and below five.';
const gap = { kind: 'justification-gap', quote: 'Clearly it is four.', explanation: 'Why?' };
const error = { kind: 'critical-error', quote: 'Nothing else is even', explanation: 'Zero is.' };
const list = (accepts: boolean, ...findings: JsonObject[]) =>
  value({ check: 'Step 1.', findings, proved: 'Something.', verdict: accepts ? 'complete' : 'gaps' });

function graded(grader: Said[string], settings: JsonObject = {}, limits: JsonObject = {}) {
  return proofRun({
    agent: proofGrader,
    said: { grader, reviewer: judged(false) },
    settings,
    limits,
    problem: { candidate: { text } },
  });
}

test('a list of errors and gaps, in the order of the proof, with their places', async () => {
  const run = await graded([list(false, error, gap)]);
  expect(run.end).toMatchObject({ outcome: 'rejected', solution: { end: 'rejected' } });
  expect(run.end.solution?.detail).toBe('The proof did not pass: 0 of 1 graders who voted accepted it.');
  expect(run.notes('grading')).toEqual([
    {
      pass: false,
      votes: { yes: 0, no: 1, of: 1 },
      points: null,
      findings: [
        { ...gap, lines: { first: 3, last: 3 }, graders: [1] },
        { ...error, lines: { first: 4, last: 4 }, graders: [1] },
      ],
    },
  ]);
  expect(answerText(run.end)).toMatch(
    /^1\. \*\*Justification gap\*\* \(line 3\)\n\n {3}> Clearly it is four\.\n\n {3}Why\?\n\n2\. \*\*Critical error\*\* \(line 4\)/,
  );
  const [asked = []] = run.of('grader');
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(textIn(asked[1])).toContain('So two plus two is even.');
});

test('a proof in which nothing is found passes', async () => {
  const run = await graded([list(true)]);
  expect(run.notes('grading')).toMatchObject([{ pass: true, findings: [] }]);
  expect(run.end.outcome).toBe('passed');
  expect(answerText(run.end)).toBe('Nothing was found.');
});

test.each([
  [false, 'passed', 'overruled'],
  [true, 'rejected', 'open'],
])(
  'what is found in an accepted proof is judged: it holds is %j, and it is %s',
  async (holds, outcome, answer) => {
    const run = await proofRun({
      agent: proofGrader,
      said: { grader: [list(true, gap)], reviewer: judged(holds) },
      problem: { candidate: { text } },
    });
    expect(run.end.outcome).toBe(outcome);
    expect(run.notes('grading')).toMatchObject([{ pass: !holds, findings: [{ quote: gap.quote, answer }] }]);
  },
);

describe('a report that cannot be right is asked for once more', () => {
  const invented = { ...gap, quote: 'By induction it is four.' };

  test('where it quotes what is not there', async () => {
    const run = await graded([list(false, invented), list(false, gap)]);
    expect(run.of('grader')).toHaveLength(2);
    expect(textIn(run.of('grader')[1]?.at(-1))).toContain(
      'These words do not stand in the solution: “By induction',
    );
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ quote: gap.quote, lines: { first: 3 } }]);
  });

  test('twice: the finding is kept, and told to have no place', async () => {
    const run = await graded([list(false, invented, gap)]);
    expect(run.of('grader')).toHaveLength(2);
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ lines: { first: 3 } }, { lines: null }]);
    expect(answerText(run.end)).toContain('its words are not in the proof');
  });

  test('where nothing is found and it is not accepted', async () => {
    const run = await graded([list(false), list(false, error)]);
    expect(textIn(run.of('grader')[1]?.at(-1))).toContain('list nothing that is wrong');
    expect(run.notes('grading')[0]?.findings).toHaveLength(1);
  });

  test('where it is none; without any, the run says so', async () => {
    const good = await graded(['Bad.', list(false, gap)]);
    expect(good.notes('grading')[0]?.findings).toHaveLength(1);
    const never = await graded(['Bad.']);
    expect(never.end).toMatchObject({ outcome: 'malformed' });
    expect(never.end.solution?.detail).toContain('report cannot be read');
  });

  test('a list in JSON with single backslashes, and kinds in other letters, is read', async () => {
    const words = String.raw`{"findings": [{"kind": "Justification gap", "quote": "So two plus two", "explanation": "Why \frac{1}{2}?"}], "verdict": "Gaps"}`;
    const run = await graded([words.replaceAll('\\\\', '\\')]);
    expect(run.of('grader')).toHaveLength(1);
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ explanation: 'Why \\frac{1}{2}?' }]);
  });
});

describe('several graders', () => {
  const who = ({ branch }: ScriptCall) => Number(/grader-(\d+)$/.exec(branch)?.[1] ?? 1);
  const lists = [list(true), list(false, gap, error), list(false, { ...gap, quote: 'it is four' })];
  const grader = (call: ScriptCall) => lists[who(call) - 1] ?? '';

  test('agree on a place: it is told once, with who found it', async () => {
    const run = await graded(grader, { graders: 3, vote: 'majority' });
    const [grading] = run.notes('grading');
    expect(grading).toMatchObject({ pass: false, votes: { no: 2, of: 3 } });
    expect(grading?.findings).toMatchObject([
      { quote: gap.quote, graders: [2, 3] },
      { quote: error.quote, graders: [2] },
    ]);
    expect(
      run
        .notes('report')
        .map(({ grader: number }) => number)
        .toSorted(),
    ).toEqual(expect.arrayContaining([2, 3]));
  });

  test('vote also where they finish while the vote is decided: what they found and their votes agree', async () => {
    const [grading] = (await graded([list(false, error)], { graders: 3 })).notes('grading');
    const { yes = 0, no = 0 } = grading?.votes ?? {};
    expect(grading?.findings[0]?.graders).toHaveLength(yes + no);
  });

  test('who are called off while they are asked about their reports have voted', async () => {
    const nowhere = { ...gap, quote: 'By induction it is four.' };
    const slow = (call: ScriptCall) => {
      if (who(call) !== 3) return { ...list(true), delayMs: 200 };
      return call.index === 0 ? list(false, nowhere) : { ...list(false, error), delayMs: 600_000 };
    };
    const run = await graded(slow, { graders: 3 });
    expect(run.notes('grading')).toMatchObject([{ pass: true, votes: { yes: 2, no: 1, of: 3 } }]);
    expect(run.end.outcome).toBe('doubtful');
    expect(run.notes('report')).toMatchObject([
      { grader: 1, pass: true },
      { grader: 2, pass: true },
      { grader: 3, pass: false, report: expect.stringContaining('By induction it is four.') },
    ]);
  });

  test('of whom one finds something that a reviewer overrules: it passes with doubts', async () => {
    const run = await graded(
      (call) => (who(call) === 1 ? list(false, gap) : { ...list(true), delayMs: 200 }),
      { graders: 3 },
    );
    expect(run.end).toMatchObject({
      outcome: 'doubtful',
      solution: { detail: expect.stringContaining('overruled') },
    });
  });

  test('come to a limit: what was found is handed in, and no verdict is', async () => {
    const run = await graded(grader, { graders: 3 }, { modelCalls: 2 });
    expect(run.end.solution).toMatchObject({ end: 'gave-up' });
    expect(run.end.solution?.detail).toMatch(/of 3 graders had finished, and nothing was decided/);
    expect(run.notes('grading')).toEqual([]);
  });
});

test('points; what has an error that holds never passes', async () => {
  const points = (given: number, ...findings: JsonObject[]) => value({ findings, points: given });
  const passing = (reviewer: Said[string], ...findings: JsonObject[]) =>
    proofRun({
      agent: proofGrader,
      said: { grader: [points(6, ...findings)], reviewer },
      settings: { grading: 'points', passPoints: 5 },
      problem: { candidate: { text } },
    });
  expect((await passing([])).notes('grading')).toMatchObject([{ pass: true, points: 6 }]);
  const bad = await passing(judged(true), error);
  expect(bad.notes('grading')).toMatchObject([{ pass: false, points: 6 }]);
});

test('a call that failed ends the run, and is no verdict', async () => {
  const run = await graded([{ error: { kind: 'bad-request' } }]);
  expect(run.end).toMatchObject({ outcome: 'error', error: { name: 'bad-request' } });
  expect(run.notes('grading')).toEqual([]);
});

test('what it usually takes is a report of each grader', () => {
  expect(
    proofGrader.usual?.({ graders: 3 } as Parameters<NonNullable<typeof proofGrader.usual>>[0]),
  ).toMatchObject({
    turns: 3,
  });
});

test('a grader that refuses', async () => {
  const run = await graded([{ text: 'No.', finish: 'refusal' }]);
  expect(run.end).toMatchObject({ outcome: 'refused' });
});

test('a problem without a proof is turned away before anything is spent', async () => {
  const run = proofRun({ agent: proofGrader, said: { grader: ['x'] } });
  await expect(run).rejects.toThrow(coded('problem-lacks-capability'));
});
