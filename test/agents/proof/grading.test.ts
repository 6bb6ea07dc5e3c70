/** Graders who vote, points by a rubric, and reports that are reviewed before the solver reads them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decided, medianPoints } from '../../../src/agents/proof/vote.ts';
import type { ScriptCall } from '../../../src/models/scripted.ts';
import { answerText, judged, proof, proofRun, report, textIn, value } from '../../support/proof-run.ts';

const solver = [proof('one'), proof('two'), proof('three')];

/** What a grader with this number says in a verification with that one. */
const byGrader = (said: (verification: number, grader: number) => string) => (call: ScriptCall) => {
  const [, verification = '0', grader = '0'] = /verification-(\d+)\/grader-(\d+)$/.exec(call.branch) ?? [];
  return said(Number(verification), Number(grader));
};

describe('three graders', () => {
  const fails = (text: string, kind = 'critical-error') => report(text, kind, 'one');
  const grader = (rejects: (verification: number, grader: number) => boolean) =>
    byGrader((number, who) => (rejects(number, who) ? fails(`Of grader ${who}.`) : report()));

  test('are asked the same words; two who agree decide', async () => {
    const said = { solver, grader: grader((number, who) => number === 1 && who !== 2) };
    const run = await proofRun({ said, settings: { graders: 3 } });
    expect(answerText(run.end)).toBe(proof('three'));
    const [first = [], second = [], third = []] = run.of('grader');
    expect(first).toEqual(second);
    expect(second).toEqual(third);
    const verifications = run.notes('verification');
    expect(verifications.map(({ verdict }) => verdict)).toEqual(['fail', ...Array(5).fill('pass')]);
    for (const { votes } of verifications) expect(Math.max(votes.yes, votes.no)).toBeGreaterThanOrEqual(2);
  });

  test('the third is spared where it is slower, and its report is kept if there was one', async () => {
    const slow = (call: ScriptCall) =>
      call.branch.endsWith('grader-3') ? { text: report(), delayMs: 600_000 } : { text: report() };
    const run = await proofRun({ said: { solver, grader: slow }, settings: { graders: 3, passes: 2 } });
    expect(run.notes('verification')[0]).toMatchObject({ verdict: 'pass', votes: { yes: 2, no: 0, of: 3 } });
    expect(run.notes('report').slice(0, 2)).toMatchObject([
      { grader: 1, pass: true },
      { grader: 2, pass: true },
    ]);
  });

  test('all of whom have to agree, where that is asked for: the first no decides', async () => {
    const said = { solver, grader: grader((number, who) => number === 1 && who === 3) };
    const run = await proofRun({ said, settings: { graders: 3, vote: 'unanimous', passes: 2 } });
    const [first, second] = run.notes('verification');
    expect(first).toMatchObject({ verdict: 'fail', votes: { no: 1, of: 3 } });
    expect(second).toMatchObject({ verdict: 'pass', votes: { yes: 3, no: 0, of: 3 } });
  });

  test('one of whom fails: the others decide without it', async () => {
    const failing = (call: ScriptCall) =>
      call.branch.endsWith('grader-1') ? ({ error: { kind: 'bad-request' } } as const) : report();
    const said = { solver, grader: failing };
    expect((await proofRun({ said, settings: { graders: 3 } })).end.outcome).toBe('answered');
    const unanimous = await proofRun({ said, settings: { graders: 3, vote: 'unanimous' } });
    expect(unanimous.end).toMatchObject({ outcome: 'error', error: { name: 'bad-request' } });
  });

  test.each([
    ['holds: its solver reads it', true, 'answered', 'Of grader 1.'],
    ['is overruled: it stands in the result', false, 'doubtful', ''],
  ])('what one of them finds is judged, and %s', async (_name, holds, outcome, sent) => {
    // Once it is mended, it holds no more.
    const reviewer = (call: ScriptCall) => judged(holds && call.index === 0, 'So it is.')(call);
    const first = { solver: [proof('one'), 'unchanged', proof('two')], reviewer };
    const said = { ...first, grader: grader((number, who) => number === 1 && who === 1) };
    const run = await proofRun({ said, settings: { graders: 3, passes: 2 } });
    expect(run.end.outcome).toBe(outcome);
    const told = holds ? textIn(run.of('solver')[2]?.at(-1)) : (run.end.solution?.detail ?? '');
    expect(told).toMatch(holds ? /Of grader 1\. A reviewer adds: So it is/ : /with doubts[\s\S]*Of grader 1/);
    if (sent !== '')
      expect(run.notes('finding-answer').map(({ answer }) => answer)).toEqual(['open', 'mended']);
  });
});

describe('a report that is cut off', () => {
  const cut = {
    text: '### Summary ###\n**Final Verdict:** The solution is correct.',
    finish: 'length',
  } as const;

  test('is asked for again: a check that did not end passes nothing', async () => {
    const settings = { passes: 1, attempts: 1 };
    const again = await proofRun({
      said: { solver, grader: [cut, report()] },
      settings,
    });
    expect(again.end.outcome).toBe('answered');
    expect(again.of('grader')).toHaveLength(3);
    const never = await proofRun({ said: { solver, grader: [cut] }, settings });
    expect(never.end).toMatchObject({ outcome: 'malformed', solution: { answer: { text: proof('two') } } });
    expect(never.end.solution?.detail).toMatch(
      /^Like the one before, the grader's reply was cut off at its limit of tokens\. Allow longer/,
    );
  });
});

