/** Input formats as statements write them, and the programs that read by them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readingCode, solutionTemplate } from './cpp.ts';
import { type TemplateQuestion, templateOf } from './first-program.ts';
import { type Step, shapeOf, typesIn } from './format.ts';

function codeOf(format: string, input: string, mayGoOn = false): string | null {
  const steps = shapeOf(format);
  const types = steps && typesIn(steps, [input], mayGoOn);
  return steps && types && readingCode(steps, types).join('\n');
}

describe('a format', () => {
  test.each([
    [
      'values',
      'N $M$ <var>\\varepsilon</var>\n',
      '2 3 0.5',
      /long long N, M;\s+double varepsilon;\s+cin >> N >> M >> varepsilon;/,
    ],
    [
      'a list in a line',
      '```\nN\n$a_1$ $a_2$ $\\cdots$ $a_N$\n```\n',
      '2 5 6',
      /vector<long long> a\(N\);\s+for \(auto &value : a\)/,
    ],
    ['a list written out', 'C_1 C_2 C_3', '1 2 3', /vector<long long> C\(3\)/],
    [
      'a table with dots of Japan',
      'N\nx_1 y_1\n:\nx_N y_N',
      '1 2 3.5',
      /vector<double> y\(N\);[\s\S]*cin >> x\[i\];\s+cin >> y\[i\]/,
    ],
    ['two rows before the dots', 'N\ns_0\ns_1\n⋮\ns_{N-1}', '2 #. ..', /vector<string> s\(N\)/],
    [
      'a matrix',
      'N\nA_{0,0} \\cdots A_{0,N-2}\n\\vdots\nA_{N-1,0} \\cdots A_{N-1,N-2}',
      '2 1 2',
      /A\(N, vector<long long>\(N - 1\)\)/,
    ],
    [
      'rows of their own length',
      'M\nc_1 s_{1,1} \\ldots s_{1,c_1}\n\\vdots\nc_M s_{M,1} \\ldots s_{M,c_M}',
      '2 1 5 0',
      /s\[i\]\.resize\(c\[i\]\)/,
    ],
    [
      'one of a list alone',
      'N\nX_0\nX_1\n\\vdots\nX_N'.replace('X_0\n', 'X_0 Y_0\n'),
      '1 7 8 9',
      /long long X_0, Y_0/,
    ],
    ['a name that C++ has', 'N int', '1 2', /long long N, int_;/],
  ])('with %s is read', (_name, format, input, code) => {
    expect(codeOf(format, input)).toMatch(code);
  });

  test.each([
    ['words', 'The input is N.', '1'],
    ['no end of its dots', 'N\nx_1\n\\vdots\n', '1 2'],
    ['an end that nobody can count', 'N\nx_1\n\\vdots\nx_{N^2}', '1 2'],
    ['rows that are not alike', 'N\nx_1 y_1\n\\vdots\nx_N', '1 2 3'],
    ['a name twice', 'N N', '1 1'],
    ['a list whose length comes later', 'a_1 \\cdots a_N\nN', '1 1'],
    ['fewer values than the input has', 'N', '1 2'],
    ['more values than the input has', 'N M', '1'],
    ['a length that is no number', 'N\na_1 \\cdots a_N', 'x y'],
    ['a length below 0', 'N\na_1 \\cdots a_N', '-1'],
    ['nothing', '', ''],
  ])('with %s is not read', (_name, format, input) => {
    expect(codeOf(format, input)).toBeNull();
  });

  test('of a dialogue is read as far as the program sees it', () => {
    expect(codeOf('N M', '15 2 30 7', true)).toContain('cin >> N >> M;');
    expect(codeOf('N M', '15', true)).toBeNull();
  });

  const scalar = fc.record({ kind: fc.constant('scalar' as const) });
  const list = fc.record({ kind: fc.constantFrom('list' as const, 'column' as const, 'matrix' as const) });
  const written = fc.array(fc.oneof(scalar, list), { minLength: 1, maxLength: 6 }).chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      n: fc.integer({ min: 1, max: 5 }),
      from: fc.constantFrom(0, 1),
    }),
  );

  test('of any such pieces takes an input apart to its last word, and no other', () => {
    fc.assert(
      fc.property(written, ({ kinds, n, from }) => {
        const last = from === 0 ? 'N-1' : 'N';
        const lines = kinds.map(({ kind }, at) => {
          const name = 'abcdef'[at];
          if (kind === 'scalar') return [name];
          if (kind === 'list') return [`${name}_${from} \\cdots ${name}_{${last}}`];
          if (kind === 'column') return [`${name}_${from}`, '\\vdots', `${name}_{${last}}`];
          const row = (index: string | number) =>
            `${name}_{${index},${from}} \\cdots ${name}_{${index},${last}}`;
          return [row(from), '\\vdots', row(last)];
        });
        const sizes = { scalar: 1, list: n, column: n, matrix: n * n };
        const count = kinds.reduce((sum, { kind }) => sum + sizes[kind], 0);
        const format = ['N', ...lines.flat()].join('\n');
        const input = [n, ...Array.from({ length: count }, (_, at) => at)].join(' ');
        expect(codeOf(format, input), format).not.toBeNull();
        expect(codeOf(format, `${input} 1`)).toBeNull();
        expect(codeOf(format, input.split(' ').slice(0, -1).join(' '))).toBeNull();
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test('never makes the reader fail, whatever it is', () => {
    const piece = fc.constantFrom(
      'N',
      'a_1',
      'a_N',
      '\\vdots',
      '\\cdots',
      'b_{1,2}',
      'b_{N,c_N}',
      '{',
      '_',
      ':',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.string(), (pieces, input) => {
        const steps: readonly Step[] | null = shapeOf(pieces.join(' '));
        if (steps) typesIn(steps, [input, '2 1 2 3 4'], true);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

describe('a template', () => {
  const sourceOf = (asked: TemplateQuestion) => templateOf(asked).source;
  const question: TemplateQuestion = {
    format:
      'Input\n\n```\nN K\n```\n\nOutput\n\nPrint $L$, $0 \\leq L \\leq K$.\n\n```\nL\nr_1 c_1\n\\vdots\nr_L c_L\n```\n',
    statement: '',
    inputs: ['3 4'],
    samples: [],
    first: null,
    isInteractive: false,
    main: 'int main() { /* mine */ }\n',
  };

  test('that is known to be valid goes before its user’s own, which goes before one that only reads', () => {
    expect(sourceOf(question)).toMatch(/cin >> N >> K;[\s\S]*cout << 0 << '\\n';/);
    const noneIsTooFew = (question.format ?? '').replace('0 \\leq', '1 \\leq');
    expect(sourceOf({ ...question, format: noneIsTooFew })).toBe(question.main);
    const reading = sourceOf({ ...question, format: noneIsTooFew, main: solutionTemplate });
    expect(reading).toContain('cin >> N >> K;');
    expect(reading).toContain('A plain answer: L is 1');
    const unknown = { ...question, format: 'Input\n\n```\nN K\n```\n', main: solutionTemplate };
    expect(sourceOf(unknown)).toContain('cin >> N >> K;');
    expect(sourceOf({ ...question, inputs: ['no such thing'] })).toBe(question.main);
    expect(sourceOf({ ...question, format: null, main: ' \n' })).toBe(solutionTemplate);
    expect(sourceOf({ ...question, isInteractive: true, main: null })).not.toContain('cout <<');
  });
});
