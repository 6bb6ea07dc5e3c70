/** Few file descriptors are told with what to do; they were a defect of Polya, or a wait without end. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minDescriptors } from '../../src/cli/descriptors.ts';
import { newPlace } from './shell.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

function withDescriptors(limit: number, ...argv: readonly string[]) {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
  const shell = ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, main, ...argv];
  const env = { ...process.env, ...place.env };
  return spawnSync('sh', shell, { encoding: 'utf8', cwd: place.folder, env });
}

const ask = ['ask', 'What?', '--model', 'scripted:s.json'];

test.each([24, 30, 40])('%i are too few', (limit) => {
  for (const argv of [['runs', 'list'], ask]) {
    const { status, stderr } = withDescriptors(limit, ...argv);
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(/ulimit -n 1024/) });
  }
});

test('the fewest that Polya asks for are enough for a run', () => {
  const { status, stderr } = withDescriptors(minDescriptors, ...ask);
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
