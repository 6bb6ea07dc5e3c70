/**
 * A population of answerers whose skill is known, and rules that say when enough of them were asked: all of a fixed
 * number, two published rules, and the ensemble's. Every rule hears the same answers in the same order.
 */
import { isDecided, minVotesToDecide, voteLead } from '../../src/agents/ensemble/vote.ts';
import type { seededChance } from '../../src/core/seeded-chance.ts';

export type Population = {
  readonly name: string;
  /** How likely an answerer is right, question by question: a mixture of shares. */
  readonly skills: readonly (readonly [share: number, right: number])[];
  /** Of who is wrong, how many give the one wrong answer that the question is made for. The others spread over twenty. */
  readonly trapped: number;
};

/** Shares of GSM8K's and MATH's kind: most questions are easy for most, some are a toss, some hopeless. */
export const populations: readonly Population[] = [
  {
    name: 'strong, errors spread',
    skills: [
      [0.7, 0.97],
      [0.2, 0.8],
      [0.1, 0.3],
    ],
    trapped: 0,
  },
  {
    name: 'strong, errors alike',
    skills: [
      [0.7, 0.97],
      [0.2, 0.8],
      [0.1, 0.3],
    ],
    trapped: 0.8,
  },
  {
    name: 'middling, errors spread',
    skills: [
      [0.3, 0.9],
      [0.4, 0.6],
      [0.3, 0.25],
    ],
    trapped: 0,
  },
  {
    name: 'middling, errors alike',
    skills: [
      [0.3, 0.9],
      [0.4, 0.6],
      [0.3, 0.25],
    ],
    trapped: 0.8,
  },
  { name: 'one trap for all', skills: [[1, 0.55]], trapped: 1 },
];

/** 0 is right. */
export type Answers = readonly number[];

export function answersOf(
  population: Population,
  count: number,
  chance: ReturnType<typeof seededChance>,
): Answers {
  const answer = answererOf(population, chance);
  return Array.from({ length: count }, answer);
}

/** One who answers a question that was drawn. */
function answererOf(
  { skills, trapped }: Population,
  { next }: ReturnType<typeof seededChance>,
): () => number {
  const place = next();
  const upTo = skills.map((_, at) => skills.slice(0, at + 1).reduce((sum, [share]) => sum + share, 0));
  const [, right] = skills[upTo.findIndex((end) => place < end)] ?? skills[0] ?? [1, 0.5];
  return () => {
    if (next() < right) return 0;
    return next() < trapped ? 1 : 2 + Math.floor(next() * 20);
  };
}

/** How a reviewer looks at an answer: finds a wrong one out, else solves the question anew, else confirms. */
export type Reviewer = { readonly name: string; readonly catches: number; readonly anew: number };

export const reviewers: readonly Reviewer[] = [
  { name: 'confirms', catches: 0, anew: 0.1 },
  { name: 'solves anew', catches: 0, anew: 1 },
  { name: 'finds a tenth of the errors', catches: 0.1, anew: 0 },
  { name: 'finds half of the errors', catches: 0.5, anew: 0 },
];

/** Two chains and a third strategy that is not reviewed, as the ensemble asks for reasoning. */
export function reviewsMeasured(
  population: Population,
  { catches, anew }: Reviewer,
  count: number,
  chance: ReturnType<typeof seededChance>,
) {
  const sums = { each: { right: 0, calls: 0 }, spared: { right: 0, calls: 0 } };
  for (let question = 0; question < count; question += 1) {
    const answer = answererOf(population, chance);
    const answers = [answer(), answer(), answer()] as const;
    const [first, second, third] = answers.map((given, at) => {
      if (at === 2) return given;
      if (given !== 0 && chance.next() < catches) return 0;
      return chance.next() < anew ? answer() : given;
    });
    const reviewed = [first ?? -1, second ?? -1, third ?? -1];
    const asked = first === second ? 4 : 5;
    const isSpared = answers[0] === answers[1];
    add(sums.each, leaderOf(reviewed), asked);
    add(sums.spared, isSpared ? answers[0] : leaderOf(reviewed), isSpared ? 2 : asked);
  }
  const shares = ({ right, calls }: Sum) => ({ accuracy: right / count, calls: calls / count });
  return { each: shares(sums.each), spared: shares(sums.spared) };
}

type Sum = { right: number; calls: number };

function add(sum: Sum, answer: number, calls: number): void {
  sum.right += Number(answer === 0);
  sum.calls += calls;
}

export type Outcome = { readonly answer: number; readonly calls: number; readonly rounds: number };
export type Rule = { readonly name: string; decide(answers: Answers): Outcome };

