/** Programs that will not end, hide from their end, or want to end others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type Bench, sleeper } from '../bench.ts';
import { processesWith, uniqueMarker } from './host-processes.ts';

export function processTests({ exec, python, pythonWithin, isolates }: Bench): void {
  describe('processes', () => {
    test('a daemon that left its session and ignores SIGTERM does not outlive its program', async () => {
      const marker = uniqueMarker('daemon');
      const source = `
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if os.fork() == 0:
        print('daemon', flush=True)
        open('ready', 'w').close()
        time.sleep(60)
    os._exit(0)
while not os.path.exists('ready'): time.sleep(0.01)`;
      const step = await python(source, { args: [marker] });
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: 'daemon\n' } });
      expect(step.wallMs).toBeLessThan(30_000);
      expect(processesWith(marker)).toEqual([]);
    });

    test('a hundred of them, each with a child that forks on as long as it lives', async () => {
      const marker = uniqueMarker('rabbits');
      const source = `
import os, signal, time
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
for _ in range(100):
    try:
        if os.fork() == 0:
            os.setsid()
            while True:
                try:
                    if os.fork() == 0: os.setsid()
                except OSError: time.sleep(0.001)
    except OSError: break
time.sleep(0.1)
print('leaving', flush=True)
os._exit(0)`;
      const step = await python(source, { args: [marker], limits: { processes: 40 } });
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: 'leaving\n' } });
      expect(processesWith(marker)).toEqual([]);
    });

    test('an abort ends everything', async () => {
      const marker = uniqueMarker('abort');
      const controller = new AbortController();
      const source = `
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('begun', flush=True)
os.fork()
while True: time.sleep(1)`;
      const running = exec({ language: 'python', source, args: [marker] }, controller.signal);
      await until(() => processesWith(marker).length >= 2);
      controller.abort();
      const { run } = await running;
      expect(run).toMatchObject({ verdict: 'cancelled', exitCode: null });
      expect(processesWith(marker)).toEqual([]);
    });

    test('an abort during compilation, and one before the start, are told as such', async () => {
      const controller = new AbortController();
      const slow = `#include <bits/stdc++.h>\n#include <regex>\nint main() { std::regex r("${uniqueMarker('r')}"); }`;
      const compiling = exec({ language: 'cpp', source: slow }, controller.signal);
      await sleep(200);
      controller.abort();
      expect(await compiling).toMatchObject({ compile: { verdict: 'cancelled' }, run: null });
      const late = await exec({ language: 'python', source: 'print(1)' }, controller.signal);
      expect(late.run).toMatchObject({ verdict: 'cancelled', stdout: { text: '' } });
    });

    test('who closes stdout and stderr is waited for, and how it ends is told', async () => {
      const source = `
import os, time
os.write(1, b'before')
for fd in range(3): os.close(fd)
time.sleep(0.2)
os._exit(7)`;
      const step = await python(source);
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 7, stdout: { text: 'before' } });
      const { run } = await exec({ ...sleeper, args: ['closing'], limits: { wallMs: 400 } });
      expect(run).toMatchObject({ verdict: 'wall', stdout: { text: 'here\n' } });
    });

    test('who passes its stdout on to a child and ends is not waited for any longer', async () => {
      const step = await python(`
import os, time
if os.fork() == 0:
    time.sleep(60)
print('parent')`);
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: 'parent\n' } });
      expect(step.wallMs).toBeLessThan(30_000);
    });

    test('its own exit 137, and a signal to itself, are not taken for a limit', async () => {
      const exit = await python('raise SystemExit(137)');
      expect(exit).toMatchObject({ verdict: 'exit', exitCode: 137, signal: null });
      for (const name of ['SIGKILL', 'SIGXCPU', 'SIGSEGV']) {
        const step = await python(`import os, signal; os.kill(os.getpid(), signal.${name})`);
        expect(step).toMatchObject({ verdict: 'signal', exitCode: null, signal: name });
      }
    });

    if (!isolates) return;

    test('stopping and killing everything in reach harms only the program', async () => {
      const source = `
import os, signal
for n in (signal.SIGSTOP, signal.SIGKILL): os.kill(os.getppid(), n)
os.killpg(0, signal.SIGSTOP)`;
      expect(await pythonWithin({ wallMs: 400 }, source)).toMatchObject({ verdict: 'wall' });
      const everybody = await python(`
import os, signal, time
for _ in range(3):
    if os.fork() == 0: time.sleep(60)
print('harmless', flush=True)
os.kill(-1, signal.SIGKILL)
time.sleep(0.1)
raise SystemExit(3)`);
      expect(everybody).toMatchObject({ verdict: 'exit', exitCode: 3, stdout: { text: 'harmless\n' } });
    });

    test('the report cannot be forged, nor the runner stopped', async () => {
      const source = `
import os, signal, resource, ctypes
forged = b'{"verdict":"ok","exitCode":0,"signalNumber":0}\\n'
for fd in range(3, 1024):
    try: os.fstat(fd); print('was given', fd); os.write(fd, forged)
    except OSError: pass
for n in range(1, 65):
    try: os.kill(1, n)
    except OSError: pass
try: os.kill(-1, signal.SIGKILL)
except OSError: pass
for fd in range(10):
    try: os.open(f'/proc/1/fd/{fd}', os.O_WRONLY); print('opened', fd)
    except OSError: pass
try: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)); print('limited the runner')
except OSError: pass
libc = ctypes.CDLL(None, use_errno=True)
for name, arguments in [('ptrace', (16, 1, 0, 0)), ('sched_setscheduler', (1, 5, 0)), ('setpriority', (2, 0, 19))]:
    if getattr(libc, name)(*arguments) != -1: print(name, 'was allowed')
raise SystemExit(5)`;
      const step = await python(source);
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 5, stdout: { text: '' } });
    });

    test('a program that writes a report of its own on stdout has only written on stdout', async () => {
      const line = '{"verdict":"ok","exitCode":0,"failure":"x"}\n';
      const step = await python(`import sys; sys.stdout.write('${line.trim()}\\n'); sys.exit(4)`);
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 4, stdout: { text: line } });
    });
  });
}
