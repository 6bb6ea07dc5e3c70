/**
 * Warm containers on a real Docker: what one user leaves no other finds, what is not sure is thrown away, all ends.
 * @module-tag root
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type Dockerode from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ExecLimits, Sandbox } from '../../src/core/sandbox.ts';
import { openDocker } from '../../src/sandbox/docker/backend.ts';
import { findEngine, thisMachine } from '../../src/sandbox/docker/engine.ts';
import type { PoolOptions } from '../../src/sandbox/docker/pool.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { until } from '../support/until.ts';
import { look, mess } from './conformance-leftovers.ts';
import { engineTimeoutMs, startEngine, type TestEngine } from './engine.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
let engine: TestEngine;
let docker: Dockerode;
const opened: Sandbox[] = [];

beforeAll(async () => {
  engine = await startEngine();
  docker = (await findEngine(thisMachine(env()))).docker;
}, engineTimeoutMs);
afterAll(() => engine?.stop());
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
  expect(await containers()).toEqual([]);
});

const env = () => ({ DOCKER_HOST: engine.address, HOME: '/root' });
const containers = async () => (await docker.listContainers({ all: true })).map(({ Id: id }) => id);

function newSandbox(pool: PoolOptions = {}): Sandbox {
  const sandbox = createSandbox({ openBackend: () => openDocker({ env: env(), toolchains: 'host', pool }) });
  opened.push(sandbox);
  return sandbox;
}

async function python(
  sandbox: Sandbox,
  source: string,
  limits: Partial<ExecLimits> = {},
  args: string[] = [],
) {
  const { run: step } = await sandbox.exec({ language: 'python', source, limits, args }, never);
  if (step === null) throw new Error('Python did not run.');
  return step;
}

/** Programs are processes of this machine, too. */
function isRunning(marker: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith(`\0${marker}\0`);
    } catch {
      return false;
    }
  });
}

/** For what a busy machine must not change: one that takes longer to be cleared is thrown away. */
const patient: PoolOptions = { cleanWithinMs: 60_000 };

/** The one container that there is, once those that were thrown away are gone. */
async function onlyContainer(): Promise<string> {
  await expect.poll(containers).toHaveLength(1);
  return (await containers())[0] ?? '';
}

describe('between two users of a warm container', () => {
  test('nothing is left of what a hostile one made', async () => {
    const sandbox = newSandbox(patient);
    const source = `
import os, signal, sys, time
${look}
if len(sys.argv) == 1: look()
else: exec(sys.argv[1])`;
    const looking = async () => {
      const { verdict, stdout, stderr } = await python(sandbox, source);
      return `${verdict}\n${stdout.text}${stderr.text}`;
    };
    const first = await looking();
    expect(first).toMatch(/^ok\n.*main\.py/s);
    const container = await onlyContainer();
    for (const [what, made] of Object.entries(mess)) {
      const step = await python(sandbox, source, { wallMs: 60_000 }, [made]);
      expect(step.stderr.text, what).toBe('');
      expect(await looking(), what).toBe(first);
      expect(await onlyContainer(), what).toBe(container);
    }
  });

  test('the files that a batch kept go with it, and a signal for the relay of another', async () => {
    const sandbox = newSandbox();
    const source = 'import os, signal\nos.kill(1, signal.SIGUSR1)\nprint(sorted(os.listdir(".")))';
    const seen: string[] = [];
    for (const name of ['first.txt', 'second.txt']) {
      const program = { language: 'python', source, files: { [name]: name } } as const;
      await sandbox.batch(
        { program, cases: [{ name }], workers: 1 },
        ({ step }) => void seen.push(step.stdout.text),
        never,
      );
    }
    expect(seen).toEqual(["['first.txt', 'main.py']\n", "['main.py', 'second.txt']\n"]);
  });

  test('its limits are those of the second, and so is the account', async () => {
    const sandbox = newSandbox(patient);
    const source = `
import glob
for name in ('memory/memory.limit_in_bytes', 'memory.max', 'pids/pids.max', 'pids.max'):
    for path in glob.glob('/sys/fs/cgroup/' + name): print(open(path).read().strip())`;
    const [wide, narrow] = [{}, { memoryBytes: 64 << 20, processes: 8 }];
    const fresh = (await python(newSandbox(), source, narrow)).stdout.text;
    await opened.at(-1)?.close();
    await python(sandbox, 'x = bytearray(200 << 20)', wide);
    const container = await onlyContainer();
    const second = await python(sandbox, source, narrow);
    expect(second.stdout.text).toBe(fresh);
    expect(second.peakMemoryBytes).toBeLessThan(64 << 20);
    expect((await python(sandbox, 'x = bytearray(200 << 20)', wide)).verdict).toBe('ok');
    expect(await onlyContainer()).toBe(container);
    expect((await python(sandbox, 'x = bytearray(200 << 20)', narrow)).verdict).toBe('memory');
  });
});

