/** What a reply asserts is its answer: not what it supposes, counts of itself, notes beside it, or leaves to be filled in. */
import { describe, expect, test } from 'vitest';
import { extract, openAnswers, profileNames } from '../../src/answers/index.ts';

const answers = await openAnswers();

const unanswered: Readonly<Record<string, readonly string[]>> = {
  'what would be so if something were given': [
    'The problem cannot be solved as stated because the diagram is missing. If AB = 5, the area would be 25.',
    "I won't guess here. Without the table I would only be making up a number such as 42.",
    "Let me know the radius and I will finish it. With r=2 it'd be 4π.",
    'The height is missing. Assuming it is 6, one gets 24.',
    'The table is absent. For instance, with 3 rows there would be 12 cells.',
    'I cannot see the graph. Suppose f(0) = 2; then f(4) might be 10.',
    'The rate was left out. At 5% the interest could be $50.',
    'She buys 3 bags. If each held 4, there would be 12.',
  ],
  'what is needed, beside what is known': [
    "I'd need the height of the triangle; the base is 6.",
    'To finish I require the second side; the first is 4.',
    "We'd have to know the speed; the distance is 120 km.",
  ],
  'counts of the reply itself': [
    'Something went wrong on my side. Please try again in 5 minutes.',
    "Sorry — the PDF (4 pages) didn't load.",
    'Apologies, the image of 2 triangles failed to render.',
    'Server busy. Retry after 30 seconds.',
    'Partial result: 12 of 20 cases done.',
    'So far 7 of the 9 cases are checked.',
    'I ran out of time before finishing; so far I have x = 3 for the first case only.',
    'I have hit my limit of 4000 tokens and must stop.',
  ],
  'who gives up after trying': [
    "Try x = 3, then y = 12. That also fails. I've run out of ideas, sorry.",
    'Taking n = 4 gives 16, which is too large.\nI am out of ideas here.',
    'With a = 2 we get 8. This leads nowhere. My apologies.',
    'As the statement stops mid-sentence I cannot go on. 12 apples…',
    'The text breaks off, so I must stop. "A train leaves at 7..."',
    'The answer is not something I can determine with 2 equations in 3 unknowns.',
    'The answer is nothing I could work out from 4 numbers.',
  ],
  'a form that is not filled in': [
    'Final answer: N/A (figure missing)',
    'Answer: N/A - 2 values are missing',
    '#### unable',
    '#### unable to solve',
    'Answer: [insert answer here]',
    'Final answer: <your answer>',
    'Answer: {put the number here}',
    '**Answer:** —',
    'Answer: ---',
    'Answer: ____',
    'Final Answer\n============',
    '{"answer": null}',
    '{"answer": "", "steps": [1, 2]}',
    '{"result": "unknown", "tried": 12}',
  ],
  'in further languages': [
    ...['ไม่ทราบ', 'איני יודע', 'לא ניתן לקבוע.', 'Δεν γνωρίζω.', 'Nu știu.', 'Nem tudom.', 'En tiedä.'],
    ...['Jeg ved ikke.', 'আমি জানি না।', 'نمی‌دانم', 'ข้อมูลไม่เพียงพอ'],
  ],
};

describe.each(Object.entries(unanswered))('is no vote: %s', (_name, replies) => {
  test.each(profileNames)('%s', (profile) => {
    expect(replies.filter((reply) => extract(reply, { profile }).answer !== null)).toEqual([]);
  });
});

