/** Every example is run as its reader would run it, in an empty folder. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = join(import.meta.dirname, '../../examples');
const examples = readdirSync(folder).filter((name) => name.endsWith('.ts'));

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(0);
});

test.each(examples)('%s', (name) => {
  const cwd = temporaryFolder('example');
  const run = spawnSync(process.execPath, [join(folder, name)], { cwd, encoding: 'utf8', timeout: 280_000 });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  expect(run.stdout).toContain('solved (the model is a script)');
  expect(run.stdout).toContain('the same end');
});
