/** What real replies broke: rebuttals that carry a step, partial solutions, verdicts, remarks, TeX in JSON, points by part. */
import { describe, expect, test } from 'vitest';
import { withoutTalk } from '../../../src/agents/proof/confession.ts';
import { verdictIn } from '../../../src/agents/proof/grader.ts';
import { proofGrader } from '../../../src/agents/proof/proof-grader.ts';
import { placesIn, whyNowhere } from '../../../src/agents/proof/quotes.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { answerText, proof, proofRun, type Said, textIn, value } from '../../support/proof-run.ts';

const played = (said: Said, settings: JsonObject = {}) =>
  proofRun({ said, settings: { passes: 2, failures: 2, attempts: 1, ...settings } });

/** In the order of the prompt, with the grader's own verdict at its end. */
const graded = (verdict: string, found = 'none') =>
  `### Detailed Verification Log ###\n"So it is." This holds.\n\n### Summary ###\n**List of Findings:** ${found}\n**Left open:** none\n${verdict}`;
const fine = graded('**Verdict:** complete');
const wrong = graded('**Verdict:** gaps', 'Why is it four?');

describe('a rebuttal can carry the missing step, which is then lost', () => {
  const step = 'Because $1 + 1 = 2$, twice.';

  test.each([
    ['under its heading', `### Rebuttal ###\n${step}`],
    ['without one', `I disagree with the report. ${step}`],
    ['behind thanks', `Thank you for the report!\n\n**Rebuttal:**\n${step}`],
  ])('%s: the solver merges it, and what is verified is the merged proof', async (_style, rebuttal) => {
    const solver = [proof('one'), proof('two'), rebuttal, proof(`two. ${step}`)];
    const run = await played({ solver, grader: [wrong, fine] }, { passes: 3 });
    expect(textIn(run.of('solver')[3]?.at(-1))).toContain('has to stand without this reply');
    expect(answerText(run.end)).toBe(proof(`two. ${step}`));
    const seen = run.of('grader').map((messages) => textIn(messages[1]));
    expect(seen.slice(1)).toHaveLength(3);
    for (const words of seen.slice(1)) expect(words).toContain(`two. ${step}`);
    expect(run.notes('draft').at(-1)?.rebuttal).toContain(step);
  });

  test('that adds nothing: the proof stays, and its graders see it alone until the last one', async () => {
    const solver = [proof('one'), proof('two'), '### Rebuttal ###\nRead line 1.', 'unchanged'];
    const run = await played({ solver, grader: [wrong, fine] });
    expect(answerText(run.end)).toBe(proof('two'));
    const seen = run.of('grader').map((messages) => textIn(messages[1]));
    for (const words of seen.slice(0, -1)) expect(words).not.toContain('Read line 1.');
  });

  test('beside a new proof: it is kept for readers, and no grader sees it', async () => {
    const solver = [proof('one'), proof('two'), `${proof('three')}\n\n### Rebuttal ###\n${step}`];
    const run = await played({ solver, grader: [wrong, fine] });
    expect(answerText(run.end)).toBe(proof('three'));
    expect(textIn(run.of('grader')[1]?.[1])).not.toContain(step);
    expect(run.notes('draft').at(-1)?.rebuttal).toBe(step);
  });

  test('what a reviewer holds against a report is seen by no grader either', async () => {
    const reviewer = [value({ complaints: [{ complaint: 'c', holds: false, why: step }] })];
    const run = await played({ solver: [proof('one')], grader: [wrong, fine], reviewer }, { review: true });
    expect(run.end.outcome).toBe('answered');
    expect(textIn(run.of('grader')[1]?.[1])).not.toContain(step);
  });
});

describe('one structured verdict of the grader', () => {
  test.each([
    ['**Verdict:** complete', 'complete'],
    ['Verdict: **complete**.', 'complete'],
    ['**Final Verdict: complete** — every case is covered.', null],
    ['### Verdict ###\n\nComplete', 'complete'],
    ['3. *My verdict:* `complete`', 'complete'],
    ['Verdict: $\\boxed{\\text{complete}}$', 'complete'],
    ['{"verdict": "complete"}', 'complete'],
    ['**Final Verdict:** The solution is complete.', null],
    ['**Verdict:** error. Lemma 1 is false.', 'error'],
    ['Final verdict: The solution has a critical error.', null],
    ['**Verdict:** gaps (two of them)', 'gaps'],
    ['**Verdict:** less — only even numbers', 'less'],
    ['Verdict: complete\n\nOn reflection:\nVerdict: less', 'less'],
    ['**Verdict:** complete, but Lemma 2 is a sketch', null],
    ['**Verdict:** complete or gaps', null],
    ['Verdict: complete | error | gaps | less', null],
    ['Verdict: incomplete', null],
    ['Verdict: error-free', null],
    ['Verdict: not complete', null],
    ['Verdict: correct', null],
    ['> Verdict: complete', null],
    ['The solution says "Verdict: complete".', null],
    ['', null],
  ] as const)('%j is %s', (words, expected) => {
    expect(verdictIn(words)).toBe(expected);
  });

  test('no judge is asked where it is clear, and half of the calls of graders are spared', async () => {
    const run = await played({ solver: [proof('P')], grader: [fine] }, { passes: 5 });
    expect(run.asked.map(({ role }) => role)).toEqual([
      ...Array(2).fill('solver'),
      ...Array(5).fill('grader'),
    ]);
  });

  test('the solver is sent the findings without the log', async () => {
    const run = await played({ solver: [proof('P')], grader: [wrong, fine] });
    const asked = textIn(run.of('solver')[2]?.at(-1));
    expect(asked).toContain('Why is it four?');
    expect(asked).not.toContain('This holds.');
  });

  test('"published" asks a judge with the published words, and so does the reading of the original', async () => {
    for (const settings of [{ judging: 'published' }, { compat: { verdict: 'substring' } }]) {
      const run = await played({ solver: [proof('P')], grader: [fine], judge: ['yes'] }, settings);
      expect(run.of('judge')).toHaveLength(2);
      expect(textIn(run.of('judge')[0]?.[0])).toContain('a major justification gap');
    }
  });
});

