/** Programs that go beyond each limit in turn: they are stopped in time, and the right limit is blamed. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte, sleeper } from './bench.ts';

export function limitTests(bench: Bench): void {
  const { exec, python, pythonWithin, isolates, sandbox } = bench;
  processTests(bench);
  describe('limits', () => {
    test('wall: a program that sleeps', async () => {
      const { run } = await exec({ ...sleeper, limits: { wallMs: 800 } });
      const step = ranOf(run);
      expect(step).toMatchObject({
        verdict: 'wall',
        exitCode: null,
        signal: 'SIGKILL',
        stdout: { text: 'here\n' },
      });
      expect(step.wallMs).toBeGreaterThanOrEqual(799);
      expect(step.wallMs).toBeLessThan(30_000);
      expect(step.cpuMs).toBeLessThan(600);
    });

    test('wall: so long a time that it is none', async () => {
      expect(await pythonWithin({ wallMs: 1e12, cpuMs: 1e12 }, 'print(1)')).toMatchObject({ verdict: 'ok' });
    });

    test('wall: a program that ignores every signal it can', async () => {
      const source = `
import signal, time
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
print('kept, although nothing flushed it')
time.sleep(60)`;
      expect(await pythonWithin({ wallMs: 300 }, source)).toMatchObject({
        verdict: 'wall',
        stdout: { text: 'kept, although nothing flushed it\n' },
      });
    });

    test('cpu: a loop without end', async () => {
      const step = await pythonWithin({ cpuMs: 300 }, 'while True: pass');
      expect(step).toMatchObject({ verdict: 'cpu', exitCode: null, signal: 'SIGKILL' });
      expect(step.cpuMs).toBeGreaterThanOrEqual(300);
      expect(step.cpuMs).toBeLessThan(1500);
    });

    test('cpu: shared out among children that nobody waits for', async () => {
      const source = `
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(4):
    if os.fork() == 0:
        while True: pass
time.sleep(60)`;
      const step = await pythonWithin({ cpuMs: 400, wallMs: 50_000 }, source);
      expect(step.verdict).toBe('cpu');
      expect(step.cpuMs).toBeLessThan(3000);
    });

    test('memory: one process that fills it at once', async () => {
      const step = await pythonWithin(
        { memoryBytes: 64 * mebibyte },
        `x = b'x' * (1 << 30)\nprint('not reached')`,
      );
      expect(step).toMatchObject({ verdict: 'memory', exitCode: null, stdout: { text: '' } });
      // Who only watches may be let run when it has got far; `hostile/memory.ts` holds that to what goes slowly.
      const { enforcement } = await sandbox.info();
      if (!enforcement.memoryBytes.includes('cgroup')) return;
      expect(step.peakMemoryBytes).toBeLessThan(300 * mebibyte);
    });

    test('memory: a child that fills it is not forgiven because its parent goes on', async () => {
      const source = `
import os
if os.fork() == 0: x = b'x' * (1 << 30)
os.wait()
print('parent lives')`;
      const limits = { memoryBytes: 64 * mebibyte, diskBytes: mebibyte };
      expect(await pythonWithin(limits, source)).toMatchObject({ verdict: 'memory' });
    });

    test('memory: many processes, each below the limit', async () => {
      const source = `
import os, time
for _ in range(8):
    if os.fork() == 0:
        x = b'x' * (20 << 20)
        time.sleep(60)
time.sleep(60)`;
      expect(await pythonWithin({ memoryBytes: 100 * mebibyte, wallMs: 50_000 }, source)).toMatchObject({
        verdict: 'memory',
      });
    });

    test('memory: pages that processes share are counted once', async () => {
      const source = `
import os, time
x = b'x' * (40 << 20)
for _ in range(5):
    if os.fork() == 0:
        time.sleep(0.15); os._exit(0)
for _ in range(5): os.wait()`;
      expect(await pythonWithin({ memoryBytes: 100 * mebibyte }, source)).toMatchObject({ verdict: 'ok' });
    });

    test('memory: shared memory that lies in no file', async () => {
      const source = `
import mmap, time
m = mmap.mmap(-1, 400 << 20)
for at in range(0, 400 << 20, 4096): m[at] = 1
time.sleep(60)`;
      expect(await pythonWithin({ memoryBytes: 100 * mebibyte, diskBytes: mebibyte }, source)).toMatchObject({
        verdict: 'memory',
      });
    });

    test('memory: reaching for it in vain and dying of that is the program’s own', async () => {
      const source = `
import resource
resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))
x = bytearray(200 << 20)`;
      const step = await python(source);
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 1 });
      expect(step.stderr.text).toContain('MemoryError');
    });

    test('open files: no more than the limit, which only the program sees', async () => {
      const source = `
files = []
try:
    while True: files.append(open('/dev/null'))
except OSError as error: print(len(files), error.strerror)
raise SystemExit(4)`;
      const step = await pythonWithin({ openFiles: 32 }, source);
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 4 });
      expect(step.stdout.text).toBe('29 Too many open files\n');
    });

    test('file size: one file that grows too large', async () => {
      const source = `
f = open('big', 'wb', 0)
while True: f.write(b'x' * 65536)`;
      const limits = { fileBytes: 2 * mebibyte, diskBytes: 16 * mebibyte };
      expect(await pythonWithin(limits, source)).toMatchObject({ verdict: 'disk', exitCode: 1 });
      const sparse = `open('big', 'wb').truncate(3 << 20)`;
      expect((await pythonWithin(limits, sparse)).exitCode).toBe(1);
    });

    test('memory goes before time where both are over when somebody looks', async () => {
      const source = `
static char x[64 << 20];
int main() { for (unsigned i = 0;; i += 4096) ((volatile char *)x)[i % sizeof x] = 1; }`;
      const limits = { wallMs: 5, memoryBytes: mebibyte };
      const verdicts = new Set<string | undefined>();
      // A program that was not let run yet has taken nothing.
      for (let tries = 0; tries < 10 && !verdicts.has('memory'); tries++) {
        verdicts.add((await exec({ language: 'cpp', source, limits })).run?.verdict);
      }
      expect(verdicts).toContain('memory');
    });

    test('file size: a C++ program is ended by the kernel', async () => {
      const source = `
#include <cstdio>
int main() { FILE *f = fopen("big", "w"); char b[65536] = {}; while (fwrite(b, 1, sizeof b, f)) {} return 9; }`;
      const { run } = await exec({ language: 'cpp', source, limits: { fileBytes: 2 * mebibyte } });
      expect(run).toMatchObject({ verdict: 'disk', signal: 'SIGXFSZ' });
    });

    test.each(isolates ? ['.', '/tmp', '/dev/shm'] : ['.'])('disk: many files in %s', async (folder) => {
      const source = `
for i in range(100):
    open(f'${folder}/{i}', 'wb').write(b'x' * (1 << 20))
    print(i, flush=True)`;
      const step = await pythonWithin({ diskBytes: 8 * mebibyte, memoryBytes: 64 * mebibyte }, source);
      expect(step.verdict).toBe('disk');
      if (!isolates) return;
      expect(step).toMatchObject({ exitCode: 1, stderr: { text: expect.stringContaining('No space left') } });
      expect(step.stdout.text.trim().split('\n').length).toBeLessThan(9);
    });

    test('disk: names alone, without content', async () => {
      const source = `
i = 0
while True:
    open(f'{i}', 'w').close(); i += 1`;
      const step = await pythonWithin({ diskBytes: mebibyte, wallMs: 50_000 }, source);
      expect(step.verdict).toBe('disk');
    });

    test('disk: a full disk is not taken for full memory', async () => {
      const source = `
for i in range(60): open(f'{i}', 'wb').write(b'x' * (1 << 20))
print('fits')`;
      const limits = { diskBytes: 64 * mebibyte, memoryBytes: 32 * mebibyte };
      expect(await pythonWithin(limits, source)).toMatchObject({ verdict: 'ok', stdout: { text: 'fits\n' } });
    });

    test('output: a flood is ended at 16 times what is kept', async () => {
      const source = `import sys\nwhile True: sys.stderr.write('flood ' * 1000)`;
      const step = await pythonWithin({ outputBytes: 10_000 }, source);
      expect(step).toMatchObject({
        verdict: 'output',
        exitCode: null,
        signal: 'SIGKILL',
        stderr: { cut: true },
      });
      expect(step.stderr.bytes).toBeGreaterThan(160_000);
      expect(step.stderr.bytes).toBeLessThan(500_000);
    });
  });
}

/**
 * Without isolation, the programs of an ordinary user count together with all other processes of that user: their number
 * is then no promise, and only what root is given is tested.
 */
