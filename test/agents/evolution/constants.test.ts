/** Constants of C++ programs: which are found and which are not, that nothing else changes, and what marks may say. */
import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, double, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liftConstants, renderConstants, selectConstants } from '../../../src/agents/search/constants.ts';
import { codeTokens, cppTokens } from '../../../src/text/cpp-tokens.ts';

const program = String.raw`// Temperatures were 3.5 once.
#include <bits/stdc++.h>
#define SIDE 17 /* not this 4.5
  nor this 5.5 */
using namespace std;
const double START = 120.5;   // tune: 10..1000 log
constexpr int BEAM = 2, WIDTH = 40;
const int POWERS = 5;
const double TIME_LIMIT = 1.8, BIAS = -0.25;
static const long long INF = 4e18, BIG = 1'000'000;
const char LETTER = 65;
enum Kind { SMALL = 7, LARGE = 9 };
int cost_of[POWERS], other[33];
vector<array<int, 12>> table(100);
const int di[] = {3, 4, 5, 6};
const char* text = "0.75 // tune: 1..2"; const char* raw = R"x(0.85 " )" 99)x";
mt19937 rng(12345);
static uint32_t draw() { state ^= state << 7; state ^= state >> 9; return state & 255; }
int main() {
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    double decay = 0.97;
    for (int i = 0; i < 30; i++) total += weights[i + 3] * 0.35;
    switch (kind) { case 14: break; default: other[11] = 1; }
    if (elapsed() > 1.85) stop = true;
    if (x - 0.5 > y && static_cast<int>(z) < 8) move(1.25); // tune: 1..2
    report(6 /* tune: int 3..12 */, 7 /* tune: no */);
    cout << 21 << " " << seconds * 1000.0 << '\n';
}
`;

const named = (source: string) =>
  liftConstants(source).constants.map(({ name, value }) => `${name}=${value}`);

describe('the constants of a program', () => {
  test('are what its author marked and what has a name: a loop to four or a table stays as it is', () => {
    const { constants, complaints } = liftConstants(program);
    expect(complaints).toEqual([]);
    expect(constants.filter(({ origin }) => origin === 'marked')).toMatchObject([
      { name: 'START', value: 120.5, low: 10, high: 1000, scale: 'log', isInteger: false, line: 6 },
      { name: 'line25_3', value: 1.25, low: 1, high: 2, scale: 'linear' },
      { name: 'line26_1', value: 6, low: 3, high: 12, isInteger: true },
    ]);
    const rest = constants.filter(({ origin }) => origin === 'named');
    expect(rest.map(({ name, value }) => [name, value])).toEqual([
      ['BEAM', 2],
      ['WIDTH', 40],
      ['BIAS', -0.25],
      ['BIG', 1_000_000],
    ]);
    expect(rest.map(({ isInteger }) => isInteger)).toEqual([true, true, false, true]);
  });

  test('are the marked ones alone where there are marks, else the first so many', () => {
    expect(selectConstants(liftConstants(program), 2).map(({ name }) => name)).toEqual([
      'START',
      'line25_3',
      'line26_1',
    ]);
    const bare = program.replaceAll(/tune:/g, 'was:');
    expect(selectConstants(liftConstants(bare), 3).map(({ name }) => name)).toEqual([
      'START',
      'BEAM',
      'WIDTH',
    ]);
  });

  test('of one name are told apart', () => {
    expect(named('void f() { const double A = 0.5; }\nvoid g() { const double A = 0.25; }')).toEqual([
      'A=0.5',
      'A_2=0.25',
    ]);
  });

  test('have marks that are complained of in words where they make no sense', () => {
    const complaintsOf = (line: string) => liftConstants(`int a;\n${line}\n`).complaints;
    expect(complaintsOf('double x = 0.5; // tune: about 3')[0]).toContain(
      'Line 2: `about 3` is no range. A mark is',
    );
    expect(complaintsOf('double x = 0.5; // tune: 3..1')[0]).toContain('has no room');
    expect(complaintsOf('double x = 0.5; // tune: 0..1 log')[0]).toContain('begins at 0');
    expect(complaintsOf('double x = 0.5; // tune: int 1..2')[0]).toContain('0.5 is no integer');
    expect(complaintsOf('return x; // tune: 1..2')).toEqual(['Line 2: there is no number before the mark.']);
    expect(complaintsOf('f(3) /* tune: 1..9 */; // tune: 1..2')[0]).toContain('two marks');
  });

  test('get ranges by their size where nobody gave any', () => {
    const rangeOf = (declaration: string) => {
      const [{ low, high, scale } = { low: 0, high: 0, scale: '' }] = liftConstants(
        `const ${declaration};`,
      ).constants;
      return [low, high, scale];
    };
    expect(rangeOf('double A = 80')).toEqual([10, 640, 'log']);
    expect(rangeOf('double A = 0.5')).toEqual([0.0625, 1, 'log']);
    expect(rangeOf('double A = 0.0')).toEqual([-1, 1, 'linear']);
    expect(rangeOf('double A = 1.0')).toEqual([0.125, 8, 'log']);
    expect(rangeOf('double A = -4.0')).toEqual([-32, -0.5, 'linear']);
    expect(
      rangeOf('double A = 0.99').map((each) => (typeof each === 'number' ? +each.toFixed(5) : each)),
    ).toEqual([0.92, 0.99875, 'linear']);
    expect(rangeOf('int A = 1')).toEqual([0, 8, 'linear']);
    expect(rangeOf('int A = 100')).toEqual([13, 800, 'log']);
    expect(rangeOf('int A = 900000000')).toEqual([112_500_000, 2 ** 31 - 1, 'log']);
  });
});

