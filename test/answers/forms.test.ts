/** Forms in which models, programs and people write one answer; and some that look alike and are not. */
import { expect, test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';

const answers = await openAnswers();

type Pair = readonly [gold: string, reply: string];

const alike: readonly Pair[] = [
  [
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\\begin{pmatrix}1\\\\1\\end{pmatrix}',
    '\\begin{pmatrix}3\\\\7\\end{pmatrix}',
  ],
  ['\\begin{pmatrix}1&1\\\\0&1\\end{pmatrix}^3', '\\begin{pmatrix}1&3\\\\0&1\\end{pmatrix}'],
  ['\\begin{pmatrix}1&2\\end{pmatrix}^T', '\\begin{pmatrix}1\\\\2\\end{pmatrix}'],
  [
    '\\begin{pmatrix}4\\\\6\\end{pmatrix}',
    '\\begin{pmatrix}5\\\\8\\end{pmatrix}-\\begin{pmatrix}1\\\\2\\end{pmatrix}',
  ],
  ['(1,2)+(3,4)', '(4,6)'],
  ['2\\sqrt3', '2\\sqrt{3} \\approx 3.46'],
  ['x=2\\sqrt3\\text{ cm}', '2\\sqrt3\\text{ cm} \\approx 3.46\\text{ cm}'],
  ['3.46', 'x = 2\\sqrt3 \\approx 3.46'],
  ['3.4', 'f(2) \\approx 3.4'],
  ['5', 'AB \\approx 5'],
  ['\\frac12', '\\frac12 \\text{ or } 0.5'],
  ['2, 3, 5', '[5, 2, 3]'],
  ['\\begin{pmatrix}1\\\\2\\end{pmatrix}', '(1, 2)^T'],
  ['\\begin{pmatrix}1\\\\2\\end{pmatrix}', '[1, 2]^{\\top}'],
  ['5', '$5$ J'],
  ['12', '$12$ m'],
  ['3\\times10^{8}\\text{ m/s}', '$3\\times10^8$ m/s'],
  ['3.3\\times10^{-19}', '$3.3 \\times 10^{-19}$ J'],
  ['3.3\\times10^{-19}', '3.3 \\times 10^{-19} \\text{ J}'],
  ['2,3', '[3, 2]'],
  ['\\{1, 2\\}', 'set([1, 2])'],
  ['\\emptyset', 'set()'],
  ['\\emptyset', 'EmptySet'],
  ['\\mathbb{R}', 'S.Reals'],
  ['x<2', '(-oo < x) & (x < 2)'],
  ['(x,y)=(1,2)', '{x: 1, y: 2}'],
  ['(1,2),(3,4)', '[{x: 1, y: 2}, {x: 3, y: 4}]'],
  ['(1,2),(3,4)', '[(1, 2), (3, 4)]'],
  ['x = 2', 'Eq(x, 2)'],
  ['\\frac{3}{4}x^2', 'Fraction(3, 4)*x**2'],
  ['\\frac{3}{4}', "Fraction('3/4')"],
  ['2\\sqrt{3}', '2*math.sqrt(3)'],
  ['\\begin{pmatrix}1\\\\2\\\\3\\end{pmatrix}', 'np.array([1, 2, 3])'],
  ['\\begin{pmatrix}1\\\\2\\\\3\\end{pmatrix}', '[1, 2, 3]'],
  ['\\begin{pmatrix}1&2&3\\end{pmatrix}', '[1, 2, 3]'],
  ['2i\\sqrt{3}', '2*sqrt(3)*I'],
  ['-i', '-I'],
  ['3+4i', '(3+4j)'],
  ['2i', '2j'],
  ['e^2', 'E**2'],
  ['\\frac{1}{2}+\\frac{\\sqrt3}{2}i', '1/2 + sqrt(3)*I/2'],
  ['[0,1)', '[0,1['],
  ['(-\\infty, 2] \\cup (3, \\infty)', ']-\\infty, 2] \\cup ]3, \\infty['],
  ['(-\\infty, -\\frac12)', '\\left]-\\infty;-\\frac{1}{2}\\right['],
  ['x_n^2', 'x^2_n'],
  ['\\log_2^3 x', '\\log^3_2 x'],
  ['\\prod_{k=1}^{4} k', '\\prod^4_{k=1} k'],
  ['9\\pi', '9\\pi square units'],
  ['9\\pi', '9\\pi\\,cm^2'],
  ['9\\pi', '9\\pi cubic feet'],
  ['12', '12 square inches'],
  ['3x', '3x square units'],
  ['4{ft}', '4'],
  ['15{cm}^2', '15'],
  ['0.5\\%', '0.5\\text{ percent}'],
  ['54¢', '0.54 dollars'],
  ['|x-1|', '\\vert x-1\\vert'],
  ['\\frac{1}{3}', '1./3'],
  ['\\sinh^{-1} x', '\\operatorname{arsinh} x'],
  ['\\operatorname{arcsinh}(x)', '\\operatorname{asinh}(x)'],
  ['3\\sqrt{2}[1+\\sqrt2]', '3\\sqrt2+6'],
  ['k[x+1]', 'k(x+1)'],
  ['\\begin{cases}x=1\\\\y=2\\end{cases}', 'x=1 \\text{ and } y=2'],
  ['(1,2),(3,4)', 'x=1,y=2\\text{ or }x=3,y=4'],
  ['12', 'The area is 12'],
  ['The sum is $\\frac{1}{2}$.', '0.5'],
  ['(C) 7', '7'],
  ['7', '(C) 7'],
  ['\\text{(C) }7', 'C'],
  ['x=\\frac13', 'x = 5 - \\frac{14}{3} = \\frac13'],
  ['2:3', 'x:y = 2:3'],
  ['2:3', '\\text{ratio} = 2:3'],
  ['7:32', 'AB:BC = 7:32'],
  ['2.5\\times10^{-3}', '0.0025'],
  ['\\frac{1}{700}', '1.428571\\times 10^{-3}'],
  ['1{,}234', '1234'],
  ['-5, \\frac{14}{3}', 'x = -5, p = 14/3'],
  ['\\sqrt[3]{x}^2', '\\sqrt[3]{x^2}'],
  ['W(n) = 1\\text{ or }W(n) = -1', '\\pm 1'],
  ['12\\pi', '12π inches per second'],
  ['6\\text{ quadratic equations}', '6 equations'],
  ['6', '6 equations'],
  ['[-3.4,1.2]', '[-17/5, 6/5]'],
  ['\\text{integers}', 'Integers'],
  ['|x|<2', '-2<x<2'],
  [
    '\\begin{cases}x & x>0\\\\ -x & x\\le 0\\end{cases}',
    '\\begin{cases} x & x > 0 \\\\ -x & x \\le 0 \\end{cases}',
  ],
  ['(2,3)', 'Point(2, 3)'],
  ['2,3', '\\boxed{2}\\text{ or }\\boxed{3}'],
  ['x\\in[2,\\infty)', 'Interval(2, oo)'],
  ['\\{-1,1\\}', 'FiniteSet(-1, 1)'],
];
const workedOut: readonly Pair[] = [
  ['\\int_0^1 x\\,dx', '\\frac12'],
  ['\\int^1_0 x\\,dx', '0.5'],
  ['\\int_0^\\pi \\sin t\\,dt', '2'],
  ['\\int_1^e \\frac{1}{x}\\,dx', '1'],
  ['\\int_0^a x\\,dx', '\\frac{a^2}{2}'],
  ['\\int_0^1 \\sqrt{x}\\,dx', '\\frac23'],
  ['\\int_0^1 \\frac{4}{1+x^2}\\,dx', '\\pi'],
  ['\\lim_{x\\to 0}\\frac{1-\\cos x}{x^2}', '\\frac12'],
  ['\\lim_{n\\to\\infty}\\left(1+\\frac1n\\right)^n', 'e'],
  ['\\lim_{x\\to 3}\\frac{x^2-9}{x-3}', '6'],
  ['\\lim_{x\\to0^-}\\frac{|x|}{x}', '-1'],
];

test.each(workedOut)('%s comes to %s', (gold, reply) => {
  expect(answers.equal(gold, reply)).toMatchObject({ equal: true, basis: 'numeric' });
});

const notWorkedOut: readonly Pair[] = [
  ['\\lim_{x\\to0}\\frac{|x|}{x}', '1'],
  ['\\lim_{x\\to0}\\frac{|x|}{x}', '0'],
  ['\\lim_{x\\to0}\\sin\\frac1x', '0'],
  ['\\int_0^{2\\pi}\\sin(64x)^2\\,dx', '0'],
  ['\\int_0^{2\\pi}\\sin(192x)^2\\,dx', '0'],
  ['\\int_0^1 2x\\,dx', '2'],
  ['\\int_0^1 x\\,dx', '0.49999'],
  ['\\int_0^1 x\\,dx', '\\frac12+10^{-8}'],
  ['\\int_{-1}^1 \\frac{1}{x^2}\\,dx', '-2'],
  ['\\int_0^1 x\\,dx', '\\int_0^1 x^2\\,dx'],
  ['\\lim_{x\\to\\infty}\\frac{x}{x+1}', '0'],
];

test.each(notWorkedOut)('%s does not come to %s', (gold, reply) => {
  expect(answers.equal(gold, reply).equal).toBe(false);
});

const different: readonly Pair[] = [
  ['a', 'a[1]'],
  ['0', 'a[0]'],
  ['12', '(C) 13'],
  ['2', '2 \\text{ or } 3'],
  ['2', '[2, 3]'],
  ['(1,2)', '[1,2]'],
  ['(1,2)', ']1,2]'],
  ['[1,2]', ']1,2['],
  ['3.5', '2\\sqrt3\\approx 3.464'],
  ['3.47', '2\\sqrt3\\approx 3.464'],
  ['2\\sqrt3', '2\\sqrt2\\approx 3.464'],
  ['(2,1)', '{x: 1, y: 2}'],
  ['3+4i', '3+4'],
  ['3+4i', '3-4j'],
  ['(5,2),(7,2)', 'p=5,q=7; p=2,q=2'],
  ['12\\text{ cm}', '12\\,m^2'],
  ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '\\begin{pmatrix}1&3\\\\2&4\\end{pmatrix}'],
  [
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\\begin{pmatrix}0&1\\\\1&0\\end{pmatrix}',
    '\\begin{pmatrix}0&1\\\\1&0\\end{pmatrix}\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
  ],
  ['x_1^2', 'x_2^1'],
  ['12', 'The area is 13'],
  ['12', 'The area is not 12'],
  ['3', 'all n not divisible by 3'],
  ['12', '12\\pi inches per second'],
  ['2,3', '[2, 3, 3]'],
  ['(1,2,3)', '[3,2,1]'],
  ['x>0', '(x > 0) & (x < 3)'],
  ['54', '$0.54'],
  [
    '\\begin{cases}x & x>0\\\\ -x & x\\le 0\\end{cases}',
    '\\begin{cases} x & x > 0 \\\\ x & x \\le 0 \\end{cases}',
  ],
  [
    '\\begin{cases}x & x>0\\\\ -x & x\\le 0\\end{cases}',
    '\\begin{cases} x & x > 1 \\\\ -x & x \\le 0 \\end{cases}',
  ],
  ['12', 'A: 13'],
  ['\\begin{pmatrix}1\\\\2\\end{pmatrix}', '(2, 1)^T'],
  ['\\begin{pmatrix}1\\\\2\\end{pmatrix}', '(1, 2)^2'],
  ['12\\text{ cm}', '$12$ m'],
  ['5\\text{ N}', '5\\text{ J}'],
  ['5', 'x = 5, y = 6'],
  ['2:3', 'x:y = 3:2'],
  ['2', '2*I'],
  ['e', '1*I'],
  ['\\frac{1}{432}', '2.314814814815 \\times 10^{-2}'],
  ['12', '12 or 13'],
  ['6', '\\sum_{k=1}^{4} k'],
  ['\\angle A = 30^\\circ', '\\angle B = 30^\\circ'],
  ['\\sin A = \\frac12', '\\sin B = \\frac12'],
  ['\\deg f = 3', '\\deg g = 3'],
  ['|x| = 5', '5'],
  ['2', '\\ln x = 2'],
];

test.each(alike)('%s is %s', (gold, reply) => {
  const verdict = answers.equal(gold, reply);
  expect(verdict.equal, JSON.stringify(verdict)).toBe(true);
});

test.each(different)('%s is not %s', (gold, reply) => {
  for (const verdict of [answers.equal(gold, reply), answers.agree(gold, reply)])
    expect(verdict.equal, JSON.stringify(verdict)).toBe(false);
});
