/**
 * What graders and solvers say beside `none` and `complete` may take it back, in any words: only the bare word counts. What is
 * printed with an accepted proof its graders have read.
 */
import { describe, expect, test } from 'vitest';
import { draftOf } from '../../../src/agents/proof/attempt.ts';
import { claimIn, isUnchanged, withoutTalk } from '../../../src/agents/proof/confession.ts';
import { leftOpenIn, verdictIn } from '../../../src/agents/proof/grader.ts';
import { proofGrader } from '../../../src/agents/proof/proof-grader.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { answerText, proof, proofRun, type Said, textIn, value } from '../../support/proof-run.ts';

const odd = 'The odd case I did not settle.';
const solution = proof(`Two is even. ${odd}`);
const graded = (open: string, verdict = '**Verdict:** complete') =>
  `### Summary ###\n**List of Findings:** none\n**Left open:** ${open}\n${verdict}`;
const plain = graded('none');

/** `open`: what is answered where the question is asked. */
const played = (
  reports: readonly string[],
  open: readonly string[],
  { solver = [solution], ...settings }: JsonObject & { readonly solver?: readonly string[] } = {},
) => {
  const left = [...reports];
  const grader: Said[string] = ({ request }) =>
    request.output ? value({ leftOpen: [...open] }) : ((left.length > 1 ? left.shift() : left[0]) ?? '');
  const said = { solver, grader, judge: ['yes'] };
  return proofRun({ said, settings: { passes: 2, failures: 1, iterations: 2, attempts: 1, ...settings } });
};

const concessions = [
  'none, apart from the case $a \\ne b$, which the solution admits it does not settle.',
  'nothing, apart from the odd case.',
  'none. The solution itself says it treats only even n.',
  'None; only the odd case is conceded.',
  'keine, außer dem ungeraden Fall',
  '无,除了奇数情形',
  'none\n\nOdd n is openly skipped.',
  'none?',
];

const reservations = [
  'complete (even n)',
  'complete. It treats even n and leaves odd n to the reader.',
  'complete, ignoring odd n',
  'complete\nThe author forgoes odd n.',
  'complete\n\nOdd n is openly skipped.',
  'complete?',
];

describe('a confessed partial ends as answered', () => {
  test.each(concessions)('Left open: %s', async (words) => {
    expect(leftOpenIn(graded(words), solution)).toBeNull();
    const run = await played([graded(words)], [odd]);
    expect(run.end.outcome).toBe('gave-up');
    expect(run.asked.filter(({ request }) => request.output)).toHaveLength(1);
    expect((await played([graded(words)], [])).end.outcome).toBe('answered');
  });

  test.each(reservations)('Verdict: %s', async (words) => {
    const report = graded('none', `**Verdict:** ${words}`);
    expect(verdictIn(report)).toBeNull();
    const run = await played([report], [odd]);
    expect(run.end.outcome).toBe('gave-up');
    expect(run.asked.filter(({ request }) => request.output)).toHaveLength(1);
  });

  test.each([
    ['a report of the published form that passes it', 'The solution is correct.', 'none.', 'answered'],
    ['one with a reservation', 'The solution is correct for even n.', 'none.', 'malformed'],
    ['one with a finding', 'The solution is correct.', 'odd n is missing', 'malformed'],
  ])('the question is answered with %s', async (_name, verdict, findings, outcome) => {
    const words = `### Summary ###\n**Final Verdict:** ${verdict}\n\n**List of Findings:** ${findings}`;
    const grader: Said[string] = ({ request }) => (request.output ? words : graded('none, apart from odd n'));
    const said = { solver: [solution], grader, judge: ['yes'] };
    const settings = { passes: 2, failures: 1, iterations: 2, attempts: 1 };
    expect((await proofRun({ said, settings })).end.outcome).toBe(outcome);
  });

  test.each([
    'none',
    '**None.**',
    'none found.',
    'none that I see',
    '(none)',
    'nothing is left open',
    'keine.',
    '无。',
    '$\\text{none}$',
    'none ✅',
    '—',
  ])('a bare word costs no question: %s', async (words) => {
    expect(leftOpenIn(graded(words), solution)).toBe('none');
    expect((await played([graded(words)], [odd])).end.outcome).toBe('answered');
  });

  test.each(['complete', '**complete**.', 'complete and correct', 'complete ✓', '\\boxed{\\text{complete}}'])(
    'nor does: %s',
    (words) => expect(verdictIn(graded('none', `Verdict: ${words}\n`))).toBe('complete'),
  );

  test('one grader who is unclear is not outvoted by the next ones on the same proof', async () => {
    const reports = [graded('none, apart from odd n'), plain];
    expect((await played(reports, [odd], { passes: 4, iterations: 9 })).end.outcome).toBe('gave-up');
    expect((await played(reports, [], { passes: 4, iterations: 9 })).end.outcome).toBe('answered');
  });

  test.each([
    ...concessions.slice(0, 4).map((words) => graded(words)),
    graded('none', '**Verdict:** complete (even n)'),
  ])('proof verify asks too: %s', async (report) => {
    const list = (findings: readonly JsonObject[]) => value({ findings: [...findings], accepts: true });
    const less = { kind: 'proves-less', quote: odd, explanation: 'odd n' };
    const problem = { candidate: { text: `Two is even. ${odd}` } };
    const verified = (grader: Said[string]) => proofRun({ agent: proofGrader, said: { grader }, problem });
    const run = await verified([report, list([]), list([less])]);
    expect(run.end.outcome).toBe('rejected');
    expect(textIn(run.of('grader').at(-1)?.at(-1))).toContain('leave open');
    expect((await verified([report, list([])])).end.outcome).toBe('passed');
    const clear = await verified([plain, list([])]);
    expect(clear.of('grader')).toHaveLength(2);
  });
});

