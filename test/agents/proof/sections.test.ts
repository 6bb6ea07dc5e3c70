/** Sections are found under headings in the forms that models write, and where there is none, none is found. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionFrom, textBefore } from '../../../src/agents/kit/sections.ts';

const name = 'Detailed Solution';

test.each([
  '### Detailed Solution ###\nX',
  '## 2. Detailed Solution\n\nX',
  '**Detailed Solution**\nX',
  '**2. Detailed Solution:**\nX',
  '**2. Detailed Solution**:\nX',
  '### **2. Detailed Solution** ###\nX',
  '2) Detailed Solution\r\nX',
  '### II. Detailed Solution\nX',
  '### §2 Detailed Solution\nX',
  '### Part 2: Detailed Solution\nX',
  '- **Detailed Solution**\nX',
  '> __Detailed Solution__\nX',
  'Detailed Solution:\nX',
  'Detailed solution: X',
  '### Detailed Solution.\nX',
  '### Detailed Solution (corrected) ###\nX',
  '\\section*{Detailed Solution}\nX',
  '\\textbf{2. Detailed Solution.}\nX',
  '<h3>Detailed Solution</h3>\nX',
  '<b>Detailed Solution:</b> X',
  'Detailed Solution\n=================\nX',
  'Detailed Solution\n---\nX',
  '# Summary\nThe Detailed Solution is below.\n\n# Detailed  Solution\nX',
  '### Detailed Solution of Problem 3 ###\nX',
  '**Detailed Solution to the problem**\nX',
  '\\section*{Detailed Solution of Problem 3}\nX',
  '<h3>Detailed Solutions</h3>\nX',
  '# Detailed Solution\nA draft.\n# Detailed Solution\nX',
])('%j', (text) => {
  expect(sectionFrom(text, name)).toBe('X');
});

test.each([
  '',
  'X',
  'My detailed solution follows',
  '### Detailed Solution ###\n\n',
  'as is shown in the\ndetailed solution.\nX',
  'Detailed Solution of the lemma\nX',
  '**Detailed Solution** of the lemma\nX',
  '**Detailed Solution** of **the lemma**\nX',
  `### Detailed Solution ${'of a sentence '.repeat(9)}\nX`,
])('none in %j', (text) => {
  expect(sectionFrom(text, name)).toBeNull();
});

test('headings that go on are parts of the section, and hide none of it', () => {
  const parts = '### Detailed Solution of (a)\nX\n### Detailed Solution of (b)\nY';
  expect(sectionFrom(parts, name)).toBe('X\n### Detailed Solution of (b)\nY');
  expect(sectionFrom(`### Detailed Solution\nV\n${parts}`, name)).toBe(`V\n${parts}`);
});

test('a mere "Name: words" at the end does not hide the section under its own heading', () => {
  expect(sectionFrom('### Detailed Solution\nX\n\nDetailed solution: see above.', name)).toMatch(/^X/);
});

test('the marks of what comes next are no part of a heading', () => {
  expect(sectionFrom('Detailed Solution: **Theorem.** X', name)).toBe('**Theorem.** X');
});

test('a section ends where another one begins', () => {
  const text = '### Rebuttal\nR\n### Detailed Solution\nX\n### Rebuttal\nS';
  expect(sectionFrom(text, name, ['Rebuttal'])).toBe('X');
  expect(sectionFrom('### Rebuttal\nR\n### Detailed Solution\nX', 'Rebuttal', [name])).toBe('R');
});

test('what stands before', () => {
  expect(textBefore('A\n\n**Detailed Verification Log**\nB', 'Detailed Verification Log')).toBe('A');
  expect(textBefore('A', 'Detailed Verification Log')).toBe('A');
});

describe('of any text', () => {
  test('the last heading counts', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(sectionFrom(`${text}\n### Detailed Solution ###\nX`, name)).toBe('X');
      }),
      { seed: 1 },
    );
  });

  // The pattern once tried every way to cut a rule of asterisks into single and double ones.
  test.each(['*', '#', '_', '> ', '**', '1.', 'a.', '- ', '=', '\\section{'])(
    'a line of %j without end takes no time',
    (mark) => {
      expect(sectionFrom(`${mark.repeat(50_000)}x`, name)).toBeNull();
    },
  );
});
