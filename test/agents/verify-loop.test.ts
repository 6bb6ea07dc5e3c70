/** The loop's decisions, and what it does where a model does not keep to the form. */
import { describe, expect, test } from 'vitest';
import { yesOrNo } from '../../src/agents/proof/grader.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { answerText, proof, proofRun, report, type Said, textIn } from '../support/proof-run.ts';

const fine = report('The solution is correct.');
const wrong = report('Lemma 2 is wrong.');

const published = { judging: 'published' };

function played(said: Said, settings: JsonObject = {}, limits: JsonObject = {}) {
  return proofRun({ said, settings, limits });
}

test('five passes in a row accept; the first verdict counts as a pass already given', async () => {
  const run = await played({ solver: [proof('P')], grader: [fine], judge: ['yes'] });
  expect(run.end).toMatchObject({ outcome: 'answered', solution: { end: 'answered' } });
  expect(answerText(run.end)).toBe(proof('P'));
  const [grader, solver] = [run.of('grader'), run.of('solver')];
  expect([grader.length, solver.length]).toEqual([5, 2]);
  expect(solver[1]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(grader[0]?.[1])).toContain('P');
  expect(textIn(grader[0]?.[1])).not.toContain('Done.');
  expect(run.notes('counters').map(({ passes }) => passes)).toEqual([1, 2, 3, 4]);
  expect(run.notes('attempt-end')).toEqual([
    { attempt: 1, end: 'accepted', iteration: 3, passes: 5, failures: 0 },
  ]);
});

test('one pass is enough where one is asked for, and a pass before a failure is none', async () => {
  const said = (judge: string[]) => ({ solver: [proof('P')], grader: [fine], judge });
  const first = await played(said(['yes']), { passes: 1 });
  expect(first.of('grader')).toHaveLength(1);
  expect(first.notes('attempt-end')).toMatchObject([{ end: 'accepted', iteration: null, passes: 1 }]);
  // The counter of passes is reset one iteration after a failure: it must not accept in between.
  const second = await played(said(['yes', 'no']), { passes: 2, failures: 1, attempts: 1 });
  expect(second.end.outcome).toBe('gave-up');
});

test('a correction: problem, proof, then instructions, then the report; nothing of earlier rounds', async () => {
  const run = await played({
    solver: [proof('alpha'), proof('beta'), proof('gamma'), proof('delta')],
    grader: [`${wrong}\nquoted`],
    judge: ['no', 'no', 'yes'],
  });
  const [, , first = [], second = []] = run.of('solver');
  for (const turns of [first, second])
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(first[2])).toContain('beta');
  expect(JSON.stringify(first)).not.toContain('alpha');
  expect(textIn(second[2])).toContain('gamma');
  expect(JSON.stringify(second)).not.toMatch(/alpha|beta/);
  const asked = textIn(first[3]);
  expect(asked.indexOf('Lemma 2 is wrong.')).toBeGreaterThan(asked.indexOf('Where you agree'));
  expect(asked).not.toContain('quoted');
});

test('"yes, but" is no yes: it is asked once more, and what stays unclear is a no', async () => {
  const judge = ['Yes, but the second lemma is a sketch.', 'Mostly.'];
  const run = await played({ solver: [proof('P')], grader: [fine], judge }, { failures: 2, attempts: 1 });
  expect(run.of('judge')[1]?.at(-1)?.content).toContain('single word');
  expect(run.end.solution?.end).toBe('gave-up');
});

test('a judge who says nothing is shown no empty words of its own', async () => {
  const judge = [{ text: '', finish: 'length' } as const, 'yes'];
  const run = await played({ solver: [proof('P')], grader: [fine], judge }, { passes: 1 });
  expect(run.of('judge')[1]?.map(({ role }) => role)).toEqual(['user', 'user']);
});

