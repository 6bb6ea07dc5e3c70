/** The bubblewrap back-end on machines and as users other than the usual; and after its own violent death. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cell, CellLostError, type Job } from '../../src/sandbox/backend.ts';
import { bubblewrapSandbox, openBubblewrap } from '../../src/sandbox/bubblewrap.ts';
import { cgroupPlans } from '../../src/sandbox/cgroup.ts';
import { defaultRunLimits } from '../../src/sandbox/limits.ts';
import { ownerName } from '../../src/sandbox/owner.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import {
  type Copy,
  copySources,
  isRoot,
  runCopy,
  runCopyOn,
  stageIn,
  startCopy,
  without,
} from './elsewhere.ts';
import { processesWith } from './hostile/host-processes.ts';

const copy = (script: string, mode = 0o755): Copy => copySources(script, mode);
/** Where everything is staged already. */
let stagedParent = '';
beforeAll(async () => {
  stagedParent = temporaryFolder('staged');
  chmodSync(stagedParent, 0o755);
  await stageIn(stagedParent);
  await bubblewrapSandbox({ stagingParents: [stagedParent] }).info();
});

/** A place of a test's own, with all that was staged. */
function stagedElsewhere(): string {
  const parent = temporaryFolder('staged');
  chmodSync(parent, 0o755);
  for (const name of readdirSync(stagedParent).filter((entry) => entry.startsWith('polya-')))
    execFileSync('cp', ['-al', join(stagedParent, name), parent]);
  return parent;
}

const bothLanguages = `
const sandbox = bubblewrapSandbox();
const python = await sandbox.exec({ language: 'python', source: 'print(6 * 7)' }, signal);
const cpp = await sandbox.exec({ language: 'cpp', source: '#include <cstdio>\\nint main() { puts("42"); }' }, signal);
console.log(JSON.stringify([python.run.stdout.text, cpp.run?.stdout.text]));`;

const batchAndPair = `
const sandbox = bubblewrapSandbox();
const said = [];
const listen = ({ step, tester }) => void said.push([step.verdict, step.stdout.text, tester?.stdout.text]);
const program = { language: 'python', source: 'print(int(input()) * 2, flush=True)' };
const cases = [{ name: 'a', stdin: '21' }, { name: 'b', stdin: '4' }];
await sandbox.batch({ program, cases, workers: 1 }, listen, signal);
const source = 'import subprocess, sys; print(subprocess.run(sys.argv[1:], input="5", capture_output=True, text=True).stdout)';
const tester = { program: { language: 'python', source }, talks: 'relay' };
await sandbox.batch({ program, tester, cases: [{ name: 'c' }] }, listen, signal);
console.log(JSON.stringify([said, await sandbox.clean()]));`;
const batchAndPairSaid = [
  [
    ['ok', '42\n', null],
    ['ok', '8\n', null],
    ['ok', '', '10\n\n'],
  ],
  [],
];

/** What a control group would count, and an ordinary user has to have counted without one. */
const hiding = `
const memory = \`
import mmap
kept = []
for _ in range(8):
    kept.append(mmap.mmap(-1, 50 << 20))
    for at in range(0, 50 << 20, 4096): kept[-1][at] = 1
    kept[-1].madvise(mmap.MADV_DONTNEED)\`;
const cpu = \`
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        while time.process_time() < 0.004: pass
        os._exit(0)
    time.sleep(0.001)\`;
const shared = (hides) => \`
import ctypes, os, time
assert ctypes.CDLL(None).prctl(4, \${hides ? 0 : 1}) == 0
kept = bytearray(60 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(0.3)
        os._exit(0)
for _ in range(4): os.wait()\`;
const sandbox = bubblewrapSandbox();
const limits = { memoryBytes: 200 << 20, cpuMs: 500 };
const ended = [];
for (const source of [memory, cpu, shared(false), shared(true)]) {
  const { run } = await sandbox.exec({ language: 'python', source, limits }, signal);
  ended.push([run.verdict, run.decidedBy ?? null, run.cpuIsUpperBound || run.memoryIsUpperBound || false]);
}
console.log(JSON.stringify(ended));`;
const hidingReported = [
  ['memory', 'samples of the process table', false],
  ['cpu', 'an upper bound: it hid what its children used', true],
  ['ok', null, false],
  ['memory', 'an upper bound: it forbade to read its memory', true],
];

