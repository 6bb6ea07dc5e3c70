/** Input that is meant to hang, to crash or to deceive. Work is counted, so each of these ends at once. */
import { describe, expect, test } from 'vitest';
import { extract, openAnswers } from '../../src/answers/index.ts';

const answers = await openAnswers();
const many = (text: string, times: number) => text.repeat(times);

describe('ends, and is called equal to nothing but itself', () => {
  test.each<[string, string]>([
    ['a tower', '9^{9^{9^9}}'],
    ['a tall tower', `${many('9^{', 40)}9${many('}', 40)}`],
    ['a taller tower', `${many('9^{', 900)}9${many('}', 900)}`],
    ['a factorial of a million', '1000000!'],
    ['factorials of factorials', '((((9!)!)!)!)!'],
    ['many factorials', `9${many('!', 500)}`],
    ['a thousand nested braces', `${many('{', 1_000)}x${many('}', 1_000)}`],
    ['a hundred thousand open brackets', many('(', 100_000)],
    ['a thousand nested fractions', `${many('\\frac{1}{', 1_000)}x${many('}', 1_000)}`],
    ['nested roots', `${many('\\sqrt{', 500)}2${many('}', 500)}`],
    ['a megabyte of digits', many('7', 1_000_000)],
    ['a megabyte of pluses', many('1+', 500_000)],
    ['a long sum', `${many('x+', 1_500)}x`],
    ['many signs', `${many('-', 3_001)}5`],
    ['a large binomial', '\\binom{1000000}{500000}'],
    ['a long sum to be added up', '\\sum_{k=1}^{1000000000} k'],
    ['sums of sums', '\\sum_{a=1}^{900}\\sum_{b=1}^{900}\\sum_{c=1}^{900} abc'],
    ['a large power of a sum', '(a+b+c+d+e+f)^{1000}'],
    ['a huge exponent', 'x^{99999999999999999999999999}'],
    ['a power of ten', '1e999999'],
    ['a huge power of ten', '10^{10^{10}}'],
    ['a period without end', `0.\\overline{${many('123456789', 300)}}`],
    ['a long list', many('1,', 3_900)],
    ['many bars', many('|', 3_000)],
    ['many boxes', many('\\boxed{', 900)],
    ['a matrix without end', `\\begin{pmatrix}${many('1&', 2_000)}`],
    ['many pluses or minuses', `${many('\\pm 1', 60)}`],
    ['many unions', `${many('(0,1)\\cup', 200)}(0,1)`],
    ['division by nothing', '\\frac{1}{0}'],
    ['nothing by nothing', '\\frac{0}{0}'],
    ['nothing to the power of less', '0^{-1}'],
    ['infinity without infinity', '\\infty-\\infty'],
    ['a logarithm of nothing', '\\ln 0'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['a prototype', '__proto__'],
    ['a constructor', 'constructor'],
    ['commands that are prototypes', '\\constructor{\\__proto__}\\toString'],
    [
      'a large matrix to a power',
      `\\begin{pmatrix}${many(`${many('x&', 15)}x\\\\`, 15)}${many('x&', 15)}x\\end{pmatrix}^8`,
    ],
    ['many matrices', many('\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}', 60)],
    ['an integral of integrals', '\\int_0^1\\int_0^1\\int_0^1\\int_0^1 xyzw dx dy dz dw'],
    ['nested calls of a program', `${many('Abs(', 900)}x${many(')', 900)}`],
    ['calls that are not closed', many('Matrix([', 900)],
    ['brackets that are turned', many(']0,', 2_000)],
    ['roots that are not closed', many('\\sqrt[', 1_300)],
    ['late subscripts', many('x^{x_', 1_500)],
    ['small spaces', `x${many('\\,', 3_900)}`],
    ['many roundings', many('1 \\approx ', 700)],
    ['a lone surrogate', '\ud800'],
    ['marks without end', `a${many('\u0301', 2_000)}`],
    ['right to left', '\u202e12\u202c'],
  ])('%s', (_name, text) => {
    expect(answers.equal(text, text)).toMatchObject({ equal: true });
    expect(answers.equal(text, '5')).toMatchObject({ equal: false });
    expect(answers.equal('5', text)).toMatchObject({ equal: false });
    expect(answers.equal(text, `${text} + 1`)).toMatchObject({ equal: false });
    expect(answers.equal(`1+${text}`, `2+${text}`)).toMatchObject({ equal: false });
    expect(answers.agree(text, 'x^2+1').equal).toBe(false);
  });
});

test('a tower is not the tower beside it', () => {
  expect(answers.equal('9^{9^{9^9}}', '9^{9^{9^8}}')).toMatchObject({ equal: false });
  expect(answers.equal('9^{9^{9^9}}', '9^{9^9}')).toMatchObject({ equal: false });
  expect(answers.equal('2^{2^{100}}', '2^{2^{100}}+1')).toMatchObject({ equal: false });
});

test('replies of any size are searched from their end', () => {
  expect(extract(`${many('so it goes on ', 100_000)} The answer is \\boxed{7}`).answer?.text).toBe('7');
  for (const text of [
    many('\\boxed{', 100_000),
    many('$', 300_000),
    many('answer is ', 50_000),
    many('is ', 90_000),
    many('#### ', 40_000),
    many('#### 1\n', 30_000),
    many('A: 1\n', 40_000),
    many('Antwort ist ', 15_000),
    many('I cannot ', 20_000),
    many('Mr. A. ', 30_000),
    `${many('\\boxed{1', 20_000)}`,
  ]) {
    expect(extract(text).how).not.toBe('');
  }
});