describe('a confession is kept from the graders', () => {
  const summary = (words: string) => `### Summary ###\n${words}\n\n### Detailed Solution ###\n\nTwo is even.`;

  test.each([
    '**Completeness:** complete\nThat is, for $a=b$; the rest I could not prove.',
    '**Completeness:** Complete. One direction is left open.',
    '**Completeness:** complete: for even n',
    '**Completeness:** complete (odd n excluded)',
    '**Completeness:** почти полное',
    '**Verdict:** complete\n- for small n',
  ])('beside its word: %s', async (words) => {
    expect(claimIn(summary(words)).says).toBeNull();
    const run = await played([plain], [], { solver: [summary(words)] });
    const rest = JSON.stringify(words.split(':**').at(-1)?.trim()).slice(1, -1);
    for (const messages of run.of('grader')) expect(textIn(messages[1])).toContain(rest);
  });

  test.each([
    '**Completeness:** complete\n\nThe converse I could not prove.',
    '**Completeness:** complete\n**Method.** Parity; odd n is beyond me.',
    '**Completeness:** complete\n\n#### Remark\n\nOdd n is open.',
  ])('elsewhere in its summary, which the last graders read: %s', async (words) => {
    const last = words.split('\n').at(-1) ?? '';
    const run = await played([plain], [], { solver: [summary(words)], passes: 5, iterations: 5 });
    const shown = run.of('grader').map((messages) => textIn(messages[1]).includes(last));
    expect(shown).toEqual([false, false, false, false, true]);
    expect(answerText(run.end)).toContain(last);
    const one = await played([graded(`“${last}”`)], [], { solver: [summary(words)], passes: 1 });
    expect(one.end.outcome).toBe('gave-up');
  });

  test.each(['I concede that odd n is missing.', 'Der ungerade Fall fehlt, das gebe ich zu.'])(
    'in a rebuttal: %s',
    async (words) => {
      const solver = [proof('one'), 'unchanged', `${proof('two')}\n\n### Rebuttal ###\n${words}`];
      const wrong = graded('none', '**Verdict:** gaps');
      const run = await played([wrong, plain, graded(`"${words}"`)], [], {
        solver,
        failures: 2,
        iterations: 2,
      });
      expect(textIn(run.of('grader').at(-1)?.[1])).toContain(words);
      expect(textIn(run.of('grader').at(-2)?.[1])).not.toContain(words);
      expect(run.end.outcome).toBe('gave-up');
    },
  );
});

test.each([
  'The gap is closed.',
  'This closes the gap.',
  'Both gaps are closed.',
  'All errors are corrected.',
])('mathematics is no talk: %s', (words) => {
  expect(withoutTalk(`${words} Therefore the set is connected.`)).toContain(words);
  expect(withoutTalk(words, { isSummary: true })).toBe(words);
});

test.each([
  'unchanged',
  '**Unchanged.**',
  'No changes needed.',
  'No further changes are necessary.',
  'I stand by my solution.',
  'The solution stays as it is.',
  'My proof is unchanged.',
  'There is nothing to add.',
])('no change: %s', (words) => expect(isUnchanged(words)).toBe(true));

test.each([
  'I stand by my solution, but add a line.',
  'No changes but one: $n>2$.',
  'The proof is complete.',
])('a change: %s', (words) => expect(isUnchanged(words)).toBe(false));

test.each([
  [
    '<summary>\n**Completeness:** partial\n</summary>\n<detailed_solution>\nTwo is even.\n</detailed_solution>',
    'partial',
  ],
  ['### Zusammenfassung\n**Completeness:** partial\n\n### Ausführliche Lösung\n\nTwo is even.', 'partial'],
  ['### Summary\n**Completeness:** complete\n\n### Proof\n\nTwo is even.', 'complete'],
  ['## Proof.\n\nTwo is even.', null],
  ['# Résumé\n**Completeness:** complete\n\n# Démonstration\n\nTwo is even.', 'complete'],
] as const)('a proof under another heading: %j', (reply, says) => {
  const draft = draftOf(reply, { isStrict: true, problem: '' });
  expect(draft?.proof).toBe('Two is even.');
  expect(claimIn(draft?.text ?? '').says).toBe(says);
});

test('the proof of a lemma is not the whole', () => {
  const reply = '### Summary\nIt holds.\n\n### Lemma 1\n\nTwo is even.\n\n### Proof\n\nClear.';
  expect(draftOf(reply, { isStrict: true, problem: '' })).toBeNull();
});

test.each([
  [`\n- ${odd}\n- Two is even.`, [odd, 'Two is even.']],
  [`Two is even. and ${odd}`, ['Two is even.', odd]],
  [`“${odd}” and “Two is even.”`, [odd, 'Two is even.']],
  [`${odd} … Two is even.`, [odd, 'Two is even.']],
] as const)('several quotations: %j', (words, quotes) => {
  expect(leftOpenIn(graded(words), solution)).toEqual(quotes);
});

test.each([
  [{ judging: 'published' }, true, 'passed'],
  [{ judging: 'published' }, false, 'rejected'],
] as const)('proof verify as published ends with a verdict: %j', async (settings, accepts, end) => {
  const quote = { kind: 'justification-gap', quote: 'Two is even.', explanation: 'Why?' };
  const grader = ['It is read.', value({ findings: accepts ? [] : [quote], accepts })];
  const problem = { candidate: { text: 'Two is even.' } };
  const run = await proofRun({ agent: proofGrader, said: { grader }, settings, problem });
  expect(run.end.outcome).toBe(end);
});
