import { describe, expect, test } from 'vitest';
import { type History, judge, type Rules } from './judging.ts';

const history: History = { stars: 0, starsOfYear: 0, wrongAnswers: 0, waitUntilMs: 0 };
const rules: Rules = { truth: ['120', 'mist'], starsInYear: 4, cooldownMs: 60_000, nowMs: 1_000_000 };
const ask = (answer: string, past: Partial<History> = {}, level = 1) =>
  judge({ ...history, ...past }, { day: 1, level, answer }, rules);

describe('the judge', () => {
  test('knows right from wrong, and high from low where both are numbers', () => {
    expect(ask('120')).toEqual({ kind: 'right', level: 1 });
    expect(ask(' 120\n')).toEqual({ kind: 'right', level: 1 });
    expect(ask('121')).toEqual({ kind: 'wrong', hint: 'too high', waitMs: 60_000 });
    expect(ask('-7')).toMatchObject({ hint: 'too low' });
    expect(ask('999999999999999999999')).toMatchObject({ hint: 'too high' });
    expect(ask('12o')).toMatchObject({ kind: 'wrong', hint: null });
    expect(ask('')).toMatchObject({ kind: 'wrong', hint: null });
    expect(ask('mist', { stars: 1 }, 2)).toEqual({ kind: 'right', level: 2 });
    expect(ask('5', { stars: 1 }, 2)).toMatchObject({ kind: 'wrong', hint: null });
  });

  test('lets nobody answer while an account is locked, not even rightly', () => {
    expect(ask('120', { waitUntilMs: 1_065_000 })).toEqual({ kind: 'too-recent', leftMs: 65_000 });
    expect(ask('120', { waitUntilMs: 1_000_000 })).toMatchObject({ kind: 'right' });
  });

  test('locks longer for more wrong answers', () => {
    const waits = [0, 2, 3, 5, 6, 20].map((wrongAnswers) => {
      const reply = ask('1', { wrongAnswers });
      return reply.kind === 'wrong' ? reply.waitMs / 60_000 : null;
    });
    expect(waits).toEqual([1, 1, 5, 5, 10, 10]);
  });

  test('wants the part that is open', () => {
    expect(ask('120', { stars: 1 })).toEqual({ kind: 'wrong-level' });
    expect(ask('mist', {}, 2)).toEqual({ kind: 'wrong-level' });
    expect(ask('mist', { stars: 2 }, 2)).toEqual({ kind: 'wrong-level' });
    expect(ask('1', {}, Number.NaN)).toEqual({ kind: 'wrong-level' });
    expect(ask('1', { starsOfYear: 4 })).toEqual({ kind: 'finished' });
    expect(ask('1'.repeat(201))).toEqual({ kind: 'too-much-data' });
  });
});