export const fixed: Rule = {
  name: 'all are asked',
  decide: (answers) => ({ answer: leaderOf(answers), calls: answers.length, rounds: 1 }),
};

/** Aggarwal et al. 2023, Adaptive-Consistency: the Beta criterion over the two answers with most votes, at 0.95. */
export const adaptiveConsistency: Rule = {
  name: 'Adaptive-Consistency',
  decide(answers) {
    for (let calls = 1; calls < answers.length; calls += 1) {
      const [first = 0, second = 0] = countsOf(answers.slice(0, calls)).map(({ votes }) => votes);
      // P(p > 1/2) for p of Beta(first + 1, second + 1).
      if (tossesAtMost(first, first + second + 1) >= 0.95)
        return { answer: leaderOf(answers.slice(0, calls)), calls, rounds: calls };
    }
    return { ...fixed.decide(answers), rounds: answers.length };
  },
};

/** Li et al. 2024, Early-Stopping Self-Consistency: a window of answers that are all the same. */
export const windowed = (size: number): Rule => ({
  name: `ESC, window ${size}`,
  decide(answers) {
    for (let calls = size; calls < answers.length; calls += size) {
      const window = answers.slice(calls - size, calls);
      const rounds = calls / size;
      if (new Set(window).size === 1) return { answer: leaderOf(answers.slice(0, calls)), calls, rounds };
    }
    return { ...fixed.decide(answers), rounds: Math.ceil(answers.length / size) };
  },
});

/** As the ensemble asks: so many at once as the rule could decide on. */
export function ours(certainty = 0.98): Rule {
  const known = new Map<string, number>();
  return {
    name: `ours, ${certainty}`,
    decide(answers) {
      let rounds = 0;
      for (let calls = 0; calls < answers.length; rounds += 1) {
        calls += stepFrom(answers.slice(0, calls), answers.length);
        if (calls >= answers.length || stepFrom(answers.slice(0, calls), answers.length) === 0)
          return { answer: leaderOf(answers.slice(0, calls)), calls, rounds: rounds + 1 };
      }
      return { ...fixed.decide(answers), rounds };
    },
  };

  /** 0 where nothing more is asked. */
  function stepFrom(asked: Answers, all: number): number {
    const votes = countsOf(asked).map((each) => each.votes);
    const key = `${votes[0]} ${votes[1]} ${asked.length} ${all}`;
    const rule = { toWin: Math.min(2, all), certainty };
    const standing = voteLead({
      clusters: countsOf(asked).map(({ answer, votes: weight }) => ({
        answer: { type: 'text', text: `${answer}` },
        samples: Array.from({ length: weight }, (_, at) => at),
        weight,
      })),
    });
    const open = Array.from({ length: all - asked.length }, () => 1);
    const step =
      known.get(key) ?? (isDecided(standing, rule, open) ? 0 : minVotesToDecide(standing, rule, open));
    known.set(key, step);
    return step;
  }
}

export type Measured = {
  readonly rule: string;
  readonly accuracy: number;
  readonly calls: number;
  readonly rounds: number;
  /** Questions on which the answer is another one than that of all. */
  readonly otherwise: number;
};

export function measured(rules: readonly Rule[], questions: readonly Answers[]): readonly Measured[] {
  const all = questions.map((answers) => fixed.decide(answers).answer);
  return rules.map(({ name, decide }) => {
    const outcomes = questions.map(decide);
    const share = (count: (outcome: Outcome, at: number) => number) =>
      outcomes.reduce((sum, outcome, at) => sum + count(outcome, at), 0) / outcomes.length;
    return {
      rule: name,
      accuracy: share(({ answer }) => Number(answer === 0)),
      calls: share(({ calls }) => calls),
      rounds: share(({ rounds }) => rounds),
      otherwise: share(({ answer }, at) => Number(answer !== all[at])),
    };
  });
}

/** The most votes first; of equally many the one that came first. */
function countsOf(answers: Answers): readonly { readonly answer: number; readonly votes: number }[] {
  const counts = new Map<number, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, votes]) => ({ answer, votes })).toSorted((a, b) => b.votes - a.votes);
}

function leaderOf(answers: Answers): number {
  return countsOf(answers)[0]?.answer ?? -1;
}

/** P(X ≤ most) for so many tosses of a fair coin. */
function tossesAtMost(most: number, tosses: number): number {
  let ways = 1;
  let sum = 0;
  for (let heads = 0; heads <= most; heads += 1) {
    sum += ways;
    ways = (ways * (tosses - heads)) / (heads + 1);
  }
  return sum * 0.5 ** tosses;
}
