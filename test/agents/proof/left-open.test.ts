/** What a solution leaves open: its own word in the place for it, its graders' quotations, and what is talk and no mathematics. */
import { describe, expect, test } from 'vitest';
import { claimIn, withoutTalk } from '../../../src/agents/proof/confession.ts';
import { leftOpenIn } from '../../../src/agents/proof/grader.ts';
import { proofGrader } from '../../../src/agents/proof/proof-grader.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { answerText, proof, proofRun, type Said, textIn, value } from '../../support/proof-run.ts';

const confessions = [
  'At this point my argument runs dry.',
  'What is still wanting is a reason why the process halts.',
  'Sadly, step 4 is nothing more than a hunch.',
  'The verification is omitted, since none of my attempts worked.',
  'An der Stetigkeit bin ich gescheitert.',
  'Hier klafft noch ein Loch in der Argumentation.',
  "L'unicité m'échappe encore.",
  'Cette étape demeure sans justification.',
  'La otra implicación se me resiste.',
  'Lo anterior es apenas un bosquejo; ignoro los detalles.',
  'Обратное утверждение мне не поддалось.',
  'Проверено лишь для малых n.',
  '一般情形我想不出办法。',
  '最后一步留给读者，我自己没有做出来。',
];

const complete = [
  'So far n is odd; the even case is Lemma 2 below.',
  'We are unable to enlarge M, so M is maximal.',
  'The supremum is missing from the set, so the set is open there.',
  'No proof of minimality is needed, for M is given as minimal.',
  'The lamp is left on, so its state is unresolved until step k, when it is fixed.',
  'Wir nehmen ohne Einschränkung an, dass a positiv ist.',
  'Die Lücke zwischen zwei Quadraten ist ungerade.',
  "L'ouvert U contient x.",
  "Il manque un élément à l'ensemble S, donc S n'est pas plein.",
  'Supongamos sin pérdida de generalidad que a es mayor.',
  'Falta una carta en la baraja, luego hay 51.',
  'Пусть без ограничения общности a положительно.',
  '不妨设 a 最大。',
  '逆命题不成立，但题目没有要求。',
];

const graded = (leftOpen: string, verdict = 'complete') =>
  `### Detailed Verification Log ###\nIt holds.\n\n### Summary ###\n**List of Findings:** none\n${leftOpen}**Verdict:** ${verdict}`;
const none = graded('**Left open:** none\n');

const played = (said: Said, settings: JsonObject = {}) =>
  proofRun({ said, settings: { passes: 2, failures: 1, attempts: 1, ...settings } });

describe('unseen confessions, and sentences of complete proofs', () => {
  test.each(confessions)('%s', async (words) => {
    expect(claimIn(`### Summary ###\n${words}\n\n### Detailed Solution ###\nP.`).says).not.toBe('complete');
    expect(claimIn(`### Summary ###\n**Completeness:** ${words}`).says).not.toBe('complete');
    expect(withoutTalk(`Two is even. ${words}`)).toContain(words);
    expect(withoutTalk(words)).toBe(words);
    // Its grader takes it for complete and quotes it all the same.
    const grader = [graded(`**Left open:** “${words}”\n`)];
    const run = await played({ solver: [proof(`Two is even. ${words}`)], grader });
    expect(run.end.outcome).toBe('gave-up');
    expect(run.of('grader')).toHaveLength(2);
    expect(textIn(run.of('solver').at(-1)?.at(-1))).toContain(words);
  });

  test.each(complete)('%s', async (words) => {
    expect(claimIn(`### Summary ###\n${words}\n\n### Detailed Solution ###\nP.`).says).not.toBe('partial');
    expect(claimIn(`### Summary ###\n**Completeness:** complete\n\n${words}`).says).toBe('complete');
    expect(withoutTalk(`${words} Let $x=1$.`)).toContain(words);
    const run = await played({ solver: [proof(`${words} So it is.`)], grader: [none] });
    expect(run.end.outcome).toBe('answered');
    expect(run.of('grader')).toHaveLength(2);
    expect(answerText(run.end)).toContain(words);
  });
});

