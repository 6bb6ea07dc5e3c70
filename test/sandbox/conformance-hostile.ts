/** Programs that want what is not theirs: other processes, the host, the network, the account itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Bench } from './bench.ts';

export function hostileTests({ exec, python, pythonWithin }: Bench): void {
  describe('hostile programs', () => {
    test('a daemon that left its session and ignores SIGTERM does not outlive its program', async () => {
      const marker = `daemon-${process.pid}-${performance.now()}`;
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
      expect(step.wallMs).toBeLessThan(2000);
      expect(processesWith(marker)).toEqual([]);
    });

    test('an abort ends everything within a second', async () => {
      const marker = `abort-${process.pid}-${performance.now()}`;
      const controller = new AbortController();
      const source = `
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('begun', flush=True)
os.fork()
while True: time.sleep(1)`;
      const running = exec({ language: 'python', source, args: [marker] }, controller.signal);
      await vi.waitUntil(() => processesWith(marker).length >= 2, { timeout: 5000 });
      const begun = performance.now();
      controller.abort();
      const { run } = await running;
      expect(performance.now() - begun).toBeLessThan(1000);
      expect(run).toMatchObject({ verdict: 'cancelled', exitCode: null, stdout: { text: 'begun\n' } });
      expect(processesWith(marker)).toEqual([]);
    });

    test('an abort during compilation, and one before the start, are told as such', async () => {
      const controller = new AbortController();
      const slow = '#include <bits/stdc++.h>\n#include <regex>\nint main() { std::regex r("a"); }';
      const compiling = exec({ language: 'cpp', source: slow }, controller.signal);
      await sleep(200);
      controller.abort();
      expect(await compiling).toMatchObject({ compile: { verdict: 'cancelled' }, run: null });
      const late = await exec({ language: 'python', source: 'print(1)' }, controller.signal);
      expect(late.run).toMatchObject({ verdict: 'cancelled', stdout: { text: '' } });
    });

    test('the host’s secrets are out of sight', async () => {
      process.env.POLYA_TEST_SECRET = 'top-secret';
      const source = `
import os
for path in ['/etc/shadow', '/root', '/home', '/proc/1/environ', '/proc/1/mem', '/proc/1/fd', '/proc/kcore',
             '/sys', '/var', '/work', '/tmp/polya-0', '/etc/hostname', '/dev/kmsg', '/dev/mem', '/dev/vda']:
    try:
        if os.path.isdir(path): print(path, os.listdir(path))
        else: print(path, open(path, 'rb').read(100))
    except OSError: pass
print(sorted(os.environ), os.getuid(), os.uname().nodename)
print([p for p in os.listdir('/proc') if p.isdigit()])`;
      const step = await python(source);
      expect(step.verdict).toBe('ok');
      const [environment, processes] = step.stdout.text.trim().split('\n');
      expect(environment).not.toMatch(/SECRET|'\/|ROOT/);
      expect(environment).toContain(' 1000 ');
      expect(processes).toBe("['1', '2']");
      expect(step.stdout.text.trim().split('\n').length).toBe(2);
    });

    test('nothing but the scratch folders can be written', async () => {
      const source = `
import os
def attempt(path):
    try:
        open(path, 'w').close(); print('wrote', path)
    except OSError: pass
for path in ['/x', '/usr/x', '/etc/x', '/dev/x', '/run/x', '/run/polya/runner', '/etc/passwd', '/proc/x', '/home/x',
             '/usr/bin/python3', '/proc/sys/kernel/hostname', '/proc/sys/vm/overcommit_memory', '/proc/1/oom_score_adj']:
    attempt(path)
for folder, _, _ in os.walk('/'):
    if not folder.startswith(('/proc', '/scratch')): attempt(folder + '/polya-test')
for path in ['x', '/tmp/x', '/dev/shm/x']: attempt(path)`;
      const step = await python(source);
      expect(step.stdout.text).toBe('wrote x\nwrote /tmp/x\nwrote /dev/shm/x\n');
    });

    test('there is no network, not even to this machine', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const source = `
import socket, sys
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    for address in [('127.0.0.1', int(sys.argv[1])), ('1.1.1.1', 53), ('169.254.169.254', 80)]:
        try:
            s = socket.socket(socket.AF_INET, kind); s.settimeout(1); s.connect(address); s.send(b'x'); s.send(b'x')
            print('reached', address)
        except OSError: pass
for family in (16, 17, 38, 40):
    try: socket.socket(family, socket.SOCK_DGRAM); print('family', family)
    except OSError: pass
try: print(socket.gethostbyname('example.com'))
except OSError: print('no names')`;
      const step = await python(source, { args: [String(port)] });
      server.close();
      expect(step.stdout.text).toBe('no names\n');
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
for name, arguments in [('ptrace', (16, 1, 0, 0)), ('sched_setscheduler', (1, 5, 0)), ('setpriority', (2, 0, 19)),
                        ('unshare', (0x10000000,)), ('mount', (b'none', b'/tmp', b'tmpfs', 0, 0))]:
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

    test('stopping and killing everything in reach harms only the program', async () => {
      const source = `
import os, signal
for n in (signal.SIGSTOP, signal.SIGKILL): os.kill(os.getppid(), n)
os.killpg(0, signal.SIGSTOP)`;
      expect(await pythonWithin({ wallMs: 400 }, source)).toMatchObject({ verdict: 'wall' });
    });

    test('the compiler reads nothing of the host', async () => {
      const source = '#include "/etc/shadow"\n#include "/proc/1/environ"\nint main() {}';
      const { compile, run } = await exec({ language: 'cpp', source });
      expect(run).toBeNull();
      expect(compile?.stderr.text).toContain('/etc/shadow: No such file');
      expect(compile?.stderr.text).not.toContain('root:');
    });
  });
}

/** Command lines of all processes of this machine that hold the marker; ourselves left out. */
function processesWith(marker: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}
