/** What a session costs its machine, read from real processes: one that works, one that nobody has buried, none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { machineUsage } from '../../../src/apps/ahc/session/usage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

test('a process whose parent does not wait for it is gone: stop waited a minute for it', async () => {
  const folder = temporaryFolder('usage');
  // What a container has for its first process may never ask how others ended.
  const careless = spawn('sh', ['-c', '(read line <&3) & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [, stdout, , told] = careless.stdio;
  try {
    const [said] = await once(stdout as Readable, 'data');
    const child = Number(String(said));
    // A shell might still ask; `sleep` never does.
    await until(() => readFileSync(`/proc/${careless.pid}/comm`, 'utf8') === 'sleep\n');
    (told as Writable).end('\n');
    await until(() => /\) Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8')));
    expect(machineUsage(child, folder)).toMatchObject({ processes: null, memory_bytes: null });
    const usage = machineUsage(process.pid, folder);
    expect(usage.processes).toBeGreaterThanOrEqual(2);
    expect(usage.memory_bytes).toBeGreaterThan(1e6);
    expect(usage.cpu_seconds).toBeGreaterThan(0);
    expect(usage.disk_bytes).toBe(0);
  } finally {
    careless.kill('SIGKILL');
  }
});

test('where there is no such process, nothing is known but the disk', () => {
  expect(machineUsage(null, temporaryFolder('usage'))).toEqual({
    cpu_seconds: null,
    memory_bytes: null,
    processes: null,
    disk_bytes: 0,
  });
});
