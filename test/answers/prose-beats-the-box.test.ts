/** Where there is a box, the last box wins; what is said of an answer is none, and neither is what it would be otherwise. */
import { describe, expect, test } from 'vitest';
import { extract } from '../../src/answers/index.ts';

const answerIn = (reply: string) => extract(reply).answer?.text ?? null;

describe('prose does not beat the box', () => {
  test.each([
    ['So $x=\\boxed{44}$. We check: fine, so our answer is correct.', '44'],
    ['We get \\boxed{12}.\n\nThe answer is consistent with the estimate.', '12'],
    ['\\boxed{7}\n\nNote: if order mattered, the answer would be 14.', '7'],
    ['\\boxed{3} is wrong. Again: $\\boxed{5}$. The answer is now right.', '5'],
    ['$\\boxed{\\frac{1}{2}}$. As a decimal the answer is 0.5.', '\\frac{1}{2}'],
    ['<answer>9</answer> The final answer is plausible.', '9'],
  ])('%s', (reply, expected) => expect(answerIn(reply)).toBe(expected));
});

describe('what is said of an answer is none', () => {
  test.each([
    ['The answer is 44. We check: fine, so our answer is correct.', '44'],
    ['The final answer is 7. Had order mattered, the answer would be 14.', '7'],
    ['The answer is 12. This answer is in agreement with the estimate of 13.', '12'],
    ['Answer: 5. Without the last step the answer could be 6.', '5'],
    ['7\n\nNote: if order mattered, the answer would be 14.', '7'],
    ['x = 3\nThe result is reasonable.', 'x = 3'],
  ])('%s', (reply, expected) => expect(answerIn(reply)).toBe(expected));
});

describe('what concludes is still one', () => {
  test.each([
    ['So the answer would be 14.', '14'],
    ['If we add them up, the answer is 20.', '20'],
    ['Final answer: incorrect', 'incorrect'],
    ['The correct answer is 8.', '8'],
  ])('%s', (reply, expected) => expect(answerIn(reply)).toBe(expected));
});
