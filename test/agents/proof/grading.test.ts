/** Graders who vote, points by a rubric, and reports that are reviewed before the solver reads them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decided, medianPoints } from '../../../src/agents/proof/vote.ts';
import type { ScriptCall } from '../../../src/models/scripted.ts';
import { answerText, proof, proofRun, report, textIn, value } from '../../support/proof-run.ts';

const solver = [proof('one'), proof('two'), proof('three')];

/** What a grader with this number says in a verification with that one. */
const byGrader = (said: (verification: number, grader: number) => string) => (call: ScriptCall) => {
  const [, verification = '0', grader = '0'] = /verification-(\d+)\/grader-(\d+)$/.exec(call.branch) ?? [];
  return said(Number(verification), Number(grader));
};

describe('three graders', () => {
  const grader = byGrader((number, who) => report(`Grader ${who} on version ${number}.`));

  test('are asked the same words; two who agree decide', async () => {
    const judge = byGrader((number, who) => (number === 1 && who !== 2 ? 'no' : 'yes'));
    const run = await proofRun({ said: { solver, grader, judge }, settings: { graders: 3 } });
    expect(answerText(run.end)).toBe(proof('three'));
    const [first = [], second = [], third = []] = run.of('grader');
    expect(first).toEqual(second);
    expect(second).toEqual(third);
    const verifications = run.notes('verification');
    expect(verifications.map(({ verdict }) => verdict)).toEqual([
      'fail',
      'pass',
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
    for (const { votes } of verifications) expect(Math.max(votes.yes, votes.no)).toBeGreaterThanOrEqual(2);
  });

  test('the third is spared where it is slower, and its report is kept all the same', async () => {
    const judge = (call: ScriptCall) =>
      call.branch.endsWith('grader-3') ? { text: 'no', delayMs: 600_000 } : { text: 'yes' };
    const run = await proofRun({ said: { solver, grader, judge }, settings: { graders: 3, passes: 2 } });
    expect(run.notes('verification')[0]).toMatchObject({ verdict: 'pass', votes: { yes: 2, no: 0, of: 3 } });
    expect(run.notes('report').slice(0, 3)).toMatchObject([
      { grader: 1, pass: true },
      { grader: 2, pass: true },
      { grader: 3, pass: null, report: report('Grader 3 on version 1.') },
    ]);
  });

  test('all of whom have to agree, where that is asked for: the first no decides', async () => {
    const judge = byGrader((number, who) => (number === 1 && who === 3 ? 'no' : 'yes'));
    const settings = { graders: 3, vote: 'unanimous', passes: 2 };
    const run = await proofRun({ said: { solver, grader, judge }, settings });
    const [first, second] = run.notes('verification');
    expect(first).toMatchObject({ verdict: 'fail', votes: { no: 1, of: 3 } });
    expect(second).toMatchObject({ verdict: 'pass', votes: { yes: 3, no: 0, of: 3 } });
  });

  test('one of whom fails: the others decide without it', async () => {
    const judge = byGrader(() => 'yes');
    const failing = (call: ScriptCall) =>
      call.branch.endsWith('grader-1') ? ({ error: { kind: 'bad-request' } } as const) : grader(call);
    const said = { solver, grader: failing, judge };
    expect((await proofRun({ said, settings: { graders: 3 } })).end.outcome).toBe('answered');
    const unanimous = await proofRun({ said, settings: { graders: 3, vote: 'unanimous' } });
    expect(unanimous.end).toMatchObject({ outcome: 'error', error: { name: 'bad-request' } });
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
      said: { solver, grader: [cut, report('Correct.')], judge: ['yes'] },
      settings,
    });
    expect(again.end.outcome).toBe('answered');
    expect(again.of('grader')).toHaveLength(2);
    const never = await proofRun({ said: { solver, grader: [cut], judge: ['yes'] }, settings });
    expect(never.end).toMatchObject({ outcome: 'malformed', solution: { answer: { text: proof('two') } } });
    expect(never.end.solution?.detail).toMatch(
      /^Like the one before, the grader's reply was cut off at its limit of tokens\. Allow longer/,
    );
    expect(never.of('judge')).toEqual([]);
  });
});

