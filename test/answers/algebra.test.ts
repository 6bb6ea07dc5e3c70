/** What reaches the algebra library, and that no question changes the answer to another one. */
import { expect, test } from 'vitest';
import { type Algebra, loadAlgebra } from '../../src/answers/algebra/algebra.ts';
import { answersWith } from '../../src/answers/answers.ts';
import { algebra as cases } from './own-cases.ts';
import { seeded } from './seeded.ts';

const library = await loadAlgebra();

function counted(): { readonly asked: { times: number }; readonly algebra: () => Algebra } {
  const asked = { times: 0 };
  return {
    asked,
    algebra: () => {
      asked.times += 1;
      return library;
    },
  };
}

test.each([
  ['9^{9^{9^9}}', '9^{9^{9^8}}'],
  ['1000000!', '999999!'],
  ['\\sqrt{1000000!}', '\\sqrt{999999!}'],
  ['(x+1)^{1000}\\sqrt2', '(x+1)^{1000}\\sqrt8/2+10^{-300}'],
  [
    `${'\\sqrt{'.repeat(40)}2${'}'.repeat(40)}`,
    `${'\\sqrt{'.repeat(40)}2${'}'.repeat(40)}\\cdot\\sqrt{1+10^{-30}}`,
  ],
  [`\\sqrt{${'7'.repeat(200)}}`, `\\sqrt{${'7'.repeat(199)}8}`],
  ['1/2', '0.5'],
  ['(x+1)^2', 'x^2+2x+1'],
  ['2\\sqrt3', '3\\sqrt2'],
])('%s is not given to it', (gold, reply) => {
  const { asked, algebra } = counted();
  answersWith(algebra).equal(gold, reply);
  expect(asked.times).toBe(0);
});

test('what needs it is', () => {
  const { asked, algebra } = counted();
  expect(
    answersWith(algebra).equal('\\frac{28\\sqrt{50}}{36\\sqrt{21}}', '\\frac{5\\sqrt{42}}{27}'),
  ).toMatchObject({
    equal: true,
    rule: 'algebra',
    basis: 'exact',
  });
  expect(asked.times).toBeGreaterThan(0);
});

test('verdicts are the same in any order, and in an engine that was asked nothing else', async () => {
  const fresh = await loadAlgebra();
  const next = seeded(9);
  const shuffled = cases.map((each) => ({ each, at: next(10_000) })).sort((a, b) => a.at - b.at);
  const [first, second] = [answersWith(() => library), answersWith(() => fresh)];
  for (const { each } of shuffled) {
    const [gold, reply, , options] = each;
    expect(second.equal(gold, reply, options)).toEqual(first.equal(gold, reply, options));
  }
});
