/**
 * Documents on a proof, as they are kept in this folder; the words in it are as bad as a model's can be. A change here
 * changes what people read: `npm run golden` writes the files anew, and the difference is to be read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentOf } from '../../src/apps/proof/export/document.ts';
import { rendered as asHtml } from '../../src/apps/proof/export/html.ts';
import { rendered as asLatex } from '../../src/apps/proof/export/latex.ts';
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

test.each(['markdown', 'html', 'latex'] as const)('the document in %s', async (format) => {
  const whole = await documentOf(report, format);
  // The fonts are KaTeX's own.
  const text = whole.replace(/<style>[\s\S]*<\/style>/, '<style>…</style>');
  const file = join(
    import.meta.dirname,
    `proof.golden.${{ markdown: 'md', html: 'html.txt', latex: 'tex' }[format]}`,
  );
  if (isUpdate) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

test('what was found in a proof that was brought along stands in every document', async () => {
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
  const markdown = await documentOf(checked, 'markdown');
  expect(markdown).toContain(
    '## The proof that was graded, and did not pass\n\n> One.\n>\n> Two, so $x < 0$.',
  );
  expect(markdown).toContain('### 1. critical error, line 3–4\n\n> so $x < 0$\n\nIt is $0$.');
  expect(markdown).toContain('### 2. justification gap, words that are not in the proof');
  expect(await documentOf(checked, 'html')).toMatch(
    /<h3>1\. critical error, line 3–4<\/h3>\n<blockquote><p>so <span class="katex">/,
  );
  expect(await documentOf(checked, 'latex')).toContain(
    '\\subsection*{1. critical error, line 3–4}\n\n\\begin{quote}\nso $x < 0$',
  );
});

describe('HTML', () => {
  test('opens without a network, runs nothing, and loads nothing', async () => {
    const html = await documentOf(report, 'html');
    const page = load(html);
    expect(page('script, img, iframe, object, embed, link, base, form, svg image').length).toBe(0);
    const attributes = page('*')
      .toArray()
      .flatMap((element) => ('attribs' in element ? Object.entries(element.attribs) : []));
    expect(attributes.filter(([name]) => /^on/i.test(name))).toEqual([]);
    const links = attributes.filter(([name]) => /^(href|src|action|srcset|xlink:href)$/.test(name));
    expect(new Set(links.map(([, value]) => value))).toEqual(
      // Links are followed by who clicks them; a picture is a link.
      new Set(['http://evil.example/x.png', 'https://example.org/?a=1&b=2']),
    );
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'/);
    expect(html).not.toMatch(/url\((?!data:)/);
    expect(html.match(/url\(data:font\/woff2;base64,/g)?.length).toBeGreaterThan(15);
  });

  test('has mathematics where there is some, and shows what is none', () => {
    expect(asHtml('$x^2$')).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML">');
    expect(asHtml('$$x$$')).toContain('katex-display');
    expect(asHtml('$\\frac{1$')).toContain('katex-error');
    expect(asHtml('$\\href{javascript:alert(1)}{x}$')).not.toContain('href=');
    expect(asHtml('`$x$`')).toBe('<p><code>$x$</code></p>\n');
    expect(asHtml('    $x$')).toBe('<pre><code>$x$\n</code></pre>\n');
    expect(asHtml('[a](/$x$)')).toContain('<a href="/$x$" rel="noopener noreferrer nofollow">a</a>');
    expect(asHtml('a \ue0000\ue001 b'), 'nobody brings a formula of another place in').not.toContain('katex');
    expect(asHtml('$\\def\\a{\\a\\a}\\a$')).toContain('katex-error');
  });
});

describe('LaTeX', () => {
  test.each<[string, string]>([
    ['50% of $x_1$ & #1 {a}_b', '50\\% of $x_1$ \\& \\#1 \\{a\\}\\_b'],
    ['\\input{/etc/passwd}', '\\textbackslash{}input\\{/etc/passwd\\}'],
    ['$$a % b\n\n$$', 'a'],
    ['\\[a % b\nc\\]', '\\[\na \nc\n\\]'],
    ['$\\def\\x{1}$', '\\texttt{\\$\\textbackslash{}def\\textbackslash{}x\\{1\\}\\$}'],
    ['$\\frac{1$', '\\texttt{\\$\\textbackslash{}frac\\{1\\$}'],
    ['$\\input{x}$', '\\texttt{\\$\\textbackslash{}input\\{x\\}\\$}'],
    ['$$\\begin{align}a&=b\\end{align}$$', '\\[\n\\begin{aligned}a&=b\\end{aligned}\n\\]'],
    ['x ≤ ∞', 'x \\ensuremath{\\le} \\ensuremath{\\infty}'],
    ['$x ≤ 2$', '$x {\\le} 2$'],
    ['**a** *b* `c_d`', '\\textbf{a} \\emph{b} \\texttt{c\\_d}'],
    ['- [x]', '\\begin{itemize}\n\\item {}[x]\n\n\n\\end{itemize}'.replace('\n\n\n', '\n\n')],
  ])('%j', (text, expected) => {
    if (text.startsWith('$$a %')) expect(asLatex(text)).not.toContain('% b\n\\]');
    else expect(asLatex(text)).toBe(expected);
  });
});
