/** Where the answer stands in a reply, and that nothing is taken for one that is none. */
import { describe, expect, test } from 'vitest';
import { type ExtractOptions, extract, openAnswers } from '../../src/answers/index.ts';

const long = 'We look at the numbers one by one and see how they go on. '.repeat(12);

const find = (reply: string, options?: ExtractOptions) => extract(reply, options).answer?.text ?? null;

describe('signs that a writer sets', () => {
  test.each<[string, string, string | null]>([
    ['a box', '\\boxed{42}', '42'],
    ['nested braces', 'so \\boxed{\\frac{1}{\\sqrt{2}}} it is', '\\frac{1}{\\sqrt{2}}'],
    ['escaped braces', '\\boxed{\\{1, 2\\}}', '\\{1, 2\\}'],
    ['the last of several', 'First \\boxed{1}. No, wait: that was wrong. It is \\boxed{2}.', '2'],
    ['boxes that are one answer', '\\boxed{1} and \\boxed{2}', '1 , 2'],
    ['boxes with names between', '$x = \\boxed{1}$ and $y = \\boxed{2}$', '1 , 2'],
    ['the same box twice', '\\boxed{7}\n\n**Final Answer**\n\\boxed{7}', '7'],
    ['a try and its value', '\\boxed{\\frac12} = \\boxed{0.5}', '0.5'],
    ['fbox', '\\fbox{3}', '3'],
    ['a box without braces', 'it is \\boxed 5', '5'],
    ['a box that is not closed', 'it is \\boxed{5', '5'],
    ['a box escaped twice', '\\\\boxed{5}', '5'],
    ['a tag', '<think>7 or 8</think><answer>8</answer>', '8'],
    ['hashes', '16 - 7 = 9\n#### 18', '18'],
    ['a field of JSON', '{"reasoning": "3+4", "answer": "17", "confidence": 0.9}', '17'],
    ['a number in a field of JSON', '```json\n{"final_answer": 7, "unit": 5}\n```', '7'],
    ['a block of its own', 'Answer:\n```\n{1, 2}\n```', '{1, 2}'],
    ['final answer', 'Final answer: 12', '12'],
    ['in bold', '**Final Answer:** 12', '12'],
    ['under a heading', '## Final Answer\n\n12', '12'],
    ['the final answer is', 'The final answer is $12$. I hope it is correct.', '$12$'],
    ['the answer is', 'Thus the answer is 12.', '12'],
    ['the answer to the question is', 'The answer to the question is 3/4.', '3/4'],
    ['answer with a colon', 'Answer: x = 5', 'x = 5'],
    ['in capitals', 'ANSWER: 5', '5'],
    [
      'a later marker beats a box',
      'Half of it is \\boxed{200}. So: Final Answer: The final answer is $10,455$.',
      '$10,455$',
    ],
    ['a later box beats a marker', 'The answer is 5. No: \\boxed{6}', '6'],
    ['words', 'The answer is Evelyn.', 'Evelyn'],
    ['and its reason after it', 'So the answer is $5$, because $2+3=5$.', '$5$'],
    ['not what it is not', 'The answer is not 5 but 6.', '6'],
    ['two', 'I think the final answer could be 12 or 13.', '12 or 13'],
    ['an empty box', 'The answer is $\\boxed{}$', null],
    ['a sentence with its value at the end', 'Final Answer: The volume of $ABC$ is 120.', '120'],
    ['a number in a sentence', 'Final Answer: Jane started growing 3 hours ago.', '3'],
    [
      'talk of answers',
      'I hope that this answer is helpful to you and to everybody else who reads it.',
      null,
    ],
  ])('%s', (_name, reply, expected) => {
    expect(find(reply.startsWith('I hope') ? long + reply : reply)).toBe(expected);
  });

  test('count in a long reply too', () => {
    expect(find(`${long}The answer is 12. ${long}`)).toBe('12');
    expect(find(`${long}\\boxed{12} ${long}`)).toBe('12');
  });
});

