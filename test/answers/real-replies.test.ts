/** What models really write around an answer: headings, false markers, remarks, refusals, several languages, cut ends. */
import { describe, expect, test } from 'vitest';
import { extract, isRefusal, openAnswers } from '../../src/answers/index.ts';

const answers = await openAnswers();
const find = (reply: string) => extract(reply).answer?.text ?? null;

type Reply = readonly [reply: string, answer: string | null];

const kinds: Readonly<Record<string, readonly Reply[]>> = {
  '#### marks an answer only with a short answer on its line, and is no heading': [
    ['$x = \\boxed{14}$\n\n#### Verification\nIt fits.', '14'],
    ['$x = \\boxed{14}$\n\n#### Check with 3 cases\nIt fits.', '14'],
    ['#### Step 1\nAdd.\n#### Step 2: Double\nTherefore the total is 14.', '14'],
    ['#### 1. Add\n5 + 2 = 7\n#### 2. Double\nSo it is 14.', '14'],
    ['#### Conclusion\n\nThe answer is 14.', '14'],
    ['#### (a) Find x\n\nThe answer is 14.', '14'],
    ['Thus, Mr. Ruther had 32 hectares. #### 32', '32'],
    ['16 - 7 = 9\n#### 9', '9'],
    ['9 * 2 = 18\n#### $18', '$18'],
    ['9 * 2 = 18\n#### **18**', '18'],
    ['9 * 2 = 18\n#### 18 dollars a day', '18 dollars a day'],
    ['3/4 of it\n#### \\frac{3}{4}\n', '\\frac{3}{4}'],
    ['So -5.\n#### -5\n\nI hope this helps!', '-5'],
    ['They meet.\n#### Tuesday', 'Tuesday'],
    ['The answer is 7.\n\n#### Verification', '7'],
  ],
  'talk of other answers is no marker': [
    ['Each short-answer question is worth 5 points. She has 3 of them. Thus, Amy scores 41 points.', '41'],
    ['So the sum is $\\boxed{14}$. Each answer is between 1 and 20.', '14'],
    ['The answer is 14. Every answer is between 1 and 20.', '14'],
    ['The answer is 14. If the answer is even, we are done with 2.', '14'],
    ['The answer is 14. A common wrong answer is 24.', '14'],
    ['The answer is 14. The answer choices are 12, 13 and 14.', '14'],
    ['Answer: 14. The first answer was 12.', '14'],
    ['The answer is 14. To see whether the answer is 14 or 15, look at case 3.', '14'],
  ],
  'a title does not end a sentence': [
    ['She sells 5 boxes. Thus Mr. Brown pays Mrs. Lee $25.', '$25'],
    ['Therefore Dr. Ray has 12 patients.', '12'],
    ['First 3. So St. Mary has 40 pupils.', '40'],
  ],
  'a box and what comes after it': [
    ['\\boxed{14} is the total. Remark: the answer for 6 people would be 20.', '14'],
    ['\\boxed{14}\n\n### Alternative\nCounting by rows also gives 14 = 2 * 7.', '14'],
    ['\\boxed{14}\n\n**Note:** the final answer is an integer, as expected in step 2.', '14'],
    ['**Final answer:** $\\boxed{14}$\n\nLet me know if you want more detail on step 3!', '14'],
    ['$\\boxed{2}$ or $\\boxed{3}$', '2 \\text{ or } 3'],
    ['$x=\\boxed{2}$ and $y=\\boxed{3}$', '2 , 3'],
    ['$\\boxed{\\frac12}$, or equivalently $\\boxed{0.5}$', '0.5'],
    ['So it is \\boxed{\\frac{1}{2}', '\\frac{1}{2}'],
    ['So it is $\\boxed{12$.', '12'],
    ['So it is \\boxed{\\frac{1}{2', null],
    ['So it is \\boxed{1 +', null],
    ['It is \\boxed{7}. To recap: \\boxed{\\frac{14}{', '7'],
  ],
  'an explicit answer is taken whole': [
    ['**Final Answer: 12π inches per second**', '12π inches per second'],
    ['Final Answer: all n not divisible by 3', 'all n not divisible by 3'],
    ['Final answer: all integers $n$ not divisible by $3$', 'all integers $n$ not divisible by $3$'],
    ['Final Answer: (-∞, 2) ∪ (3, ∞)', '(-∞, 2) ∪ (3, ∞)'],
    ['Final Answer: every real number below -2 or above 3', 'every real number below -2 or above 3'],
    ['Answer: Interval.Lopen(3/5, 8/3)', 'Interval.Lopen(3/5, 8/3)'],
    ['Answer: {Fraction(1, 2), Fraction(3, 4)}', '{Fraction(1, 2), Fraction(3, 4)}'],
    ['Answer: between 3 and 5 metres of rope', 'between 3 and 5 metres of rope'],
    ['So 4 + 6 = 10.\nA: 10', '10'],
    ['So 4 + 6 = 10.\n**A:** 10', '10'],
    ['Ans: 10', '10'],
    ['Final Answer: Jane started 3 hours ago.', '3'],
    ['The answer is then 7.', '7'],
    ['Hence the length is $2\\sqrt{5}$ (about 4.47).', '$2\\sqrt{5}$'],
    ['The ratio is therefore 1,5.', '1,5'],
    ['The answer is that Bob has $5.', '$5'],
    ['Result: 5', '5'],
    ['Final Answer: $\\{1, 2\\}$', '$\\{1, 2\\}$'],
    ['Answer: 2 or 3', '2 or 3'],
    ['Answer: (B) 12', '(B) 12'],
  ],
  'who declines has no answer': [
    ["I can't determine the domain without knowing whether complex values are allowed.", null],
    ['I do not know.', null],
    ['Sorry, but I am unable to solve this one; step 3 is unclear.', null],
    ["Let me try.\nAnswer: I don't know", null],
    ['\\boxed{\\text{I cannot answer}}', null],
    ['\\boxed{?}', null],
    ['Final answer: N/A', null],
    ['Je ne sais pas résoudre ce problème.', null],
    ['Ich kann das leider nicht bestimmen.', null],
    ['No lo sé.', null],
    ['Не знаю, как решить это.', null],
    ['我不知道。', null],
    ['わかりません。', null],
    ['잘 모르겠습니다.', null],
    ['\\boxed{\\text{no solution}}', '\\text{no solution}'],
    ['\\boxed{\\text{cannot be determined}}', '\\text{cannot be determined}'],
    ['We cannot find x directly, so x = 5', 'x = 5'],
  ],
  'other languages': [
    ['Alors la réponse est 12.', '12'],
    ['Réponse finale : 12', '12'],
    ['Also ist die Antwort: 12', '12'],
    ['Die Antwort lautet 12.', '12'],
    ['La respuesta es 12.', '12'],
    ['La risposta è 12', '12'],
    ['A resposta final é 12', '12'],
    ['Ответ: 12', '12'],
    ['所以答案是12。', '12'],
    ['答案：$\\frac{1}{2}$', '$\\frac{1}{2}$'],
    ['したがって、答えは 12 です。', '12'],
    ['정답: 12', '12'],
    ['I apologize for the confusion. The correct answer is 12.', '12'],
    ['You are right, I made a mistake. The answer should be 12.', '12'],
  ],
};

describe.each(Object.entries(kinds))('%s', (_name, replies) => {
  test.each(replies)('%j', (reply, answer) => expect(find(reply)).toBe(answer));
});

test('a refusal is in no cluster, and what says that there is nothing is an answer', () => {
  expect(answers.clusters(['5', "I can't determine it.", '5.0', 'no idea'])).toEqual([[0, 2]]);
  expect(isRefusal('\\emptyset')).toBe(false);
  expect(isRefusal('none')).toBe(false);
});
