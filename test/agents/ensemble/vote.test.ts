/** Votes do not depend on the order in which answers come, and an early end never changes who wins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Ballot,
  type Count,
  clusterAnswers,
  countVotes,
  isDecided,
  voteLead,
} from '../../../src/agents/ensemble/vote.ts';
import { openAnswers } from '../../../src/answers/index.ts';
import type { Answer } from '../../../src/core/problem.ts';

const answers = await openAnswers();
const words = (answer: Answer) => (answer.type === 'text' ? answer.text : '');
const asMathematics = (a: Answer, b: Answer) => answers.agree(words(a), words(b)).equal;
/** Two numbers agree when they are near: not transitive, as comparisons of roundings are not. */
const near = (a: Answer, b: Answer) => Math.abs(Number(words(a)) - Number(words(b))) <= 1;
/** Agrees in one direction alone. */
const oneWay = (a: Answer, b: Answer) => Number(words(a)) - Number(words(b)) === 1 || words(a) === words(b);

const ballot = (number: number, text: string, weight = 1): Ballot => ({
  number,
  answer: { type: 'text', text },
  weight,
});
const rules = { toWin: 2, ties: 'earliest' } as const;
const isSure = (count: Count, toWin: number, outstanding: readonly number[]) =>
  isDecided(voteLead(count), { toWin, certainty: null }, outstanding);

describe('votes', () => {
  test('the answer that is handed in is the one that most agree with, then the shortest', () => {
    const ballots = [ballot(1, '3'), ballot(2, '1'), ballot(3, '2')];
    const [cluster] = clusterAnswers(ballots, near);
    expect(cluster).toMatchObject({ answer: { text: '2' }, samples: [1, 3] });
    const [plain] = clusterAnswers([ballot(1, '0.50'), ballot(2, '1/2')], asMathematics);
    expect(plain).toMatchObject({ answer: { text: '1/2' } });
  });

  test('of a tie the earliest in the list, or none', () => {
    const ballots = [ballot(3, '5'), ballot(1, '9'), ballot(2, '5'), ballot(4, '9')];
    expect(countVotes(ballots, rules, near)).toMatchObject({
      isTie: true,
      winner: { answer: { text: '9' } },
    });
    expect(countVotes(ballots, { ...rules, ties: 'undecided' }, near).winner).toBeNull();
  });

  test('weights are sums of fractions, and three tenths are enough for 0.3', () => {
    const ballots = [ballot(1, '1', 0.1), ballot(2, '1', 0.2), ballot(3, '7', 0.29)];
    expect(countVotes(ballots, { toWin: 0.3, ties: 'undecided' }, near).winner).not.toBeNull();
  });
});

const ballots = fc
  .array(fc.record({ value: fc.integer({ min: 0, max: 9 }), weight: fc.constantFrom(0.5, 1, 1, 2) }), {
    maxLength: 9,
  })
  .map((list) => list.map(({ value, weight }, index) => ballot(index + 1, `${value}`, weight)));
const relation = fc.constantFrom(near, oneWay, (a: Answer, b: Answer) => words(a) === words(b));
const toWin = fc.constantFrom(0.5, 1, 2, 3);
const ties = fc.constantFrom('earliest', 'undecided');

describe('of any votes', () => {
  test('the order in which they come changes nothing', () => {
    fc.assert(
      fc.property(ballots, relation, toWin, ties, fc.integer(), (list, equal, needed, tie, seed) => {
        const shuffled = list.toSorted((a, b) => order(a.number, seed) - order(b.number, seed));
        const given = { toWin: needed, ties: tie } as const;
        expect(countVotes(shuffled, given, equal)).toEqual(countVotes(list, given, equal));
      }),
      { seed: 9, numRuns: 500 },
    );
  });

  test('clusters are a partition, and all answers of one agree with each other', () => {
    fc.assert(
      fc.property(ballots, relation, (list, equal) => {
        const clusters = clusterAnswers(list, equal);
        expect(clusters.flatMap(({ samples }) => samples).toSorted((a, b) => a - b)).toEqual(
          list.map(({ number }) => number),
        );
        for (const { samples } of clusters) {
          const members = list.filter(({ number }) => samples.includes(number));
          for (const a of members)
            for (const b of members)
              expect(a === b || equal(a.answer, b.answer) || equal(b.answer, a.answer)).toBe(true);
        }
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  test('what is decided early is what all votes together decide', () => {
    let decided = 0;
    fc.assert(
      fc.property(ballots, relation, toWin, ties, fc.nat(9), (list, equal, needed, tie, cut) => {
        const given = { toWin: needed, ties: tie } as const;
        const early = countVotes(list.slice(0, cut), given, equal);
        const outstanding = list.slice(cut).map(({ weight }) => weight);
        if (!isSure(early, needed, outstanding)) return;
        decided += 1;
        const { winner } = countVotes(list, given, equal);
        expect(winner?.samples).toEqual(expect.arrayContaining([...(early.winner?.samples ?? [0])]));
      }),
      { seed: 9, numRuns: 1000 },
    );
    expect(decided).toBeGreaterThan(50);
  });

  test('nobody wins with less than is needed, and somebody does with as much, ties aside', () => {
    fc.assert(
      fc.property(ballots, relation, toWin, (list, equal, needed) => {
        const { winner, clusters } = countVotes(list, { toWin: needed, ties: 'earliest' }, equal);
        const [first] = clusters;
        expect(winner).toEqual(first && first.weight >= needed ? first : null);
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

/** A number that depends on both and orders as it likes. */
function order(number: number, seed: number): number {
  return (Math.sin(number * 12.9898 + seed) * 43758.5453) % 1;
}

test('two of three are decided, one of three is not, and a later answer can join what was apart', () => {
  const two = countVotes([ballot(1, '4'), ballot(2, '4')], rules, near);
  expect(isSure(two, 2, [1])).toBe(true);
  expect(isSure(two, 2, [1, 1])).toBe(false);
  const apart = countVotes(
    [ballot(1, '0'), ballot(2, '0'), ballot(3, '0'), ballot(4, '5'), ballot(5, '7')],
    rules,
    near,
  );
  expect(apart.clusters).toHaveLength(3);
  expect(isSure(apart, 2, [])).toBe(true);
  // 6 would make one of 5 and 7.
  expect(isSure(apart, 2, [1])).toBe(false);
});