describe('the solver’s own word on its completeness', () => {
  test.each([
    ['complete', 'complete'],
    ['**complete**.', 'complete'],
    ['complete\n\nThe case n = 2 is in Lemma 3.', 'complete'],
    ['complete\n**Method.** By parity.', 'complete'],
    ['complete ✅', 'complete'],
    ['The solution is complete.', 'complete'],
    ['vollständig.', 'complete'],
    ['complete for n ≤ 4, open for larger n', null],
    ['complete, but for n = 2', null],
    ['complete modulo Lemma 2', null],
    ['all of it', null],
    ['almost complete', null],
    ['partial', 'partial'],
    ['Partial: the bound is missing.', 'partial'],
    ['only a partial solution', 'partial'],
    ['not complete', 'partial'],
    ['incomplete; see Step 3', 'partial'],
    ['I was not able to treat odd n.', 'partial'],
    ['部分', 'partial'],
  ] as const)('%j is %j', (line, says) => {
    const text = `### Summary ###\n**Completeness:** ${line}\n\n### Detailed Solution ###\n\nP.`;
    expect(claimIn(text).says).toBe(says);
  });

  test('what is no plain word is read by the graders; a plain one costs them nothing', async () => {
    const odd = proof('P.').replace('complete.', 'complete for $n \\le 4$');
    const run = await played({ solver: [odd], grader: [graded('**Left open:** "for $n \\le 4$"\n')] });
    expect(textIn(run.of('grader')[0]?.[1])).toContain('complete for $n');
    expect(run.end.outcome).toBe('gave-up');
    const plain = await played({ solver: [proof('P.')], grader: [none] });
    expect(textIn(plain.of('grader')[0]?.[1])).not.toContain('omplete');
  });
});

const open = 'The bound is left to the reader.';
const confessed = proof(`Two is even. ${open}`);
const last = (messages: readonly unknown[] | undefined) => JSON.stringify(messages?.at(-1));

describe('where no grader has said that nothing is left open', () => {
  const unsaid = graded('');
  const grader = (answers: readonly JsonObject[]): Said[string] => {
    const left = [...answers];
    return ({ request }) => (request.output ? value(left.shift() ?? { leftOpen: [] }) : unsaid);
  };

  test('one question is asked before it is accepted, not one a verification', async () => {
    const run = await played({ solver: [proof('P.')], grader: grader([]) }, { passes: 5 });
    expect(run.end.outcome).toBe('answered');
    expect(run.of('grader')).toHaveLength(6);
    expect(last(run.of('grader').at(-1))).toContain('leave open');
  });

  test('a quotation sends it back, and the corrected one is accepted', async () => {
    const solver = [confessed, confessed, proof('Two is even, by (1).')];
    const run = await played({ solver, grader: grader([{ leftOpen: [open] }]) });
    expect(last(run.of('solver')[2])).toContain(open);
    expect(answerText(run.end)).toContain('by (1)');
  });

  test('words that stand nowhere are asked for once more, and count', async () => {
    const told = { leftOpen: ['I was lazy.'] };
    const taken = await played({ solver: [confessed], grader: grader([told, { leftOpen: [] }]) });
    expect(taken.end.outcome).toBe('answered');
    const kept = await played({ solver: [confessed], grader: grader([told, told]) }, { iterations: 2 });
    expect(kept.end.outcome).toBe('gave-up');
    expect(JSON.stringify(kept.of('grader'))).toContain('do not stand');
  });

  test('the same holds of a judge’s yes, of points, and of the published loop', async () => {
    const answers = { iterations: 2, failures: 5 };
    for (const settings of [{ judging: 'published' }, { grading: 'points', passPoints: 1 }, {}]) {
      const said: Said = {
        solver: [confessed],
        grader: ({ request }) =>
          request.output?.name === 'left-open'
            ? value({ leftOpen: [open] })
            : request.output
              ? value({ reason: '', points: 7 })
              : 'It is right.',
        judge: ['yes'],
      };
      expect((await played(said, { ...answers, ...settings })).end.outcome).toBe('gave-up');
    }
  });

  test('the original’s reading asks nothing, and believes a plain "partial"', async () => {
    const settings = { compat: { sections: 'substring', verdict: 'substring' }, iterations: 2 };
    const said = (completeness: string): Said => ({
      solver: [proof('P.').replace('complete.', completeness)],
      grader: [unsaid],
      judge: ['yes'],
    });
    const whole = await played(said('complete.'), settings);
    expect(whole.end.outcome).toBe('answered');
    expect(whole.of('grader')).toHaveLength(2);
    expect((await played(said('partial; the bound is missing.'), settings)).end.outcome).toBe('gave-up');
  });
});