const read: Readonly<Record<string, readonly (readonly [reply: string, gold: string])[]>> = {
  'a note behind a separator on the line of the answer is no part of it': [
    ['Answer: 9 [confidence 0.8]', '9'],
    ['Answer: 9 | Confidence: 80%', '9'],
    ['Final answer: 9; difficulty: 3', '9'],
    ['9 [confidence 0.8]', '9'],
    ['9 | Confidence: 80%', '9'],
    ['9; difficulty: 3', '9'],
    ['#### 9 | level: 2', '9'],
    ['Réponse finale: 9 (confiance : 80 %)', '9'],
    ['答案:9(置信度:80%)', '9'],
    ['答えは9です。自信度は80%です。', '9'],
    ['정답은 9입니다. 확신도는 80%입니다.', '9'],
    ['Antwort: 9. Sicherheit: 80 %.', '9'],
    ['答案是3/4。注意:如果放回则为9/16。', '3/4'],
    ['72  # the final answer', '72'],
    ['Answer: 72  // rounded to 2 digits', '72'],
    ['Vậy đáp số là 32 (học sinh).', '32'],
    ['Ответ: 32 (ученика)', '32'],
    ['Answer: 3 : 4 (ratio of boys to girls), as there are 12 boys and 16 girls', '3:4'],
    ['Answer: 15, as she has 3 bags of 5', '15'],
    ['The value is 72. Sources: Euler (1748), Gauss (1801).', '72'],
    ['The total is 72. Confidence: 0.9.', '72'],
    ['The answer comes out as 17.', '17'],
    ['So the answer comes to 17 apples.', '17'],
    ['The answer comes down to 3/4.', '3/4'],
    ['So the total is 72.\n\nThis answer comes with 98% confidence', '72'],
    ['So the total is 72.\n\nThis answer has 98% confidence', '72'],
    ["So the total is 72.\n\nI'm 95% confident in this.", '72'],
    ['The total is 72.\n\nMy solution used 4 steps.', '72'],
    ['Therefore 9 is the answer.', '9'],
    ['Thus, 12 apples is the correct answer.', '12'],
    ['Answer: x = 1; y = 2', '(1,2)'],
    ['Answer: $x \\equiv 3 \\pmod 7$', 'x\\equiv 3\\pmod 7'],
  ],
  'a rule is no value': [
    ['Final Answer\n============\n72', '72'],
    ['Final Answer\n---\n72', '72'],
    ['**Final Answer**\n\n***\n\n72', '72'],
    ['Answer:\n=====\n$\\frac12$', '1/2'],
  ],
  'the answer of a reply in JSON is what its field holds': [
    ['{"result": 9, "steps": [1, 2, 3]}', '9'],
    ['{"answer": [1, 2], "explanation": "both roots of x^2-3x+2, 5 steps"}', '1, 2'],
    ['{"answer": {"value": 36, "unit": "cm"}}', '36 cm'],
    ['```json\n{"steps": ["2+2=4"], "final_answer": "x = 4", "confidence": 0.9}\n```', '4'],
    ['{"finalAnswer": 123456789012345678901}', '123456789012345678901'],
    ['{"answer": {"x": 1, "y": 2}}', 'x=1, y=2'],
    ['{"solution": "add", "answer": "\\\\frac{1}{2}"}', '1/2'],
    ['Here it is:\n{"confidence": 80, "answer": 7}', '7'],
  ],
  'a mark of exclamation behind a number ends a sentence': [
    ["It's 72!", '72'],
    ['Answer: 6!', '6'],
    ['**6!**', '6'],
    ['The answer is 6!', '6'],
    ['So she has 40 left!', '40'],
    ['\\boxed{6!}', '720'],
    ['The answer is $6!$', '720'],
    ['The answer is 5!/2!', '60'],
  ],
  'digits of every script are read': [
    ['উত্তর: ৩৫', '35'],
    ['٢٥', '25'],
    ['الجواب هو ٢٥', '25'],
    ['العدد ٢٥', '25'],
    ['คำตอบ: ๒๕', '25'],
    ['٣٫٥', '3.5'],
  ],
  'words of an option, or of a name, decline nothing': [
    ['The answer is (E) cannot be determined', '(E)'],
    ['Answer: not enough information (option D)', 'D'],
    ['Answer: Unknown planet X', 'Unknown planet X'],
    ['Answer: (D) Not enough information', 'D'],
    ['**Answer: E. It cannot be determined from the information given.**', 'E'],
  ],
  'who doubts has answered, who answers yes has said so, and who corrects means the last': [
    ["I think it is 5, but I'm not certain", '5'],
    ['I believe x = 5, though I am not sure.', '5'],
    ['Yes, 97 is prime', 'Yes'],
    ['No, 91 is not prime: 91 = 7 · 13.', 'No'],
    ['Answer: Yes, 97 is prime', 'Yes'],
    ['Yes. 97 has no divisors but 1 and 97.', 'Yes'],
    ['Final answer: 30. Actually, I forgot the 10 extra, so 40', '40'],
    ['The final answer is 17, obtained by adding 3 and 14.', '17'],
    ['The answer is seventeen (17).', '17'],
    ['[ANSWER]17[/ANSWER]', '17'],
    ['The answer is 30. Wait, I forgot the 10. It is 40.', '40'],
  ],
};

describe.each(Object.entries(read))('%s', (_name, replies) => {
  test.each(replies)('%j is %j', (reply, gold) => {
    const { answer } = extract(reply);
    expect(answer, 'no answer').not.toBeNull();
    expect(answer && answers.equal(gold, answer)).toMatchObject({ equal: true });
    if (answer && /^[\d/]+$/.test(gold)) expect(answer.text).not.toMatch(/confiden|80|level|difficulty/i);
  });
});

test.each([
  ['3\\text{ or }4', '(3,4)', false],
  ['(3,4)', '3 or 4', false],
  ['x\\equiv 3\\pmod 7', 'x ≡ 3 (mod 7)', true],
  ['x\\equiv 3\\pmod 7', 'x\\equiv 3\\;(\\mathrm{mod}\\;7)', true],
  ['x\\equiv 3\\pmod 7', 'x mod 7 = 3', true],
  ['x\\equiv 3\\pmod 7', 'x mod 7 = 4', false],
  ['x\\equiv 3\\pmod 7', 'x ≡ 3 (mod 5)', false],
  ['\\ln2+\\ln3', 'log(6)', true],
  ['\\ln 6', '\\log 6', false],
  ['2', 'log(100)', true],
  ['(2,3]\\cup[5,7)', '(2,3],[5,7)', true],
  ['Union(Interval.Lopen(2,3), Interval.Ropen(5,7))', '(2,3],[5,7)', true],
  ['(2,3)\\cup(5,7)', '(2,3),(5,7)', false],
  ['3\\mathbf i-2\\mathbf j', '(3,-2)', true],
  ['3\\mathbf{i}-2\\mathbf{j}', '(3,2)', false],
  ['(1,0,2)', '\\hat{i}+2\\hat{k}', true],
  ['n=4k+1', 'n=1+4m', true],
  ['n=4k+1', 'n=4m+3', false],
  ['y=2x', 'y=2t', false],
  ['\\frac{n(n+1)}{2}', 'n*(n+1)//2', true],
  ['\\frac{n}{2}', 'n//2', false],
])('%s and %s: %s', (gold, reply, equal) => {
  expect(answers.equal(gold, reply).equal).toBe(equal);
});
