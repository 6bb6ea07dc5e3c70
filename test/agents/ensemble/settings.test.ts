/** The default strategies, and what an estimate makes of the settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensembleSettings } from '../../../src/agents/ensemble/settings.ts';
import { ensembleAgents } from '../../support/ensemble.ts';

test('docs/ensemble.md says which strategies are asked', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/ensemble.md'), 'utf8');
  const { strategies } = ensembleSettings.parse({});
  expect(page).toContain(JSON.stringify(strategies).replaceAll(/([:,])/g, '$1 '));
});

test('an estimate knows the settings', () => {
  const turns = (name: string, settings = {}) => {
    const agent = ensembleAgents.find((each) => each.name === name);
    return agent?.usual?.(settings).turns;
  };
  expect([turns('ensemble'), turns('program'), turns('chain'), turns('react')]).toEqual([5, 2, 1, 3]);
  expect(turns('chain', { review: true })).toBe(2);
  expect(turns('ensemble', { strategies: { python: ['react', 'react'] } })).toBe(7);
});
