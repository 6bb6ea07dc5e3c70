/** TeX of a model: it writes nothing to the console, does nothing in TeX but set, and blows up nowhere. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import katex from 'katex';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { canTypeset, typeset } from './typeset.ts';

function knownNames(): ReadonlySet<string> {
  const source = readFileSync(fileURLToPath(import.meta.resolve('katex')), 'utf8');
  const found = source.matchAll(/\\\\([a-zA-Z@]+|[^a-zA-Z@\s])/g);
  return new Set([...found].flatMap(([, name]) => name ?? []));
}

/** All that goes to the console or past it, while something is done. */
function written(action: () => void): readonly unknown[][] {
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
  action();
  vi.restoreAllMocks();
  return calls;
}

afterEach(() => void vi.restoreAllMocks());

describe('a model writes to standard output with \\message, ahead of the document and its policy', () => {
  test('no command of KaTeX writes to the console, by its own name or by another', () => {
    const names = knownNames();
    expect(names.size).toBeGreaterThan(900);
    expect(
      written(() => void katex.renderToString('\\message{x}')),
      'the test sees what KaTeX writes',
    ).toEqual([['x']]);
    const calls = written(() => {
      for (const name of names) {
        typeset(`\\${name}{x}{y}`, true);
        typeset(`\\let\\other\\${name}\\other{x}{y}`, true);
      }
    });
    expect(calls).toEqual([]);
  });

  test.each([
    '\\message{<script>alert(1)</script>}',
    '\\errmessage{<script>alert(1)</script>}',
    '\\show\\x',
    '\\global\\let\\m=\\message \\m{x}',
    '\\def\\m{\\message}\\m{x}',
    '\\expandafter\\message\\expandafter{\\text{x}}',
    '\\edef\\m{\\noexpand\\message{x}}\\m',
    '\\text{a $\\message{x}$}',
    '\\frac{1}{\\sqrt{\\message{x}}}',
    '\\verb|\\|\\message{x}',
    '\\verb\\a\\\\message{x}',
    'é\\message{ℝ}',
  ])('%s is shown as it was written', (tex) => {
    expect(written(() => expect(typeset(tex, true)).toBeNull())).toEqual([]);
  });
});

describe('a formula of a document does nothing in TeX but set', () => {
  test('no command of KaTeX leaves one that reads a file unread', () => {
    for (const name of knownNames()) {
      const file = '{\\input{x}}';
      for (const tex of [`\\${name}${file.repeat(4)}`, `\\${name}[x]${file}{x}`, `\\${name}x y${file}`])
        expect(canTypeset(tex, true), tex).toBe(false);
    }
  });

  test.each([
    '\\char65',
    '\\@char{65}',
    '\\write18{x}',
    '\\catcode`\\%=12',
    '\\csname input\\endcsname{x}',
    '\\def\\x{1}\\x',
    '\\gdef\\alpha{1}',
    '\\newcommand{\\x}{1}\\x',
    '\\renewcommand{\\sum}{1}\\sum',
    '\\let\\sum\\int\\sum',
    '\\futurelet\\x\\sum\\int',
    '\\href{https://x.example}{x}',
    '\\url{https://x.example}',
    '\\includegraphics{x}',
    '\\htmlClass{x}{y}',
    '\\verb|x|',
    '\\text{^^5cinput}',
    '\\end{document}',
    '\\frac{1',
  ])('%j is none', (tex) => {
    expect(canTypeset(tex, true)).toBe(false);
  });

  test.each([
    'x_1 \\le \\frac{1}{2}',
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
    '\\text{for all } n \\in \\mathbb{N}\\text{, $x$ too}',
    '\\left\\{ x \\middle| y \\right\\}',
    '\\sum_{i=1}^{n} i = \\binom{n+1}{2},\\quad \\operatorname{lcm}(a, b)',
    '\\overset{\\text{def}}{=} \\xrightarrow{f} \\boxed{7}\\ \\&\\ 50\\%',
    '\\bigl( \\tfrac12 \\bigr)^{\\!2} \\iff \\neg p \\lor q \\colon \\iint f',
    '\\displaystyle\\lim_{\\substack{x\\to0\\\\y\\to0}} \\textcolor{red}{x}',
  ])('%j is one', (tex) => {
    expect(canTypeset(tex, true)).toBe(true);
  });
});

describe('macros that blow up', () => {
  const chars = [...'abcdefghijklmnopqrstuvwxyz'];
  test.each<[string, string]>([
    ['a parameter that is doubled', '\\def\\a#1{\\b{#1#1}}\\def\\b#1{\\a{#1#1}}\\a{xx}'],
    ['a parameter behind a sign', '\\def\\a\\\\#1.{\\a\\\\#1#1.}\\a\\\\xx.'],
    ['a parameter of \\newcommand', '\\newcommand{\\a}[1]{\\a{#1#1}}\\a{xx}'],
    ['a long macro', `\\def\\a{${'x'.repeat(4_000)}}${'\\a'.repeat(1_000)}`],
    [
      'one in another',
      `${chars
        .map((name, at) => `\\def\\${name}{\\${chars[at + 1] ?? 'x'}\\${chars[at + 1] ?? 'x'}}`)
        .join('')}\\a`,
    ],
    ['\\edef', `\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a`],
    ['itself', '\\def\\a{\\a\\a}\\a'],
    ['a formula of 100,000 signs', 'x'.repeat(100_000)],
    ['braces 100,000 deep', '{'.repeat(100_000)],
    ['roots 1,500 deep', `${'\\sqrt{'.repeat(1_500)}x${'}'.repeat(1_500)}`],
  ])('%s', (_name, tex) => {
    expect(typeset(tex, true)).toBeNull();
  });

  test('a small macro is set', () => {
    expect(typeset('\\def\\F{\\mathbb{F}}\\F_p \\neq \\F_q', true)).toContain('double-struck');
  });
});
