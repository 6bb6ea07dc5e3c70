/** Forms of one answer: which one is handed in, when they are no disagreement, how programs print them; and what is no answer. */
import { describe, expect, test } from 'vitest';
import { programPrompts } from '../../../src/agents/ensemble/prompts.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Family } from '../../../src/core/problem.ts';
import { planned, played, prints, questions, states, wordsOf } from '../../support/ensemble.ts';

const reasoning = { planner: [planned('Use Reasoning')] };
const python = { planner: [planned('Use Python')] };
const asked = (answer: string, more: JsonObject = {}) => ({
  problem: { question: 'Where?', answer, ...more },
});
const boxed = (text: string) => `Let us see.\n\n**Answer:** $$\\boxed{${text}}$$`;

describe('the vote handed in the form that grading refuses', () => {
  const inequality = 'x<2 \\text{ or } x>3';
  const set = '(-\\infty,2)\\cup(3,\\infty)';
  const lines = { ...reasoning, 'chain-1': [boxed(inequality)], 'chain-2': [boxed(set)] };

  test.each([
    ['a set', set],
    ['an inequality', inequality],
    ['a set in other words', '\\{x \\mid x < 2\\} \\cup \\{x \\mid x > 3\\}'],
  ])('where %s is gold, the set is right', async (_, gold) => {
    const { end, notes, replay } = await played({ lines, spec: asked(gold) });
    expect(notes.vote?.clusters[0]?.answer).toEqual({ type: 'text', text: set });
    expect(end.outcome).toBe('solved');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('in any order; and as before where the settings ask for the shortest', async () => {
    const turned = { ...reasoning, 'chain-1': [boxed(set)], 'chain-2': [boxed(inequality)] };
    const { notes } = await played({ lines: turned, spec: asked(set) });
    expect(notes.decision?.answer).toEqual({ type: 'text', text: set });
    const before = await played({ lines, spec: asked(set), settings: { forms: false } });
    expect(before.end).toMatchObject({ outcome: 'wrong', solution: { answer: { text: inequality } } });
  });
});

describe('two of three self-corrections were no disagreement, only two forms of one answer', () => {
  test.each([
    ['a share and its percentage', '10\\%', '0.1'],
    ['a percentage first', '0.25', '25\\%'],
  ])('%s', async (_, one, other) => {
    const lines = { ...reasoning, 'chain-1': [boxed(one)], 'chain-2': [boxed(other)] };
    const { notes, asked: calls, replay } = await played({ lines, spec: asked(one) });
    expect(calls.map(({ place }) => place)).not.toContain('self-correction');
    expect(calls).toHaveLength(3);
    expect(notes.decision).toMatchObject({ by: 'vote', samples: [1, 2] });
    expect(notes.vote?.explanation).toContain('differ in their form alone');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test.each([
    ['10\\%', '10', '0.1'],
    ['1/2', '0.51', '2'],
    ['1,234', '1.234', '12.34'],
    ['x+1', 'x+2', 'y'],
  ])('%s, %s and %s are a disagreement', async (a, b, c) => {
    const lines = {
      ...reasoning,
      'chain-1': [boxed(a)],
      'chain-2': [boxed(b)],
      'react-1': [states(c)],
      'self-correction': [boxed('42')],
    };
    const { notes } = await played({ lines, spec: asked('42'), settings: { votesToWin: 3 } });
    expect(notes.decision?.by).toBe('self-correction');
  });
});

describe('the self-correction saw bare answers', () => {
  const lines = {
    ...python,
    'program-1': ['Each of the $5$ friends pays.\n\n```python\nsay 42.5\n```'],
    'chain-1': [
      'First we add 80 and 4.\n\nThen half of 84 is taken, which is 43.\n\n**Final Answer:** $\\boxed{43}$',
    ],
    'program-2': [prints('44')],
    'self-correction': [states('42')],
  };

  test('it is told who gave each, and how the reasoning ended', async () => {
    const { of, end, replay } = await played({ lines });
    const words = JSON.stringify(of('self-correction')[0]?.messages.at(-1));
    expect(words).toContain(
      '- 43 (1 vote: chain-1)\\n  It ended: First we add 80 and 4. Then half of 84 is taken, which is 43.',
    );
    expect(words).toContain('- 42.5 (1 vote: program-1)');
    expect(words).toContain('- 44 (1 vote: program-2)');
    expect(words).toContain('Each of the $5$ friends pays.');
    expect(end.outcome).toBe('solved');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('a long reasoning is told by its end, and none where the settings say so', async () => {
    const long = `${'So we go on and on. '.repeat(60)}The last step doubles it.\n\nFinal answer: 43`;
    const { of } = await played({ lines: { ...lines, 'chain-1': [long] } });
    const words = wordsOf(of('self-correction')[0]);
    expect(words).toContain('The last step doubles it.');
    expect(words.match(/on and on/g)?.length).toBeLessThan(15);
    const bare = await played({ lines, settings: { reasons: false } });
    expect(wordsOf(bare.of('self-correction')[0])).not.toContain('It ended');
  });
});

describe('programs were told only "fractions.Fraction, integers"', () => {
  const told: readonly (readonly [string, string])[] = [
    ['3/4', '\\frac{3}{4}'],
    ['sqrt(2)/3', '\\frac{\\sqrt{2}}{3}'],
    ['6 - 5i', '6-5i'],
    ['{1, 2}', '\\{2, 1\\}'],
    ['(-oo, 3]', '(-\\infty, 3]'],
    ['[1, 2) U (3, oo)', '[1,2) \\cup (3,\\infty)'],
    ['(1, 2)', '\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}'],
    ['[[1, 2], [3, 4]]', '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}'],
  ];
  test.each(told)('%s is what they are told, and read', async (printed, gold) => {
    expect(programPrompts.program).toContain(printed);
    const { end } = await played({
      agent: 'program',
      lines: { solver: [prints(printed)] },
      spec: asked(gold),
    });
    expect(end.outcome).toBe('solved');
  });

  test.each([
    ['(-oo, 2) U (3, oo)', '(-oo, 2) U (3, oo)'],
    ['Interval.Lopen(3/5, 8/3)', 'Interval.Lopen(3/5, 8/3)'],
    ['{Fraction(1, 2), Fraction(3, 4)}', '{Fraction(1, 2), Fraction(3, 4)}'],
    [
      'Union(Interval.open(-oo, 2), Interval.open(3, oo))',
      'Union(Interval.open(-oo, 2), Interval.open(3, oo))',
    ],
    ['3*x**2 + 2*x', '3*x**2 + 2*x'],
    ['x <= -1 or x >= 4', 'x <= -1 or x >= 4'],
    ['12*pi', '12*pi'],
    ['{1, 2}', '{1, 2}'],
    ['Monday', 'Monday'],
    ['The answer is 42', '42'],
    ['Answer: 42', '42'],
    ['Final Answer: $\\boxed{42}$', '42'],
    ['There are 42 of them.', '42'],
  ])('what %s says was cut to its last number: it is %s', async (printed, answer) => {
    const { notes } = await played({ agent: 'program', lines: { solver: [prints(printed)] } });
    expect(notes.samples[0]?.answer).toEqual({ type: 'text', text: answer });
  });

  test('several values stand on one line', async () => {
    const { end } = await played({
      agent: 'program',
      lines: { solver: [prints('-2, 7')] },
      spec: asked('7,-2'),
    });
    expect(end.outcome).toBe('solved');
  });
});

/** What the family says of a reply that declines: no answer was found in it. */
const declining: Family = {
  ...questions,
  open(spec) {
    const problem = questions.open(spec);
    const declines = /can't determine|do not know|weiß es nicht|不知道/;
    const parse = (text: string) =>
      declines.test(text)
        ? ({ type: 'misfit', feedback: 'No answer was found: the reply declines to answer.' } as const)
        : (problem.parse?.(text) ?? ({ type: 'text', text } as const));
    return { ...problem, parse };
  },
};

describe('a refusal became a vote', () => {
  const world = { families: [declining] };
  test.each([
    "I can't determine the domain without knowing whether complex values are allowed.",
    'I do not know.',
    'Ich weiß es nicht.',
    '我不知道。',
  ])('%s is none', async (words) => {
    const lines = {
      ...reasoning,
      'chain-1': [words],
      'chain-2': [words],
      'react-1': [`Final Answer: ${words}`],
    };
    const { end, notes } = await played({
      lines: { ...lines, 'self-correction': [words] },
      world,
      settings: { steps: 2, fallback: 'plurality' },
    });
    expect(notes.samples.map(({ answer }) => answer)).toEqual([null, null, null]);
    expect(notes.decision).toMatchObject({ by: 'abstention', answer: null });
    expect(end.outcome).toBe('gave-up');
    const printed = {
      ...python,
      'program-1': [prints(words)],
      'chain-1': [states('42')],
      'program-2': [states('42')],
    };
    const program = await played({ lines: { ...printed, 'program-2': [prints('42')] }, world });
    expect(program.notes.samples[0]).toMatchObject({ answer: null, failed: 'program' });
    expect(program.end.outcome).toBe('solved');
  });
});
