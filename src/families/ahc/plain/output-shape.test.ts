import { describe, expect, test } from 'vitest';
import { stepsOfFormat, stepsOfSamples } from './output-shape.ts';

describe('the form of an answer', () => {
  const known = (output: string, scalars: Readonly<Record<string, number>>) => ({
    output,
    scalars: new Map(Object.entries(scalars)),
  });
  const list = (name: string, plus = 0, times = 1) => ({ times, names: [name], plus });

  test.each([
    [
      'a number of lines',
      [known('1 2\n3 4\n', { N: 2, M: 9 }), known('5 6\n', { N: 1, M: 9 })],
      list('N'),
      2,
    ],
    ['one less', [known('1\n2\n', { N: 3 }), known('1\n', { N: 2 })], list('N', -1), 1],
    ['twice as many', [known('1\n1\n1\n1', { N: 2 })], list('N', 0, 2), 1],
    [
      'a product',
      [known('1\n'.repeat(15), { N: 5, M: 3 }), known('1\n'.repeat(8), { N: 2, M: 4 })],
      { times: 1, names: ['N', 'M'], plus: 0 },
      1,
    ],
    [
      'as many as ever',
      [known('1\n1', { N: 7 }), known('1\n1', { N: 9 })],
      { times: 0, names: [], plus: 2 },
      1,
    ],
  ])('that samples have: %s', (_name, samples, rows, width) => {
    const [step] = stepsOfSamples(samples) ?? [];
    expect(step?.rows).toEqual(rows);
    expect(step?.fields).toHaveLength(width);
  });

  test('that samples have: a number and so many lines; a wide line; what has no rule', () => {
    const counted = stepsOfSamples([known('2\n1 U\n2 D\n', { N: 5 }), known('0\n', { N: 5 })]);
    expect(counted).toMatchObject([
      { rows: null, fields: [{ name: 'Count' }] },
      { rows: { names: ['Count'] }, fields: [{}, {}] },
    ]);
    const wide = stepsOfSamples([known('0 1 2 3 4 5 6 7 8 9 10 11', { N: 12 })]);
    expect(wide).toMatchObject([{ rows: null, fields: [{ list: { names: ['N'] } }] }]);
    expect(stepsOfSamples([known('1\n1\n', { N: 4 }), known('1\n', { N: 4 })])).toBeNull();
    expect(stepsOfSamples([known('2\n1\n1 1\n', { N: 4 })])).toBeNull();
    expect(stepsOfSamples([])).toBeNull();
  });

  test('that the statement shows, with what stands there as it is', () => {
    expect(stepsOfFormat('-1 a_1 ? b\n')).toMatchObject([
      { fields: [{ text: '-1' }, { name: 'a_1', text: null }, { text: '?' }, { name: 'b', text: null }] },
    ]);
    expect(stepsOfFormat('Any words.')).toBeNull();
  });
});