function processTests({ pythonWithin, isolates }: Bench): void {
  describe('a limit on processes', { tags: isolates ? [] : ['root'] }, () => {
    test('a fork bomb does not get beyond its number', async () => {
      const source = `
import os, time
made = 0
try:
    while True:
        if os.fork() == 0: time.sleep(60)
        made += 1
except OSError as error: print(made, error.strerror)`;
      const step = await pythonWithin({ processes: 10 }, source);
      expect(step.stdout.text).toMatch(/^9 Resource temporarily unavailable\n$/);
      expect(step.verdict).toBe('ok');
    });

    test('a program that fails for want of them is told so', async () => {
      const source = `
import os, time
for n in range(12):
    if n == 9: time.sleep(0.2)
    if os.fork() == 0: time.sleep(60)`;
      const step = await pythonWithin({ processes: 10 }, source);
      expect(step).toMatchObject({ verdict: 'processes', exitCode: 1 });
      expect(step.stderr.text).toContain('Resource temporarily unavailable');
    });

    test('threads count', async () => {
      const source = `
import threading, time
for n in range(12):
    if n == 9: time.sleep(0.2)
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()`;
      const step = await pythonWithin({ processes: 10 }, source);
      expect(step).toMatchObject({ verdict: 'processes', exitCode: 1 });
      expect(step.stderr.text).toContain("can't start new thread");
    });

    test('a failure below the limit is the program’s own', async () => {
      const source = `
import os, time
for n in range(3):
    if os.fork() == 0: time.sleep(60)
time.sleep(0.1)
raise SystemExit(11)`;
      expect(await pythonWithin({ processes: 10 }, source)).toMatchObject({ verdict: 'exit', exitCode: 11 });
    });

    test('a fork bomb that goes on for ever is ended', async () => {
      const source = `
import os
while True:
    try: os.fork()
    except OSError: pass`;
      const step = await pythonWithin({ processes: 50, wallMs: 1000, cpuMs: 60_000 }, source);
      expect(step.verdict).toBe('wall');
      // Fifty processes that do nothing but fork leave little of a busy machine to whoever ends them.
      expect(step.wallMs).toBeLessThan(50_000);
    });
  });
}

function ranOf<T>(step: T | null): T {
  if (step === null) throw new Error('It was compiled and not run.');
  return step;
}
