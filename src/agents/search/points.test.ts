/** What programs are worth: both directions, both ways of scoring, and failures. */
import { describe, expect, test } from 'vitest';
import { outcome, scored } from '../../../test/support/outcomes.ts';
import { groupsOf } from './account.ts';
import { Points } from './points.ts';

const rules = { onFailure: 'all' } as const;
const lenient = { onFailure: 'case' } as const;
const task = { direction: 'maximise', scoring: 'absolute', best: {}, timeLimitMs: 1000 } as const;

describe('points', () => {
  test('are the score, turned where less is better', () => {
    expect(new Points(task).meanOf(scored(10, 20), rules)).toBe(15);
    expect(new Points({ ...task, direction: 'minimise' }).meanOf(scored(10, 20), rules)).toBe(-15);
  });

  test('are shares of the best that is known now: a better one changes everybody’s', () => {
    const points = new Points({ ...task, scoring: 'relative', direction: 'minimise', best: { c0: 50 } });
    points.learn(scored(100, 80));
    expect(points.meanOf(scored(100, 80), rules)).toBe(0.75);
    points.learn(scored(null, 40));
    expect(points.meanOf(scored(100, 80), rules)).toBe(0.5);
    expect(points.best).toEqual({ c0: 50, c1: 40 });
  });

  test('a score by shares is told against what was known first, so that it grows with what is found', () => {
    const points = new Points({ ...task, scoring: 'relative', direction: 'minimise', best: { c0: 50 } });
    points.learn(scored(100, 80));
    expect(points.scoreOf(scored(100, 80))).toBe(0.75);
    points.learn(scored(25, 40));
    expect(points.scoreOf(scored(100, 80))).toBe(0.75);
    expect(points.scoreOf(scored(25, 40))).toBe(2);
    const more = new Points({ ...task, scoring: 'relative', best: { c0: 0 } });
    more.learn(scored(10, 10));
    expect(more.scoreOf(scored(10, 15))).toBe(1.25);
    expect(more.scoreOf(scored(10, null))).toBeNull();
    // After a template of score 0 every program was told as 1.
    const none = new Points({ ...task, scoring: 'relative', best: {} });
    none.learn(scored(0, 0));
    expect(none.scoreOf(scored(0, 0))).toBe(0);
    none.learn(scored(10, 20));
    const lines = [scored(0, 0), scored(10, 20), scored(30, 20)].map((each) => none.scoreOf(each));
    expect(lines).toEqual([0, 1, 2]);
    const small = new Points({ ...task, scoring: 'relative', direction: 'minimise', best: {} });
    small.learn(scored(8));
    expect([scored(8), scored(4), scored(0)].map((each) => small.scoreOf(each))).toEqual([1, 2, 8]);
  });

  test.each([
    ['maximise', 'absolute', 5],
    ['maximise', 'relative', 0.5],
    ['minimise', 'relative', 0.5],
    // There is no score that stands for nothing.
    ['minimise', 'absolute', null],
  ] as const)(
    'of a failed case are none, or nothing, as the contest counts it: %s, %s',
    (direction, scoring, mean) => {
      const points = new Points({ ...task, direction, scoring, best: { c0: 10 } });
      expect(points.meanOf(scored(10, null), rules)).toBeNull();
      expect(points.meanOf(scored(10, null), lenient)).toBe(mean);
      expect(points.scoreOf(scored(10, null))).toBeNull();
    },
  );

  test('a case too near the time limit has failed, and says by how much', () => {
    const points = new Points(task);
    const slow = outcome('c0', 10, { cpuMs: 901 });
    expect(points.outcomeIssue(slow)).toMatch(/901 ms of the 1000 ms.*more than 900 ms/);
    expect(points.of(slow, rules)).toBeNull();
    expect(points.outcomeIssue(outcome('c0', 10, { cpuMs: 900 }))).toBeNull();
    expect(new Points({ ...task, timeLimitMs: null }).outcomeIssue(slow)).toBeNull();
  });

  test('differences are taken on common cases alone', () => {
    const points = new Points(task);
    expect(points.differences(scored(10, 20, 30), scored(15, 10), rules)).toEqual([5, -10]);
    expect(points.differences(scored(10, 20), scored(15, null), rules)).toBeNull();
  });
});

test('groups are thirds by the numbers that tell good from bad, and cases of one value stay together', () => {
  const outcomes = [1, 1, 1, 5, 6, 9].map((size, at) =>
    outcome(`c${at}`, size, { features: { N: size, same: 3, odd: at % 2 } }),
  );
  const groups = groupsOf(outcomes, ({ score }) => (score ?? 0) / 8);
  expect(groups.slice(0, 3)).toEqual([
    { name: 'N 1', cases: 3, share: 0.125 },
    { name: 'N 5', cases: 1, share: 0.625 },
    { name: 'N 6–9', cases: 2, share: 0.9375 },
  ]);
  expect(groups.some(({ name }) => name.startsWith('same'))).toBe(false);
  expect(groupsOf([], () => 1)).toEqual([]);
});
