/** Answers that look alike at first sight, or to a few digits, or at a few points, and are not; beside some that are. */
import { describe, expect, test } from 'vitest';
import { extract, openAnswers } from '../../src/answers/index.ts';

const answers = await openAnswers();

type Pair = readonly [gold: string, reply: string];

const different: Readonly<Record<string, readonly Pair[]>> = {
  'a point or an interval is no decimal': [
    ['12/5', '(2,4)'],
    ['1.5', '[1,5]'],
    ['-1,0,1', '-1,0.1'],
    ['x \\in [-2,7]', 'x \\in [-2.7]'],
  ],
  'a function at zero is not zero': [
    ['P(0)', '0'],
    ['V(0)', '2V(0)'],
    ['C(0)e^{-kt}', '0'],
  ],
  'functions that jump': [
    ['\\lfloor\\sqrt{n-1}\\rfloor', '\\lfloor\\sqrt{n-2}\\rfloor'],
    ['\\lceil\\sqrt n\\rceil', '\\lfloor\\sqrt n\\rfloor+1'],
    ['\\lfloor x\\rfloor', '\\lfloor x+0.01\\rfloor'],
  ],
  'similar is not congruent': [['A \\sim B', 'A \\cong B']],
  'a letter may be a variable': [
    ['3s^2', '3'],
    ['10h', '10'],
    ['2N', '2'],
  ],
  'a matrix is no product': [
    ['2 \\times 3 \\text{ matrix}', '3 \\times 2 \\text{ matrix}'],
    ['2 \\times 3 \\text{ matrix}', '6'],
  ],
  'functions that break far away': [
    ['|x-100|', '100-x'],
    ['|x-1000000|', '1000000-x'],
    ['\\max(x,1000)', '1000'],
    ['\\sqrt{(x-50)^2}', '50-x'],
  ],
  'an absolute value that allows more': [['\\ln|x|+C', '\\ln x+C']],
  'a derivative is no fraction': [
    ['\\frac{dy}{dx}', '\\frac{y}{x}'],
    ['\\frac{dy}{dx}=2x', 'y=2x^2'],
    ['\\frac{d}{dx}', '\\frac{1}{x}'],
  ],
  'words for large numbers are no units': [
    ['5 billion', '5'],
    ['5 million', '5 billion'],
    ['2 dozen', '2'],
  ],
  'statements without a name': [['1<2', '3<4']],
  'a point begins with x': [['y=1, x=2', '(1,2)']],
  'a difference that is too small for digits': [
    ['\\sin(x)+10^{-50}', '\\sin x'],
    ['e^{x}+10^{-90}', 'e^{x}'],
    ['e^{x}+10^{-60}x', 'e^x'],
    ['\\tanh(50)', '1'],
  ],
  'a member is not the set of it': [
    ['\\{\\{1\\},2\\}', '\\{1,\\{2\\}\\}'],
    ['\\{\\{1\\},2\\}', '\\{1,2\\}'],
  ],
  'a name is not what is left of it': [['n \\bmod 1000', 'n']],
  'a bar makes another thing of a name': [
    ['\\bar{x}', 'x'],
    ['\\overline{z}', 'z'],
    ['\\bar{x}+x', '2x'],
    ['\\bar{x}=3', '\\bar{y}=3'],
    ['\\vec{a}=(1,2)', '\\vec{b}=(1,2)'],
  ],
  'products of vectors': [
    ['\\vec{a}\\times\\vec{b}', '\\vec{a}\\cdot\\vec{b}'],
    ['\\mathbf{a}\\times\\mathbf{b}=0', '\\mathbf{a}\\cdot\\mathbf{b}=0'],
  ],
  'letters that are said in an order': [
    ['\\angle ABC', '\\angle ACB'],
    ['AB\\perp CD', 'AC\\perp BD'],
    ['C(5,2)', 'P(5,2)'],
    ['3 to 1', '1 to 3'],
    ['1 in 4', '4 in 1'],
    ['A: 3, B: 4', 'A: 4, B: 3'],
    ['noon', 'midnight'],
    ['3 per 4', '4 per 3'],
    ['x to y', 'y to x'],
    ['2 wins 3 losses', '3 wins 2 losses'],
    ['wolf 3', 'flow 3'],
  ],
  'sums up to a name': [['\\sum_{k=1}^n k', '\\frac{n(n-1)}{2}']],
  'digits beyond those that are compared': [
    ['\\frac{1}{3}', '0.3333333399'],
    ['\\pi', '3.1415926999'],
  ],
};

