/** The bubblewrap back-end on machines and as users other than the usual; and after its own violent death. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { cgroupPlans } from '../../src/sandbox/cgroup-plan.ts';
import { type Copy, copySources, isRoot, runCopy, runCopyOn, startCopy, without } from './elsewhere.ts';

const copies: Copy[] = [];
const copy = (script: string, mode = 0o755) => {
  const made = copySources(script, mode);
  copies.push(made);
  return made;
};
afterEach(() => {
  for (const made of copies.splice(0)) made.remove();
});

const bothLanguages = `
const sandbox = bubblewrapSandbox();
const python = await sandbox.exec({ language: 'python', source: 'print(6 * 7)' }, signal);
const cpp = await sandbox.exec({ language: 'cpp', source: '#include <cstdio>\\nint main() { puts("42"); }' }, signal);
console.log(JSON.stringify([python.run.stdout.text, cpp.run?.stdout.text]));`;

const complaint = `
const error = await bubblewrapSandbox().info().then(() => null, (error) => error);
console.log(JSON.stringify(error && { name: error.name, ...error.explanation }));`;

describe('whoever and wherever we are', () => {
  test('from a folder that is closed to others', async () => {
    expect(await runCopy(copy(bothLanguages, 0o700))).toEqual(['42\n', '42\n']);
  });

  test.runIf(isRoot && isOpenToOthers(process.execPath))('as an ordinary user', async () => {
    const uid = 60_500;
    try {
      expect(await runCopy(copy(bothLanguages), { uid, gid: uid })).toEqual(['42\n', '42\n']);
    } finally {
      rmSync(`/tmp/polya-${uid}`, { recursive: true, force: true });
    }
  });

  test('two processes may set up at once', async () => {
    const parent = copy('').folder;
    const script = `
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
console.log(JSON.stringify((await sandbox.info()).toolchains.length));`;
    const [one, other] = [copy(script), copy(script)];
    const counts = await Promise.all([runCopy(one), runCopy(other), runCopy(one)]);
    expect(counts).toEqual([expect.any(Number), counts[0], counts[0]]);
    expect(counts[0]).toBeGreaterThanOrEqual(3);
    const [folder = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
    expect(readdirSync(`${parent}/${folder}`).filter((name) => name.startsWith('runner-'))).toHaveLength(1);
  });

  test('what a toolchain answered is kept as long as it stays the same', async () => {
    const parent = copy('').folder;
    const versions = async () => {
      const { toolchains } = await bubblewrapSandbox({ stagingParents: [parent] }).info();
      return toolchains.map(({ version }) => version);
    };
    const first = await versions();
    const [staging = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
    const answers = readdirSync(`${parent}/${staging}/answers`).map(
      (name) => `${parent}/${staging}/answers/${name}`,
    );
    expect(answers.length).toBeGreaterThanOrEqual(first.length);
    const path = answers.find((answer) => readFileSync(answer, 'utf8').startsWith('Python')) ?? '';
    writeFileSync(path, 'Python 9.9.9\n');
    expect(await versions()).toContain('Python 9.9.9');
  });

  test('an abort does not wait for what is made once for later', async () => {
    const parent = copy('').folder;
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    await sandbox.info();
    const controller = new AbortController();
    const running = sandbox.exec({ language: 'kotlin', source: 'fun main() {}' }, controller.signal);
    await sleep(500);
    const begun = performance.now();
    controller.abort();
    expect(await running).toMatchObject({ compile: { verdict: 'cancelled' }, run: null });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test('staged files that the system cleared away are made again', async () => {
    const parent = copy('').folder;
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    await sandbox.info();
    for (const name of readdirSync(parent).filter((name) => name.startsWith('polya-'))) {
      rmSync(`${parent}/${name}`, { recursive: true });
    }
    const { run } = await sandbox.exec({ language: 'python', source: '' }, new AbortController().signal);
    expect(run?.verdict).toBe('ok');
  });
});

describe('what is missing is named', () => {
  test('bubblewrap', async () => {
    expect(await runCopyOn(copy(complaint), without('/usr/bin/bwrap'))).toEqual({
      name: 'UnavailableError',
      what: 'There is no sandbox to run code in.',
      why: '`bwrap` is not installed.',
      fix: expect.stringContaining('sudo apt-get install bubblewrap'),
    });
  });

  test('a compiler for the runner', async () => {
    const parent = copy('').folder;
    const script = `
const error = await bubblewrapSandbox({ stagingParents: ['${parent}'] }).info().then(() => null, (error) => error);
console.log(JSON.stringify(error.message));`;
    const compilers = ['gcc', 'cc', 'clang'].flatMap((name) => without(real(`/usr/bin/${name}`)));
    expect(await runCopyOn(copy(script), compilers)).toMatch(/no C compiler.*apt-get install g\+\+/);
  });

  test('the right to make namespaces', async () => {
    expect(await runCopyOn(copy(complaint), ['--unshare-user', '--disable-userns'])).toMatchObject({
      name: 'UnavailableError',
      why: expect.stringMatching(/bwrap|bubblewrap/),
      fix: expect.stringContaining('namespaces may be forbidden'),
    });
  });

  test('one toolchain, while others still run', async () => {
    const script = `
const sandbox = bubblewrapSandbox();
const { toolchains } = await sandbox.info();
const python = await sandbox.exec({ language: 'python', source: 'print(1)' }, signal);
const rust = await sandbox.exec({ language: 'rust', source: '' }, signal).catch((error) => error.message);
console.log(JSON.stringify([toolchains.map(({ language }) => language), python.run.verdict, rust]));`;
    expect(await runCopyOn(copy(script), without('/usr/bin/rustc'))).toEqual([
      expect.not.arrayContaining(['rust']),
      'ok',
      expect.stringContaining('sudo apt-get install rustc cargo'),
    ]);
  });

  test('a folder to work in', async () => {
    const sandbox = bubblewrapSandbox({ stagingParents: ['/nonexistent'] });
    await expect(sandbox.info()).rejects.toThrow(/None of \/nonexistent/);
  });
});

describe('nothing is left behind', () => {
  test('by programs of every fate', async () => {
    const parent = copy('').folder;
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    const controller = new AbortController();
    await sandbox.info();
    const sources = ['print(1)', 'while True: pass', 'x = b"x" * (1 << 30)'];
    const limits = { cpuMs: 200, memoryBytes: 64 << 20 };
    const running = sources.map((source) =>
      sandbox.exec({ language: 'python', source, limits }, controller.signal),
    );
    await Promise.all(running);
    expect(leftovers(parent, process.pid)).toEqual([]);
  });

  test('by a Polya that was killed: programs die at once, the rest goes at the next start', async () => {
    const parent = copy('').folder;
    const marker = `orphan-${process.pid}-${performance.now()}`;
    const script = `
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
const source = 'import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(60)';
await sandbox.exec({ language: 'python', source, args: ['${marker}'] }, signal);`;
    const polya = startCopy(copy(script));
    await vi.waitUntil(() => commandLines(marker) >= 2, { timeout: 10_000 });
    polya.kill('SIGKILL');
    await vi.waitUntil(() => commandLines(marker) === 0, { timeout: 1000 });
    // A control group stays busy for a moment after its processes are gone.
    await vi.waitUntil(async () => {
      await bubblewrapSandbox({ stagingParents: [parent] }).info();
      return leftovers(parent, polya.pid).length === 0;
    });
  });
});

describe('when the runner itself is lost', () => {
  const sandbox = bubblewrapSandbox();
  const sleeper = { language: 'python', source: 'import time; time.sleep(60)' } as const;
  const started = async (signal: AbortSignal, wallMs: number) => {
    await sandbox.info();
    const running = sandbox.exec({ ...sleeper, limits: { wallMs } }, signal);
    running.catch(() => {});
    await vi.waitUntil(() => runnerOf(process.pid) !== null, { timeout: 5000 });
    return { running, runner: runnerOf(process.pid) ?? 0 };
  };

  test('a cancelled program is ended all the same', async () => {
    const controller = new AbortController();
    const { running, runner } = await started(controller.signal, 60_000);
    process.kill(runner, 'SIGSTOP');
    const begun = performance.now();
    controller.abort();
    expect((await running).run).toMatchObject({ verdict: 'cancelled', stdout: { text: '' } });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test('and one whose time is up', async () => {
    const { running, runner } = await started(new AbortController().signal, 100);
    process.kill(runner, 'SIGSTOP');
    expect((await running).run).toMatchObject({ verdict: 'wall' });
  });

  test('and a program is not blamed for what was done from outside', async () => {
    const { running, runner } = await started(new AbortController().signal, 60_000);
    process.kill(runner, 'SIGKILL');
    await expect(running).rejects.toThrow(/killed from outside/);
  });
});

/** Users in use, and control groups that this process made. */
function leftovers(parent: string, pid: number | undefined): readonly string[] {
  const [staging = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
  const folders = cgroupPlans().flatMap((plan) => plan.folders);
  const groups = folders.flatMap((folder) => readdirSync(folder));
  return [
    ...readdirSync(`${parent}/${staging}/slots`),
    ...groups.filter((name) => name.startsWith(`polya-${pid}-`)),
  ];
}

function commandLines(marker: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  }).length;
}

/** The child of bubblewrap, which is our child. */
function runnerOf(pid: number): number | null {
  const [bwrap] = childrenOf(pid, 'bwrap');
  const [runner] = bwrap === undefined ? [] : childrenOf(bwrap, 'runner');
  return runner ?? null;
}

function childrenOf(parent: number, name: string): readonly number[] {
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return pids.map(Number).filter((pid) => {
    try {
      const [, command, , ppid] =
        /\((.*)\) (.) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
      return command === name && Number(ppid) === parent;
    } catch {
      return false;
    }
  });
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isOpenToOthers(path: string): boolean {
  const folders = realpathSync(path).split('/').slice(0, -1);
  const parents = folders.map((_, index) => folders.slice(0, index + 1).join('/') || '/');
  return parents.every((folder) => (statSync(folder).mode & 0o001) !== 0);
}
