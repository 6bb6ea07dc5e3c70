/** Answers of the kinds that competition problems have, and what has to hold of any such collection. */
import { expect, test } from 'vitest';
import type { Answers } from '../../src/answers/index.ts';
import { newWork } from '../../src/answers/limits.ts';
import { parseReadings } from '../../src/answers/parse/read.ts';
import { seeded } from './seeded.ts';

/** The project's own, by no problem of anybody's. */
export const ownGolds: readonly string[] = [
  ...['7', '-13', '0', '28', '104', '2047', '1,440', '16,\\!800', '0.625', '-2.75', '3.6', '10^6'],
  ...[
    '\\frac{5}{8}',
    '-\\frac{7}{3}',
    '\\frac{17}{50}',
    '\\dfrac{9}{4}',
    '\\frac{243}{625}',
    '4\\frac{1}{2}',
  ],
  ...['\\sqrt{13}', '3\\sqrt{7}', '\\frac{\\sqrt{6}}{4}', '5 - 2\\sqrt{3}', '\\frac{1 + \\sqrt{17}}{4}'],
  ...['\\sqrt[3]{4}', '2\\sqrt[4]{5}', '\\sqrt{2} + \\sqrt{11}', '\\frac{4\\sqrt{21}}{9}', '8 + 6\\sqrt{2}'],
  ...['\\pi', '49\\pi', '\\frac{25\\pi}{3}', '16 - 4\\pi', '\\frac{3\\pi}{8}', '18\\pi\\sqrt{2}', '6\\pi^2'],
  ...[
    '25\\%',
    '62.5\\%',
    '\\$18.90',
    '\\$4',
    '75^\\circ',
    '157.5^\\circ',
    '12\\text{ cm}',
    '9\\text{ hours}',
  ],
  ...['x^3 - 4x + 9', '(y-6)(y+11)', '3a^2b - 7c', '2(k-1)(k^2+k+1)', '-6t^4 + t^2', '\\frac{m+2}{m-5}'],
  ...['p^2 + 2pq', '\\frac{2}{z^3}', '15w - 8', '4n^2 + 4n + 1', '\\frac{u}{3} - \\frac{v}{7}', '2^{n+3}'],
  ...['3 + 8i', '-6i', '\\frac{2 - 9i}{5}', '4 \\pm 3i', '\\frac{-3 \\pm \\sqrt{29}}{2}', '\\pm 11'],
  ...['\\sin 40^\\circ', '\\log_3 14', '\\ln 6', '\\tan\\frac{\\pi}{7}', 'e^4', '\\binom{12}{5}', '9!'],
  ...['(4, -9)', '(\\frac{3}{2}, 8, -1)', '\\left( 6, \\frac{5\\pi}{4} \\right)', '(-3, 0)', '(2, 5, 12)'],
  ...['2, 19', '-4, 1, 10', '\\{3, 8, 15\\}', '\\{-7\\}', '1,3,9,27'],
  ...['[-5, 6)', '(11, \\infty)', '(-\\infty, -4] \\cup [2, \\infty)', '(0, 9) \\cup (9, 20)', '[1, 100]'],
  ...['x \\le 17', 'y > -\\frac{6}{5}', '-8 < t < 33', 'w = 21', 'r = 5, s = -14', 'y = 7x - 30'],
  ...[
    '5x + 12y - 60 = 0',
    '(x-4)^2 + (y+7)^2 = 81',
    'f(x) = 6x^2 - 1',
    '\\frac{x^2}{16} + \\frac{y^2}{9} = 1',
  ],
  ...[
    '\\begin{pmatrix} 2 & -7 \\\\ 5 & 0 \\end{pmatrix}',
    '\\begin{pmatrix} -1 \\\\ 6 \\\\ 3 \\end{pmatrix}',
  ],
  ...[
    '3:8',
    '5:7:9',
    '41_5',
    '2201_3',
    'BE_{16}',
    '6 \\pmod{13}',
    '\\text{Thursday}',
    '\\text{odd}',
    '\\text{(F)}',
  ],
  ...['\\text{hyperbola}', '\\text{Ines}', '7:45', '14^2', '\\frac{1}{\\sqrt{10}}', '|z - 3|', '\\emptyset'],
];

export function holdGolds(
  golds: readonly string[],
  answers: Answers,
  { sameToAPerson }: { readonly sameToAPerson: readonly string[] },
): void {
  const different = [...new Set(golds)];

  test('each parses, and equals itself in other clothes', () => {
    for (const gold of golds) {
      const { first } = parseReadings(gold, true, newWork());
      expect(first.kind === 'text' && !/^\\text\{\(?[a-zA-Z]+\)?\}$/.test(gold), gold).toBe(false);
      for (const reply of [gold, `$${gold}$`, ` ${gold} . `, `\\boxed{${gold}}`, `\\left(${gold}\\right)`]) {
        if (reply.startsWith('\\left') && !/^[\da-z+-]+$/.test(gold)) continue;
        expect(answers.equal(gold, reply), `${gold} | ${reply}`).toMatchObject({ equal: true });
      }
    }
  });

  test('1,000 pairs of different ones are unequal, but for those that a person calls equal', () => {
    const next = seeded(500);
    const found = new Set<string>();
    for (let pair = 0; pair < 1_000; ) {
      const [a, b] = [next(different.length), next(different.length)].map((at) => different[at] ?? '');
      if (a === undefined || b === undefined || a === b) continue;
      pair += 1;
      if (answers.equal(a, b).equal) found.add([a, b].sort().join(' | '));
    }
    for (const pair of found) expect(sameToAPerson).toContain(pair);
  });

  test('what a person calls equal among all of them', () => {
    const found: string[] = [];
    for (const [at, a] of different.entries()) {
      for (const b of different.slice(at + 1))
        if (answers.agree(a, b).equal) found.push([a, b].sort().join(' | '));
    }
    expect(found.sort()).toEqual([...sameToAPerson].sort());
  });
}
