/** Few file descriptors are told with what to do; they were a defect of Polya, or a wait without end. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minDescriptors } from '../../src/cli/descriptors.ts';
import { newPlace } from './shell.ts';

const main = [process.execPath, join(import.meta.dirname, '../../src/main.ts')];
const wrapper = [join(import.meta.dirname, '../../polya')];

function withDescriptors(limit: number, ...argv: readonly string[]) {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
  const shell = ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...argv];
  const env = { ...process.env, ...place.env };
  return spawnSync('sh', shell, { encoding: 'utf8', cwd: place.folder, env });
}

const ask = ['ask', 'What?', '--model', 'scripted:s.json'];

// Below some 20, Node itself crashes.
test.each([
  [12, wrapper],
  [20, wrapper],
  [24, main],
  [30, main],
  [40, main],
])('%i are too few', (limit, program) => {
  for (const argv of [['runs', 'list'], ask]) {
    const { status, stderr } = withDescriptors(limit, ...program, ...argv);
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(/ulimit -n 1024/) });
  }
});

test('the fewest that Polya asks for are enough for a run', () => {
  const { status, stderr } = withDescriptors(minDescriptors, ...wrapper, ...ask);
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