describe('a reply without a proof', () => {
  test('is asked for again, and never verified as an empty one', async () => {
    const solver = [proof('first'), 'I have improved it.', proof('here')];
    const run = await played({ solver, grader: [fine], judge: ['yes'] }, published);
    expect(run.of('solver')[2]?.at(-1)?.content).toContain('Detailed Solution');
    expect(textIn(run.of('grader')[0]?.[1])).toContain('here');
    expect(run.notes('missing-section')).toEqual([{ attempt: 1, iteration: null, turn: 'improve' }]);
  });

  test('twice: an improvement leaves the first solution as it was', async () => {
    const solver = [proof('first'), 'Nothing to improve.'];
    const run = await played({ solver, grader: [fine], judge: ['yes'] });
    expect(answerText(run.end)).toBe(proof('first'));
  });

  test('twice: a correction is taken for what its author has to say, and the proof is kept', async () => {
    const solver = [proof('one'), proof('two'), 'It is right as it stands.'];
    const run = await played({ solver, grader: [fine], judge: ['no', 'yes'] }, published);
    expect(answerText(run.end)).toBe(proof('two'));
    expect(textIn(run.of('grader')[1]?.[1])).toContain('It is right as it stands.');
  });

  test('never with a heading: the whole is looked at', async () => {
    const run = await played({ solver: ['Two and two make four.'], grader: [fine], judge: ['yes'] });
    expect(textIn(run.of('grader')[0]?.[1])).toContain('Two and two make four.');
  });

  test('nor any words: nothing is verified, and the end says what to change', async () => {
    const solver = [{ text: '', finish: 'length' } as const];
    const run = await played({ solver, grader: [fine], judge: ['yes'] }, { attempts: 2 });
    expect(run.of('grader')).toEqual([]);
    expect(run.end.solution).toMatchObject({ end: 'malformed' });
    expect(run.end.solution?.detail).toContain('maxOutputTokens');
    // One pass stood there, which the first verification would have been.
    const ended = { end: 'cut-off', iteration: null, passes: 0, failures: 0 };
    expect(run.notes('attempt-end')).toEqual([
      { attempt: 1, ...ended },
      { attempt: 2, ...ended },
    ]);
    expect(run.end.solution?.detail).toContain('Attempt 2 ended before its first iteration.');
  });
});

