/**
 * A third round of replies that were written without a look at the readers. Of 60 that nothing was mended for, 41 were read
 * right before and 42 after the first mending: kinds that no rule names are still read wrong where nothing marks the answer.
 */
import { expect, test } from 'vitest';
import { extract, openAnswers, type ProfileName } from '../../src/answers/index.ts';

const answers = await openAnswers();

const replies: readonly (readonly [ProfileName, gold: string | null, reply: string])[] = [
  // What is set off, or told beside a value that was given.
  ['number', '64', 'Kylar needs to pay **$64** for the 16 glasses. 🎉'],
  ['number', '65', 'She has **65 stickers** left after giving away 35 of the original 100.'],
  ['number', null, 'It will take 6 more weeks to save the remaining $90.'],
  ['number', null, 'The farmer needs 4 trucks, as 3 trucks can only carry 27 tons.'],
  ['number', '7', '**3** + 4 = 7'],
  ['number', null, 'It grew from 5 to almost 40.'],
  ['math', 'July 20, 1969', 'Apollo 11 landed on the Moon on **July 20, 1969**.'],
  ['math', 'Friday', 'January 31 is a **Friday**, given that January 1 is a Wednesday.'],
  ['math', '(4,-1)', 'Therefore, the vertex is at **(4, −1)**.'],
  ['math', '(0,-3)', 'The y-intercept is at (0, -3).'],
  ['math', '3', 'The minimum value is 3, attained at x = 1.'],
  ['math', '10', 'Therefore n = 10 is the smallest such integer (n = 9 fails).'],
  // Brackets that say it again or say why.
  ['number', '160', "So Carla's total time is 160 minutes (that's 2 hours and 40 minutes)."],
  ['number', '2', 'Answer: 2 L (2000 mL)'],
  ['math', '0.3', 'The probability is 0.3 (or 30%).'],
  ['number', '0.5', 'La probabilité vaut donc 0,5 (soit 50 %).'],
  ['number', '7', '最终答案：7（不是 8）'],
  ['number', '5', 'Значит, осталось 5 конфет (из 12).'],
  ['number', '3', '3 (since 2 + 1 = 3; the 4th is counted twice)'],
  ['math', '3 \\pmod 7', 'Answer: 3 (mod 7)'],
  // What is denied or given up.
  ['number', '20', 'La respuesta correcta es 20, no 25.'],
  ['number', '18', '答案是18，不是16。'],
  ['number', '100', 'Antwort: 100 Gramm (statt 120 Gramm).'],
  ['number', '14', '\\boxed{16}\n\nHold on, I counted the corners twice. The correct count is 14.'],
  ['number', null, "I don't know the answer to this one. My best attempt got stuck at x^2 = 17."],
  ['number', null, "Sorry: the image did not come through, so I can't read off the 2 values."],
  ['math', '|h-4|', 'We do not know whether h > 4, so we need the absolute value. The radius is $|h-4|$.'],
  // Marks, and what stands beside them.
  ['number', '36', '**Result**\n\n$$\n36\n$$\n\n**Explanation**\n\n$6^2 = 36$, since there are 6 rows of 6.'],
  ['number', '60', '60 minutes\n\nReason: half of the 120-minute trip.'],
  ['number', '120', 'We can verify with code:\n\n```python\nprint(120)\n```\n\nOutput:\n```\n120\n```'],
  ['number', '10', 'Q: How many?\nA: 10\n\nQ: A farmer has 17 sheep and all but 9 die.\nA: 9'],
  [
    'math',
    '14',
    'We have $a=\\boxed{2}$ and $b=\\boxed{12}$, so that the sum is\n\\[ a+b = \\boxed{14}. \\]',
  ],
  ['math', '-b/(2a)', '👉 **x = −b/(2a)**'],
  ['math', 'Mount Everest', '**Answer:** Mount Everest 🏔️'],
  // Digits of other places.
  ['number', '1000000', "**Answer:** 1'000'000"],
  ['number', '24000', 'Insgesamt kostet das Auto 24.000 €.'],
  ['number', '70000', 'Er hat 70.000 Euro und die Bank ist zu.'],
  ['math', '1.5\\times10^8', 'Light travels 1.5×10⁸ km'],
  // Formulas with a sentence around them.
  ['math', '2x+3', 'so the only solution is f(x) = 2x + 3 for all real x.'],
  ['math', 'x<-1 \\text{ or } x>4', 'The inequality holds if and only if x < −1 or x > 4.'],
  ['math', 'x\\in(-1,3)', 'So the inequality is satisfied for $x\\in(-1,3)$ only.'],
  ['math', '3+4i', 'So $z = 3 + 4i$ with $|z| = 5$.'],
  ['math', '\\frac{17}{5}', 'So he needs $3\\frac{2}{5}$ cups, that is $\\frac{17}{5}$ cups.'],
  // Yes and no, in other languages too; a number behind them is the answer.
  ['math', 'No', 'Strictly speaking, no — 1 is not a prime number.'],
  ['math', 'Sí', 'Sí, es un número primo.'],
  ['math', '12', '네, 12입니다.'],
  // Options that nothing marks.
  ['choice', 'C', '(A) is too small, since 3 < 4. (B) ignores friction. That leaves **(C)**.'],
  ['choice', 'D', '**D. All of the above**\n\nEach of A, B and C holds individually.'],
  ['choice', 'C', 'I would go with option C, although B is tempting.'],
  ['choice', 'A', 'Both A and D look plausible; however, D fails at x = 0. So A.'],
  ['choice', 'D', "It isn't A or B. C can be excluded as well.\n\nTherefore: D"],
  ['choice', 'B', '- A: Incorrect.\n- B: Correct ✅\n- C: Incorrect.\n- D: Incorrect.'],
  ['choice', 'C', '正解は「C」です。Aは単位が誤り、Bは符号が誤りです。'],
  ['choice', 'B', '因此选B，因为A和C都不成立。'],
  ['choice', 'B', '{"explanation": "A and C are out.", "choice": "B", "confidence": 0.7}'],
  ['choice', 'D', 'A sensible choice would be option D.'],
  ['choice', 'C', 'It cannot be A, B or D; therefore C.'],
  ['choice', null, "Both B and C seem right to me, I can't decide."],
  ['choice', null, 'So if A then B.'],
];

test.each(replies)('%s, %j: %j', (profile, gold, reply) => {
  const { answer } = extract(reply, { profile });
  expect(gold === null || answer === null ? answer : answers.equal(gold, answer.text, {}).equal).toBe(
    gold === null ? null : true,
  );
});

test.each([
  ['12x^3', '(3x)(4x^2) = 12x^3', true],
  ['4', 'x^2 = 4', false],
  ['4', '2x+2 = 4', false],
  ['x', '\\sqrt{x^2}=x', false],
  ['\\frac{x^3}{3}+C', '\\int x^2\\,dx = \\frac{x^3}{3} + C', true],
  ['4x+1', '\\frac{d}{dx}(2x^2+x) = 4x+1', true],
  ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', 'A^{-1} = \\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}', true],
  ['5', 'x^{-1} = 5', false],
  ['12', '\\mathbf{12}', true],
  ['0', '\\mathbf{0}', false],
  ['\\text{DNE}', 'does not exist', true],
  ['3', '3 squared', false],
  ['2', '2 thirds', false],
  ['3', '$3$ squared', false],
] as const)('%s and %s: %s', (gold, reply, isEqual) => {
  expect(answers.equal(gold, reply, {}).equal).toBe(isEqual);
});