describe('a container is thrown away', () => {
  test('that ran out of memory, or whose program was broken off', async () => {
    const sandbox = newSandbox(patient);
    await python(sandbox, 'x = b"x" * (300 << 20)', { memoryBytes: 64 << 20 });
    expect(await containers()).toEqual([]);
    const cancelling = new AbortController();
    const marker = `cancelled-${process.pid}-${performance.now()}`;
    const source = 'import time\ntime.sleep(300)';
    const request = { language: 'python', source, args: [marker], limits: { wallMs: 300_000 } } as const;
    const running = sandbox.exec(request, cancelling.signal);
    await until(() => isRunning(marker), 50);
    cancelling.abort();
    expect((await running).run?.verdict).toBe('cancelled');
    expect(await containers()).toEqual([]);
  });

  test('that was ended, stopped or removed while it waited: the next user gets another', async () => {
    const sandbox = newSandbox();
    const evils = ['kill', 'pause', 'remove'] as const;
    for (const evil of evils) {
      // One waits, but where the machine was too busy to clear it in time.
      await until(async () => {
        expect((await python(sandbox, 'print(1)')).stdout.text).toBe('1\n');
        await until(async () => (await containers()).length <= 1);
        return (await containers()).length === 1;
      });
      const container = await onlyContainer();
      await docker.getContainer(container)[evil]({ force: true });
      expect((await python(sandbox, 'print(2)')).stdout.text).toBe('2\n');
      await until(async () => !(await containers()).includes(container), 50);
    }
  });

  test('that nobody used for a while, or that waits beside enough others', async () => {
    const sandbox = newSandbox({ idleMs: 300, most: 2 });
    const source = 'import time\ntime.sleep(1)';
    await Promise.all([1, 2, 3, 4].map(() => python(sandbox, source)));
    expect((await containers()).length).toBeLessThanOrEqual(4);
    await until(async () => (await containers()).length === 0, 50);
  });

  test('that comes back when the sandbox was closed', async () => {
    const sandbox = newSandbox();
    await sandbox.info();
    const marker = `lent-${process.pid}-${performance.now()}`;
    const running = python(sandbox, 'import time\ntime.sleep(1)', {}, [marker]);
    // One waits there before: it is lent when its program runs.
    await until(() => isRunning(marker));
    await sandbox.close();
    expect((await running).verdict).toBe('ok');
    expect(await containers()).toEqual([]);
    expect((await python(sandbox, 'print(3)')).stdout.text).toBe('3\n');
    expect(await containers()).toEqual([]);
  });
});

describe('a process that keeps containers', () => {
  const script = (after: string) => `
import { openDocker } from '${import.meta.dirname}/../../src/sandbox/docker/backend.ts';
import { createSandbox } from '${import.meta.dirname}/../../src/sandbox/sandbox.ts';
const sandbox = createSandbox({ openBackend: () => openDocker({ env: ${JSON.stringify(env())}, toolchains: 'host' }) });
const { run } = await sandbox.exec({ language: 'python', source: 'print(6 * 7)' }, new AbortController().signal);
console.log(run.stdout.text);
${after}`;
  const start = (after: string) =>
    run(process.execPath, ['--input-type=module-typescript', '-e', script(after)], { timeout: 110_000 });

  test('ends when it has nothing else to do, and leaves none, though it forgot to close', async () => {
    expect((await start('')).stdout).toBe('42\n\n');
    expect(await containers()).toEqual([]);
  });

  test('is killed: they end at once, and the next start removes what the engine keeps of them', async () => {
    await expect(start("process.kill(process.pid, 'SIGKILL');")).rejects.toMatchObject({ signal: 'SIGKILL' });
    const left = await onlyContainer();
    const state = async () => (await docker.getContainer(left).inspect()).State.Running;
    await until(async () => !(await state()), 50);
    await newSandbox().info();
    expect(await containers()).not.toContain(left);
  });
});