describe('a rebuttal, as published', () => {
  test('without a proof loses no proof, and reaches the grader', async () => {
    const solver = [proof('one'), proof('two'), '### Rebuttal ###\nLemma 2 is Fermat.'];
    const run = await played({ solver, grader: [fine], judge: ['no', 'yes'] }, published);
    expect(answerText(run.end)).toBe(proof('two'));
    // The last question is what the solution leaves open.
    const graded = run.of('grader').map((messages) => textIn(messages[1]));
    expect(graded[1]).toContain('two');
    expect(graded.slice(1, -1).every((text) => text.includes('Lemma 2 is Fermat.'))).toBe(true);
    expect(run.of('solver')).toHaveLength(3);
  });

  test('beside a new proof: both reach the grader, each in its place', async () => {
    const solver = [proof('one'), proof('two'), `### Rebuttal ###\nFermat.\n\n${proof('three')}`];
    const run = await played({ solver, grader: [fine], judge: ['no', 'yes'] }, published);
    const graded = textIn(run.of('grader')[1]?.[1]);
    expect(graded).toMatch(/### Solution ###\\n\\nthree\\n\\n### What was replied .*\\n\\nFermat\./);
    expect(run.notes('draft').at(-1)).toMatchObject({ turn: 'correct', rebuttal: 'Fermat.' });
  });
});

test('a report that begins with its log is sent as a whole, not as nothing', async () => {
  const grader = ['### Detailed Verification Log ###\nStep 3 is false.'];
  const run = await played({ solver: [proof('P')], grader, judge: ['no', 'yes'] });
  expect(textIn(run.of('solver')[2]?.at(-1))).toContain('Step 3 is false.');
});

test('thirty iterations are told apart from ten failures, and the next attempt begins from scratch', async () => {
  // Passes and failures take turns: neither five nor ten in a row.
  const judge = Array.from({ length: 200 }, (_, index) => (index % 3 === 2 ? 'no' : 'yes'));
  const run = await played({ solver: [proof('P')], grader: [fine], judge }, { attempts: 2 });
  expect(run.notes('attempt-end')).toMatchObject([
    { attempt: 1, end: 'iterations', iteration: 29 },
    { attempt: 2, end: 'iterations', iteration: 29 },
  ]);
  expect(run.end).toMatchObject({ outcome: 'gave-up', solution: { answer: { type: 'text' } } });
  const starts = run.of('solver').filter((messages) => messages.length === 2);
  expect(starts).toHaveLength(2);
});

test('ten failures in a row give up', async () => {
  const run = await played({ solver: [proof('P')], grader: [wrong], judge: ['no'] }, { attempts: 1 });
  expect(run.notes('attempt-end')).toEqual([
    { attempt: 1, end: 'failures', iteration: 9, passes: 0, failures: 10 },
  ]);
  const counters = run.notes('counters');
  expect(counters.map(({ passes }) => passes)).toEqual(Array(10).fill(0));
  expect(counters.map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

describe('a budget that is used up', () => {
  const said = { solver: [proof('P')], grader: [fine], judge: ['yes'] };

  test('within the iterations: the end says how far it came', async () => {
    const run = await played(said, {}, { modelCalls: 9 });
    expect(run.end.solution).toMatchObject({ end: 'gave-up', answer: { text: proof('P') } });
    expect(run.end.solution?.detail).toMatch(
      /limit on modelCalls .* is reached. Attempt 1 ended in its iteration 2, with 3 passes and 0 failures in a row/,
    );
    expect(run.notes('attempt-end')).toMatchObject([{ end: 'limit', iteration: 2, passes: 3 }]);
  });

  test('before anything was verified: the first solution is handed in as what it is', async () => {
    const run = await played(said, {}, { modelCalls: 1 });
    expect(answerText(run.end)).toBe(proof('P'));
    expect(run.end.solution?.detail).toContain('which was never verified');
  });

  test('before anything was said: there is nothing to hand in', async () => {
    const run = await played(said, {}, { costUsd: 0, modelCalls: 0 });
    expect(run.end.solution).not.toHaveProperty('answer');
  });
});

test('who refuses is not asked again', async () => {
  const solver = [{ text: 'I cannot help with that.', finish: 'refusal' } as const];
  const run = await played({ solver, grader: [fine], judge: ['yes'] });
  expect(run.end).toMatchObject({
    outcome: 'refused',
    solution: { detail: expect.stringContaining('solver') },
  });
  expect(run.asked).toHaveLength(1);
});

test('a conversation too long for its model ends the attempt, and the next one begins', async () => {
  const solver = ({ branch, index }: { branch: string; index: number }) =>
    branch === 'attempt-1' && index === 2 ? ({ error: { kind: 'context-overflow' } } as const) : proof('P');
  const judge = ({ branch }: { branch: string }) => (branch === 'attempt-1' ? 'no' : 'yes');
  const run = await played({ solver, grader: [fine], judge });
  expect(run.end.outcome).toBe('answered');
  expect(run.notes('attempt-end')).toMatchObject([
    { attempt: 1, end: 'context', iteration: 0 },
    { attempt: 2, end: 'accepted' },
  ]);
});

test('a call that fails ends the run, to be looked at; the original counts it', async () => {
  const said = (judge: Said['judge']) => ({ solver: [proof('P')], grader: [fine], judge: judge ?? [] });
  const failing = [{ error: { kind: 'bad-request' } } as const, 'yes'];
  expect((await played(said(failing))).end.outcome).toBe('error');
  const count = { compat: { failedCalls: 'count' } };
  const opening = await played(said(failing), { ...count, attempts: 1 });
  expect(opening.notes('attempt-end')).toMatchObject([{ end: 'call-failed', iteration: null }]);
  const later = await played(said(['yes', ...failing]), { ...count, passes: 2 });
  expect(later.notes('counters').map(({ passes }) => passes)).toEqual([1, 1]);
  expect(later.notes('call-failed')).toMatchObject([{ iteration: 0 }]);
});

test('models are asked as in the published code, unless the settings say otherwise', async () => {
  const said = { solver: [proof('P')], grader: [fine], judge: ['yes'] };
  const asked = async (settings: JsonObject) =>
    new Set((await played(said, settings)).asked.map(({ request }) => JSON.stringify(request.settings)));
  expect(await asked({})).toEqual(new Set(['{"temperature":0.1,"thinkingBudgetTokens":32768}']));
  expect(await asked({ temperature: 1, thinkingBudgetTokens: 0, maxOutputTokens: 9_000 })).toEqual(
    new Set(['{"temperature":1,"maxOutputTokens":9000}']),
  );
});

test.each([
  ['yes', true],
  ['**Yes.**', true],
  ['No', false],
  ['"no"', false],
  ['yes, but', null],
  ['no yes', null],
  ['Yes, the report says that the solution is correct.', true],
  ['**Yes**. It finds neither a critical error nor a larger gap.', true],
  ['Yes — no error was found.', true],
  ['Yes, however Lemma 2 is a sketch.', null],
  ['Yes, except for the case $n = 1$.', null],
  ['Yes and no.', null],
  ['No, there is a critical error.', false],
  ['No. The case $n = 1$ is missing', false],
  ['No problem was found: yes.', null],
  ['Not quite.', null],
  ['', null],
] as const)('%j is %s', (reply, verdict) => {
  expect(yesOrNo(reply)).toBe(verdict);
});
