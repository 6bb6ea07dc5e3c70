/** The back-end without isolation: what it truly does not keep, what it clears away, what it says of itself. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { chooseSandbox, probeBackends } from '../../src/sandbox/choose.ts';
import { openNone } from '../../src/sandbox/none/backend.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { copySources, stageIn, startCopy } from './elsewhere.ts';
import { processesWith } from './hostile/host-processes.ts';

const parent = temporaryFolder('none');
chmodSync(parent, 0o755);
beforeAll(() => stageIn(parent));
const never = new AbortController().signal;
const openHere = () => openNone({ stagingParents: [parent] });
const sandbox = createSandbox({ openBackend: openHere });
const python = (source: string, args: readonly string[] = []) =>
  sandbox.exec({ language: 'python', source, args }, never);
const staging = () => join(parent, readdirSync(parent).find((name) => name.startsWith('polya-')) ?? '');
const cells = () => readdirSync(join(staging(), 'cells'));

describe('what is no promise is truly not kept', () => {
  test('a program sees other processes, and reaches who listens on this machine', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const source = `
import os, socket, sys
print(sum(name.isdigit() for name in os.listdir('/proc')) > 2)
print(socket.create_connection(('127.0.0.1', int(sys.argv[1]))).recv(100).decode())`;
    const { run } = await python(source, [`${port}`]);
    server.close();
    expect(run?.stdout.text).toBe('True\nreached\n');
  });

  test('a program can end the runner that watches it: that is told as what it is', async () => {
    const marker = `runnerless-${process.pid}-${performance.now()}`;
    const source = 'import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)';
    await expect(python(source, [marker])).rejects.toThrow(/runner that watches it was killed/);
    await until(() => processesWith(marker).length === 0, 50);
    expect(cells()).toEqual([]);
  });
});

describe('what it is', () => {
  test('stands at every result', async () => {
    expect(await sandbox.info()).toMatchObject({
      backend: 'none',
      isolation: 'none',
      version: expect.stringContaining('WITHOUT a sandbox'),
      enforcement: { diskBytes: expect.stringContaining('nothing elsewhere') },
    });
    expect(await python('print(1)')).toMatchObject({ backend: 'none', run: { verdict: 'ok' } });
  });

  test('is taken by name only, and a name that there is not is refused', async () => {
    expect((await chooseSandbox({ backend: 'none' }).info()).backend).toBe('none');
    expect(() => chooseSandbox({ backend: 'nothing' })).toThrow(UserError);
    const chosen = await chooseSandbox({ env: { DOCKER_HOST: 'unix:///nonexistent.sock' } }).info();
    expect(chosen.backend).toBe('bubblewrap');
    const probed = await probeBackends({ DOCKER_HOST: 'unix:///nonexistent.sock' });
    expect(probed.map(({ name, works }) => [name, works])).toEqual([
      ['bubblewrap', true],
      ['docker', false],
      ['none', true],
    ]);
  });
});

test('of a Polya that was killed nothing goes on, and its folders go at the next start', async () => {
  const marker = `orphan-${process.pid}-${performance.now()}`;
  const copy = copySources(
    `
import { openNone } from './src/sandbox/none/backend.ts';
import { createSandbox } from './src/sandbox/sandbox.ts';
const source = 'import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)';
const sandbox = createSandbox({ openBackend: () => openNone({ stagingParents: ['${parent}'] }) });
await sandbox.exec({ language: 'python', source, args: ['${marker}'], limits: { wallMs: 300_000 } }, signal);`,
    0o755,
  );
  const polya = startCopy(copy);
  await until(() => processesWith(marker).length >= 2, 50);
  polya.kill('SIGKILL');
  await until(() => processesWith(marker).length === 0, 50);
  expect(cells()).toHaveLength(1);
  const next = await openHere();
  expect(cells()).toEqual([]);
  // Processes and control groups are the machine's: what others leave at the same time is found as well.
  expect((await next.clean()).filter(({ name }) => name.startsWith(parent))).toEqual([]);
  expect(existsSync(staging())).toBe(true);
});

test('root of a user namespace without other users is told why no program runs', { tags: ['root'] }, () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const { stderr, status } = spawnSync(
    'unshare',
    ['--user', '--map-root-user', process.execPath, main, 'exec', '-', '--lang', 'python'],
    {
      input: '',
      encoding: 'utf8',
      env: { ...process.env, POLYA_SANDBOX: 'none' },
      cwd: temporaryFolder('namespace'),
    },
  );
  expect({ stderr, status }).toEqual({
    stderr: expect.stringContaining('user namespace has no users'),
    status: 3,
  });
});
