/** The grader alone: a located list of what is wrong with a proof, by graders who vote. */

import { describe, expect, test } from 'vitest';
import { proofGrader } from '../../src/agents/proof/proof-grader.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ScriptCall } from '../../src/models/scripted.ts';
import { coded } from '../support/coded.ts';
import { answerText, proofRun, report, type Said, textIn, value } from '../support/proof-run.ts';

const text =
  'Two is even.\nSo two plus two is even.\nClearly it is four.\nNothing else is even and below five.';
const gap = { kind: 'justification-gap', quote: 'Clearly it is four.', explanation: 'Why?' };
const error = { kind: 'critical-error', quote: 'Nothing else is even', explanation: 'Zero is.' };
const list = (accepts: boolean, ...findings: JsonObject[]) => value({ findings, accepts });

function graded(grader: Said[string], settings: JsonObject = {}, limits: JsonObject = {}) {
  return proofRun({
    agent: proofGrader,
    said: { grader },
    settings,
    limits,
    problem: { candidate: { text } },
  });
}

test('a list of errors and gaps, in the order of the proof, with their places', async () => {
  const run = await graded([report('Two findings.'), list(false, error, gap)]);
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
  const [, asked = []] = run.of('grader');
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(asked[1])).toContain('So two plus two is even.');
});

test('a proof in which nothing is found passes', async () => {
  const run = await graded([report('Correct.'), list(true)]);
  expect(run.notes('grading')).toMatchObject([{ pass: true, findings: [] }]);
  expect(run.end.outcome).toBe('passed');
  expect(answerText(run.end)).toBe('Nothing was found.');
});

test('a small gap may pass', async () => {
  const run = await graded([report('A small gap.'), list(true, gap)]);
  expect(run.notes('grading')).toMatchObject([{ pass: true, findings: [{ quote: gap.quote }] }]);
});

describe('a list that cannot be right is asked for once more', () => {
  const invented = { ...gap, quote: 'By induction it is four.' };

  test('where it quotes what is not there', async () => {
    const run = await graded([report('A gap.'), list(false, invented), list(false, gap)]);
    expect(run.of('grader')).toHaveLength(3);
    expect(textIn(run.of('grader')[2]?.at(-1))).toContain(
      'These words do not stand in the solution: “By induction',
    );
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ quote: gap.quote, lines: { first: 3 } }]);
  });

  test('twice: the finding is kept, and told to have no place', async () => {
    const run = await graded([report('A gap.'), list(false, invented, gap)]);
    expect(run.of('grader')).toHaveLength(3);
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ lines: { first: 3 } }, { lines: null }]);
    expect(answerText(run.end)).toContain('its words are not in the proof');
  });

  test('where a critical error is accepted; it never passes', async () => {
    const run = await graded([report('An error.'), list(true, error)]);
    expect(textIn(run.of('grader')[2]?.at(-1))).toContain('You accept a solution in which you found');
    expect(run.notes('grading')).toMatchObject([{ pass: false }]);
  });

  test('where nothing is found and it is not accepted', async () => {
    const run = await graded([report('Bad.'), list(false), list(false, error)]);
    expect(textIn(run.of('grader')[2]?.at(-1))).toContain('list nothing that is wrong');
    expect(run.notes('grading')[0]?.findings).toHaveLength(1);
  });

  test('where it is no list; without any, the run says so', async () => {
    const good = await graded([report('Bad.'), 'Bad.', list(false, gap)]);
    expect(good.notes('grading')[0]?.findings).toHaveLength(1);
    const never = await graded([report('Bad.'), 'Bad.']);
    expect(never.end).toMatchObject({ outcome: 'malformed' });
    expect(never.end.solution?.detail).toContain('no list of findings');
  });
});

test.each([
  ['the report', report('error'), value({ findings: [gap] })],
  ['the list', report('Unclear.'), value({ findings: [gap], verdict: 'error' })],
  ['what was found', report('Unclear.'), value({ findings: [error] })],
])('a list without `accepts` is read with the verdict of %s', async (_of, words, listed) => {
  const run = await graded([words, listed]);
  expect(run.notes('grading')).toMatchObject([{ pass: false, findings: [{ graders: [1] }] }]);
});

test.each([
  ['accepts', 'is missing', { findings: [gap] }],
  ['findings.0.kind', 'does not have the form', { findings: [{ ...gap, kind: 'typo' }], accepts: false }],
])('a list that cannot be read names its field: %s %s', async (field, how, listed) => {
  const run = await graded([report('Unclear.'), value(listed)]);
  expect(run.end).toMatchObject({ outcome: 'malformed' });
  expect(run.end.solution?.detail).toContain(`its field “${field}” ${how}`);
});

describe('several graders', () => {
  const who = ({ branch }: ScriptCall) => Number(/grader-(\d+)$/.exec(branch)?.[1] ?? 1);
  const lists = [list(true), list(false, gap, error), list(false, { ...gap, quote: 'it is four' })];
  const grader = (call: ScriptCall) =>
    call.request.output ? (lists[who(call) - 1] ?? '') : report(`Report of ${who(call)}.`);

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
    const all = (call: ScriptCall) =>
      call.request.output ? list(false, error) : report(`Report of ${who(call)}.`);
    const [grading] = (await graded(all, { graders: 3 })).notes('grading');
    const { yes = 0, no = 0 } = grading?.votes ?? {};
    expect(grading?.findings[0]?.graders).toHaveLength(yes + no);
  });

  test('who are called off before they have voted leave their reports', async () => {
    const slow = (call: ScriptCall) =>
      call.request.output && who(call) === 3
        ? { ...list(false, error), delayMs: 600_000 }
        : call.request.output
          ? list(true, gap)
          : report(`Report of ${who(call)}.`);
    const run = await graded(slow, { graders: 3 });
    expect(run.notes('grading')).toMatchObject([{ pass: true, votes: { yes: 2, no: 0, of: 3 } }]);
    expect(run.notes('report')).toMatchObject([
      { grader: 1, pass: true },
      { grader: 2, pass: true },
      { grader: 3, pass: null, report: report('Report of 3.') },
    ]);
  });

  test('come to a limit: what was found is handed in, and no verdict is', async () => {
    const run = await graded(grader, { graders: 3 }, { modelCalls: 5 });
    expect(run.end.solution).toMatchObject({ end: 'gave-up' });
    expect(run.end.solution?.detail).toMatch(/of 3 graders had finished, and nothing was decided/);
    expect(run.notes('grading')).toEqual([]);
  });
});

test('points by a rubric; what has a critical error never passes', async () => {
  const points = (given: number, ...findings: JsonObject[]) => value({ findings, points: given });
  const settings = { grading: 'points', passPoints: 5 };
  const good = await graded([report('Fine.'), points(5, gap)], settings);
  expect(good.notes('grading')).toMatchObject([{ pass: true, points: 5 }]);
  const bad = await graded([report('Fine.'), points(6, error)], settings);
  expect(bad.notes('grading')).toMatchObject([{ pass: false, points: 6 }]);
});

test('a call that failed ends the run, and is no verdict', async () => {
  const run = await graded([{ error: { kind: 'bad-request' } }]);
  expect(run.end).toMatchObject({ outcome: 'error', error: { name: 'bad-request' } });
  expect(run.notes('grading')).toEqual([]);
});

test('what it usually takes is a report and a list of each grader', () => {
  expect(
    proofGrader.usual?.({ graders: 3 } as Parameters<NonNullable<typeof proofGrader.usual>>[0]),
  ).toMatchObject({
    turns: 6,
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
