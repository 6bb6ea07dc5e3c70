/** Problems of one file: what divides them, what does not, and how one is named. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coded } from '../../../test/support/coded.ts';
import { linesInCode, problemOf, problemsIn } from './problems.ts';

const texts = (text: string) => problemsIn(text, 'x.md').map((problem) => problem.text);
const names = (text: string) => problemsIn(text, 'x.md').map(({ name }) => name);

describe('a LaTeX document', () => {
  const head =
    '\\documentclass[11pt]{article}\n\\usepackage{amsmath}\n\\newcommand{\\R}{\\mathbb{R}}\n\\newcommand{\\N}[1][x]{\\mathbb{N}_{#1}}\n% \\title{old}\n\\title{A {\\bfseries nice} sum\\\\ of squares}\n\\author{N. N.}\n\\begin{document}\n\\maketitle\n';
  test.each([
    [
      'loses its preamble',
      `${head}Let $x\\in\\R$.\n\\end{document}\n`,
      'A nice sum of squares',
      '\\newcommand{\\R}{\\mathbb{R}}\nLet $x\\in\\R$.',
    ],
    [
      'has the title of its first sentence',
      '\\documentclass{article}\n\\begin{document}\n\\section*{Problem}\n\\label{p}\nShow 1 < 2.\n\\end{document}',
      'Show 1 < 2.',
      '\\section*{Problem}\n\\label{p}\nShow 1 < 2.',
    ],
    [
      'may lack its end',
      '\\documentclass{article}\\begin{document}Show 1 < 2.',
      'Show 1 < 2.',
      'Show 1 < 2.',
    ],
    [
      'is none in a comment',
      'Show 1 < 2.\n% \\begin{document}\nNow.',
      'Show 1 < 2.',
      'Show 1 < 2.\n% \\begin{document}\nNow.',
    ],
  ])('%s', (_name, source, title, text) => {
    expect(problemsIn(source, 'x.tex')).toEqual([{ number: 1, name: '', title, text }]);
  });

  test('may hold several problems', () => {
    const source = `${head}%%% problem: A\nOne.\n%%% problem: B\nTwo.\n\\end{document}\n`;
    expect(problemsIn(source, 'x.tex').map(({ title, text }) => [title, text])).toEqual([
      ['A', 'One.'],
      ['B', 'Two.'],
    ]);
  });
});

describe('one file', () => {
  test('without a dividing line is one problem, with its headings, rules and page breaks', () => {
    const text = '# Problem 1\n\n---\n\n## Part (a)\n\n***\n\n\f___\n\nShow $a < b$.\n\n<!-- of 2031 -->';
    expect(problemsIn(text, 'x.md')).toEqual([{ number: 1, name: '', title: 'Problem 1', text }]);
  });

  test('divides at comments of Markdown and of TeX', () => {
    const text =
      '<!-- problem: Ceva -->\nA\n\n---\n\n# A too\n%%% problem: 3\nB\n<!-- PROBLEM -->\nC\n%%%%problem 4  \nD';
    expect(names(text)).toEqual(['Ceva', '3', '', '4']);
    expect(texts(text)).toEqual(['A\n\n---\n\n# A too', 'B', 'C', 'D']);
  });

  test.each([
    'a <!-- problem: X -->',
    ' <!-- problem: X -->',
    '    %%% problem: X',
    '<!-- problems below -->',
    '<!-- problem is taken from a book -->',
    '% problem: X',
    '%%% problematic',
    '# problem: X',
    '=== problem 2 ===',
  ])('is not divided by %j', (line) => {
    expect(texts(`A\n${line}\nB`)).toEqual([`A\n${line}\nB`]);
  });

  test.each([
    ['```\n', '\n```'],
    ['~~~ md\n```\n', '\n~~~~'],
  ])('is not divided within the code block %j … %j', (open, close) => {
    const text = `A\n${open}<!-- problem: X -->${close}\nB`;
    expect(texts(text)).toEqual([text]);
  });

  test.each([
    ['an opening one stands in the block', '```\nA\n<!-- problem: X -->\nB\n``` js\nC\n```'],
    ['one behind it never closes', '```\nA\n<!-- problem: X -->\nB\n```\nC\n```\n'],
    ['one far behind never closes', '```\n%%% problem: X\n```\n<!-- problem: Y -->\n~~~\nC'],
  ])('a fence that was not closed hides no problem in silence: %s', (_name, text) => {
    expect(() => texts(text)).toThrow(/line [23] of x.md divides/);
    expect(texts(text.replaceAll(/^(?=<!--|%%%)/gm, ' ')), 'indented, it is text').toHaveLength(1);
  });

  test('code within a line opens no block, be it at its beginning', () => {
    expect(names('```f(x)``` is code.\n<!-- problem: X -->\nA\n```\nB\n```')).toEqual(['X']);
  });

  test('tells the lines that a block of code keeps from dividing', () => {
    const text = 'A\n```\n<!-- problem: X -->\n```\n<!-- problem: Y -->\nB';
    expect(linesInCode(text)).toEqual([{ line: 3, begins: 2, isDoubtful: false }]);
  });

  test.each(['```\n', '```\n~~~\n', 'see ``` there\n', '```\ncode\n```\n'])(
    'is divided behind %j, which opens no block that is closed later',
    (open) => {
      expect(names(`A\n${open}<!-- problem: X -->\nB`)).toEqual(['X']);
    },
  );

  test('what stands before the first line belongs to all', () => {
    const text = 'Let $p$ be prime.\n<!-- problem: a -->\nFirst.\n<!-- problem: b -->\nSecond.';
    expect(texts(text)).toEqual(['Let $p$ be prime.\n\nFirst.', 'Let $p$ be prime.\n\nSecond.']);
    expect(problemsIn(text, 'x.md')[0]?.title).toBe('a');
  });

  test('whatever stands between two lines comes out as it went in', () => {
    const line = fc.oneof(
      fc.constantFrom('---', '***', '===', '# Problem 2', '<!-- note -->', ' <!-- problem: x -->', '', '\f'),
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\n\r]/g, '')),
    );
    const body = fc.array(line, { maxLength: 8 }).map((lines) => ['x', ...lines, 'y'].join('\n'));
    const head = fc.constantFrom('<!-- problem -->', '%%% problem', '<!--problem-->');
    fc.assert(
      fc.property(fc.array(fc.tuple(head, body), { minLength: 1, maxLength: 5 }), (parts) => {
        const isMarker = (text: string) => /^(<!--[ \t]*problem|%{3,}[ \t]*problem)/im.test(text);
        fc.pre(!parts.some(([, text]) => isMarker(text)));
        const text = parts.map((part) => part.join('\n')).join('\n\n');
        expect(texts(text)).toEqual(parts.map(([, each]) => each));
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('refuses an empty problem, and two of one name', () => {
    expect(() => texts('<!-- problem: a -->\n\n<!-- problem: b -->\nB')).toThrow(
      /problem 1 \(a\) of x.md is empty/,
    );
    expect(() => texts('preface\n<!-- problem: a -->\n')).toThrow(/1 \(a\).*empty/);
    expect(() => texts('%%% problem: a\nA\n%%% problem:  A \nB')).toThrow(coded('problem-name-twice'));
  });
});

describe('one of them', () => {
  const problems = problemsIn('%%% problem: Ceva\nA\n%%% problem: 1\nB\n%%% problem\nC', 'x.md');
  const found = (requested?: string | number) => problemOf(problems, requested, 'x.md').text;

  test('is found by its name, else by its number', () => {
    expect([found('ceva'), found(' Ceva '), found('3'), found(3), found(2)]).toEqual([
      'A',
      'A',
      'C',
      'C',
      'B',
    ]);
    expect(found('1'), 'a name goes before a number').toBe('B');
  });

  test('must be named where there are several, and must be there', () => {
    expect(() => found()).toThrow(/x.md holds 3 problems.*1 \(Ceva\), 2 \(1\), 3\./s);
    expect(() => found('Menelaus')).toThrow(/no problem Menelaus.*1 \(Ceva\)/s);
    expect(() => found(9)).toThrow(/no problem 9/);
    expect(() => problemOf(problemsIn('A', 'y.md'), 2, 'y.md')).toThrow(/no problem 2.*one problem/s);
  });
});