describe('a reply without a sign', () => {
  test.each<[string, string, string | null]>([
    ['a bare answer', '42', '42'],
    ['a formula', '$\\frac12$', '$\\frac12$'],
    ['its last line', 'First I add.\nThen I halve.\n42', '42'],
    ['what follows "is"', 'the number is not 10 which is 1,000.99€', '1,000.99€'],
    ['what follows "="', 'We get x = 12', '12'],
    ['a formula in a sentence', 'We find that $x \\lt 3$.', 'x \\lt 3'],
    ['a formula, and words after it', 'Therefore $x \\geq 5$ is the solution.', 'x \\geq 5'],
    ['several formulas', 'The roots are $1$, $2$ and $3$.', '$1$, $2$ and $3$'],
    ['several numbers', 'She walked 5 miles and then 7 miles more today', null],
    ['numbers of a clause', 'So the population grew by 1,234 people between 2010 and 2020.', null],
    ['an amount and a count', 'He paid 64 dollars for 16 glasses.', null],
    ['a summary behind it', 'So it is 17.\n\n### Summary\nWe multiplied 3 and 5 and added 2.', null],
    ['a breakdown behind it', 'Total: 130.\nBreakdown: 50 (Mon) + 80 (Tue).', null],
    ['what breaks off', '3x + 5 = 20, so', null],
    ['words of a clause', 'Either would be fine, and the second is tempting.', null],
    ['a value that is denied first', 'The answer is not 8. It is 9.', '9'],
    ['nothing', '', null],
    ['blanks', ' \n ', null],
  ])('%s', (_name, reply, expected) => {
    expect(find(reply)).toBe(expected);
  });

  test('that is long holds no answer, whatever numbers stand in it', () => {
    expect(extract(`${long}And there were 42 of them.`)).toMatchObject({
      answer: null,
      how: 'the reply is long and marks no answer',
      candidates: [],
    });
    expect(find(`${long}\n\n42`)).toBeNull();
  });

  test('that concludes says what it is', () => {
    expect(find(`${long}So the pair is $(7, 6)$.`)).toBe('$(7, 6)$');
    expect(find(`${long}Therefore, there are 42 of them.`)).toBe('42');
  });
});

describe('profiles', () => {
  test.each<[NonNullable<ExtractOptions['profile']>, string, string | null]>([
    ['latex', 'Answer $ 9 $', '9'],
    ['latex', 'Answer $$ 9 $$', '9'],
    ['latex', 'Answer \\( 9 \\)', '9'],
    ['latex', 'Answer \\[ 9 \\]', '9'],
    ['latex', 'Answer $ \n 9 \n $', null],
    ['latex', 'Answer 9', null],
    ['expr', 'it is 1,000.99m²', '1,000.99m²'],
    ['number', 'She makes 9 * 2 = $18 every day.\n#### 18', '18'],
    ['number', 'The answer is 1,234 apples.', '1,234'],
    ['choice', 'The answer is (C).', 'C'],
    ['choice', '\\boxed{\\text{(B) } 12}', 'B'],
    ['choice', 'Final Answer: option D', 'D'],
    ['choice', 'C', 'C'],
    ['choice', 'Answer: C) 12', 'C'],
    ['choice', 'The answer is 12.', null],
    ['choice', 'I think that A is tall', null],
    ['boxed', 'The answer is 12.', null],
    ['marker', 'It is \\boxed{12}', null],
    ['marker', 'The answer is 12.', '12'],
  ])('%s: %s', (profile, reply, expected) => {
    expect(find(reply, { profile })).toBe(expected);
  });

  test('an unknown one is said, with those that there are', () => {
    expect(() => extract('1', JSON.parse('{"profile": "__proto__"}'))).toThrow(
      /no extraction profile __proto__.*math/,
    );
  });
});

describe('several answers', () => {
  const reply = 'First I thought that the answer is 5.\nBut now I see: the answer is 6.';

  test('the last, the first, or none', () => {
    expect(find(reply)).toBe('6');
    expect(find(reply, { several: 'first' })).toBe('5');
    expect(extract(reply, { several: 'refuse' })).toMatchObject({
      answer: null,
      how: '2 answers that differ',
    });
    expect(find('\\boxed{6}. Indeed the answer is 6.', { several: 'refuse' })).toBe('6');
  });

  test('all are told, with their places', () => {
    const { candidates, how } = extract(reply);
    expect(candidates.map(({ text }) => text)).toEqual(['5', '6']);
    expect(how).toBe('marker, the last of 2');
    expect(candidates.map(({ start, end }) => reply.slice(start, end))).toEqual([
      expect.stringContaining('answer is 5'),
      expect.stringContaining('answer is 6'),
    ]);
  });
});

test('what is found can be compared', async () => {
  const answers = await openAnswers();
  const found = extract('Rounded to the nearest cent it is $\\boxed{\\$16,\\!386.20}$.').answer;
  expect(answers.equal('16386.20', found ?? '')).toMatchObject({ equal: true });
});

test.each([
  'Final Answer:',
  'Thought: done.\nFinal answer:',
  'So the answer is',
  '**Answer:**',
  'The final answer is:',
])('what announces an answer and ends there holds none: %j', (reply) => {
  expect(find(reply)).toBeNull();
});
