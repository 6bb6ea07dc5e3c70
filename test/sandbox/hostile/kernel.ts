/** Programs that ask the kernel for what no program needs here. */
import { describe, expect, test } from 'vitest';
import { deniedCalls } from '../../../src/sandbox/seccomp.ts';
import type { Bench } from '../bench.ts';

const column = process.arch === 'arm64' ? 1 : 0;

export function kernelTests({ python, isolates }: Bench): void {
  if (!isolates) return;
  describe('the kernel', () => {
    test('refuses every call of the list, each by itself', async () => {
      const calls = Object.entries(deniedCalls).map(([name, { numbers }]) => [name, numbers[column]]);
      const step = await python(`
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for name, number in ${pythonList(calls)}:
    if number is None: continue
    got = libc.syscall(number, 0, 0, 0, 0, 0, 0)
    if got != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): print(name, got, ctypes.get_errno())`);
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: '' }, stderr: { text: '' } });
    });

    test('gives no namespaces, mounts, devices or rights', async () => {
      const step = await python(`
import ctypes, os, stat
libc = ctypes.CDLL(None, use_errno=True)
def allowed(name, got):
    if got != -1: print(name)
for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x08000000, 0x04000000, 0x02000000):
    allowed(f'unshare {flag:x}', libc.unshare(flag))
    pid = libc.syscall(${column === 0 ? 56 : 220}, flag | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    allowed(f'clone {flag:x}', pid)
allowed('mount', libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0))
allowed('bind', libc.mount(b'/usr', b'/tmp', None, 4096, 0))
allowed('remount', libc.mount(None, b'/', None, 32, 0))
allowed('umount', libc.umount2(b'/proc', 2))
allowed('chroot', libc.chroot(b'/tmp'))
allowed('setuid', libc.setuid(0))
allowed('setgid', libc.setgid(0))
allowed('capset', libc.prctl(24, 21, 0, 0, 0) if libc.prctl(23, 21, 0, 0, 0) == 1 else -1)
allowed('sethostname', libc.sethostname(b'x', 1))
allowed('chown', libc.chown(b'/tmp', 0, 0))
for name, kind, device in (('null', stat.S_IFCHR, os.makedev(1, 3)), ('mem', stat.S_IFCHR, os.makedev(1, 1)), ('disk', stat.S_IFBLK, os.makedev(254, 0))):
    try: os.mknod(name, 0o600 | kind, device); print('mknod', name)
    except OSError: pass
status = dict(line.split(':', 1) for line in open('/proc/self/status'))
for name in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'):
    if int(status[name], 16) and name != 'CapBnd': print(name, status[name])
if status['NoNewPrivs'].strip() != '1': print('new privileges')
if status['Seccomp'].strip() != '2': print('no filter')
open('suid', 'w').write('#!/bin/sh'); os.chmod('suid', 0o6755)`);
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: '' }, stderr: { text: '' } });
    });

    test('lets nobody raise the limits that it was given', async () => {
      const step = await python(`
import os, resource
for name in ('CPU', 'FSIZE', 'NOFILE', 'NPROC', 'CORE', 'MEMLOCK'):
    kind = getattr(resource, 'RLIMIT_' + name)
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY: continue
    try: resource.setrlimit(kind, (hard + 1, hard + 1)); print(name)
    except (OSError, ValueError): pass
try: os.nice(-5); print('nice')
except OSError: pass
try: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)); print('real time')
except OSError: pass`);
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: '' } });
    });
  });
}

function pythonList(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  return JSON.stringify(rows).replaceAll('null', 'None');
}