const complaint = `
const error = await bubblewrapSandbox().info().then(() => null, (error) => error);
console.log(JSON.stringify(error && { name: error.name, ...error.explanation }));`;

describe('whoever and wherever we are', () => {
  test('from a folder that is closed to others', async () => {
    expect(await runCopy(copy(bothLanguages, 0o700))).toEqual(['42\n', '42\n']);
  });

  test('as an ordinary user', { tags: ['root'] }, async () => {
    const uid = 60_500;
    const own = temporaryFolder('ordinary');
    chmodSync(own, 0o755);
    chownSync(own, uid, uid);
    await stageIn(own, { runner: false, uid });
    const user = { uid, gid: uid, temporary: own };
    expect(await runCopy(copy(bothLanguages), user)).toEqual(['42\n', '42\n']);
    expect(await runCopy(copy(batchAndPair), user)).toEqual(batchAndPairSaid);
    expect(readdirSync(own)).toEqual([`polya-${uid}`]);
    expect(await runCopy(copy(hiding), user)).toEqual(hidingReported);
  });

  test('two processes may set up at once', async () => {
    const parent = copy('').folder;
    await stageIn(parent, { runner: false });
    const script = `
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
console.log(JSON.stringify((await sandbox.info()).toolchains.length));`;
    const [one, other] = [copy(script), copy(script)];
    const counts = await Promise.all([runCopy(one), runCopy(other)]);
    expect(counts).toEqual([expect.any(Number), counts[0]]);
    expect(counts[0]).toBeGreaterThanOrEqual(3);
    const [folder = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
    expect(readdirSync(`${parent}/${folder}`).filter((name) => name.startsWith('runner-'))).toHaveLength(1);
  });

  test('what a toolchain answered is kept as long as it stays the same', async () => {
    const parent = stagedParent;
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
    // There may be one for each of several users or back-ends.
    const ofPython = answers
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
      .filter(({ text }) => text.startsWith('Python'));
    for (const { path } of ofPython) writeFileSync(path, 'Python 9.9.9\n');
    expect(await versions()).toContain('Python 9.9.9');
    for (const { path, text } of ofPython) writeFileSync(path, text);
  });

  test('an abort does not wait for what is made once for later', async () => {
    const parent = stagedElsewhere();
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    await sandbox.info();
    const controller = new AbortController();
    const running = sandbox.exec({ language: 'kotlin', source: 'fun main() {}' }, controller.signal);
    // The first cell is the one that makes it. Without Kotlin there is none, and the test ends with that error.
    await Promise.race([until(() => cellsOf(process.pid).length > 0), running]);
    controller.abort();
    expect(await running).toMatchObject({ compile: { verdict: 'cancelled' }, run: null });
    const made = readdirSync(parent, { recursive: true, encoding: 'utf8' });
    expect(made.filter((name) => name.endsWith('.jsa'))).toEqual([]);
  });

  test('staged files that the system cleared away are made again', async () => {
    const parent = stagedElsewhere();
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    await sandbox.info();
    const [staging = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
    rmSync(`${parent}/${staging}`, { recursive: true });
    await stageIn(parent, { runner: false });
    const { run } = await sandbox.exec({ language: 'python', source: '' }, new AbortController().signal);
    expect(run?.verdict).toBe('ok');
  });
});

describe('what is missing is named', () => {
  test('bubblewrap', async () => {
    expect(await runCopyOn(copy(complaint), without('/usr/bin/bwrap'))).toEqual({
      code: 'backend-unavailable',
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
      // Root of a user namespace without other users is told so first.
      fix: expect.stringMatching(/namespaces may be forbidden|Start Polya as an ordinary user/),
    });
  });

  test('one toolchain, while others still run', async () => {
    const script = `
const sandbox = bubblewrapSandbox();
const { toolchains } = await sandbox.info();
const python = await sandbox.exec({ language: 'python', source: 'print(1)' }, signal);
const rust = await sandbox.exec({ language: 'rust', source: '' }, signal).catch((error) => error.message);
console.log(JSON.stringify([toolchains.map(({ language }) => language), python.run.verdict, rust]));`;
    // A user's own would take its place.
    const restrictions = [...without('/usr/bin/rustc'), '--setenv', 'RUSTUP_HOME', '/nonexistent'];
    expect(await runCopyOn(copy(script), restrictions)).toEqual([
      expect.not.arrayContaining(['rust']),
      'ok',
      expect.stringContaining('sudo apt-get install rustc cargo'),
    ]);
  });

  test('room on the disk: another place is taken, else it is said that there is none', async () => {
    const full = copy('').folder;
    const parent = copy('').folder;
    const script = `
const { openBubblewrap } = await import('./src/sandbox/bubblewrap.ts');
const { folder } = await openBubblewrap({ stagingParents: ['${full}', '${parent}'] });
const error = await openBubblewrap({ stagingParents: ['${full}'] }).then(() => null, (error) => error);
console.log(JSON.stringify([folder, error.explanation]));`;
    const restrictions = ['--perms', '0755', '--size', '4096', '--tmpfs', full, '--setenv', 'TMPDIR', full];
    expect(await runCopyOn(copy(script), restrictions)).toEqual([
      expect.stringContaining(`${parent}/polya-`),
      {
        code: 'no-room',
        what: 'There is no sandbox to run code in.',
        why: expect.stringContaining(`no room in ${full}`),
        fix: expect.stringMatching(/Free some room.*TMPDIR/),
      },
    ]);
  });

  test('a folder to work in', async () => {
    const sandbox = bubblewrapSandbox({ stagingParents: ['/nonexistent'] });
    await expect(sandbox.info()).rejects.toThrow(/None of \/nonexistent/);
  });
});

describe('nothing is left behind', () => {
  test('by programs of every fate', async () => {
    const parent = stagedParent;
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    const controller = new AbortController();
    await sandbox.info();
    const sources = ['print(1)', 'while True: pass', 'x = b"x" * (1 << 30)'];
    const limits = { cpuMs: 200, memoryBytes: 64 << 20 };
    const running = sources.map((source) =>
      sandbox.exec({ language: 'python', source, limits }, controller.signal),
    );
    await Promise.all(running);
    // A control group that stays busy is removed later, while nobody waits.
    await until(() => leftovers(parent, process.pid).length === 0);
  });

  test.each([
    ['in a run', `await sandbox.exec({ language: 'python', source, args: [marker], limits }, signal);`],
    [
      'in a batch',
      `const cases = Array.from({ length: 99 }, (_, n) => ({ name: String(n), args: [marker] }));
await sandbox.batch({ program: { language: 'python', source }, cases, workers: 2, limits }, () => {}, signal);`,
    ],
    [
      'in a pair',
      `const program = { language: 'python', source };
const tester = { program, talks: 'stdio', args: [marker], limits };
await sandbox.batch({ program, tester, cases: [{ name: 'one' }], workers: 1, limits }, () => {}, signal);`,
    ],
  ])('by a Polya that was killed %s: programs die at once, the rest is cleaned', async (_where, work) => {
    const parent = stagedParent;
    const ours = bubblewrapSandbox({ stagingParents: [parent] });
    await ours.info();
    // Control groups and processes are the machine's: what other tests kill at the same time is found here as well.
    const isOurs = ({ name }: { name: string }) => name.startsWith(parent) || name.includes(ownerName());
    expect((await ours.clean()).filter(isOurs)).toEqual([]);
    const marker = `orphan-${process.pid}-${performance.now()}`;
    const script = `
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
const marker = '${marker}';
const limits = { wallMs: 300_000 };
const source = 'import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)';
${work}`;
    const polya = startCopy(copy(script));
    await until(() => processesWith(marker).length >= 2, 50);
    const held = leftovers(parent, polya.pid);
    if (isRoot) expect(held).not.toEqual([]);
    polya.kill('SIGKILL');
    await until(() => processesWith(marker).length === 0, 50);
    const removed: string[] = [];
    // A control group stays busy for a moment after its processes are gone.
    const isClean = async () => {
      for (const { kind } of await ours.clean()) removed.push(kind);
      return leftovers(parent, polya.pid).length === 0;
    };
    await until(isClean, 50);
    if (held.length > 0) expect(removed.length).toBeGreaterThan(0);
    expect(cellsOf(polya.pid)).toEqual([]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(parent);
  });

  test('by a Polya that was killed: another one, with files elsewhere, clears its control groups away', async () => {
    const elsewhere = stagedParent;
    const ours = bubblewrapSandbox({ stagingParents: [elsewhere] });
    await ours.info();
    // The first cell only tries the machine, and is gone at once: the program's own is waited for, by its name.
    const marker = `elsewhere-${process.pid}-${performance.now()}`;
    const polya = startCopy(
      copy(`
const sandbox = bubblewrapSandbox();
const args = ['${marker}'];
const limits = { wallMs: 300_000 };
await sandbox.exec({ language: 'python', source: 'import time; time.sleep(300)', args, limits }, signal);`),
    );
    await until(() => processesWith(marker).length > 0, 50);
    const groups = () => leftovers(elsewhere, polya.pid);
    const held = groups();
    await ours.clean();
    expect(groups()).toEqual(held);
    polya.kill('SIGKILL');
    const isClean = async () => {
      await ours.clean();
      return groups().length === 0;
    };
    await until(isClean, 50);
  });

  test('by a Polya that was killed: the next start cleans as well', async () => {
    const parent = stagedParent;
    const marker = `next-${process.pid}-${performance.now()}`;
    const script = `
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
const request = { language: 'python', source: 'import time; time.sleep(300)', args: ['${marker}'] };
await sandbox.exec({ ...request, limits: { wallMs: 300_000 } }, signal);`;
    const polya = startCopy(copy(script));
    await until(() => processesWith(marker).length > 0, 50);
    expect(cellsOf(polya.pid)).not.toEqual([]);
    if (isRoot) expect(leftovers(parent, polya.pid)).not.toEqual([]);
    polya.kill('SIGKILL');
    const isClean = async () => {
      await bubblewrapSandbox({ stagingParents: [parent] }).info();
      return leftovers(parent, polya.pid).length === 0 && cellsOf(polya.pid).length === 0;
    };
    await until(isClean, 50);
  });

  test('of other versions and of what was never finished', async () => {
    const parent = stagedParent;
    const sandbox = bubblewrapSandbox({ stagingParents: [parent] });
    await sandbox.info();
    const [staging = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
    const folder = `${parent}/${staging}`;
    const before = readdirSync(folder).sort();
    const draft = `${folder}/runner-aa.00000000-0000-0000-0000-000000000000`;
    for (const path of [`${folder}/runner-0123`, `${folder}/filter-0123`, draft, `${draft.slice(0, -1)}1`]) {
      writeFileSync(path, '');
    }
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(draft, longAgo, longAgo);
    // What others leave on this machine at the same time is found as well.
    const removed = (await sandbox.clean()).filter(({ name }) => name.startsWith(folder));
    expect(removed.map(({ kind, name }) => `${kind} ${name.slice(folder.length + 1)}`).sort()).toEqual([
      'draft runner-aa.00000000-0000-0000-0000-000000000000',
      'staged file filter-0123',
      'staged file runner-0123',
    ]);
    expect(readdirSync(folder).sort()).toEqual(
      [...before, 'runner-aa.00000000-0000-0000-0000-000000000001'].sort(),
    );
    rmSync(`${draft.slice(0, -1)}1`);
  });

  test('on a full disk, where programs still run or the want of room is told', async () => {
    const parent = copy('').folder;
    const script = `
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
mkdirSync('${parent}/small');
const sandbox = bubblewrapSandbox({ stagingParents: ['${parent}'] });
await sandbox.info();
try { for (let n = 0; ; n++) writeFileSync('${parent}/full-' + n, Buffer.alloc(4096, 1)); } catch {}
const source = 'print(input())';
const program = { language: 'python', source };
const tester = { program: { language: 'python', source: 'print(7)' }, talks: 'stdio' };
const told = (work) => work.then((result) => result.finished ?? result.run.stdout.text, (error) => error.name);
const exec = await told(sandbox.exec({ language: 'python', source, stdin: '42' }, signal));
const batch = await told(sandbox.batch({ program, cases: [{ name: 'a', stdin: '1' }] }, () => {}, signal));
const pair = await told(sandbox.batch({ program, tester, cases: [{ name: 'a' }] }, () => {}, signal));
const [staging] = readdirSync('${parent}').filter((name) => name.startsWith('polya-'));
const left = ['slots', 'pipes'].map((name) => { try { return readdirSync('${parent}/' + staging + '/' + name).length; } catch { return 0; } });
console.log(JSON.stringify({ exec, batch, pair, left }));`;
    const seen = await runCopyOn(copy(script), ['--size', String(3 << 20), '--tmpfs', parent]);
    expect(seen).toMatchObject({ left: [0, 0] });
    expect(seen).toEqual({
      exec: expect.stringMatching(/^(42\n|UnavailableError)$/),
      batch: expect.toSatisfy((told) => told === 1 || told === 'UnavailableError'),
      pair: expect.toSatisfy((told) => told === 1 || told === 'UnavailableError'),
      left: [0, 0],
    });
  });
});

describe('when the runner itself is lost', () => {
  const cells: Cell[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const cell of cells.splice(0)) await cell.close();
  });
  const jobWithin = (wallMs: number): Job => ({
    command: ['/bin/sleep', '300'],
    files: [],
    stdin: null,
    collectPath: null,
    limits: { ...defaultRunLimits, wallMs },
  });
  /** The runner waits for its first job: nothing of it can be over before it is lost. */
  const opened = async () => {
    const backend = await openBubblewrap({ stagingParents: [stagedParent] });
    const cell = await backend.openCell({ limits: defaultRunLimits, mounts: [], kept: [], roomBytes: 0 });
    cells.push(cell);
    return { cell, runner: await until(() => runnerOf(process.pid)) };
  };

  test('a cancelled program is ended all the same', async () => {
    const controller = new AbortController();
    const { cell, runner } = await opened();
    process.kill(runner, 'SIGSTOP');
    const running = cell.run(jobWithin(300_000), controller.signal);
    controller.abort();
    expect((await running).step).toMatchObject({ verdict: 'cancelled', stdout: { text: '' } });
  });

  test('and one whose time is up', async () => {
    const { cell, runner } = await opened();
    process.kill(runner, 'SIGSTOP');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = cell.run(jobWithin(2000), new AbortController().signal);
    vi.advanceTimersByTime(40_000);
    vi.useRealTimers();
    expect((await running).step).toMatchObject({ verdict: 'wall' });
  });

  test('and a program is not blamed for what was done from outside', async () => {
    const { cell, runner } = await opened();
    const running = cell.run(jobWithin(300_000), new AbortController().signal);
    running.catch(() => {});
    // The job has been taken up.
    await until(() => childrenOf(runner, 'sleep').length > 0);
    process.kill(runner, 'SIGKILL');
    await expect(running).rejects.toThrow(/killed from outside/);
    // What was lost so is run once more, in another cell.
    await expect(running).rejects.toBeInstanceOf(CellLostError);
  });
});

/** Cells on this machine that the process of this number opened. */
function cellsOf(pid: number | undefined): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith(`polya-cell-${pid}-`)
      );
    } catch {
      return false;
    }
  });
}

/** Users and pipes in use, and control groups that this process made: a run of an ordinary user may hold nothing of it. */
function leftovers(parent: string, pid: number | undefined): readonly string[] {
  const [staging = ''] = readdirSync(parent).filter((name) => name.startsWith('polya-'));
  const folders = cgroupPlans().flatMap((plan) => plan.folders);
  const groups = folders.flatMap((folder) => readdirSync(folder));
  return [
    ...readdirSync(`${parent}/${staging}/slots`),
    ...(existsSync(`${parent}/${staging}/pipes`) ? readdirSync(`${parent}/${staging}/pipes`) : []),
    ...groups.filter((name) => name.startsWith(`polya-${pid}-`)),
  ];
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
