/** Every example is run as its reader would run it, in an empty folder. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = join(import.meta.dirname, '../../examples');

const told: Readonly<Record<string, readonly string[]>> = {
  '1-your-own-agent.ts': [
    ': solved with 3 calls (the model is a script)',
    'replayed: the same end',
    ': wrong, the only vote was 40',
    '1 of 2 runs were wrong',
  ],
  '2-your-own-family.ts': [
    'single-call: wrong (the model is a script). It is no such square.',
    'voter: solved (the model is a script). All lines add up to 15.',
  ],
  '3-test-your-agent.ts': ['pass 3', 'fail 0'],
};

test('each example that can be run is run', () => {
  const numbered = readdirSync(folder).filter((name) => /^\d.*\.ts$/.test(name));
  expect(numbered.toSorted()).toEqual(Object.keys(told));
});

test.each(Object.entries(told))('%s', (name, lines) => {
  const cwd = temporaryFolder('example');
  const env = { ...process.env, TMPDIR: cwd };
  const options = { cwd, env, encoding: 'utf8', timeout: 280_000 } as const;
  const run = spawnSync(process.execPath, [join(folder, name)], options);
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  for (const line of lines) expect(run.stdout).toContain(line);
});

test('the agent of the example has less than thirty lines', () => {
  expect(readFileSync(join(folder, 'voter.ts'), 'utf8').split('\n').length).toBeLessThan(30);
});
