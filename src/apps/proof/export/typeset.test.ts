/** TeX of a model: it writes nothing to the console, runs nothing in LaTeX, and blows up nowhere. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import katex from 'katex';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rendered as asHtml } from './html.ts';
import { rendered as asLatex } from './latex.ts';
import { typeset } from './typeset.ts';

const shown = { isDisplay: true, faults: 'shown' } as const;

/** All that goes to the console or past it, while something is done. */
function written(act: () => void): readonly unknown[][] {
  const calls: unknown[][] = [];
  const keep = (...words: unknown[]) => void calls.push(words);
  for (const method of ['log', 'error', 'warn', 'info', 'debug', 'trace', 'dir', 'table'] as const) {
    vi.spyOn(console, method).mockImplementation(keep);
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((words) => {
      keep(words);
      return true;
    });
  }
  act();
  vi.restoreAllMocks();
  return calls;
}

afterEach(() => void vi.restoreAllMocks());

describe('a model writes to standard output with \\message, ahead of the document and its policy', () => {
  test('no command of KaTeX writes to the console, by its own name or by another', () => {
    const source = readFileSync(fileURLToPath(import.meta.resolve('katex')), 'utf8');
    const names = new Set([...source.matchAll(/\\\\([a-zA-Z@]+|[^a-zA-Z@\s])/g)].map(([, name]) => name));
    expect(names.size).toBeGreaterThan(900);
    expect(
      written(() => void katex.renderToString('\\message{x}')),
      'the test sees what KaTeX writes',
    ).toEqual([['x']]);
    const calls = written(() => {
      for (const name of names) {
        typeset(`\\${name}{x}{y}`, shown);
        typeset(`\\let\\other\\${name}\\other{x}{y}`, shown);
      }
    });
    expect(calls).toEqual([]);
  });

  test.each([
    '$\\message{<script>alert(1)</script>}$',
    '$$\\errmessage{<script>alert(1)</script>}$$',
    '\\[\\show\\x\\]',
    '\\(\\global\\let\\m=\\message \\m{x}\\)',
    '$\\def\\m{\\message}\\m{x}$',
    '$\\expandafter\\message\\expandafter{\\text{x}}$',
    '$\\edef\\m{\\noexpand\\message{x}}\\m$',
    '\\(\\text{a $\\message{x}$}\\)',
    '$\\frac{1}{\\sqrt{\\message{x}}}$',
    '$\\verb|\\|\\message{x}$',
    '$\\verb\\a\\\\message{x}$',
    '$é\\message{ℝ}$',
  ])('%s is shown, in both documents', (text) => {
    expect(written(() => void [asHtml(text), asLatex(text)])).toEqual([]);
    expect(asHtml(text)).not.toContain('<script');
    expect(asLatex(text)).toMatch(/^\\texttt\{/);
  });
});

describe('a formula runs nothing in LaTeX', () => {
  test.each([
    '\\message{x}',
    '\\errmessage{x}',
    '\\show\\x',
    '\\showthe\\count0',
    '\\@char{65}',
    '\\char65',
    '\\input{x}',
    '\\input x',
    '\\include{x}',
    '\\write18{x}',
    '\\immediate\\write18{x}',
    '\\openout1=x',
    '\\openin1=x',
    '\\read1 to \\x',
    '\\catcode`\\%=12',
    '\\csname input\\endcsname{x}',
    '\\special{x}',
    '\\loop\\iftrue\\repeat',
    '\\def\\x{1}\\x',
    '\\newcommand{\\x}{1}\\x',
    '\\renewcommand{\\sum}{1}\\sum',
    '\\let\\sum\\int\\sum',
    '\\futurelet\\x\\sum\\int',
    '\\expandafter\\sum\\int',
    '\\TextOrMath{\\input{x}}{y}',
    '\\@firstoftwo{x}{\\input{y}}',
    '\\@ifnextchar{x}{y}{\\input z}',
    '\\html@mathml{x}{y}',
    '\\href{https://x.example}{x}',
    '\\url{https://x.example}',
    '\\includegraphics{x}',
    '\\htmlClass{x}{y}',
    '\\verb|x|',
    '\\text{\\input{x}}',
    'x^^5cinput{y}',
    '\\text{^^5cinput}',
    // Two halves, and between them what is taken out.
    '\\in\u200bput{x}',
    '\\in\u0000put{x}',
    '\\in\\begin{equation}put{x}\\end{equation}',
    '\\in%\nput{x}',
    '\\end{document}',
  ])('%j', (tex) => {
    for (const text of [`\\(${tex}\\)`, `\\[${tex}\\]`, `$$${tex}$$`]) {
      const latex = asLatex(text);
      // Halves that stay apart are a sign and letters.
      if (/^\\[([]\s*\\in\s+put\{x\}\s*\\[)\]]$|^\$\\in\s+put\{x\}\$$/.test(latex)) continue;
      expect(latex).toMatch(/^\\texttt\{/);
      expect(latex.slice('\\texttt{'.length)).not.toMatch(
        /\\(?!textbackslash|text\w+\{\}|ensuremath|[{}$&#%_])/,
      );
    }
  });

  test.each([
    'x_1 \\le \\frac{1}{2}',
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
    '\\text{for all } n \\in \\mathbb{N}\\text{, $x$ too}',
    'a \\equiv b \\pmod{p}',
    '\\left\\{ x \\middle| y \\right\\}',
    '\\sum_{i=1}^{n} i = \\binom{n+1}{2},\\quad \\operatorname{lcm}(a, b)',
    '\\overset{\\text{def}}{=} \\xrightarrow{f} \\boxed{7}\\ \\&\\ 50\\%',
    '\\lvert x\\rvert \\mapsto \\hat{\\mathbf{v}} \\cdot \\vec{AB} \\angle 90°',
    '\\underbrace{1 + \\dots + 1}_{k} \\nmid \\lfloor x \\rfloor \\cancel{y}',
    '\\bigl( \\tfrac12 \\bigr)^{\\!2} \\iff \\neg p \\lor q \\colon \\iint f',
    '\\displaystyle\\lim_{\\substack{x\\to0\\\\y\\to0}} \\textcolor{red}{x}',
    '\\color{#ff0000} x',
  ])('%j stays a formula', (tex) => {
    expect(asLatex(`\\(${tex}\\)`)).toMatch(/^\$/);
    expect(asHtml(`\\(${tex}\\)`)).not.toMatch(/katex-error|<code>/);
  });
});

describe('macros that blow up', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  test.each<[string, string]>([
    ['a parameter that is doubled', '\\def\\a#1{\\b{#1#1}}\\def\\b#1{\\a{#1#1}}\\a{xx}'],
    ['a parameter behind a sign', '\\def\\a\\\\#1.{\\a\\\\#1#1.}\\a\\\\xx.'],
    ['a parameter of \\newcommand', '\\newcommand{\\a}[1]{\\a{#1#1}}\\a{xx}'],
    ['a long macro', `\\def\\a{${'x'.repeat(4_000)}}${'\\a'.repeat(1_000)}`],
    [
      'one in another',
      `${letters
        .map((name, at) => `\\def\\${name}{\\${letters[at + 1] ?? 'x'}\\${letters[at + 1] ?? 'x'}}`)
        .join('')}\\a`,
    ],
    ['\\edef', `\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a`],
    ['itself', '\\def\\a{\\a\\a}\\a'],
    ['a formula of 100,000 signs', 'x'.repeat(100_000)],
    ['braces 100,000 deep', '{'.repeat(100_000)],
    ['roots 1,500 deep', `${'\\sqrt{'.repeat(1_500)}x${'}'.repeat(1_500)}`],
  ])('%s', (_name, tex) => {
    const html = typeset(tex, shown);
    expect(html === null || (html.includes('katex-error') && html.length < 2 * tex.length + 1_000)).toBe(
      true,
    );
    expect(typeset(tex, { ...shown, faults: 'refused' })).toBeNull();
    expect(asLatex(`\\[${tex}\\]`)).toMatch(/^\\texttt\{/);
  });

  test('a small macro is set', () => {
    expect(typeset('\\def\\F{\\mathbb{F}}\\F_p \\neq \\F_q', shown)).toContain('double-struck');
  });
});
