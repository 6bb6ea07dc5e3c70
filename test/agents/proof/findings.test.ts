/** What becomes of a finding: runs from the solver's first words to their end, with what graders and a reviewer say of them. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import {
  answerText,
  judged,
  open,
  proof,
  proofRun,
  report,
  type Said,
  textIn,
  value,
} from '../../support/proof-run.ts';

const played = (said: Said, settings: JsonObject = {}) =>
  proofRun({ said, settings: { passes: 2, attempts: 1, ...settings } });

const found = report('Why is it four?', 'justification-gap', 'So it is four.');
const text = 'Two and two. So it is four.';
const rebuttal = '### Rebuttal ###\nEverybody knows.';
const better = proof('Two and two are four ones. So it is four.');

type Row = {
  readonly name: string;
  readonly said: Said;
  readonly outcome: string;
  /** Of each role that was asked, in order. */
  readonly calls: string;
  readonly settings?: JsonObject;
};

/** `s`olver, `g`rader, `r`eviewer. */
const rows: readonly Row[] = [
  { name: 'nothing is found', said: {}, outcome: 'answered', calls: 'ssggg' },
  {
    name: 'a text that is mended',
    said: { solver: [proof(text), 'unchanged', better], grader: [found, report()] },
    outcome: 'answered',
    calls: 'ssg srgg g',
  },
  {
    name: 'a text that is left as it is, and refuted as it stands',
    said: { grader: [found, report()], reviewer: judged(true) },
    outcome: 'gave-up',
    calls: 'ssg sr',
  },
  {
    name: 'a rebuttal that does not convince is answered once, and not twice',
    said: { solver: [proof(text), 'unchanged', rebuttal], grader: [found], reviewer: judged(true) },
    outcome: 'gave-up',
    calls: 'ssg sr sr',
  },
  {
    name: 'a rebuttal that does not convince, and then a better text',
    said: {
      solver: [proof(text), 'unchanged', rebuttal, better],
      grader: [found, report()],
      reviewer: (call) => judged(call.index === 0)(call),
    },
    outcome: 'answered',
    calls: 'ssg sr sr gg g',
  },
  {
    name: 'a rebuttal that convinces: the finding stands in the result',
    said: { solver: [proof(text), 'unchanged', rebuttal], grader: [found, report()] },
    outcome: 'doubtful',
    calls: 'ssg srgg g',
  },
  {
    name: 'a text in other words that mends nothing is not graded',
    said: {
      solver: ({ index }) => proof(`${text} Version ${index}.`),
      grader: [found],
      reviewer: judged(true),
    },
    settings: { failures: 3 },
    outcome: 'gave-up',
    calls: 'ssg sr sr sr',
  },
  {
    name: 'a text that was refuted comes back: it is not graded again',
    said: {
      solver: [proof(text), 'unchanged', better, proof(text)],
      grader: [found, found],
      reviewer: (call) => judged(call.index > 0)(call),
    },
    outcome: 'gave-up',
    calls: 'ssg srg sr s',
    settings: { failures: 3 },
  },
  {
    name: 'a finding of a grader that passes the text, which a reviewer does not share',
    said: { grader: [value({ ...JSON.parse(found), verdict: 'complete' }), report()] },
    outcome: 'answered',
    calls: 'ssg rg g',
  },
  {
    name: 'a finding of a grader that passes the text, which a reviewer shares',
    said: {
      solver: [proof(text), 'unchanged', better],
      grader: [value({ ...JSON.parse(found), verdict: 'complete' }), report()],
      reviewer: (call) => judged(call.index === 0)(call),
    },
    outcome: 'answered',
    calls: 'ssg r srgg g',
  },
  {
    name: 'a rejection without a finding is asked about once',
    said: {
      solver: [proof(text), 'unchanged', better],
      grader: [value({ findings: [], verdict: 'gaps' }), found, report()],
    },
    outcome: 'answered',
    calls: 'ssgg srgg g',
  },
  {
    name: 'a finding that its grader takes back when it is asked for its words',
    said: {
      solver: [proof(text), 'unchanged', better],
      grader: [report('Why?', 'justification-gap', 'By induction.'), report()],
    },
    outcome: 'answered',
    calls: 'ssgg srgg g',
  },
  {
    name: 'a quotation that the text does not have is asked about once',
    said: {
      solver: [proof(text), 'unchanged', better],
      grader: [report('Why?', 'justification-gap', 'By induction.'), found, report()],
    },
    outcome: 'answered',
    calls: 'ssgg srgg g',
  },
  {
    name: 'what the text itself leaves open is asked once a text, and mended',
    said: {
      solver: [proof(`${text} That it is not five I could not show.`), 'unchanged', better],
      'left-open': ({ index }) => (index === 2 ? open('I could not show.') : open()),
    },
    outcome: 'answered',
    calls: 'ssgg g srgg g',
  },
  {
    name: 'what the text itself leaves open, and its solver leaves so',
    said: {
      solver: [proof(`${text} That it is not five I could not show.`), 'unchanged'],
      'left-open': [open('I could not show.')],
      reviewer: judged(true),
    },
    outcome: 'gave-up',
    calls: 'ssgg g sr',
  },
  {
    name: 'what the text itself leaves open is not asked twice of one text',
    said: { solver: [proof(text), 'unchanged'], 'left-open': [open('So it is four.')] },
    outcome: 'doubtful',
    calls: 'ssgg g srgg',
  },
  {
    name: 'nobody can read what is left open: the text is accepted, in doubt',
    said: { 'left-open': ['It is fine!'] },
    outcome: 'doubtful',
    calls: 'ssgg g',
  },
  {
    name: 'the next attempt begins with a text that was refuted',
    said: { grader: [found], reviewer: judged(true) },
    settings: { attempts: 3 },
    outcome: 'gave-up',
    calls: 'ssg sr sss sss',
  },
  {
    name: 'a report in plain words that finds something',
    said: {
      solver: [proof(text), 'unchanged', better],
      grader: ['**List of Findings:**\n\n1. "So it is four." Why?\n\n**Verdict:** gaps', report()],
    },
    outcome: 'answered',
    calls: 'ssg srgg g',
  },
  {
    name: 'a report in plain words that finds nothing',
    said: { grader: ['**Findings:** none\n\n**Verdict:** complete'] },
    outcome: 'answered',
    calls: 'ssgg g',
  },
  ...['The solution is correct.', 'Verdict (error / less / gaps / complete): complete', 'Well done!'].map(
    (words) => ({
      name: `a report in other words is asked for once: ${words}`,
      said: { grader: [words, report()] },
      outcome: 'answered',
      calls: 'ssggg g',
    }),
  ),
  ...[
    'Findings: none\nVerdict: complete (even n)',
    'Findings: one\nVerdict: complete',
    'Findings: none\nVerdict: gaps',
    'Findings: none\nVerdict: complete?',
    'Yes.',
  ].map((words) => ({
    name: `a report that stays unclear passes nothing: ${words}`,
    said: { grader: [words] },
    outcome: 'malformed',
    calls: 'ssgg',
  })),
];