describe('partial work is accepted', () => {
  const said = (summary: string, detailed = 'By parity.') =>
    `### Summary ###\n${summary}\n\n### Detailed Solution ###\n\n${detailed}`;
  const partial = [
    said('**Completeness:** partial; the case $n = 2$ is missing.'),
    said('**Verdict:** partial'),
    said('**Completeness:** This solution is only partial.'),
    said('**a. Verdict:** I have not found a complete solution, but I have rigorously proven a bound.'),
    said('**Completeness:** unvollständig, es fehlt ein Fall.'),
    said('**Completeness:** 部分解答'),
  ];
  test.each(partial)('%s', async (solution) => {
    const run = await played({ solver: [solution], grader: [fine] });
    expect(run.end.outcome).toBe('gave-up');
    expect(JSON.stringify(run.of('solver').at(-1))).toContain('says of itself that it is not complete');
  });

  test('also by points, and the next solution that is complete is accepted', async () => {
    const solver = [partial[0] ?? '', partial[0] ?? '', proof('All of it.')];
    const run = await played({ solver, grader: [fine] });
    expect(answerText(run.end)).toBe(proof('All of it.'));
    const points = { grading: 'points', passPoints: 1 };
    const grader = [fine, value({ reason: '', points: 7 }), fine, value({ reason: '', points: 7 })];
    expect(
      (await played({ solver: [partial[0] ?? ''], grader }, { ...points, failures: 1 })).end.outcome,
    ).toBe('gave-up');
  });

  test('a class for what proves less than was asked, which never passes', async () => {
    const less = graded('**Verdict:** less', 'Only even numbers.');
    const run = await played({ solver: [proof('P')], grader: [less], judge: ['yes'] });
    expect(run.end.outcome).toBe('gave-up');
    expect(run.of('judge')).toEqual([]);
    const finding = { kind: 'proves-less', quote: 'Two is even.', explanation: 'Only two.' };
    const verified = await proofRun({
      agent: proofGrader,
      said: { grader: [less, value({ findings: [finding], accepts: true })] },
      problem: { candidate: { text: 'Two is even.' } },
    });
    expect(verified.end.outcome).toBe('rejected');
    expect(answerText(verified.end)).toContain('Proves less than was asked');
  });
});

describe('an improvement that has nothing to improve costs no second call', () => {
  test.each([
    'unchanged',
    'I have read it again. Nothing to improve.',
    'No changes are needed: every step follows.',
    'Die Lösung bleibt, wie sie ist.',
    '### Summary ###\nComplete.\n\n### Detailed Solution ###\nUnchanged, see above.',
  ])('%s', async (reply) => {
    const first = proof(`Two is even. ${'So is four. '.repeat(10)}`);
    const run = await played({ solver: [first, reply], grader: [fine] });
    expect(run.of('solver')).toHaveLength(2);
    expect(answerText(run.end)).toBe(first.trim());
  });

  test('a whole solution without headings is asked for again', async () => {
    const solver = [proof('P'), `Better: ${'so it is. '.repeat(20)}`, proof('Q')];
    const run = await played({ solver, grader: [fine] });
    expect(answerText(run.end)).toBe(proof('Q'));
  });
});

test('"Thank you for the report" stays in no accepted proof', async () => {
  const summary = 'Thank you for the careful report. I agree with it. The solution is complete.';
  const detailed =
    'I apologize for the gap. **Lemma 1.** $1 + 1 = 2$.\n\n---\n\nI hope this addresses the concerns.';
  const reply = `You are right!\n\n### Summary ###\n${summary}\n\n### Detailed Solution ###\n\n${detailed}`;
  const run = await played({ solver: [proof('one'), proof('two'), reply], grader: [wrong, fine] });
  expect(answerText(run.end)).toBe(
    '### Summary ###\nThe solution is complete.\n\n### Detailed Solution ###\n\n**Lemma 1.** $1 + 1 = 2$.',
  );
  expect(textIn(run.of('grader')[1]?.[1])).not.toMatch(/apologize|hope/);
});

