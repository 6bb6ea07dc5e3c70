/** What the documentation says of the settings is what there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensembleSettings } from '../../../src/agents/ensemble/settings.ts';
import { ensembleAgents } from '../../support/ensemble.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../docs/ensemble.md'), 'utf8');
const table = docs.slice(docs.indexOf('## Settings'), docs.indexOf('\nRoles:'));

test('every setting stands in the table, and the usual values are right', () => {
  const usual = ensembleSettings.parse({});
  for (const name of Object.keys(ensembleSettings.shape)) expect(table, name).toContain(`\`${name}\``);
  expect(table).toContain(JSON.stringify(usual.strategies).replaceAll(/([:,])/g, '$1 '));
  expect(usual).toMatchObject({
    votesToWin: 2,
    weights: { program: 1, chain: 1, react: 1 },
    ties: 'earliest',
    fallback: 'plurality',
    diversity: 'prompt',
    certainty: 0.98,
    forms: true,
    reasons: true,
    temperature: 0.7,
    repairs: 2,
    steps: 7,
    historyTokens: 6_000,
    outputCharacters: 4_000,
    reminders: 1,
    reviewed: ['Logic', 'Common Sense'],
    planner: 'structured',
    earlyStop: true,
    selfCorrection: true,
  });
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
