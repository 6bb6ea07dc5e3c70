/** Scores of questions: what decided a vote, what it saved and lost, accuracies by question, comparisons in pairs. Pure. */
import { describe, expect, test } from 'vitest';
import { decisiveStrategies, type Measured, type Member } from '../../src/apps/qa/study/measure.ts';
import { reportOn, strategyReports, voteReport } from '../../src/apps/qa/study/report.ts';
import { nothingSpent, spentInBranch } from '../../src/apps/qa/study/spent.ts';
import type { Event } from '../../src/core/event.ts';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { accuracyOf, compare, type Graded } from '../../src/core/statistics/graded.ts';
import type { EnsembleNotes, SampleNote, VoteNote } from '../../src/notes/ensemble.ts';

const chances = () => seededChance('test').next;
const text = (of: string) => ({ type: 'text', text: of }) as const;

type Strategy = SampleNote['strategy'];
/** `['program', '7']`; null for no answer. */
type Say = readonly [Strategy, string | null];

function sampled(says: readonly Say[]): SampleNote[] {
  return says.map(([strategy, answer], at) => ({
    ...{
      number: at + 1,
      name: `${strategy}-${at + 1}`,
      strategy,
      answer: answer === null ? null : text(answer),
    },
    ...{
      failed: answer === null ? ('no-answer' as const) : null,
      detail: '',
      repairs: 0,
      steps: 0,
      summaries: 0,
    },
    review: null,
    tokens: 1,
  }));
}

function votedOn(
  says: readonly Say[],
  toWin: number,
  weights: Readonly<Record<string, number>> = {},
): VoteNote {
  const groups = Map.groupBy(
    sampled(says).filter(({ answer }) => answer !== null),
    ({ answer }) => (answer?.type === 'text' ? answer.text : ''),
  );
  const clusters = [...groups].map(([answer, samples]) => ({
    answer: text(answer),
    samples: samples.map(({ number }) => number),
    weight: samples.reduce((sum, { strategy }) => sum + (weights[strategy] ?? 1), 0),
  }));
  const sorted = clusters.toSorted(
    (a, b) => b.weight - a.weight || (a.samples[0] ?? 0) - (b.samples[0] ?? 0),
  );
  return {
    clusters: sorted,
    toWin,
    winner: (sorted[0]?.weight ?? 0) >= toWin ? 0 : null,
    isTie: false,
    explanation: '',
    asked: says.length,
    extra: 0,
    spared: [],
    savedTokensEstimate: 0,
  };
}

function notes(
  says: readonly Say[],
  toWin = 2,
  weights: Readonly<Record<string, number>> = {},
): EnsembleNotes {
  const vote = votedOn(says, toWin, weights);
  const by = vote.winner === null ? 'plurality' : 'vote';
  const answer = vote.clusters[0]?.answer ?? null;
  const samples = vote.clusters[0]?.samples ?? [];
  return {
    plan: null,
    samples: sampled(says),
    vote,
    decision: { by: answer ? by : 'abstention', answer, samples, explanation: '', selfCorrection: null },
  };
}

const decisive = (says: readonly Say[], toWin = 2, weights = {}) =>
  [...decisiveStrategies(notes(says, toWin, weights), weights)].sort();

describe('what decided a vote', () => {
  test('is whoever the winner could not have done without', () => {
    expect(
      decisive([
        ['program', '7'],
        ['program', '8'],
        ['chain', '7'],
      ]),
    ).toEqual(['chain', 'program']);
    expect(
      decisive([
        ['program', '7'],
        ['program', '7'],
        ['chain', '7'],
      ]),
    ).toEqual(['program']);
    expect(
      decisive([
        ['chain', '7'],
        ['chain', '7'],
        ['react', '7'],
        ['react', '7'],
      ]),
    ).toEqual([]);
    expect(
      decisive([
        ['chain', '7'],
        ['chain', '7'],
        ['react', '9'],
      ]),
    ).toEqual(['chain']);
  });

  test('is who lost where its votes kept another from winning', () => {
    // Without the chains, 8 would have had most votes.
    const says: readonly Say[] = [
      ['chain', '7'],
      ['chain', '7'],
      ['chain', '7'],
      ['react', '8'],
      ['react', '8'],
    ];
    expect(decisive(says)).toEqual(['chain']);
  });
});

