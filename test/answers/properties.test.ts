/** What holds for any string, and for answers of every kind that are written at random. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract, openAnswers, percentProfiles, profileNames } from '../../src/answers/index.ts';
import { algebra, collections, numbers, percentAndUnits, wordsAndChoices } from './own-cases.ts';

const answers = await openAnswers();

const cases = [...numbers, ...percentAndUnits, ...algebra, ...collections, ...wordsAndChoices];
const known = [...cases.map(([gold]) => gold), ...cases.map(([, reply]) => reply)].filter(
  (text) => text.trim() !== '',
);

const pieces = [
  ...'0123456789xyabein.,;:()[]{}|+-*/^_=<>!%$\'"& \n',
  ...[
    '\\frac',
    '\\sqrt',
    '\\sin',
    '\\log',
    '\\left(',
    '\\right)',
    '\\{',
    '\\}',
    '\\text{',
    '\\pm',
    '\\cup',
    '\\infty',
  ],
  ...[
    '\\begin{pmatrix}',
    '\\end{pmatrix}',
    '\\\\',
    '\\boxed{',
    '\\sum_{k=1}^{',
    '\\int',
    ' and ',
    ' or ',
    'dx',
    '½',
    '²',
  ],
  ...[
    '\\le',
    '\\ne',
    '\\in',
    '\\mathbb{R}',
    '^\\circ',
    '\\overline{',
    '\\%',
    '\\$',
    'cm',
    'pi',
    '__proto__',
    '\\pmod{',
  ],
];
const latex = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));
const anyText = fc.oneof(
  latex,
  fc.constantFrom(...known),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const seededRuns = { seed: 6, numRuns: 400 };

describe('for any string', () => {
  test('an answer equals itself, and agrees with itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const isBlank = !answers.equal(text, text).equal;
        // What is left of a blank one is nothing; nothing else may differ from itself.
        if (isBlank) expect(answers.equal(text, text).rule).toBe('blank');
        expect(answers.agree(text, text).equal).toBe(!isBlank);
      }),
      seededRuns,
    );
  });

  test('agreement is symmetric, and so are its words', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom(...percentProfiles), (a, b, percent) => {
        expect(answers.agree(a, b, { percent }).equal).toBe(answers.agree(b, a, { percent }).equal);
      }),
      seededRuns,
    );
  });

  test('a comparison ends in a verdict with its reason', () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.boolean(),
        fc.integer({ min: 0, max: 12 }),
        (a, b, strict, precision) => {
          const verdict = answers.equal(a, b, { strict, precision });
          expect(verdict.rule).not.toBe('');
          expect(verdict.reason).not.toBe('');
        },
      ),
      seededRuns,
    );
  });

  test('an extraction ends, and what it finds stands in the reply', () => {
    const reply = fc.array(
      fc.oneof(anyText, fc.constantFrom('The answer is ', '\n', 'Answer: ', '#### ', ' is ', '. So ')),
    );
    fc.assert(
      fc.property(reply, fc.constantFrom(...profileNames), (parts, profile) => {
        const text = parts.join('');
        const { answer, candidates, how } = extract(text, { profile });
        expect(how).not.toBe('');
        expect(answer === null).toBe(candidates.length === 0);
        for (const { start, end } of candidates)
          expect(start >= 0 && end <= text.length && start <= end).toBe(true);
      }),
      seededRuns,
    );
  });
});

test('clusters do not depend on the order', () => {
  const some = fc.uniqueArray(fc.constantFrom(...known, '', '0.5', '1/2', '\\frac12'), {
    minLength: 2,
    maxLength: 7,
  });
  fc.assert(
    fc.property(some, fc.infiniteStream(fc.nat()), (replies, chances) => {
      const order = replies
        .map((reply) => ({ reply, chance: chances.next().value }))
        .sort((a, b) => a.chance - b.chance);
      const shuffled = order.map(({ reply }) => reply);
      expect(named(shuffled, answers.clusters(shuffled))).toEqual(named(replies, answers.clusters(replies)));
    }),
    { seed: 6, numRuns: 40 },
  );
});

function named(replies: readonly string[], clusters: readonly (readonly number[])[]): readonly string[] {
  return clusters
    .map((cluster) =>
      cluster
        .map((at) => replies[at] ?? '')
        .sort()
        .join(' | '),
    )
    .sort();
}

test('those that agree are one cluster, the largest first; blank ones are in none', () => {
  expect(answers.clusters(['1/2', '3', '0.5', '', '\\frac{2}{4}', '3.0', '7'])).toEqual([
    [0, 2, 4],
    [1, 5],
    [6],
  ]);
  expect(answers.clusters([])).toEqual([]);
});
