/** What planners write, in every form in which they were seen or may be expected to write it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecommendation, readPlan, typeNamed } from '../../../src/agents/ensemble/planner.ts';

const read = {
  problemType: 'Math',
  plan: '1. Add.\n2. Halve.',
  recommendation: 'python',
  recommended: 'stated',
};

describe('three labelled fields', () => {
  test.each([
    'PROBLEM_TYPE: Math\nPLAN: 1. Add.\n2. Halve.\nSTRATEGY_RECOMMENDATION: Use Python',
    '**PROBLEM_TYPE:** Math\n\n**PLAN:**\n1. Add.\n2. Halve.\n\n**STRATEGY_RECOMMENDATION:** Use Python',
    '**PROBLEM_TYPE**: Math\n**PLAN**:\n1. Add.\n2. Halve.\n**STRATEGY_RECOMMENDATION**: **Use Python**',
    '### Problem Type\nMath\n\n### Plan\n1. Add.\n2. Halve.\n\n### Strategy Recommendation\nUse Python',
    'problem type - Math\nplan -\n1. Add.\n2. Halve.\nstrategy recommendation - use python',
    '1. PROBLEM_TYPE: Math\n2. PLAN:\n1. Add.\n2. Halve.\n3. STRATEGY_RECOMMENDATION: Use Python.',
    'PROBLEM TYPE: math word problem\r\nPLAN:\r\n1. Add.\r\n2. Halve.\r\nSTRATEGY-RECOMMENDATION: Use Python\r\n',
    '- **Problem type:** `Math`\n- **Plan:** 1. Add.\n2. Halve.\n- **Recommendation:** `Use Python`',
    '<think>PLAN: guess</think>PROBLEM_TYPE = Math\nPLAN = 1. Add.\n2. Halve.\nSTRATEGY_RECOMMENDATION = Python',
    '> PROBLEM_TYPE: Arithmetic\n> PLAN: 1. Add.\n2. Halve.\n> STRATEGY_RECOMMENDATION: write a program',
  ])('%j', (text) => {
    expect(readPlan(text)).toMatchObject({ ...read, plan: expect.any(String), reading: 'labelled' });
    expect(readPlan(text).plan.replaceAll('\r', '').replaceAll(/\n> ?/g, '\n').trim()).toMatch(
      /^1\. Add\.\n2\. Halve\./,
    );
  });

  test('a strategy within the plan is not the recommendation', () => {
    const text =
      'PROBLEM_TYPE: Logic\nPLAN:\nStrategy: use Python-like lists\nThen look.\nSTRATEGY_RECOMMENDATION: Use Reasoning';
    expect(readPlan(text)).toMatchObject({
      problemType: 'Logic',
      recommendation: 'reasoning',
      plan: 'Strategy: use Python-like lists\nThen look.',
    });
  });

  test('words that only sound like a label are none', () => {
    expect(readPlan('My plan is simple.\nPlanning helps, and a strategy too.')).toMatchObject({
      reading: 'none',
    });
  });
});

describe('JSON', () => {
  const value = { problemType: 'Math', plan: '1. Add.\n2. Halve.', recommendation: 'Use Python' };

  test.each([
    ['as it was asked for', '', value],
    ['in a fence', `Here it is:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``, undefined],
    ['as the whole text', JSON.stringify(value), undefined],
    [
      'under the labels',
      '',
      { PROBLEM_TYPE: 'Math', PLAN: ['1. Add.', '2. Halve.'], STRATEGY_RECOMMENDATION: 'Use Python' },
    ],
    ['beside other fields', '', { ...value, confidence: 0.9, steps: 2 }],
  ])('%s', (_name, text, object) => {
    expect(readPlan(text, object)).toMatchObject({ ...read, reading: 'structured' });
  });

  test('of no shape of ours is passed over for labels', () => {
    expect(readPlan('PROBLEM_TYPE: Logic\nPLAN: Look.', [1, 2])).toMatchObject({
      reading: 'labelled',
      problemType: 'Logic',
    });
    expect(readPlan('', { answer: 42 })).toMatchObject({ reading: 'none', recommended: 'missing' });
  });
});

test.each([
  ['Use Python', 'python', 'stated'],
  ['use python.', 'python', 'stated'],
  ['Python, because it is arithmetic', 'python', 'stated'],
  ['Use Reasoning', 'reasoning', 'stated'],
  ['Chain of thought', 'reasoning', 'stated'],
  ['Do not use Python; use Reasoning', 'reasoning', 'stated'],
  ['Use Python rather than reasoning', 'python', 'stated'],
  ["Use Reasoning\nPython isn't needed", 'reasoning', 'stated'],
  ['Use Python and reasoning', 'reasoning', 'unknown'],
  ['Use a calculator', 'reasoning', 'unknown'],
  ['Pythonesque', 'reasoning', 'unknown'],
  ['  ', 'reasoning', 'missing'],
] as const)('%j recommends %s (%s)', (words, recommendation, recommended) => {
  expect(parseRecommendation(words)).toEqual({ recommendation, recommended });
});

test.each([
  ['Math', 'Math'],
  ['mathematics (algebra)', 'Math'],
  ['Logical puzzle', 'Logic'],
  ['commonsense', 'Common Sense'],
  ['Common-Sense reasoning with some math', 'Common Sense'],
  ['Geography', 'Geography'],
  ['Geologic ages', 'Geologic ages'],
  ['', ''],
] as const)('the type %j is %j', (words, name) => {
  expect(typeNamed(words)).toBe(name);
});

describe('of any text', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9 ,;()+*/^.-]{1,30}$/).filter((text) => /[A-Za-z0-9]/.test(text));
  const free = word.filter(
    (text) => !/plan|strategy|problem|recommend|python|reason|code|program|think|cot|chain/i.test(text),
  );
  const mark = fc.constantFrom('', '**', '__', '### ', '> ', '- ', '1. ');

  test('labels in any decoration give back what stands below them', () => {
    fc.assert(
      fc.property(
        mark,
        fc.array(free, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (sign, steps, isPython) => {
          const close = sign === '**' || sign === '__' ? sign : '';
          const label = (name: string) => `${sign}${name}${close}:`;
          const plan = steps.map((step, index) => `(${index}) x${step.trim()}`).join('\n');
          const text = `${label('PROBLEM_TYPE')} Math\n${label('PLAN')}\n${plan}\n${label('STRATEGY_RECOMMENDATION')} Use ${isPython ? 'Python' : 'Reasoning'}`;
          expect(readPlan(text)).toMatchObject({
            problemType: 'Math',
            recommendation: isPython ? 'python' : 'reasoning',
            recommended: 'stated',
            reading: 'labelled',
          });
          const squeezed = (words: string) => words.replaceAll(/[\s*_`"',.-]/g, '');
          expect(squeezed(readPlan(text).plan)).toBe(squeezed(plan));
        },
      ),
      { seed: 9, numRuns: 300 },
    );
  });

  test('reading ends, and never recommends Python for want of better', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'grapheme' }), fc.jsonValue(), (text, object) => {
        const plan = readPlan(text, JSON.parse(JSON.stringify(object)));
        if (plan.recommended !== 'stated') expect(plan.recommendation).toBe('reasoning');
        expect(plan.problemType.length).toBeLessThanOrEqual(240);
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  test('a long line of decoration is read at once', () => {
    for (const sign of ['*', '#', '> ', '"(', '- ', '1. ', '\t', 'plan ', 'strategy '])
      expect(readPlan(`${sign.repeat(20_000)}\nPLAN: x`).plan).toContain('x');
  });
});
