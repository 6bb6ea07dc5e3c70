/** What is said of a batch: who was paid, what is left out and why, ranges where there are enough sessions. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultCsv, resultJson, resultOf, resultText } from '../../../src/apps/ahc/batch/result.ts';
import { tellBatch } from '../../../src/apps/ahc/commands/batch.ts';
import { noPaint } from '../../../src/text/paint.ts';
import { newPlace } from '../../cli/shell.ts';
import { header, outcome } from './outcome.ts';

const output = { isTerminal: false, isClosed: false, columns: 200, write: () => undefined, paint: noPaint };
test('a script beside paid models is told as one, a session that broke off is named, ranges of points have no sign', async () => {
  const rounds = [1, 2, 3, 4, 5, 6];
  const free = { models: header('script'), costUsd: 0 };
  const outcomes = rounds.flatMap((round) => [outcome(0, round), outcome(1, round, free)]);
  const broken = outcome(1, 7, {
    isDone: false,
    outcome: 'error',
    why: 'No\nkey.',
    cases: [],
    tokens: null,
    costUsd: null,
  });
  const result = resultOf([...outcomes, broken], { set: 'id', name: 'n' });
  expect(result).toMatchObject({ label: null, fewestPairs: 6 });
  const text = resultText(output, result);
  expect(text.match(/free \(script\)/g)).toHaveLength(6);
  expect(text).toContain(
    '1 session was not brought to its end, and is not compared.\ns1-7 broke off: No key.',
  );
  expect(text).toMatch(/c1 +as it is configured +6 +[\d.]+ % +[\d.]+ % … [\d.]+ %/);
  expect(text).toMatch(/c2 +islands=2 .*\+[\d.]+ % … \+[\d.]+ % +0\.031/);
  expect(text).not.toContain('Too few');
  expect(text).toContain('points tell which is better');
  expect(resultJson(result).sessions.at(-1)).toMatchObject({ isDone: false, why: 'No\nkey.', label: null });
  expect(resultCsv(result)).toContain('s1-7,p,c2,islands=2,7,error');
  // One call that was cut off made all of it unknown.
  expect(text).toMatch(/s1-7 .* at least 10 +at least \$0\.50+/);
  expect(text).toMatch(/c2 +islands=2 .* at least 70 +at least \$[\d.]+/);
  expect(resultCsv(result)).toMatch(/^s1-7,.*,,,1,.*,10,0\.5$/m);
});

test('one combination is compared with none', async () => {
  const outcomes = ['/a', '/b'].map((workspace) => outcome(0, 1, { workspace }));
  const result = resultOf(outcomes, { set: 'id', name: 'n' });
  expect(resultText(output, result)).not.toContain('Too few');
});

test('a session that the shared budget cut short is told as that, not as one that gave up', async () => {
  const cut = outcome(0, 1, { isDone: false, isCutShort: true, outcome: 'limit' });
  const result = resultOf([cut, outcome(1, 1)], { set: 'id', name: 'n' });
  expect(resultText(output, result)).toMatch(/s0-1 +p +limit: the shared budget/);
  expect(resultJson(result).sessions[0]).toMatchObject({ outcome: 'limit', isCutShort: true });
});

test('where the table cannot be written, the result is one document all the same, and says so', async () => {
  const { folder, env } = newPlace();
  const told = { out: [] as string[], err: [] as string[] };
  const into = (name: 'out' | 'err') => ({ ...output, write: (text: string) => void told[name].push(text) });
  const shell = { folder, env, calledAs: './polya', out: into('out'), err: into('err') } as never;
  const result = resultOf([outcome(0, 1)], { set: 'id', name: 'n' });
  const files = { csv: join(folder, 'results.csv'), force: true };
  mkdirSync(files.csv);
  expect(tellBatch(shell, { json: true }, result, files)).toBe(2);
  expect(JSON.parse(told.out.join(''))).toMatchObject({
    sessions: [{ session: 's0-1' }],
    files: { trouble: { what: expect.stringContaining('results.csv is a folder') } },
  });
  expect(told.err.join('')).toContain('results.csv is a folder');
  told.out.length = 0;
  expect(tellBatch(shell, {}, result, files)).toBe(2);
  expect(told.out.join('')).toContain('s0-1');
  expect(told.out.join('')).not.toContain('Table:');
});