let runs = 0;
/** A run of the ensemble on a question whose right answer is 7. */
function run(question: string, says: readonly Say[], more: Partial<Measured> = {}): Measured {
  const { vote, decision, samples, plan } = notes(says);
  runs += 1;
  const members = samples.map(
    ({ number, name, strategy, failed, repairs, review, answer }): Member => ({
      number,
      name,
      strategy,
      failed,
      repairs,
      review,
      answer: answer?.type === 'text' ? answer.text : null,
      isRight: answer?.type === 'text' && answer.text === '7',
      spent: { ...nothingSpent, calls: 1, tokens: 10 },
    }),
  );
  const answer = decision?.answer?.type === 'text' ? decision.answer.text : null;
  return {
    ...{
      runId: `run-${runs}`,
      index: 0,
      agent: 'ensemble',
      settings: {},
      models: {},
      question,
      problem: question,
    },
    title: question,
    types: {},
    gold: '7',
    outcome: answer === '7' ? 'solved' : 'wrong',
    answer,
    isRight: answer === '7',
    spent: { ...nothingSpent, calls: 5, tokens: 60 },
    possiblyBilled: 0,
    why: '',
    plan,
    members,
    vote,
    decision,
    decisive: [...decisiveStrategies(notes(says), {})],
    ...more,
  };
}

describe('what a vote is worth', () => {
  const all = [
    run('a', [
      ['program', '8'],
      ['program', '7'],
      ['chain', '7'],
    ]),
    run('b', [
      ['program', '7'],
      ['program', '8'],
      ['chain', '8'],
    ]),
    run('c', [
      ['program', null],
      ['program', '7'],
      ['chain', '7'],
    ]),
    run('d', [
      ['program', '7'],
      ['program', '7'],
      ['chain', null],
    ]),
  ];

  test('against the first sample of each strategy', () => {
    const [program, chain] = strategyReports(all, chances);
    expect(program).toMatchObject({
      strategy: 'program',
      samples: 8,
      answered: 7,
      failures: { 'no-answer': 1 },
      handedIn: 4,
      decisive: 4,
    });
    expect(program?.accuracy).toMatchObject({ right: 5, runs: 8, questions: 4 });
    // Saved a and c, lost b.
    expect(program?.alone).toMatchObject({
      questions: 4,
      first: 0.5,
      second: 0.75,
      onlyFirst: 1,
      onlySecond: 2,
      p: 1,
    });
    expect(chain).toMatchObject({
      samples: 4,
      answered: 3,
      decisive: 3,
      alone: { onlyFirst: 0, onlySecond: 1 },
    });
  });

  test('in sum: how it was decided, what it had and did not hand in, what stands beside it', () => {
    expect(voteReport(all)).toMatchObject({
      runs: 4,
      decidedBy: [{ by: 'vote', runs: 4, right: 3 }],
      lostRight: 1,
      savedTokens: 0,
      beside: { calls: 8, tokens: 120 },
    });
    expect(voteReport([run('a', [['chain', '7']], { decision: null })])).toBeNull();
    const spared = [{ strategy: 'chain', begun: true }] as const;
    const vote = { ...votedOn([['chain', '7']], 1), spared: [...spared], savedTokensEstimate: null };
    expect(voteReport([...all, run('e', [['chain', '7']], { vote })])).toMatchObject({
      sparedSamples: 1,
      lateSamples: 0,
      savedTokens: null,
    });
    // Its branch had ended in the same moment in which the vote was decided: it was paid for, and did not count.
    const both: readonly Say[] = [
      ['chain', '7'],
      ['chain', '7'],
    ];
    const late = { ...votedOn([['chain', '7']], 1), spared: [...spared], savedTokensEstimate: 0 };
    expect(voteReport([run('f', both, { vote: late })])).toMatchObject({ sparedSamples: 0, lateSamples: 1 });
  });
});