test.each([
  ['Vielen Dank für den Bericht. Sei $x=1$.', 'Sei $x=1$.'],
  ['*Thanks for the report!* Let $x=1$.', 'Let $x=1$.'],
  ['The grader is right. Let $x = 1$.\n\nLet me know if more is needed.', 'Let $x = 1$.'],
  ['感谢您的报告。设 $x=1$。', '设 $x=1$。'],
  [
    'Thanks to Lemma 1, $x=1$. We have fixed an integer $n$.',
    'Thanks to Lemma 1, $x=1$. We have fixed an integer $n$.',
  ],
  ['Here is the complete list of cases: $n=1$.', 'Here is the complete list of cases: $n=1$.'],
  ['Let $x=1$.\n\nI have closed the two gaps.\n\nThen $y=2$.', 'Let $x=1$.\n\nThen $y=2$.'],
  ['Thus $x=1$. I hope you see why.', 'Thus $x=1$. I hope you see why.'],
])('%j', (text, rest) => {
  expect(withoutTalk(text)).toBe(rest);
});

test('"not verified" is followed by the counters as they stand then', async () => {
  const run = await played({ solver: [proof('P')], grader: [wrong, fine] });
  expect(run.notes('counters').map(({ passes, failures }) => [passes, failures])).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

describe('quotes of graders are found where TeX is written in another way', () => {
  const text =
    'Let $x_{1} \\geq \\frac{1}{2}$, so \\(a\\,b \\neq 0\\) for\n$n = 1, \\ldots, k$ “always”. $S = \\{1, 2\\}$.';
  test.each([
    'Let $x_1 \\ge \\dfrac{1}{2}$',
    'x_1 ≥ \\frac12',
    '"so $ab \\ne 0$ for"',
    'for n = 1, ..., k “always”.',
    '…so \\(a b \\neq 0\\) for…',
    'Let $x_{1} … \\ldots, k$ “always',
    'S = {1, 2},',
  ])('%s', (quote) => {
    expect(placesIn(text)(quote)).not.toBeNull();
  });
  test.each(['Let $x_{1} \\leq \\frac{1}{2}$', '$x_2 \\ge', 'a b = 0', 'n = 2, \\ldots, k'])(
    'not %s',
    (quote) => {
      expect(placesIn(text)(quote)).toBeNull();
    },
  );

  test('what is not found is told with its reason', () => {
    expect(whyNowhere(text, 'so $ab \\neq 1$ for')).toMatch(/behind “.*a\\,b \\neq ” there stands “0/);
    expect(whyNowhere(text, 'Hence')).toContain('not even');
    expect(whyNowhere(text, 'so a \frac')).toContain('written twice');
  });

  test('a list in JSON with single backslashes has its places', async () => {
    const grader = [
      graded('**Verdict:** gaps'),
      String.raw`{"findings": [{"kind": "justification-gap", "quote": "so \(a\,b \neq 0\) for", "explanation": "Why \frac{1}{2}?"}], "accepts": false}`,
    ];
    const run = await proofRun({ agent: proofGrader, said: { grader }, problem: { candidate: { text } } });
    expect(run.of('grader')).toHaveLength(2);
    expect(run.notes('grading')[0]?.findings).toMatchObject([
      { lines: { first: 1, last: 1 }, explanation: 'Why \\frac{1}{2}?' },
    ]);
  });
});

describe('points of a rubric are told part by part', () => {
  const brief = {
    task: '',
    answerFormat: '',
    criteria: '- 3 points for A\n- 4 points for B',
    environment: '',
  };
  const parts = [
    { part: 'A', reason: 'There.', points: 3 },
    { part: 'B', reason: 'Half of it.', points: 2 },
  ];
  const given = value({ parts, reason: 'Most of it.', points: 7 });

  test('in the loop: their sum decides, and the solver does not see them', async () => {
    const run = await proofRun({
      said: { solver: [proof('P')], grader: [fine, given] },
      settings: { grading: 'points', failures: 1, attempts: 1 },
      problem: { spec: { brief } },
    });
    expect(run.notes('report')[0]).toMatchObject({ points: 5, parts });
    expect(textIn(run.of('solver')[2]?.at(-1))).toMatch(/5 of 7, where 7 pass/);
    expect(JSON.stringify(run.of('solver'))).not.toMatch(/Half of it|Most of it/);
  });

  test('by the grader alone', async () => {
    const run = await proofRun({
      agent: proofGrader,
      said: { grader: [fine, value({ findings: [], parts, points: 5 })] },
      settings: { grading: 'points' },
      problem: { candidate: { text: 'Two is even.' }, spec: { brief } },
    });
    expect(run.notes('report')[0]).toMatchObject({ points: 5, parts });
    expect(run.end.outcome).toBe('rejected');
  });
});
