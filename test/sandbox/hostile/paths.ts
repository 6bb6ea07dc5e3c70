/** Ways out of the working folder, and ways into others: names, links, archives, what is read-only. */
import { describe, expect, test } from 'vitest';
import { decodeFolder } from '../../../src/core/folder-archive.ts';
import type { Bench } from '../bench.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const archive = (path: string, content: string) =>
  new TextEncoder().encode(
    `path ${Buffer.byteLength(path)}\n${path}file ${content.length}\n${content}end 0\n`,
  );

export function pathTests({ exec, python, isolates }: Bench): void {
  describe('paths', () => {
    const outside = [
      '../x',
      '/etc/x',
      'a/../../x',
      '..',
      '.',
      '',
      'a//b',
      'a/./b',
      'a\0b',
      `${'x'.repeat(300)}`,
    ];

    test.each(outside)('a file named %j is refused before anything runs', async (path) => {
      await expect(python('', { files: { [path]: 'x' } })).rejects.toMatchObject({ name: 'UserError' });
    });

    test.each(['../x', '/etc/x', 'a/../../x', '..', ''])('so is a folder that holds %j', async (path) => {
      const asked = exec({ language: 'python', source: 'print(1)', folder: archive(path, 'x') });
      await expect(asked).rejects.toMatchObject({ name: 'UserError' });
    });

    test('and one that is no archive', async () => {
      const folder = new TextEncoder().encode('path 1\naend 0\n');
      await expect(exec({ language: 'python', source: '', folder })).rejects.toMatchObject({
        name: 'UserError',
      });
    });

    test('what comes out of a folder is files and folders, whatever lies in it', async () => {
      const source = `
import os, socket
os.makedirs('sub/empty'); open('sub/file', 'w').write('content')
open('run.sh', 'w').write('#!'); os.chmod('run.sh', 0o755)
for target in ('/etc/passwd', '../../../etc/passwd', 'nowhere', 'sub', '/proc/self/environ'):
    os.symlink(target, 'link' + target.replace('/', '_'))
os.symlink('/etc', 'etc'); os.symlink('loop', 'loop')
os.mkfifo('fifo')
try: socket.socket(socket.AF_UNIX).bind('socket')
except OSError: pass
open(b'no\\xfftext', 'w').close()
os.mkdir('locked'); open('locked/file', 'w').write('x'); os.chmod('locked', 0)
open('secret', 'w').write('x'); os.chmod('secret', 0)`;
      const { run, folder } = await exec({ language: 'python', source, keepFolder: true });
      expect(run).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
      const entries = decodeFolder(folder ?? new Uint8Array());
      const told = entries.map((each) => (each.type === 'folder' ? `${each.path}/` : each.path));
      expect(told).toEqual(expect.arrayContaining(['run.sh', 'sub/', 'sub/empty/', 'sub/file']));
      expect(told.filter((path) => /link|etc|loop|fifo|socket|text/.test(path))).toEqual([]);
      const file = entries.find(({ path }) => path === 'sub/file');
      expect(file?.type === 'file' && text(file.bytes)).toBe('content');
      const script = entries.find(({ path }) => path === 'run.sh');
      expect(script).toMatchObject({ executable: true });
    });

    test('a file cannot be put through a link that an earlier program left', async () => {
      const first = await exec({
        language: 'python',
        source: `import os; os.symlink('/tmp', 'out'); os.makedirs('kept'); print('made')`,
        keepFolder: true,
      });
      expect(first.run?.stdout.text).toBe('made\n');
      const second = await exec({
        language: 'python',
        source: `import os; print(os.path.islink('out'), os.path.exists('/tmp/through-a-link'), sorted(os.listdir('.')))`,
        folder: first.folder,
        files: { 'out/through-a-link': 'x' },
      });
      expect(second.run?.stdout.text).toBe("False False ['kept', 'main.py', 'out']\n");
    });

    if (!isolates) return;

    test('nothing but the scratch folders can be written', async () => {
      const source = `
import os
def attempt(path):
    try:
        open(path, 'w').close(); print('wrote', path)
    except OSError: pass
for path in ['/x', '/usr/x', '/etc/x', '/dev/x', '/run/x', '/run/polya/runner', '/etc/passwd', '/proc/x', '/home/x',
             '/usr/bin/python3', '/proc/sys/kernel/hostname', '/proc/sys/kernel/core_pattern', '/proc/sys/vm/overcommit_memory',
             '/proc/sysrq-trigger', '/proc/1/oom_score_adj', '/sys/kernel/mm/ksm/run', '/sys/fs/cgroup/x']:
    attempt(path)
for folder, folders, _ in os.walk('/'):
    if folder == '/': folders[:] = [name for name in folders if name not in ('proc', 'sys')]
    if not folder.startswith(os.path.realpath('/scratch')): attempt(folder + '/polya-test')
for path in ['x', '/tmp/x', '/dev/shm/x']: attempt(path)`;
      const step = await python(source);
      expect(step.stdout.text).toBe('wrote x\nwrote /tmp/x\nwrote /dev/shm/x\n');
    });
  });
}
