/**
 * The document on a proof, as it is kept in this folder; the words in it are as bad as a model's can be. A change here
 * changes what people read: `npm run golden` writes the files anew, and the difference is to be read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { proofMarkdown } from '../../src/apps/proof/export/markdown.ts';
import type { ProofNoteData } from '../../src/notes/proof.ts';
import { note, proofReport } from '../support/proof-journal.ts';

const hostile = [
  '### Summary ###',
  '<script>alert(1)</script> <img src=x onerror="alert(2)"> [link](javascript:alert(3)) ![pic](http://evil.example/x.png)',
  '[site](https://example.org/?a=1&b=2) 100% of A_1 & #2 {x} ~ ^ \\input{/etc/passwd} \\end{document} "quoted"',
  '',
  '### Detailed Solution ###',
  'Inline $x_1 \\le \\frac{1}{2}$, and $\\href{javascript:alert(4)}{x}$, $\\def\\x{y}\\x$, $\\frac{1$ and ℕ ≤ π.',
  '$$',
  '= a',
  '+ b % a comment',
  '$$',
  '\\begin{align*} a &= b \\\\ &= c \\end{align*}',
  '',
  '1. **first** and *second*',
  '2. `code $x$ \\end{verbatim}`',
  '',
  '```tex',
  '\\end{verbatim} $x$ </pre><script>alert(5)</script>',
  '```',
  '',
  '| a | b |',
  '|---|---|',
  '| $x$ | 1 & 2 |',
  '',
  '> quoted',
  '',
  '---',
  '[not an option] of an item',
].join('\n');

const place = { attempt: 1, iteration: null };
const votes = { yes: 0, no: 1, of: 1 };
const report = proofReport({
  statement: '# A title\n\nShow that $x^2 \\ge 0$ & more.',
  settings: { hints: ['Think of $x = 0$ <b>'], passes: 1, failures: 1 },
  notes: [
    note('attempt-start', { attempt: 1 }),
    note('draft', { ...place, turn: 'solve', text: 'first', rebuttal: null }),
    note('draft', { ...place, turn: 'improve', text: hostile, rebuttal: null }),
    note('report', { ...place, grader: 1, pass: false, points: 3, report: `### Summary ###\n${hostile}` }),
    note('verification', { ...place, verdict: 'fail', votes, points: 3, bugReport: 'x' }),
    note('counters', { attempt: 1, iteration: 0, passes: 1, failures: 0 }),
    note('hint', { attempt: 1, iteration: 0, turn: 'correct', hint: 'Try </li><script>alert(6)</script>.' }),
    note('draft', { attempt: 1, iteration: 0, turn: 'correct', text: hostile, rebuttal: 'No.' }),
    note('verification', {
      attempt: 1,
      iteration: 0,
      verdict: 'pass',
      votes: { yes: 1, no: 0, of: 1 },
      points: 7,
      bugReport: '',
    }),
    note('attempt-end', { attempt: 1, end: 'accepted', iteration: 0, passes: 2, failures: 0 }),
  ],
  end: {
    solution: { end: 'answered', answer: { type: 'text', text: hostile }, detail: 'Passed <i>all</i> of 1.' },
  },
});

// They tell when a run was begun by the clock of who reads them.
beforeAll(() => void vi.stubEnv('TZ', 'UTC'));
afterAll(() => void vi.unstubAllEnvs());

const isUpdate = process.env.POLYA_GOLDEN === 'update';

test('the document', () => {
  const text = proofMarkdown(report);
  const file = join(import.meta.dirname, 'proof.golden.md');
  if (isUpdate) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

test('what was found in a proof that was brought along stands in the document', () => {
  const lines = { first: 3, last: 4 };
  const finding: ProofNoteData<'grading'>['findings'][number] = {
    kind: 'critical-error',
    quote: 'so $x < 0$',
    lines,
    explanation: 'It is $0$.',
    graders: [1],
  };
  const gap: typeof finding = { ...finding, kind: 'justification-gap', lines: null };
  const checked = proofReport({
    agent: 'proof-grader',
    detail: { proof: 'One.\n\nTwo, so $x < 0$.' },
    notes: [
      note('report', { ...place, grader: 1, pass: false, points: null, report: 'Wrong.' }),
      note('grading', { pass: false, votes, points: 2, findings: [finding, gap] }),
    ],
  });
  const markdown = proofMarkdown(checked);
  expect(markdown).toContain(
    '## The proof that was graded, and did not pass\n\n> One.\n>\n> Two, so $x < 0$.',
  );
  expect(markdown).toContain('### 1. critical error, line 3–4\n\n> so $x < 0$\n\nIt is $0$.');
  expect(markdown).toContain('### 2. justification gap, words that are not in the proof');
});
