/** Programs that want all memory there is, by every way that leads to it. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function memoryTests({ python, pythonWithin, isolates, sandbox }: Bench): void {
  describe('memory', () => {
    test('slowly, a megabyte at a time, touching all of it', async () => {
      const source = `
import time
kept = []
while True:
    kept.append(b'x' * (1 << 20)); time.sleep(0.002)`;
      const step = await pythonWithin({ memoryBytes: 64 * mebibyte }, source);
      expect(step).toMatchObject({ verdict: 'memory', exitCode: null });
      expect(step.peakMemoryBytes).toBeGreaterThan(48 * mebibyte);
      expect(step.peakMemoryBytes).toBeLessThan(200 * mebibyte);
    });

    test('as fast as the machine can, from many threads; and by way of the stack', async () => {
      const source = `
#include <cstdlib>
#include <cstring>
#include <thread>
static int deep(int n) { volatile char a[4096]; a[0] = n; return deep(n + 1) + a[0]; }
static void fill() { for (;;) { void *p = malloc(1 << 24); if (p) memset(p, 1, 1 << 24); } }
int main(int argc, char **argv) {
  if (argv[1][0] == 's') return deep(0);
  for (int n = 0; n < 7; n++) new std::thread(fill);
  fill();
}`;
      const ended: (string | null)[] = [];
      await sandbox.batch(
        {
          program: { language: 'cpp', source, flags: ['-O0'] },
          cases: ['threads', 'stack'].map((name) => ({ name, args: [name] })),
          workers: 1,
          limits: { memoryBytes: 128 * mebibyte, diskBytes: mebibyte },
        },
        ({ step }) => ended.push(step.verdict === 'signal' ? step.signal : step.verdict),
        new AbortController().signal,
      );
      expect(ended[0]).toBe('memory');
      // As long a stack as the machine gives, which may be more than the memory.
      expect(['memory', 'SIGSEGV']).toContain(ended[1]);
    });

    test('in memory that is shared and lies in no file, or has no name', async () => {
      const source = `
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0, 1 << 28, 0o1600) != -1: print('System V', flush=True)
try: fd = os.memfd_create('x')
except OSError: pass
else: print('memfd', flush=True)
m = mmap.mmap(-1, 400 << 20)
for at in range(0, 400 << 20, 4096): m[at] = 1
print('filled')`;
      const step = await pythonWithin({ memoryBytes: 100 * mebibyte, diskBytes: mebibyte }, source);
      expect(step.verdict).toBe('memory');
      expect(step.stdout.text).not.toContain('filled');
      if (isolates) expect(step.stdout.text).toBe('');
    });

    test('by recursion: the program’s own end', async () => {
      const limited = await python('def f(n): return f(n + 1)\nf(0)');
      expect(limited).toMatchObject({ verdict: 'exit', exitCode: 1 });
      expect(limited.stderr.text).toContain('RecursionError');
      const source = 'import sys\nsys.setrecursionlimit(1 << 30)\ndef f(n): return [f(n + 1)]\nf(0)';
      const unlimited = await pythonWithin({ memoryBytes: 128 * mebibyte }, source);
      expect(['signal', 'memory', 'exit']).toContain(unlimited.verdict);
    });

    if (!isolates) return;

    test.each(['/tmp', '/dev/shm', '.'])(
      'through files in %s: that is disk, and no more than of that',
      async (folder) => {
        const source = `
import os
written = 0
f = open('${folder}/filler', 'wb', 0)
try:
    while True: written += f.write(b'x' * 65536)
except OSError as error: print(written >> 20, error.errno)
raise SystemExit(1)`;
        const limits = { memoryBytes: 64 * mebibyte, diskBytes: 16 * mebibyte, fileBytes: 64 * mebibyte };
        const step = await pythonWithin(limits, source);
        expect(step).toMatchObject({ verdict: 'disk', exitCode: 1 });
        expect(Number(step.stdout.text.split(' ')[0])).toBeLessThanOrEqual(17);
      },
    );

    test('through files that have no name any more', async () => {
      const source = `
import os
for n in range(64):
    f = open(f'/tmp/{n}', 'wb', 0); os.unlink(f.name); globals()[f'f{n}'] = f
    f.write(b'x' * (1 << 20))`;
      const limits = { memoryBytes: 64 * mebibyte, diskBytes: 16 * mebibyte };
      const step = await pythonWithin(limits, source);
      // They are gone when it has ended; whether they were seen before is a matter of milliseconds.
      expect(['disk', 'exit']).toContain(step.verdict);
      expect(step.stderr.text).toContain('No space left');
    });

    test('through buffers of pipes and sockets: where they are not counted, no more than its open files hold', async () => {
      const source = `
import fcntl, os, socket
held = 0
kept = []
try:
    while True:
        a, b = socket.socketpair()
        a.setblocking(False); kept.append((a, b))
        a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
        try:
            while True: held += a.send(b'x' * 65536)
        except BlockingIOError: pass
        r, w = os.pipe2(os.O_NONBLOCK)
        try: fcntl.fcntl(w, 1031, 1 << 20)
        except OSError: pass
        try:
            while True: held += os.write(w, b'x' * 65536)
        except BlockingIOError: pass
except OSError as error: print(error.errno, held >> 20)`;
      const step = await pythonWithin({ memoryBytes: 96 * mebibyte, openFiles: 256 }, source);
      const { enforcement } = await sandbox.info();
      if (enforcement.memoryBytes.includes('cgroup')) expect(step.verdict).toBe('memory');
      // How much a socket can hold differs from machine to machine, and many count with that.
      else if (step.verdict !== 'memory')
        expect(step).toMatchObject({ verdict: 'ok', stdout: { text: expect.stringMatching(/^24 /) } });
    });
  });
}