test('a solution that is cut off is asked for again; cut off twice, nothing of it is graded', async () => {
  const cut = { text: proof('half a proof'), finish: 'length' } as const;
  const said = { grader: [report('Correct.')], judge: ['yes'] };
  const whole = await proofRun({ said: { ...said, solver: [cut, proof('whole')] }, settings: { passes: 1 } });
  expect(answerText(whole.end)).toBe(proof('whole'));
  expect(textIn(whole.of('solver')[1]?.at(-1))).toContain('was cut off');
  const half = await proofRun({ said: { ...said, solver: [cut] }, settings: { passes: 1, attempts: 1 } });
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
  const grader = (points: readonly (number | string)[]) => (call: ScriptCall) => {
    if (!call.request.output) return report(`Report ${call.index / 2}.`);
    const given = points[Math.min((call.index - 1) / 2, points.length - 1)] ?? 0;
    return typeof given === 'string' ? given : value({ points: given, reason: `It is worth ${given}.` });
  };

  test('pass from their threshold on; the solver is told what was missing', async () => {
    const settings = { grading: 'points', passPoints: 6, passes: 2 };
    const run = await proofRun({ said: { solver, grader: grader([5, 6, 7]) }, settings });
    expect(run.notes('verification')).toMatchObject([
      { verdict: 'fail', points: 5 },
      { verdict: 'pass', points: 6 },
      { verdict: 'pass', points: 7 },
    ]);
    expect(textIn(run.of('solver')[2]?.at(-1))).toContain('5 of 7, where 6 pass. It is worth 5.');
    expect(run.of('judge')).toEqual([]);
  });

  test('are by the rubric of the problem, which the solver never sees', async () => {
    const brief = { task: '', answerFormat: '', criteria: 'Part (a): 3 points.', environment: '' };
    const said = { solver, grader: grader([3, 7]) };
    const run = await proofRun({ said, settings: { grading: 'points' }, problem: { spec: { brief } } });
    const [reporting = [], pointing = []] = run.of('grader');
    expect(textIn(reporting[1])).toContain('Part (a): 3 points.');
    expect(textIn(pointing.at(-1))).toContain('by the rubric');
    expect(JSON.stringify(run.of('solver'))).not.toContain('Part (a)');
  });

  test.each(['Seven points!', '{"points": 9, "reason": "very good"}', '{"points": 6.5, "reason": ""}'])(
    'that cannot be read are none, and pass nothing: %s',
    async (words) => {
      const settings = { grading: 'points', failures: 1, attempts: 1, passPoints: 1 };
      const run = await proofRun({ said: { solver, grader: grader([words]) }, settings });
      expect(run.end.outcome).toBe('gave-up');
      expect(run.notes('verification')[0]).toMatchObject({ verdict: 'fail', points: null });
    },
  );
});

describe('a reviewed report', () => {
  const complaints = (...holds: boolean[]) =>
    value({
      complaints: holds.map((each, index) => ({
        complaint: `Complaint ${index + 1}.`,
        holds: each,
        why: `Because of ${index + 1}.`,
      })),
    });
  const grader = [report('Two complaints.')];

  test('goes without the complaints that do not hold', async () => {
    const said = { solver, grader, judge: ['no', 'yes'], reviewer: [complaints(true, false)] };
    const run = await proofRun({ said, settings: { review: true } });
    const asked = textIn(run.of('solver')[2]?.at(-1));
    expect(asked).toContain('1. Complaint 1.');
    expect(asked).not.toMatch(/Complaint 2|Two complaints/);
    expect(run.notes('report-review')).toEqual([
      {
        attempt: 1,
        iteration: null,
        kept: ['Complaint 1.'],
        dropped: [{ complaint: 'Complaint 2.', why: 'Because of 2.' }],
      },
    ]);
    expect(textIn(run.of('reviewer')[0]?.[1])).toMatch(/two\\n\\n### The grader's report.*Two complaints/);
  });

  test('of which nothing holds is void: no pass, no failure, no correction; as published, the next grader is told why', async () => {
    const said = { solver, grader, judge: ['no', 'yes'], reviewer: [complaints(false)] };
    const run = await proofRun({
      said,
      settings: { review: true, judging: 'published' },
    });
    expect(answerText(run.end)).toBe(proof('two'));
    expect(run.notes('verification')[0]).toMatchObject({ verdict: 'void', bugReport: '' });
    // Five passes of their own: the first verdict gave none.
    expect(run.notes('counters').map(({ passes }) => passes)).toEqual([0, 1, 2, 3, 4]);
    expect(run.notes('counters').every(({ failures }) => failures === 0)).toBe(true);
    expect(textIn(run.of('grader')[1]?.[1])).toContain('“Complaint 1.” does not hold: Because of 1.');
  });

  test.each([
    ['in which all holds', complaints(true, true)],
    ['whose review nobody can read', 'They are all wrong!'],
    ['whose review lists nothing', value({ complaints: [] })],
  ])('%s is sent as it is', async (_name, reply) => {
    const said = { solver, grader, judge: ['no', 'yes'], reviewer: [reply] };
    const run = await proofRun({ said, settings: { review: true } });
    expect(textIn(run.of('solver')[2]?.at(-1))).toContain('Two complaints.');
  });
});

test('a picture of the problem reaches its graders', async () => {
  const statement = [
    { type: 'text', text: 'See the picture.' },
    { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  ] as const;
  const said = { solver, grader: [report('Fine.')], judge: ['yes'] };
  const run = await proofRun({ said, settings: { passes: 1 }, problem: { spec: { statement } } });
  expect(run.of('grader')[0]?.[1]?.content).toMatchObject([{ type: 'text' }, { type: 'image' }]);
});