describe('accuracy', () => {
  const graded = (question: string, ...rights: readonly (boolean | null)[]): Graded[] =>
    rights.map((isRight) => ({ question, isRight }));

  test('of questions that were asked once has the interval of a proportion', () => {
    const found = accuracyOf([...graded('a', true), ...graded('b', false), ...graded('c', null)]);
    expect(found).toMatchObject({ questions: 2, runs: 2, right: 1, share: 0.5 });
    expect(found.interval?.low).toBeCloseTo(0.0945, 3);
    expect(accuracyOf(graded('a', null))).toMatchObject({ runs: 0, share: null, interval: null });
  });

  test('of several samples counts each question the same, however often it was asked', () => {
    const found = accuracyOf([...graded('a', true, true, true, true), ...graded('b', false)]);
    expect(found).toMatchObject({ questions: 2, runs: 5, right: 4, share: 0.5 });
    // Two questions say hardly anything, however often one of them was asked.
    expect(found.interval?.low).toBeCloseTo(0.0945, 3);
    const always = ['a', 'b', 'c'].flatMap((question) => graded(question, true, true));
    expect(accuracyOf(always).interval?.low).toBeCloseTo(0.4385, 3);
    const mixed = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((question) => graded(question, true, false));
    // Each of them is a toss of a coin: these are twelve tosses, and no certainty.
    expect(accuracyOf(mixed)).toMatchObject({ share: 0.5, interval: { low: expect.closeTo(0.2538, 3) } });
    expect(accuracyOf(mixed.slice(0, 8))).toMatchObject({ share: 0.5, interval: null });
  });

  test('of two questions that always fail is not certain: a bug that was', () => {
    const twice = [...graded('a', false, false), ...graded('b', false, false)];
    expect(accuracyOf(twice)).toMatchObject({ share: 0, interval: { low: 0 } });
    expect(accuracyOf(twice).interval?.high).toBeCloseTo(0.6576, 3);
    const right = [...graded('a', true, true), ...graded('b', true)];
    expect(accuracyOf(right).interval).toMatchObject({ low: expect.closeTo(0.3424, 3), high: 1 });
  });

  test('is compared on common questions alone: asked once by McNemar, more often by permutation', () => {
    const first = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((question) => graded(question, question === 'x'));
    const second = ['a', 'b', 'c', 'd', 'e', 'f', 'y'].flatMap((question) => graded(question, true));
    expect(compare(first, second, chances)).toMatchObject({
      questions: 6,
      first: 0,
      second: 1,
      difference: 1,
      onlyFirst: 0,
      onlySecond: 6,
      test: 'mcnemar',
      p: 0.03125,
      interval: { low: expect.closeTo(0.448, 3), high: 1 },
    });
    // Five questions that both answer right do not show that they are as good.
    expect(compare(second, second, chances).interval?.low).toBeLessThan(-0.3);
    const twice = [...second, ...graded('a', false)];
    expect(compare(first, twice, chances)).toMatchObject({ test: 'permutation', p: 0.03125, questions: 6 });
    expect(compare(first, graded('z', true), chances)).toMatchObject({
      questions: 0,
      difference: null,
      p: 1,
    });
  });
});

