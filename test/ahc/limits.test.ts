/** The timeouts of the configuration hold for `test`, whatever the contest allows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ahcAgent, newPlace } from '../cli/shell.ts';

test('docker.compilation_timeout, docker.execution_timeout and sandbox.backend hold, and are told', async () => {
  const place = newPlace();
  const folder = join(place.folder, 'workspace', 'toy001');
  mkdirSync(join(folder, 'problem'), { recursive: true });
  mkdirSync(join(folder, 'tools', 'tester', 'in'), { recursive: true });
  const none = { value: false, because: null };
  const contest = {
    version: 1,
    id: 'toy001',
    title: 'Toy',
    url: null,
    startsAt: null,
    endsAt: null,
    tools: null,
    timeLimitSeconds: 20,
    memoryLimitMegabytes: 256,
    isInteractive: none,
    confirmed: null,
    direction: { value: 'maximise', because: null },
    scoring: { value: 'absolute', because: null },
  };
  writeFileSync(join(folder, 'problem', 'contest.json'), JSON.stringify(contest));
  writeFileSync(join(folder, 'ahc_config.yaml'), '');
  writeFileSync(join(folder, 'tools', 'tester', 'in', '0000.txt'), '1\n');
  writeFileSync(join(folder, 'main.cpp'), 'int main() { for (volatile int i = 0;;) i = i + 1; }\n');
  const env = { ...place.env, AHC_AGENT_DOCKER_COMPILATION_TIMEOUT: '0.001' };
  const broken = await ahcAgent({ folder, env }, ['test']);
  expect([broken.code, broken.err]).toEqual([
    1,
    expect.stringContaining('ended by docker.compilation_timeout'),
  ]);
  await ahcAgent({ ...place, folder }, ['config', 'docker.execution_timeout', '0.3']);
  const { code, out } = await ahcAgent({ ...place, folder }, ['test']);
  expect([code, out]).toEqual([1, expect.stringContaining('TLE')]);
  // The back-end is a key as well, and every result says which it was.
  await ahcAgent({ ...place, folder }, ['config', 'sandbox.backend', 'none']);
  writeFileSync(join(folder, 'main.cpp'), 'int main() {}\n');
  const alone = await ahcAgent({ ...place, folder }, ['test', '--json']);
  expect(JSON.parse(alone.out)).toMatchObject({ backend: 'none' });
  await ahcAgent({ ...place, folder }, ['config', 'sandbox.backend', 'docker']);
  const engine = { ...place.env, DOCKER_HOST: 'unix:///nonexistent.sock' };
  expect(await ahcAgent({ folder, env: engine }, ['test'])).toMatchObject({ code: 3, out: '' });
});
