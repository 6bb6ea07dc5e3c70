import { expect, test } from 'vitest';
import { hashText, newRunId, randomFromKey } from './hash.ts';

test('an id tells when, in UTC, and sorts by it', () => {
  const at = (time: string, chance = 0): string => newRunId(Date.parse(time), { next: () => chance });
  expect(at('2026-11-21T08:30:59.999Z')).toBe('20261121-083059-aaaa');
  expect(at('2026-11-21T08:30:59.999Z', 0.999999)).toBe('20261121-083059-9999');
  expect([at('2026-11-21T08:31:00Z'), at('2026-11-21T08:30:59Z')].sort()[0]).toContain('083059');
});

test('a hash is short and the same everywhere; a chance lies in [0, 1)', () => {
  expect(hashText('polya')).toBe(hashText('polya'));
  expect(hashText('polya')).toMatch(/^[\w-]{22}$/);
  const chances = Array.from({ length: 1_000 }, (_, n) => randomFromKey(String(n)));
  expect(Math.min(...chances)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...chances)).toBeLessThan(1);
  const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
  expect(mean).toBeCloseTo(0.5, 1);
});