test('graders who differ on what is left open: one question decides', async () => {
  const grader: Said[string] = ({ branch, request }) =>
    request.output
      ? value({ leftOpen: [] })
      : /grader-2/.test(branch)
        ? graded(`**Left open:** “${open}”\n`)
        : none;
  const run = await played({ solver: [confessed], grader }, { graders: 3, passes: 1 });
  expect(run.end.outcome).toBe('answered');
  expect(run.asked.filter(({ request }) => request.output).length).toBeLessThanOrEqual(1);
});

describe('proof verify', () => {
  const verified = (text: string, grader: Said[string], settings: JsonObject = {}) =>
    proofRun({ agent: proofGrader, said: { grader }, settings, problem: { candidate: { text } } });
  const accepts = value({ findings: [], accepts: true });

  test('what the report quotes never passes, also where the list forgets it', async () => {
    const run = await verified(`Two is even. ${open}`, [graded(`**Left open:** "${open}"\n`), accepts]);
    expect(run.end.outcome).toBe('rejected');
    expect(run.notes('grading')[0]?.findings).toMatchObject([{ kind: 'proves-less', quote: open }]);
  });

  test('a solution that calls itself partial never passes, and a complete one does', async () => {
    const partial = '### Summary ###\n**Completeness:** partial\n\n### Detailed Solution ###\n\nTwo is even.';
    expect((await verified(partial, [none, accepts])).end.outcome).toBe('rejected');
    const published = await verified(partial, [none, accepts], { judging: 'published' });
    expect(published.notes('grading')[0]?.pass).toBe(false);
    expect((await verified('Two is even.', [none, accepts])).end.outcome).toBe('passed');
  });
});

test.each([
  ['**Left open:** none', 'none'],
  [`**Left open:** None. "${open}" is meant of another bound.`, null],
  ['Left open: nothing', 'none'],
  ['- **Left open**: -', 'none'],
  ['### Left open ###\n\nkeine', 'none'],
  [`Left open: ${open}`, [open]],
  [`**Left open:** none, but “${open}”`, [open]],
  [`**Left open:** None of it is proven: "${open}"`, [open]],
  [`**Left open:** "${open}"\n**Left open:** none`, 'none'],
  ['Left open is nothing.', null],
  ['**Left open:** "Words of another proof."', null],
  ['**Left open:**', null],
] as const)('%j is %j', (report, expected) => {
  const found = leftOpenIn(`### Summary ###\n${report}\n**Verdict:** complete`, confessed);
  expect(found).toEqual(expected);
});