describe.each(Object.entries(different))('%s', (_name, pairs) => {
  test.each(pairs)('%s is not %s', (gold, reply) => {
    for (const verdict of [
      answers.equal(gold, reply),
      answers.equal(reply, gold),
      answers.agree(gold, reply),
    ]) {
      expect(verdict.equal, JSON.stringify(verdict)).toBe(false);
    }
  });
});

const alike: readonly Pair[] = [
  ['\\sqrt{x^2-200x+10000}', '|x-100|'],
  ['\\sqrt{x}\\sqrt{y}', '\\sqrt{xy}'],
  ['\\frac{dy}{dx}=2x', '2x'],
  ['5 million', '5000000'],
  ['5\\text{ million}', '5,000,000'],
  ['\\$1.5\\text{ million}', '1500000 dollars'],
  ['5 million people', '5,000,000 people'],
  ['1.2345678 thousand', '1234.5678'],
  ['2 dozen', '24'],
  ['y=1, x=2', '(2,1)'],
  ['\\frac{1}{7}', '0.14285714285714285'],
  ['\\frac{2}{3}', '0.6666666666666666'],
  ['\\pi', '3.1415926'],
  ['12', '١٢'],
  ['12', '१२'],
  ['7', '𝟕'],
  ['90', '𝟿𝟶'],
  ['A', 'a)'],
  ['1.5', '1,5 €'],
  ['\\overline{x}', '\\bar{x}'],
  ['\\overline{3+4i}', '3-4i'],
  ['\\angle ABC', '\\angle CBA'],
  ['P(1,2)', '(1,2)'],
  ['3 to 1', '3:1'],
  ['6.02\\times10^{23}', '6.02 x 10^23'],
  ['noon', '12:00 PM'],
  ['2 wins 3 losses', '2 wins 3 losses'],
  ['5 apples', '5'],
  ['\\{\\{1\\},2\\}', '\\{2,\\{1\\}\\}'],
  ['\\{5\\}', '5'],
  ['\\sum_{k=1}^n k', '\\frac{n(n+1)}{2}'],
  ['\\sum_{k=1}^n k^2', '\\frac{n(n+1)(2n+1)}{6}'],
];

test.each(alike)('%s is %s', (gold, reply) => {
  const verdict = answers.equal(gold, reply);
  expect(verdict.equal, JSON.stringify(verdict)).toBe(true);
});

test('two replies do not agree that one number is two; a gold answer may be meant so', () => {
  expect(answers.agree('1,234', '1, 234').equal).toBe(false);
  expect(answers.clusters(['1234', '1,234', '1, 234'])).toEqual([[0, 1], [2]]);
  expect(answers.equal('1,234', '1, 234').equal).toBe(true);
  expect(answers.clusters(['x=1,y=2', '\\{1,2\\}', 'x=2,y=1'])).toEqual([[0], [1], [2]]);
  expect(answers.clusters(['1/2', '1:2', '15:30', '3:30 PM'])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test.each([
  ['<think>\\boxed{5}? No.</think> So it is 6.', '6'],
  ['<think>It may be \\boxed{5}</think>\n', '5'],
  ['Final answer - 42', '42'],
  ['Answer: -42', '-42'],
  ['Answer -5', '-5'],
  ['So x = 5', 'x = 5'],
  ['```\n42\n```', '42'],
  ['It is \\boxed{\\boxed{\\frac{1}{2}}}', '\\frac{1}{2}'],
] as const)('%j says %s', (reply, answer) => {
  expect(extract(reply).answer?.text).toBe(answer);
});

test('a choice in small brackets', () => {
  expect(extract('(c)', { profile: 'choice' }).answer?.text).toBe('C');
});

test.each([
  ['A and B', 'A or B', false],
  ['p and q', 'p or q', false],
  ['red and blue', 'red or blue', false],
  ['x = 1 and y = 2', 'x = 1 or y = 2', false],
  ['1 and 2', '1 or 2', true],
  ['x = 1 and x = 2', 'x = 1 or x = 2', true],
  ['A and B', 'A, B', true],
] as const)(
  '"and" and "or" between names are two answers, between values one: %s, %s',
  (gold, reply, equal) => {
    expect(answers.equal(gold, reply).equal).toBe(equal);
    expect(answers.agree(reply, gold).equal).toBe(equal);
  },
);
