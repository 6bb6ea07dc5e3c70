/** Programs that fill the disk, or leave behind what is hard to clear away. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function diskTests({ python, pythonWithin, isolates, sandbox }: Bench): void {
  if (!isolates) return;
  describe('disk', () => {
    const limits = { diskBytes: 8 * mebibyte, fileBytes: 4 * mebibyte };

    test('a sparse file counts by its length against the limit of one file, by its content against the disk', async () => {
      const source = `
import os
try:
    open('long', 'wb').truncate(1 << 40); print('terabyte')
except OSError as error: print(error.errno)
for n in range(50):
    with open(f'sparse{n}', 'wb') as f: f.seek(3 << 20); f.write(b'x')
print('sparse')`;
      const step = await pythonWithin(limits, source);
      expect(step.stdout.text).toBe('27\nsparse\n');
      expect(step.verdict).toBe('ok');
    });

    test('names without content', async () => {
      const source = `
n = 0
try:
    while True:
        open(f'/tmp/{n}', 'w').close(); n += 1
except OSError as error: print(error.errno)
raise SystemExit(1)`;
      const step = await pythonWithin({ ...limits, diskBytes: mebibyte }, source);
      expect(step.verdict).toBe('disk');
      // It may be ended before the kernel refuses it another name.
      expect(['', '28\n']).toContain(step.stdout.text);
    });

    test('a full disk of one program is none of the next', async () => {
      const full = `
f = open('filler', 'wb', 0)
for _ in range(6): f.write(b'x' * (1 << 20))
print('room', flush=True)
try:
    while True: f.write(b'x' * 65536)
except OSError: raise SystemExit(1)`;
      const results: string[] = [];
      await sandbox.batch(
        {
          program: { language: 'python', source: full },
          cases: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
          workers: 1,
          limits: { ...limits, fileBytes: 64 * mebibyte },
        },
        ({ step }) => results.push(`${step.stdout.text.trim()} ${step.verdict}`),
        new AbortController().signal,
      );
      expect(results).toEqual(Array.from({ length: 4 }, () => 'room disk'));
    });

    test('what is hard to clear away: folders in folders, folders without rights, odd names, open files', async () => {
      const awkward = `
import os, sys
assert os.listdir('.') in ([], ['main.py']), os.listdir('.')
assert os.listdir('/tmp') == [] and set(os.listdir('/dev/shm')) <= {'box', 'tmp', 'shm'}
for folder in ('.', '/tmp', '/dev/shm'):
    os.chdir(folder)
    for _ in range(3000):
        os.mkdir('d'); os.chdir('d')
    os.chdir('/box' if folder == '.' else folder)
    os.mkdir('locked'); open('locked/file', 'w').close(); os.chmod('locked', 0)
    for name in (b'\\xff\\xfe', b'new\\nline', b'-rf', b' ', b'*', b'x' * 255):
        open(name, 'w').close()
    os.symlink('/', 'root'); os.symlink('self', 'self'); os.mkfifo('fifo')
    os.chmod('.', 0)
print('made')`;
      const results: string[] = [];
      await sandbox.batch(
        {
          program: { language: 'python', source: awkward },
          cases: ['a', 'b', 'c'].map((name) => ({ name })),
          workers: 1,
          limits: { diskBytes: 64 * mebibyte },
        },
        ({ step }) => results.push(step.stdout.text + step.stderr.text),
        new AbortController().signal,
      );
      expect(results).toEqual(['made\n', 'made\n', 'made\n']);
    });

    test('who takes its own folder away harms itself alone', async () => {
      const step = await python(`
import os, shutil
os.rename('/tmp/x', '/tmp/y') if os.path.exists('/tmp/x') else None
for folder in ('.', '/tmp', '/dev/shm', '/scratch'):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        try: shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
        except OSError: pass
for folder in ('/scratch/box', '/scratch/tmp', '/scratch/shm'):
    try: os.rename(folder, folder + '2')
    except OSError: pass
print('gone')`);
      expect(step).toMatchObject({ verdict: 'ok', stdout: { text: 'gone\n' } });
    });
  });
}
