/** The bench of questions runs as it is written: that of the ensemble once asked for a sandbox that it has not. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the ensemble answers without a sandbox, and as many are right as the file says', () => {
  const bench = join(import.meta.dirname, '../../bench/questions.ts');
  const questions = join(import.meta.dirname, '../data/word-problems.jsonl');
  const args = ['--expose-gc', bench, 'ensemble', '8', questions];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout, stderr).not.toBe('');
  const sample = JSON.parse(stdout);
  expect(sample).toMatchObject({ calls: 32, right: sample.expected });
  expect(sample.right).toBeGreaterThan(0);
});
