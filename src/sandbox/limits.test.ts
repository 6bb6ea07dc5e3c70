import { expect, test } from 'vitest';
import {
  defaultAskLimits,
  defaultCompileLimits,
  defaultMakeLimits,
  defaultRunLimits,
  mergeLimits,
} from './limits.ts';

test('what is not named keeps its default, fractions are rounded up', () => {
  expect(mergeLimits(defaultRunLimits)).toEqual(defaultRunLimits);
  expect(mergeLimits(defaultRunLimits, { wallMs: 0.2 })).toEqual({ ...defaultRunLimits, wallMs: 1 });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no limit', (value) => {
  expect(() => mergeLimits(defaultRunLimits, { memoryBytes: value })).toThrow(/limit memoryBytes is/);
});

test.each([defaultRunLimits, defaultCompileLimits, defaultAskLimits, defaultMakeLimits])(
  'a busy machine ends no right program: three seconds of wall for one of CPU',
  ({ wallMs, cpuMs }) => {
    expect(wallMs).toBeGreaterThanOrEqual(3 * cpuMs);
  },
);