describe('a program with other values', () => {
  test('is the same but for them, with type and suffix kept', () => {
    const source =
      'const float A = 0.5f; const long long B = 40LL; const double C = 3; double d = x-0.5; // tune: -1..1';
    const { constants } = liftConstants(source);
    const values = { A: 2, B: 12.7, C: 4, line1_4: -0.123456 };
    expect(renderConstants(source, constants, values)).toBe(
      'const float A = 2.0f; const long long B = 13LL; const double C = 4.0; double d = x-(-0.1235); // tune: -1..1',
    );
    expect(renderConstants(source, constants, {})).toBe(source);
  });

  test('has the same tokens elsewhere, whatever the values are', () => {
    const { constants } = liftConstants(program);
    const textsOf = (source: string) => codeTokens(source).map(({ text }) => text);
    const value = double({ min: -1e6, max: 1e6, noNaN: true });
    const drawn = array(value, { minLength: constants.length, maxLength: constants.length });
    assert(
      property(drawn, (numbers) => {
        const values = Object.fromEntries(constants.map(({ name }, at) => [name, numbers[at] ?? 0]));
        const expected = codeTokens(program).flatMap((token) => {
          const constant = constants.find(({ start, end }) => token.start >= start && token.start < end);
          if (!constant) return [token.text];
          if (constant.start !== token.start) return [];
          const alone = { ...constant, start: 0, end: constant.text.length };
          return textsOf(renderConstants(constant.text, [alone], values));
        });
        expect(textsOf(renderConstants(program, constants, values))).toEqual(expected);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test('keeps its values when it is read again', () => {
    const source =
      'const double A = 0.5; // tune: 0.1..0.9\nconst int B = 7; // tune: int 3..900\nconst double C = -2.5;\n';
    const { constants } = liftConstants(source);
    const draw = property(
      double({ min: 0.1, max: 0.9, noNaN: true }),
      integer({ min: 3, max: 900 }),
      (a, b) => {
        const again = liftConstants(renderConstants(source, constants, { A: a, B: b })).constants;
        expect(again.map(({ name, value }) => [name, value])).toEqual([
          ['A', Number(a.toPrecision(4))],
          ['B', b],
          ['C', -2.5],
        ]);
      },
    );
    assert(draw, { numRuns: 100, seed: 7 });
  });
});

describe('tokens of C++', () => {
  test('are the source again when they are joined, whatever it is', () => {
    const piece = constantFrom(
      ...[
        '"',
        "'",
        '\\',
        '\n',
        '//',
        '/*',
        '*/',
        '#',
        'R"(',
        ')"',
        'x',
        '1.5e-3',
        "1'000",
        '<<',
        '>',
        ' ',
        'é',
        '\r\n',
      ],
    );
    const text = array(constantFrom('a'), { maxLength: 0 }).chain(() => array(piece, { maxLength: 40 }));
    assert(
      property(text, string(), (pieces, more) => {
        const source = `${pieces.join('')}${more}`;
        const tokens = cppTokens(source);
        expect(tokens.map((token) => token.text).join('')).toBe(source);
        expect(tokens.every(({ text: its }) => its !== '')).toBe(true);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('are found where comments, strings and lines of the preprocessor are nested', () => {
    const kinds = (source: string) =>
      cppTokens(source)
        .filter(({ kind }) => kind !== 'space')
        .map(({ kind }) => kind);
    expect(kinds('#define A "//" \\\n 5\nint b;')).toEqual(['directive', 'name', 'name', 'punctuation']);
    expect(kinds('a # b')).toEqual(['name', 'punctuation', 'name']);
    expect(kinds('// one \\\n still 5\nx')).toEqual(['comment', 'name']);
    expect(kinds('L"a\\"5" u8R"(5 "quoted")" \'\\\'\' 0x1\'F .5e+3f')).toEqual([
      ...['string', 'string', 'character', 'number', 'number'],
    ]);
  });

  test('of the solutions that come with Polya lose nothing', () => {
    for (const contest of ['polya001', 'polya002', 'polya003']) {
      const source = readFileSync(
        new URL(`../../../examples/contests/${contest}/solutions/good.cpp`, import.meta.url),
        'utf8',
      );
      expect(
        cppTokens(source)
          .map(({ text }) => text)
          .join(''),
      ).toBe(source);
      expect(renderConstants(source, liftConstants(source).constants, {})).toBe(source);
    }
  });
});

test('the good solution of polya001 offers its temperatures, and not its clock or its number of powers', () => {
  const source = readFileSync(
    new URL('../../../examples/contests/polya001/solutions/good.cpp', import.meta.url),
    'utf8',
  );
  expect(named(source).slice(0, 2)).toEqual(['START_TEMPERATURE=120', 'END_TEMPERATURE=2']);
  expect(named(source).join()).not.toMatch(/TIME_LIMIT|POWERS/);
});