test.each(rows)('$name: $outcome', async ({ said, outcome, calls, settings }) => {
  const run = await played({ solver: [proof(text), 'unchanged'], ...said }, settings);
  expect(run.asked.map(({ role }) => role[0]).join('')).toBe(calls.replaceAll(' ', ''));
  expect(run.end.outcome).toBe(outcome);
  const answers = run.notes('finding-answer').map(({ answer }) => answer);
  if (outcome === 'doubtful') expect(run.end.solution?.detail).toContain('accepted with doubts');
  if (outcome === 'answered' && answers.includes('mended'))
    expect(run.end.solution?.detail).toContain('Changes of the text have answered 1 finding.');
  if (outcome === 'gave-up') expect(answerText(run.end)).toContain('Open Gaps');
});

test('a rebuttal is shown to the reviewer, and to no grader', async () => {
  const said = { solver: [proof(text), 'unchanged', rebuttal], grader: [found, report()] };
  const run = await played(said);
  expect(textIn(run.of('reviewer')[0]?.at(-1))).toContain('Everybody knows.');
  expect(JSON.stringify(run.of('grader'))).not.toContain('Everybody knows.');
  expect(run.notes('draft').at(-1)?.rebuttal).toBe('Everybody knows.');
});

test('a reviewer is shown the finding and the text that it may have been mended in', async () => {
  const run = await played({ solver: [proof(text), 'unchanged', better], grader: [found, report()] });
  const asked = textIn(run.of('reviewer')[0]?.at(-1));
  expect(asked).toMatch(/four ones.*Justification gap.*So it is four.*Why is it four/);
  expect(run.notes('finding')).toMatchObject([
    { id: 1, kind: 'justification-gap', graders: [1], against: true },
  ]);
});

describe('what a solver replies beside a proof', () => {
  test.each([
    'unchanged',
    '**Unchanged.**',
    'I have read it again. Nothing to improve.',
    '### Summary ###\nComplete.\n\n### Detailed Solution ###\nUnchanged, see above.',
  ])('an improvement that has nothing to improve costs no second call: %s', async (reply) => {
    const first = proof(`Two is even. ${'So is four. '.repeat(10)}`.trim());
    const run = await played({ solver: [first, reply] });
    expect(run.of('solver')).toHaveLength(2);
    expect(answerText(run.end)).toBe(first);
  });

  test.each([
    ['### Summary\nIt holds.\n\n### Lemma 1\n\nTwo is even.\n\n### Proof\n\nClear.', 4],
    [`### Summary ###\nS\n\n### Detailed Solution ###\n\n${text}`, 3],
    [`\`\`\`markdown\n### Summary ###\nS\n\n### Detailed Solution ###\n\n${text}\n\`\`\``, 3],
    [`<think>Detailed Solution</think>\n**Detailed Solution**\n${text}`, 3],
  ])('a correction without the section is asked for once: %j', async (reply, solverCalls) => {
    const said = { solver: [proof(text), 'unchanged', reply, better], grader: [found, report()] };
    expect((await played(said)).of('solver')).toHaveLength(solverCalls);
  });
});