test('a solution that is cut off is asked for again; cut off twice, nothing of it is graded', async () => {
  const cut = { text: proof('half a proof'), finish: 'length' } as const;
  const whole = await proofRun({ said: { solver: [cut, proof('whole')] }, settings: { passes: 1 } });
  expect(answerText(whole.end)).toBe(proof('whole'));
  expect(textIn(whole.of('solver')[1]?.at(-1))).toContain('was cut off');
  const half = await proofRun({ said: { solver: [cut] }, settings: { passes: 1, attempts: 1 } });
  expect(half.notes('draft')).toEqual([]);
  expect(half.end).toMatchObject({ outcome: 'malformed' });
  expect(half.of('solver')).toHaveLength(2);
});

test('the vote: decided as soon as nothing can change it, never before, and never both ways', () => {
  const count = fc.integer({ min: 0, max: 15 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), count, count, fc.boolean(), (graders, yes, no, all) => {
      fc.pre(yes + no <= graders);
      const rule = { graders, vote: all ? ('unanimous' as const) : ('majority' as const) };
      const left = graders - yes - no;
      const passes = (more: number) => (all ? yes + more === graders : 2 * (yes + more) > graders);
      const now = decided({ yes, no }, rule);
      expect(now).toBe(passes(left) === passes(0) ? passes(0) : null);
    }),
    { seed: 1 },
  );
});

test.each([
  [[7, 6, 2], 6],
  [[7, 2], 2],
  [[null, 5], 5],
  [[null], null],
  [[], null],
])('the middle of %j is %s', (points, middle) => {
  expect(medianPoints(points.map((each) => ({ points: each })))).toBe(middle);
});

describe('points', () => {
  const points = (given: number, more: object = {}) =>
    value({ check: '', findings: given === 7 ? [] : [gap], proved: 'Half of it.', points: given, ...more });
  const gap = { kind: 'justification-gap', quote: 'one', explanation: 'Why?' };

  test('pass from their threshold on; the solver is told what was missing', async () => {
    const settings = { grading: 'points', passPoints: 6, passes: 2 };
    const said = { solver, grader: [points(5), points(6, { findings: [] }), points(7)] };
    const run = await proofRun({ said, settings });
    expect(run.notes('verification')).toMatchObject([
      { verdict: 'fail', points: 5 },
      { verdict: 'pass', points: 6 },
      { verdict: 'pass', points: 7 },
    ]);
    expect(textIn(run.of('solver')[2]?.at(-1))).toMatch(/Why\?.*5 of 7, where 6 pass/);
  });

  test('are by the parts of the rubric, which the solver never sees; their sum decides', async () => {
    const brief = { task: '', answerFormat: '', criteria: 'Part (a): 3 points.', environment: '' };
    const parts = [
      { part: '(a)', reason: 'There.', points: 3 },
      { part: '(b)', reason: 'Half of it.', points: 2 },
    ];
    const said = { solver, grader: [points(7, { parts, findings: [gap] }), points(7)] };
    const run = await proofRun({ said, settings: { grading: 'points' }, problem: { spec: { brief } } });
    const [grading = []] = run.of('grader');
    expect(textIn(grading[0])).toContain('by the rubric');
    expect(textIn(grading[1])).toContain('Part (a): 3 points.');
    expect(run.notes('report')[0]).toMatchObject({ points: 5, parts });
    expect(textIn(run.of('solver')[2]?.at(-1))).toMatch(/5 of 7, where 7 pass/);
    expect(JSON.stringify(run.of('solver'))).not.toMatch(/Part \(a\)|Half of it/);
  });

  test.each(['Seven points!', '{"findings": [], "points": 9}', '{"findings": [], "points": 6.5}'])(
    'that cannot be read are asked for once, and pass nothing: %s',
    async (words) => {
      const settings = { grading: 'points', attempts: 1, passPoints: 1 };
      const run = await proofRun({ said: { solver, grader: [words] }, settings });
      expect(run.end.outcome).toBe('malformed');
      expect(run.of('grader')).toHaveLength(2);
    },
  );
});

describe('a review of what was found', () => {
  const grader = [report('A gap.'), report()];

  test('drops what does not hold: no pass, no failure, no correction', async () => {
    const said = { solver: [proof('one')], grader };
    const run = await proofRun({ said, settings: { review: true } });
    expect(answerText(run.end)).toBe(proof('one'));
    expect(run.notes('verification')[0]).toMatchObject({ verdict: 'void', bugReport: '' });
    // Five passes of their own: the first verdict gave none.
    expect(run.notes('counters').map(({ passes }) => passes)).toEqual([0, 1, 2, 3, 4]);
    expect(run.notes('counters').every(({ failures }) => failures === 0)).toBe(true);
    expect(run.end).toMatchObject({
      outcome: 'doubtful',
      solution: { detail: expect.stringContaining('A gap.') },
    });
  });

  test.each([
    ['holds', judged(true)],
    ['cannot be read', () => 'They are all wrong!'],
    ['is not judged', () => value({ findings: [] })],
  ])('leaves open what %s', async (_name, reviewer) => {
    const run = await proofRun({
      said: { solver, grader, reviewer },
      settings: { review: true, attempts: 1 },
    });
    expect(textIn(run.of('solver')[2]?.at(-1))).toContain('A gap.');
    expect(run.end.outcome).toBe('gave-up');
  });
});

test('a picture of the problem reaches its graders', async () => {
  const statement = [
    { type: 'text', text: 'See the picture.' },
    { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  ] as const;
  const said = { solver };
  const run = await proofRun({ said, settings: { passes: 1 }, problem: { spec: { statement } } });
  expect(run.of('grader')[0]?.[1]?.content).toMatchObject([{ type: 'text' }, { type: 'image' }]);
});
