/** The loop's decisions where a model does not keep to the form, and its sections in the forms that models write. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { yesOrNo } from '../../src/agents/proof/grader.ts';
import { sectionFrom, textBefore } from '../../src/agents/sections.ts';
import { verifyLoop } from '../../src/agents/verify-loop.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Message, ModelRequest } from '../../src/core/model.ts';
import { startRun } from '../../src/run/start.ts';
import { modelOf, temporaryFolder } from '../support/odd.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, toyWorld } from '../support/world.ts';

const proof = (text: string) => `### Summary ###\nDone.\n\n### Detailed Solution ###\n\n${text}`;
const report = '### Summary ###\n**Final Verdict:** see below.\n\n### Detailed Verification Log ###\nStep 1.';

type Said = Readonly<Record<string, readonly string[]>>;

/** Each role says its lines one after the other, and the last for ever. */
async function played(said: Said, settings: JsonObject = {}, limits: JsonObject = {}) {
  const asked: { role: string; request: ModelRequest }[] = [];
  const counts = new Map<string, number>();
  const model = modelOf((request, { role }) => {
    asked.push({ role, request });
    const count = counts.get(role) ?? 0;
    counts.set(role, count + 1);
    const lines = said[role] ?? [];
    return lines[Math.min(count, lines.length - 1)] ?? '';
  });
  const world = toyWorld({ folder: temporaryFolder(), model, agents: [verifyLoop as Agent] });
  const end = await (await startRun(world, { ...toyRun('verify-loop'), settings, limits })).done;
  const events = await eventsOf(world, 'run');
  await world.store.close();
  const of = (role: string) =>
    asked.filter((call) => call.role === role).map(({ request }) => request.messages);
  return { end, events, solver: of('solver'), grader: of('grader'), judge: of('judge') };
}

const textIn = (message: Message | undefined) => JSON.stringify(message?.content ?? '');

test('five passes in a row accept; the first verdict counts as a pass already given', async () => {
  const { end, grader, solver } = await played({ solver: [proof('P')], grader: [report], judge: ['yes'] });
  expect(end).toMatchObject({ solution: { end: 'answered', answer: { text: proof('P') } } });
  expect(grader).toHaveLength(5);
  expect(solver).toHaveLength(2);
  expect(solver[1]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(grader[0]?.[1])).toContain('P');
  expect(textIn(grader[0]?.[1])).not.toContain('Done.');
});

