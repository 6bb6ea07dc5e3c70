/** Issue 20: what is no answer, no input and no program is known by its form, and refused before it has an effect. */
import { describe, expect, test } from 'vitest';
import type { PreviousToolCall } from '../../src/core/problem.ts';
import {
  inputsOf,
  isOneValue,
  programNameIn,
  programOf,
  ToolMisuseError,
} from '../../src/families/aoc/arguments.ts';

const mistakeOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ToolMisuseError) return error.mistake;
    throw error;
  }
};

test.each([
  'no_solution',
  'undetermined',
  'none-found',
  'too_low',
  'guess',
  'help',
  'x=12',
  '=12',
  'n=12',
  'part-two',
  'to-do',
  'NOT_FOUND',
  'unsolvable',
  'Undefined',
  'could-not-solve',
  'a_b',
  'see-above',
  'nothing',
  'inconclusive',
  'NoSolution',
  'answer=5',
])('%j is no answer', (answer) => {
  expect(isOneValue(answer)).toBe(false);
});

test.each([
  'gfdhebac',
  'hxbxxyzz',
  'ECKZHBFA',
  'TUB+10',
  'AB-CD',
  'mxmxvkd,sqjhc,fvjkl',
  '2=-1=0',
  '1=',
  '10--2',
  '-3,4',
  '20,-12',
  'abcdefgh',
])('%j can be one', (answer) => {
  expect(isOneValue(answer)).toBe(true);
});

describe('inputs', () => {
  test.each([
    'the one from GetInput',
    'the real thing',
    'same as before',
    '(the example in the statement)',
    'puzzle input from the site',
    'Puzzle-Eingabe',
    'my input from the website',
    'as above, the same one',
    '<the sample of part two>',
    'die Eingabe von der Seite',
    'output of DownloadInput',
  ])('%j names one instead of being one', (input) => {
    expect(mistakeOf(() => inputsOf({ inputs: [input] }))).toBe('inputs');
  });

  test.each([
    'aa bb cc dd ee',
    'abcdef',
    'R8,R4,R4,R8',
    'the quick brown fox\njumps',
    'COM)B',
    '^>v<',
    'turn on',
    'testing input lines',
    '#.#.#',
  ])('%j is one', (input) => {
    expect(inputsOf({ inputs: [input] })).toEqual([input]);
  });

  test('an empty one beside others is none', () => {
    expect(inputsOf({ input: '', inputs: ['x1'] })).toEqual(['x1']);
    expect(inputsOf({ input: '' })).toEqual(['']);
    expect(inputsOf({ input: '', inputs: [] })).toEqual([null]);
  });
});

describe('programs', () => {
  const past = ['print(1)', 'print(2)'].map(
    (code, at) =>
      ({
        args: { code },
        result: { text: '', data: { program: `p${at + 1}` } },
      }) as unknown as PreviousToolCall,
  );

  test.each([
    'p2 with part=2',
    'p1 but with part 2 = true',
    'the same code as in p2, only with n = 5',
    '# see p2 above; identical',
    '(unchanged)',
    'p2 with part 2',
    'p1, but n=7',
    '// as before;',
    '<same program>',
    '[unchanged]',
    'run p2 on part = 2',
    'p2 with this change:\nn = 5',
    '```\n# p1 as it was (see above)\n```',
  ])('%j is none', (code) => {
    expect(mistakeOf(() => programOf({ code }, past))).toBe('no-program');
  });

  test.each(['Programm 2 nochmal', 'p2', 'Use p2 again', 'the same code as in p2', 'programa 2'])(
    '%j names one',
    (code) => {
      expect(programOf({ code }, past).name).toBe('p2');
      expect(programNameIn(code)).toBe('p2');
    },
  );

  test.each([
    'p1 = 5; print(p1)',
    'print(p1)',
    'for p1 in range(3): print(p1)',
    'int main() { int p1 = 0; return p1; }',
    'p1 = (0, 0)\np2 = (1, 1)\nprint(p1, p2)',
    '# p2 again, with part 2\nprint(2 * 3)',
    'solve()',
    'puts 1+1;',
    '#include <iostream>\nint main() {}',
    'x = p1 if p2 else 3\nprint(x)',
  ])('%j is one', (code) => {
    expect(programOf({ code }, past).name).toBe('p3');
  });
});