describe('the report', () => {
  const placed = (origin: string, each: readonly Measured[]) => each.map((one) => ({ origin, run: one }));
  const right = (question: string, more: Partial<Measured> = {}) =>
    run(
      question,
      [
        ['chain', '7'],
        ['chain', '7'],
      ],
      more,
    );
  const wrong = (question: string, more: Partial<Measured> = {}) =>
    run(
      question,
      [
        ['chain', '8'],
        ['chain', '8'],
      ],
      more,
    );

  test('names systems by what they do not have in common, and corrects several comparisons', () => {
    const questions = ['a', 'b', 'c', 'd', 'e', 'f'];
    const model = (spec: string) => ({ default: { spec, kind: 'script', price: null } }) as const;
    const report = reportOn(
      placed('S', [
        ...questions.map((each) => wrong(each)),
        ...questions.map((each) => right(each, { settings: { votesToWin: 1 } })),
        ...questions.map((each) =>
          right(each, { agent: 'chain', models: model('scripted:/home/me/x.yaml') }),
        ),
      ]),
      chances,
    );
    const names = report.systems.map(({ name }) => name);
    expect(names).toEqual(['ensemble, {}', 'ensemble, {"votesToWin":1}', 'chain']);
    expect(report.comparisons.map(({ p, corrected }) => [p, corrected])).toEqual([
      [0.03125, 0.0625],
      [0.03125, 0.0625],
    ]);
    // 0.0008 became 0.0048 where twice was due: comparisons that have no question in common were counted.
    const strangers = [1, 2, 3, 4].map((weight) => right('elsewhere', { settings: { weight } }));
    const some = reportOn(
      placed('S', [
        ...questions.map((each) => wrong(each)),
        ...questions.map((each) => right(each, { settings: { votesToWin: 1 } })),
        ...strangers,
        ...questions.map((each) => right(each, { agent: 'chain' })),
      ]),
      chances,
    );
    expect(some.comparisons.map(({ corrected }) => corrected)).toEqual([0.0625, 1, 1, 1, 1, 0.0625]);
    const two = reportOn([...placed('S', [right('a')]), ...placed('T', [wrong('a')])], chances);
    expect(two.systems.map(({ name }) => name)).toEqual(['ensemble, S', 'ensemble, T']);
    const models = ['scripted:/home/me/x.yaml', 'openai/gpt'].map((spec) =>
      right('a', { models: model(spec) }),
    );
    expect(reportOn(placed('S', models), chances).systems.map(({ name }) => name)).toEqual([
      'ensemble, scripted:x.yaml',
      'ensemble, openai/gpt',
    ]);
  });
});

test('what a branch took is its own calls, and the time of its life without the time in which nobody worked', () => {
  const usage = (tokens: number) => ({
    tokens: { input: tokens, cachedInput: 0, output: 1, reasoning: 0 },
    costUsd: 0.5,
  });
  const at = (seq: number, atMs: number, branch: string, kind: string, body: object): Event =>
    ({ seq, atMs, branch, ordinal: seq, attempt: 0, kind, body }) as unknown as Event;
  const call = (seq: number, atMs: number, branch: string, tokens: number) => [
    at(seq, atMs, branch, 'model-request', { role: 'solver' }),
    {
      ...at(seq, atMs + 10, branch, 'model-response', { status: 'ok', result: {}, usage: usage(tokens) }),
      ordinal: seq,
    },
  ];
  const events = [
    ...call(1, 0, '', 100),
    ...call(2, 10, 'chain-1', 20),
    at(3, 5_000, '', 'run-resume', { aliveMs: 20 }),
    ...call(4, 5_010, 'chain-1/reviewer', 30),
    ...call(5, 6_000, 'chain-10', 40),
    ...call(6, 6_010, 'chain-10-review', 50),
  ];
  expect(spentInBranch(events, 'chain-1')).toMatchObject({ calls: 2, tokens: 52, costUsd: 1, timeMs: 30 });
  expect(spentInBranch(events, 'chain-10')).toMatchObject({ calls: 2, tokens: 92 });
  expect(spentInBranch(events, '')).toMatchObject({ calls: 5, tokens: 245 });
  expect(spentInBranch(events, 'react-1')).toEqual(nothingSpent);
});
