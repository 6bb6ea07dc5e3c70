import { describe, expect, test } from 'vitest';
import { type History, judge, type Rules } from './judging.ts';
import type { LastPuzzle, Puzzle } from './puzzle.ts';

const base = { title: 'x', example: '', generate: () => '' };
const first: Puzzle = { ...base, day: 1, parts: ['a', 'b'], solve: () => ['120', 'mist'] };
const last: LastPuzzle = { ...base, day: 25, parts: ['a'], solve: () => ['7'] };
const puzzles = [first, last];

const nothing: History = { answered: new Map(), wrongAnswers: 0, waitUntilMs: 0 };
const answered = (...days: [number, number][]) => ({ answered: new Map(days) });
const rulesOf = (puzzle: Puzzle | LastPuzzle): Rules => {
  return { puzzle, puzzles, truth: puzzle.solve(''), cooldownMs: 60_000, nowMs: 1_000_000 };
};
const ask = (answer: string, previous: Partial<History> = {}, level = 1) =>
  judge({ ...nothing, ...previous }, { level, answer }, rulesOf(first));
const askLast = (answer: string, previous: Partial<History> = {}, level = 1) =>
  judge({ ...nothing, ...previous }, { level, answer }, rulesOf(last));

describe('the judge', () => {
  test('knows right from wrong, and high from low where both are numbers', () => {
    expect(ask('120')).toEqual({ kind: 'right', stars: 1, isAnswered: false, lastDay: null });
    expect(ask(' 120\n')).toMatchObject({ kind: 'right', stars: 1 });
    expect(ask('121')).toEqual({ kind: 'wrong', hint: 'too high', waitMs: 60_000 });
    expect(ask('-7')).toMatchObject({ hint: 'too low' });
    expect(ask('999999999999999999999')).toMatchObject({ hint: 'too high' });
    expect(ask('12o')).toMatchObject({ kind: 'wrong', hint: null });
    expect(ask('')).toMatchObject({ kind: 'wrong', hint: null });
    expect(ask('mist', answered([1, 1]), 2)).toMatchObject({ kind: 'right', stars: 2, isAnswered: true });
    expect(ask('5', answered([1, 1]), 2)).toMatchObject({ kind: 'wrong', hint: null });
  });

  test('lets nobody answer while an account is locked, not even rightly', () => {
    expect(ask('120', { waitUntilMs: 1_065_000 })).toEqual({ kind: 'too-recent', leftMs: 65_000 });
    expect(ask('120', { waitUntilMs: 1_000_000 })).toMatchObject({ kind: 'right' });
  });

  test('locks longer for more wrong answers', () => {
    const delays = [0, 2, 3, 5, 6, 20].map((wrongAnswers) => {
      const reply = ask('1', { wrongAnswers });
      return reply.kind === 'wrong' ? reply.waitMs / 60_000 : null;
    });
    expect(delays).toEqual([1, 1, 5, 5, 10, 10]);
  });

  test('wants the part that is open', () => {
    expect(ask('120', answered([1, 1]))).toEqual({ kind: 'wrong-level' });
    expect(ask('mist', {}, 2)).toEqual({ kind: 'wrong-level' });
    expect(ask('mist', answered([1, 2]), 2)).toEqual({ kind: 'wrong-level' });
    expect(ask('1', {}, Number.NaN)).toEqual({ kind: 'wrong-level' });
    expect(ask('1', answered([1, 2], [25, 1]))).toEqual({ kind: 'finished' });
    expect(ask('1'.repeat(201))).toEqual({ kind: 'too-much-data' });
  });
});

describe('the last day', () => {
  test('gives one star for its answer, and two when all the others are there', () => {
    expect(askLast('7')).toEqual({ kind: 'right', stars: 1, isAnswered: true, lastDay: null });
    expect(askLast('7', answered([1, 1]))).toMatchObject({ stars: 1 });
    expect(askLast('7', answered([1, 2]))).toEqual({
      kind: 'right',
      stars: 2,
      isAnswered: true,
      lastDay: null,
    });
    expect(askLast('8')).toMatchObject({ kind: 'wrong', hint: 'too high' });
  });

  test('has nothing more to answer', () => {
    expect(askLast('7', answered([25, 1]), 2)).toEqual({ kind: 'wrong-level' });
    expect(askLast('7', answered([25, 1]))).toEqual({ kind: 'wrong-level' });
    expect(askLast('done', answered([1, 2], [25, 1]), 2)).toEqual({ kind: 'finished' });
  });

  test('gets its second star with the last answer elsewhere', () => {
    expect(ask('120', answered([25, 1]))).toMatchObject({ stars: 1, lastDay: null });
    expect(ask('mist', answered([1, 1], [25, 1]), 2)).toMatchObject({ stars: 2, lastDay: 25 });
    expect(ask('mist', answered([1, 1]), 2)).toMatchObject({ stars: 2, lastDay: null });
  });
});