describe('no mathematics is taken for talk', () => {
  test.each([
    'We have corrected the sign: let $x=-1$. Then $x^2=1$.',
    "You're right that the base case is missing: for $n=1$, $1=1$. Then induct.",
    'The review of each paper takes a day. So $n$ days.',
    'Let $n$ be prime.\n\nI believe this is now complete: since $x$ divides $n$ by Fermat, $n=x$.',
    'I agree with the claim that 2 is prime. So 4 is not.',
    'Thanks to symmetry we may take the first row. Then it is done.',
    'The report of each spy reaches a king. So all kings know.',
    'Sorry numbers are those without a divisor. Let a be one.',
    'Issue tickets to all guests. Then count them.',
    'The gap is closed under addition. So it is a group.',
    'I hope that x > 0. If not, negate.',
    'Wir danken der Symmetrie den zweiten Fall. Sei a größer.',
    'The error is at most ε. So it converges.',
    'Following the proof of Euclid, multiply all primes.',
  ])('%s', (text) => {
    expect(withoutTalk(text)).toBe(text);
  });

  test('nor a sentence on what the problem is about', () => {
    const text = 'The grader is right. So no report is wrong.';
    expect(withoutTalk(text, { problem: 'A grader writes a report; show that it is right.' })).toBe(text);
    expect(withoutTalk(text)).toBe('So no report is wrong.');
  });

  test.each([
    ['Thank you for the report. Let $x=1$.', 'Let $x=1$.'],
    ['Thank you for the careful and helpful feedback! I apologize for the error. Let $x=1$.', 'Let $x=1$.'],
    ['Vielen Dank für die sorgfältige Prüfung. Sei $x=1$.', 'Sei $x=1$.'],
    ['Merci pour votre rapport. Soit $x=1$.', 'Soit $x=1$.'],
    ['Gracias por el informe. Sea $x=1$.', 'Sea $x=1$.'],
    ['Спасибо за отчёт. Пусть $x=1$.', 'Пусть $x=1$.'],
    ['感谢您的报告。设 $x=1$。', '设 $x=1$。'],
    ['ご指摘ありがとうございます。$x=1$ とする。', '$x=1$ とする。'],
    ['Let $x=1$.\n\n---\n\nI hope this addresses all concerns.', 'Let $x=1$.'],
  ])('%j', (text, rest) => {
    expect(withoutTalk(text)).toBe(rest);
  });
});

describe('what a trial on a hard statement met', () => {
  const partial = proof('Two is even.').replace('complete.', 'partial; four is missing.');
  const less = graded('**Left open:** "Two is even."\n', 'less');

  test('a solver that can prove no more says so in one word, and its attempt is over', async () => {
    const said: Said = { solver: [partial, 'unchanged', 'unchanged'], grader: [less] };
    const run = await played(said, { failures: 10 });
    expect(run.asked.map(({ role }) => role)).toEqual(['solver', 'solver', 'grader', 'solver']);
    expect(run.notes('attempt-end')[0]?.end).toBe('partial');
    expect(run.end.solution).toMatchObject({ end: 'gave-up' });
    expect(run.end.solution?.detail).toContain('can prove no more');
    expect(answerText(run.end)).toContain('Open Gaps');
  });

  test('one that takes its solution for complete is graded again', async () => {
    const said: Said = { solver: [proof('P.'), 'unchanged'], grader: [less, none] };
    const run = await played(said, { failures: 10 });
    expect(run.of('solver')).toHaveLength(3);
    expect(run.end.outcome).toBe('answered');
    expect(run.notes('draft').at(-1)?.rebuttal).toBeNull();
    // What was found in this same text stands in the result, although later passes say nothing of it.
    expect(run.end.solution?.detail).toMatch(/accepted with doubts[\s\S]*Two is even/);
  });

  test('what one grader of three finds stands in the result of an accepted proof', async () => {
    const grader = ({ branch }: { branch: string }) => (branch.endsWith('grader-1') ? less : none);
    const run = await played({ solver: [proof('P.')], grader }, { graders: 3 });
    expect(run.end.outcome).toBe('answered');
    expect(run.end.solution?.detail).toMatch(/accepted with doubts[\s\S]*Two is even/);
  });
});
