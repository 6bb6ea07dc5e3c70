/** Cases of one worker do not meet: whatever one leaves behind, the next finds what the first one found. */
import { describe, expect, test } from 'vitest';
import type { Bench } from './bench.ts';

/** Prints all that a program can see of what others may have left; what only counts (process numbers) left out. */
export const look = `
import hashlib, stat, time
def look():
    for folder, folders, files in os.walk('/scratch'):
        folders.sort()
        for name in sorted(folders + files):
            path = os.path.join(folder, name)
            info = os.lstat(path)
            print(path, oct(info.st_mode), info.st_nlink if stat.S_ISREG(info.st_mode) else '')
    top = os.stat('/scratch')
    print(oct(top.st_mode), top.st_uid, os.listxattr('/scratch'), abs(top.st_mtime - time.time()) < 60)
    for folder in ['/box', '/tmp', '/dev/shm']: print(os.path.realpath(folder), os.listxattr(folder))
    print(hashlib.sha256(open('main.py', 'rb').read()).hexdigest())
    print(sum(name.isdigit() for name in os.listdir('/proc')), open('/proc/1/oom_score_adj').read())
    print(open('/proc/sysvipc/sem').read(), open('/proc/sysvipc/shm').read(), open('/proc/sysvipc/msg').read())
    print(os.getcwd(), os.listdir('/proc/self/fd'), os.getpriority(os.PRIO_PROCESS, 0), sorted(os.sched_getaffinity(0)))
`;

export const mess: Readonly<Record<string, string>> = {
  'daemons that ignore signals and write on': `
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        for n in range(1, 65):
            try: signal.signal(n, signal.SIG_IGN)
            except (OSError, ValueError): pass
        if os.fork() == 0:
            while True:
                try: open('/tmp/word', 'a').write('x'); open('main.py', 'a').write('#')
                except OSError: pass
        os._exit(0)
time.sleep(0.1)`,
  'stopped processes': `
if os.fork() == 0: os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(0.05)`,
  'files everywhere': `
for folder in ['.', '/tmp', '/dev/shm', '/scratch', '/box']: open(folder + '/word', 'w').write('word')
os.link('/tmp/word', '/tmp/other')`,
  'a changed program': `
open('main.py', 'w').write('print("changed")')
os.chmod('main.py', 0)`,
  'something else in the place of the program': `
os.remove('main.py'); os.mkdir('main.py'); open('main.py/word', 'w').close()`,
  'closed folders': `
os.makedirs('/tmp/a/b/c'); open('/tmp/a/b/c/word', 'w').close()
for folder in ['/tmp/a/b/c', '/tmp/a/b', '/tmp/a', '/tmp', '/dev/shm', '.', '/scratch']: os.chmod(folder, 0)`,
  'other folders in the place of ours': `
os.chdir('/scratch'); os.rename('box', 'moved'); os.symlink('/usr', 'box'); os.rmdir('tmp'); open('tmp', 'w').close()
os.rmdir('shm'); os.symlink('moved', 'shm')`,
  'a tree of 10,000 folders, one in the other': `
for _ in range(10000): os.mkdir('a'); os.chdir('a')
open('word', 'w').close()`,
  'a tree of 10,000 files': `
for n in range(100):
    os.mkdir(f'd{n}')
    for m in range(100): open(f'd{n}/{m}', 'w').close()
    os.chmod(f'd{n}', 0o500)`,
  'open pipes and sockets by name': `
os.mkfifo('pipe'); os.open('pipe', os.O_RDWR)
import socket
s = socket.socket(socket.AF_UNIX); s.bind('/tmp/socket'); s.listen()
t = socket.socket(socket.AF_UNIX); t.bind('\\0abstract'); t.listen()
if os.fork() == 0: time.sleep(60)`,
  'shared memory and semaphores': `
import ctypes, mmap
libc = ctypes.CDLL(None)
print(libc.semget(1234, 1, 0o1666), libc.shmget(1234, 4096, 0o1666), libc.msgget(1234, 0o1666))
# Not by Python's own class: what watches that in a process of its own warns when it has time to.
print(libc.shm_open(b'/word', os.O_CREAT | os.O_RDWR, 0o666))
print(libc.sem_open(b'/word', os.O_CREAT, 0o666, 1) != 0, libc.mq_open(b'/word', os.O_CREAT | os.O_RDWR, 0o666, 0))`,
  'attributes of the scratch folder': `
for folder in ['/scratch', '/scratch/box', '/scratch/tmp']:
    os.chmod(folder, 0o1777); os.utime(folder, (1, 1))
    try: os.setxattr(folder, 'user.word', b'word')
    except OSError: pass`,
  'priorities and limits': `
import resource
os.nice(10); os.sched_setaffinity(0, {0})
resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10)); resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))`,
};

export function leftoverTests({ sandbox }: Bench): void {
  const source = `
import os, signal, sys, time
${look}
if len(sys.argv) == 1: look()
else: exec(sys.argv[1])`;

  describe('between two cases of a worker', () => {
    test.each(Object.entries(mess))('nothing is left of %s', async (_what, made) => {
      const seen: string[] = [];
      const cases = [
        { name: 'before' },
        { name: 'mess', args: [made] },
        { name: 'after' },
        { name: 'mess', args: [made] },
        { name: 'once more' },
      ];
      const ended = await sandbox.batch(
        {
          program: { language: 'python', source },
          cases,
          workers: 1,
        },
        ({ name, step }) => {
          if (name === 'mess') expect(step.stderr.text).toBe('');
          else seen.push(`${step.verdict}\n${step.stdout.text}${step.stderr.text}`);
        },
        new AbortController().signal,
      );
      expect(ended.finished).toBe(5);
      expect(seen[0]).toMatch(/^ok\n.*main\.py/s);
      expect(seen[1]).toBe(seen[0]);
      expect(seen[2]).toBe(seen[0]);
    });

    test('what one case was refused or killed for is not held against the next', async () => {
      const plans: Readonly<Record<string, string>> = {
        forks: `
import os, time
for _ in range(20):
    if os.fork() == 0: time.sleep(60)`,
        eats: `x = b'x' * (1 << 30)`,
        'ends with 137': 'import os; os._exit(137)',
        'kills itself': 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)',
        fills: `open('/tmp/x', 'wb').write(b'x' * (30 << 20))`,
      };
      const names = [
        'forks',
        'ends with 137',
        'eats',
        'ends with 137',
        'kills itself',
        'fills',
        'ends with 137',
      ];
      const cases = names.map((name) => ({ name, args: [plans[name] ?? ''] }));
      const verdicts: unknown[] = [];
      const limits = { processes: 8, memoryBytes: 64 << 20, diskBytes: 16 << 20 };
      const program = { language: 'python', source: 'import sys; exec(sys.argv[1])' } as const;
      await sandbox.batch(
        { program, cases, workers: 1, limits },
        ({ name, step }) => void verdicts.push([name, step.verdict, step.exitCode]),
        new AbortController().signal,
      );
      expect(verdicts).toEqual([
        ['forks', expect.stringMatching(/^(processes|exit)$/), 1],
        ['ends with 137', 'exit', 137],
        ['eats', 'memory', null],
        ['ends with 137', 'exit', 137],
        ['kills itself', 'signal', null],
        // Ended by the disk or by the runner, whichever noticed first.
        ['fills', 'disk', expect.toSatisfy((code) => code === 1 || code === null)],
        ['ends with 137', 'exit', 137],
      ]);
    });
  });
}