test('a correction starts from a fresh context: problem, proof, report, nothing of earlier rounds', async () => {
  const { solver } = await played({
    solver: [proof('alpha'), proof('beta'), proof('gamma')],
    grader: [`${report}\nquoted`],
    judge: ['no', 'yes'],
  });
  const correction = solver[2] ?? [];
  expect(correction.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(textIn(correction[2])).toContain('beta');
  expect(JSON.stringify(correction)).not.toContain('alpha');
  expect(textIn(correction[3])).toContain('Final Verdict');
  expect(textIn(correction[3])).not.toContain('quoted');
});

test('"yes, but" is no yes: it is asked once more, and what stays unclear is a no', async () => {
  const { end, judge } = await played(
    { solver: [proof('P')], grader: [report], judge: ['Yes, but the second lemma is a sketch.', 'Mostly.'] },
    { failures: 2, attempts: 1 },
  );
  expect(judge[1]?.at(-1)?.content).toContain('single word');
  expect(end.solution?.end).toBe('gave-up');
});

test('a reply without a proof is asked for again, and never verified as an empty one', async () => {
  const { grader, solver } = await played({
    solver: ['first', 'I have improved it.', proof('here')],
    grader: [report],
    judge: ['yes'],
  });
  expect(solver[2]?.at(-1)?.content).toContain('Detailed Solution');
  expect(textIn(grader[0]?.[1])).toContain('here');
});

test('a rebuttal without a proof loses no proof, and reaches the grader', async () => {
  const { end, grader } = await played({
    solver: [proof('one'), proof('two'), '### Rebuttal ###\nLemma 2 is Fermat.'],
    grader: [report],
    judge: ['no', 'yes'],
  });
  expect(end).toMatchObject({ solution: { end: 'answered', answer: { text: proof('two') } } });
  expect(textIn(grader[1]?.[1])).toContain('two');
  expect(textIn(grader[1]?.[1])).toContain('Lemma 2 is Fermat.');
});

test('thirty iterations are told apart from ten failures, and the next attempt begins from scratch', async () => {
  // Passes and failures take turns: neither five nor ten in a row.
  const judge = Array.from({ length: 200 }, (_, index) => (index % 3 === 2 ? 'no' : 'yes'));
  const { end, events } = await played({ solver: [proof('P')], grader: [report], judge }, { attempts: 2 });
  const ends = events.flatMap(({ kind, body }) =>
    kind === 'note' && 'kind' in body && body.kind === 'attempt-end' ? [body.data] : [],
  );
  expect(ends).toMatchObject([
    { attempt: 1, end: 'iterations' },
    { attempt: 2, end: 'iterations' },
  ]);
  expect(end).toMatchObject({ solution: { end: 'gave-up', answer: { type: 'text' } } });
  const failed = await played({ solver: [proof('P')], grader: [report], judge: ['no'] }, { attempts: 1 });
  expect(failed.events.some(({ body }) => JSON.stringify(body).includes('"end":"failures"'))).toBe(true);
});

test('an attempt that cannot finish within its budget says how far it came', async () => {
  const said = { solver: [proof('P')], grader: [report], judge: ['yes'] };
  const { end } = await played(said, {}, { modelCalls: 9 });
  expect(end.solution).toMatchObject({ end: 'gave-up', answer: { text: proof('P') } });
  expect(end.solution?.detail).toMatch(
    /limit on modelCalls .* is reached. It came to iteration 2 of attempt 1, with 3 passes/,
  );
});

test('hints are turns of their own', async () => {
  const { solver } = await played(
    { solver: [proof('P')], grader: [report], judge: ['yes'] },
    { hints: ['Use induction.', 'Look at parity.'] },
  );
  expect(solver[0]?.slice(2).map(({ content }) => content)).toEqual([
    expect.stringContaining('induction'),
    expect.stringContaining('parity'),
  ]);
});

describe('sections', () => {
  test.each([
    '### Detailed Solution ###\nX',
    '## 2. Detailed Solution\n\nX',
    '**Detailed Solution**\nX',
    '**2. Detailed Solution:**\nX',
    'Detailed Solution:\nX',
    'Detailed solution: X',
    '\\section*{Detailed Solution}\nX',
    '# Summary\nThe Detailed Solution is below.\n\n# Detailed  Solution\nX',
  ])('%j', (text) => {
    expect(sectionFrom(text, 'Detailed Solution')).toBe('X');
  });

  test.each(['', 'X', 'My detailed solution follows', '### Detailed Solution ###\n\n'])(
    'none in %j',
    (text) => {
      expect(sectionFrom(text, 'Detailed Solution')).toBeNull();
    },
  );

  test('what stands before', () => {
    expect(textBefore('A\n\n**Detailed Verification Log**\nB', 'Detailed Verification Log')).toBe('A');
    expect(textBefore('A', 'Detailed Verification Log')).toBe('A');
  });

  test('of any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(sectionFrom(`${text}\n### Detailed Solution ###\nX`, 'Detailed Solution')).toBe('X');
      }),
      { seed: 1 },
    );
  });
});

test.each([
  ['yes', true],
  ['**Yes.**', true],
  ['No', false],
  ['"no"', false],
  ['yes, but', null],
  ['no yes', null],
  ['', null],
] as const)('%j is %s', (reply, verdict) => {
  expect(yesOrNo(reply)).toBe(verdict);
});
