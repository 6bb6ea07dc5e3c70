/** Programs that read: other processes, the host, its environment, one another. */
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Bench } from '../bench.ts';

const secret = `polya-secret-${process.pid}`;

export function secretTests({ python, isolates, sandbox }: Bench): void {
  describe('secrets', () => {
    test('the host’s environment is not the program’s', async () => {
      process.env.POLYA_TEST_SECRET = secret;
      const step = await python(`
import os, subprocess
print(sorted(os.environ), open('/proc/self/environ').read(), subprocess.run('env', capture_output=True, text=True).stdout)`);
      expect(step.verdict).toBe('ok');
      expect(step.stdout.text).not.toMatch(/SECRET|polya-secret|ROOT|NODE_/);
    });

    if (!isolates) return;

    test('nothing of the host’s is found anywhere, however long one looks', async () => {
      const folder = temporaryFolder('hostile');
      writeFileSync(join(folder, secret), secret);
      const step = await python(`
import os
readable = ['/etc/shadow', '/etc/hostname', '/etc/machine-id', '/root', '/home', '/var', '/srv', '/mnt', '/opt', '/boot',
  ${JSON.stringify(folder)}, ${JSON.stringify(homedir())}, ${JSON.stringify(process.cwd())}, '/run/docker.sock', '/var/run/docker.sock',
  '/etc/resolv.conf', '/dev/kmsg', '/dev/mem', '/dev/port', '/dev/vda', '/dev/sda', '/dev/tty', '/dev/fuse', '/dev/kvm', '/proc/kcore', '/proc/kmsg',
  '/proc/1/environ', '/proc/1/mem', '/proc/1/maps', '/proc/1/cwd', '/proc/1/root/etc', '/proc/1/fd', '/proc/1/fdinfo',
  '/proc/sysrq-trigger', '/proc/keys', '/sys/kernel', '/sys/devices', '/sys/class', '/sys/firmware']
for path in readable:
    try:
        if os.path.isdir(path):
            names = os.listdir(path)
            if names not in ([], ['tmp']): print(path, names[:5])
        else:
            with open(path, 'rb') as f: content = f.read(100)
            if content: print(path, content)
    except OSError: pass
print(os.uname().nodename, [p for p in os.listdir('/proc') if p.isdigit()], os.getuid() != 0, os.getgroups())
found = []
for folder, folders, names in os.walk('/'):
    folders[:] = [name for name in folders if folder != '/' or name not in ('proc', 'usr')]
    found += [os.path.join(folder, name) for name in names if 'polya-secret' in name]
print(found)`);
      expect(step).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
      const lines = step.stdout.text.trim().split('\n');
      expect(lines.at(-1)).toBe('[]');
      expect(lines.at(-2)).toMatch(/^\w+ \['1', '\d+'\] True /);
      expect(lines.slice(0, -2)).toEqual([]);
    });

    test('cases of one batch do not meet: neither one after the other nor side by side', async () => {
      const source = `
import os, sys, time
name = sys.stdin.read()
seen = []
for folder in ('.', '/tmp', '/dev/shm', '/box', '/scratch', '/proc'):
    try: seen += [entry for entry in os.listdir(folder) if 'of-' in entry]
    except OSError: pass
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        line = open(f'/proc/{pid}/cmdline').read()
        if 'of-' in line: seen.append(line)
    except OSError: pass
for folder in ('.', '/tmp', '/dev/shm'): open(f'{folder}/of-{name}', 'w').write(name)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv('/bin/sleep', ['of-' + name, '60'])
    os._exit(0)
time.sleep(0.05)
print(name, seen)`;
      const told: string[] = [];
      await sandbox.batch(
        {
          program: { language: 'python', source },
          cases: Array.from({ length: 6 }, (_, n) => ({ name: String(n), stdin: String(n) })),
          workers: 2,
        },
        ({ step }) => told.push(step.stdout.text.trim() + step.stderr.text),
        new AbortController().signal,
      );
      expect(told.sort()).toEqual(Array.from({ length: 6 }, (_, n) => `${n} []`));
    });

    test('a program cannot be changed for the case that comes after', async () => {
      const source = `
import os, sys
me = sys.argv[0] if os.path.isabs(sys.argv[0]) else os.path.abspath(sys.argv[0])
for path in (me, '/box/main.py', '/scratch/program', '/scratch/box/main.py', '/run/polya/runner'):
    try:
        os.chmod(path, 0o777)
    except OSError: pass
    try:
        with open(path, 'w') as f: f.write('print("changed")')
    except OSError: pass
print('as it was')`;
      const told: string[] = [];
      const cases = ['a', 'b', 'c'].map((name) => ({ name }));
      await sandbox.batch(
        { program: { language: 'python', source }, cases, workers: 1 },
        ({ step }) => told.push(step.stdout.text),
        new AbortController().signal,
      );
      expect(told).toEqual(['as it was\n', 'as it was\n', 'as it was\n']);
    });
  });
}
