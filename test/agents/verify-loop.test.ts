/** The loop's decisions, and what it does where a model does not keep to the form. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ScriptCall } from '../../src/models/scripted.ts';
import { answerText, proof, proofRun, report, type Said, textIn } from '../support/proof-run.ts';

const fine = report();
const wrong = report('Lemma 2 is wrong.', 'critical-error');

function played(said: Said, settings: JsonObject = {}, limits: JsonObject = {}) {
  return proofRun({ said, settings, limits });
}

test('five passes in a row accept; the first verdict counts as a pass already given', async () => {
  const run = await played({ solver: [proof('P')] });
  expect(run.end).toMatchObject({ outcome: 'answered', solution: { end: 'answered' } });
  expect(answerText(run.end)).toBe(proof('P'));
  const [grader, solver] = [run.of('grader'), run.of('solver')];
  // The sixth question is what the text leaves open.
  expect([grader.length, solver.length]).toEqual([6, 2]);
  expect(solver[1]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(grader[0]?.[1])).toContain('P');
  expect(run.notes('counters').map(({ passes }) => passes)).toEqual([1, 2, 3, 4]);
  expect(run.notes('attempt-end')).toEqual([
    { attempt: 1, end: 'accepted', iteration: 3, passes: 5, failures: 0, doubts: [] },
  ]);
});

test('one pass is enough where one is asked for, and a pass before a failure is none', async () => {
  const said = (grader: string[]) => ({ solver: [proof('P')], grader });
  const first = await played(said([fine]), { passes: 1 });
  expect(first.of('grader')).toHaveLength(2);
  expect(first.notes('attempt-end')).toMatchObject([{ end: 'accepted', iteration: null, passes: 1 }]);
  // The counter of passes is reset one iteration after a failure: it must not accept in between.
  const second = await played(said([fine, wrong]), { passes: 2, failures: 1, attempts: 1 });
  expect(second.end.outcome).toBe('gave-up');
});

test('a correction: problem, proof, then instructions, then the report; nothing of earlier rounds', async () => {
  const run = await played({
    solver: [proof('alpha'), proof('beta'), proof('gamma'), proof('delta')],
    grader: [wrong, wrong, fine],
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
  expect(asked).not.toContain('Step 1.');
});

describe('a reply without a proof', () => {
  test('is asked for again, and never verified as an empty one', async () => {
    const solver = [proof('first'), 'I have improved it. '.repeat(9), proof('here')];
    const run = await played({ solver });
    expect(run.of('solver')[2]?.at(-1)?.content).toContain('Detailed Solution');
    expect(textIn(run.of('grader')[0]?.[1])).toContain('here');
    expect(run.notes('missing-section')).toEqual([{ attempt: 1, iteration: null, turn: 'improve' }]);
  });

  test('twice: an improvement leaves the first solution as it was', async () => {
    const solver = [proof('first'), 'Nothing to improve.'];
    const run = await played({ solver });
    expect(answerText(run.end)).toBe(proof('first'));
  });

  test('twice: a correction is taken for what its author has to say, and the proof is kept', async () => {
    const solver = [proof('one'), proof('two'), 'It is right as it stands.'];
    const run = await played({ solver, grader: [wrong, fine] });
    expect(answerText(run.end)).toBe(proof('two'));
    expect(textIn(run.of('reviewer')[0]?.at(-1))).toContain('It is right as it stands.');
    expect(JSON.stringify(run.of('grader'))).not.toContain('It is right as it stands.');
  });

  test('never with a heading: the whole is looked at', async () => {
    const run = await played({ solver: ['Two and two make four.'] });
    expect(textIn(run.of('grader')[0]?.[1])).toContain('Two and two make four.');
  });

  test('nor any words: nothing is verified, and the end says what to change', async () => {
    const solver = [{ text: '', finish: 'length' } as const];
    const run = await played({ solver }, { attempts: 2 });
    expect(run.of('grader')).toEqual([]);
    expect(run.end.solution).toMatchObject({ end: 'malformed' });
    expect(run.end.solution?.detail).toContain('maxOutputTokens');
    // One pass stood there, which the first verification would have been.
    const ended = { end: 'cut-off', iteration: null, passes: 0, failures: 0, doubts: [] };
    expect(run.notes('attempt-end')).toEqual([
      { attempt: 1, ...ended },
      { attempt: 2, ...ended },
    ]);
    expect(run.end.solution?.detail).toContain('Attempt 2 ended before its first iteration.');
  });
});

test('thirty iterations are told apart from ten failures, and the next attempt begins from scratch', async () => {
  // Passes and failures take turns: neither five nor ten in a row.
  const grader = Array.from({ length: 200 }, (_, index) => (index % 3 === 2 ? wrong : fine));
  const solver = ({ branch, index }: { branch: string; index: number }) => proof(`${branch}, ${index}`);
  const run = await played({ solver, grader }, { attempts: 2 });
  expect(run.notes('attempt-end')).toMatchObject([
    { attempt: 1, end: 'iterations', iteration: 29 },
    { attempt: 2, end: 'iterations', iteration: 29 },
  ]);
  expect(run.end).toMatchObject({ outcome: 'gave-up', solution: { answer: { type: 'text' } } });
  const starts = run.of('solver').filter((messages) => messages.length === 2);
  expect(starts).toHaveLength(2);
});

test('ten failures in a row give up', async () => {
  const solver = ({ index }: { index: number }) => proof(`Version ${index}.`);
  const run = await played({ solver, grader: [wrong] }, { attempts: 1 });
  expect(run.notes('attempt-end')).toEqual([
    { attempt: 1, end: 'failures', iteration: 9, passes: 0, failures: 10, doubts: [] },
  ]);
  const counters = run.notes('counters');
  expect(counters.map(({ passes }) => passes)).toEqual(Array(10).fill(0));
  expect(counters.map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

describe('a budget that is used up', () => {
  const said = { solver: [proof('P')], grader: [fine] };

  test('within the iterations: the end says how far it came', async () => {
    const run = await played(said, {}, { modelCalls: 5 });
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
  const run = await played({ solver });
  expect(run.end).toMatchObject({
    outcome: 'refused',
    solution: { detail: expect.stringContaining('solver') },
  });
  expect(run.asked).toHaveLength(1);
});

test('a conversation too long for its model ends the attempt, and the next one begins', async () => {
  const solver = ({ branch, index }: { branch: string; index: number }) =>
    branch === 'attempt-1' && index === 2
      ? ({ error: { kind: 'context-overflow' } } as const)
      : proof(`Of ${branch}.`);
  const grader = ({ branch }: ScriptCall) => (branch === 'attempt-1' ? wrong : fine);
  const run = await played({ solver, grader });
  expect(run.end.outcome).toBe('answered');
  expect(run.notes('attempt-end')).toMatchObject([
    { attempt: 1, end: 'context', iteration: 0 },
    { attempt: 2, end: 'accepted' },
  ]);
});

test('a call that fails ends the run, to be looked at; the published loop counts it', async () => {
  const failing = { error: { kind: 'bad-request' } } as const;
  expect((await played({ solver: [proof('P')], grader: [failing, fine] })).end.outcome).toBe('error');
  const said = (judge: Said['judge']) => ({ solver: [proof('P')], grader: [fine], judge: judge ?? [] });
  const published = { judging: 'published' };
  const opening = await played(said([failing, 'yes']), { ...published, attempts: 1 });
  expect(opening.notes('attempt-end')).toMatchObject([{ end: 'call-failed', iteration: null }]);
  const later = await played(said(['yes', failing, 'yes']), { ...published, passes: 2 });
  expect(later.notes('counters').map(({ passes }) => passes)).toEqual([1, 1]);
  expect(later.notes('call-failed')).toMatchObject([{ iteration: 0 }]);
});

test('models are asked as in the published code, unless the settings say otherwise', async () => {
  const said = { solver: [proof('P')], grader: [fine] };
  const asked = async (settings: JsonObject) =>
    new Set((await played(said, settings)).asked.map(({ request }) => JSON.stringify(request.settings)));
  expect(await asked({})).toEqual(new Set(['{"temperature":0.1,"thinkingBudgetTokens":32768}']));
  expect(await asked({ temperature: 1, thinkingBudgetTokens: 0, maxOutputTokens: 9_000 })).toEqual(
    new Set(['{"temperature":1,"maxOutputTokens":9000}']),
  );
});
