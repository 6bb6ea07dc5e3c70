/** A working folder that goes from one run to the next: files are kept, and nothing in them leads elsewhere. */
import { describe, expect, test } from 'vitest';
import { decodeFolder, encodeFolder } from '../../src/core/folder-archive.ts';
import type { ExecRequest } from '../../src/core/sandbox.ts';
import type { Bench } from './bench.ts';

export function folderTests({ exec, isolates }: Bench): void {
  const python = (source: string, more: Partial<ExecRequest> = {}) =>
    exec({ language: 'python', source, keepFolder: true, ...more });
  const kept = async (source: string, more: Partial<ExecRequest> = {}) => {
    const { folder, run } = await python(source, more);
    expect(run?.stderr.text).toBe('');
    if (folder === null) throw new Error('There is no folder.');
    return folder;
  };
  const pathsOf = (folder: Uint8Array) => decodeFolder(folder).map(({ path }) => path);

  describe('a working folder', () => {
    test('is handed back and taken up again, as it was', async () => {
      const first = await kept(`
import os
os.makedirs('data/empty'); open('data/ü n.bin', 'wb').write(bytes(range(256))); open('run.sh', 'w').write('#!/bin/sh')
os.chmod('run.sh', 0o755); os.chmod('data', 0o500)`);
      expect(pathsOf(first)).toEqual(['data', 'data/empty', 'data/ü n.bin', 'main.py', 'run.sh']);
      const look = `
import os
print(os.listdir('data/empty'), open('data/ü n.bin', 'rb').read() == bytes(range(256)), os.access('run.sh', os.X_OK))
open('data/more', 'w').write('more')`;
      const second = await python(look, { folder: first });
      expect(second.run?.stdout.text).toBe('[] True True\n');
      expect(pathsOf(second.folder ?? new Uint8Array())).toContain('data/more');
      expect(second.folderBytes).toBe(second.folder?.length);
    });

    test('is the same archive for the same files, and null where it was not asked for', async () => {
      const source = `for name in 'cab': open(name, 'w').write(name)`;
      expect(await kept(source)).toEqual(await kept(source));
      const { folder, folderBytes } = await exec({ language: 'python', source });
      expect([folder, folderBytes]).toEqual([null, null]);
    });

    test('is kept of a program that failed, and of a compiled one', async () => {
      const failed = await python(`open('left', 'w').write('x'); raise SystemExit(3)`);
      expect(failed.run?.exitCode).toBe(3);
      expect(pathsOf(failed.folder ?? new Uint8Array())).toEqual(['left', 'main.py']);
      const source = `#include <fstream>\nint main() { std::ofstream("out") << 1; }`;
      const compiled = await exec({ language: 'cpp', source, folder: failed.folder, keepFolder: true });
      expect(pathsOf(compiled.folder ?? new Uint8Array())).toEqual(['left', 'main.py', 'out']);
    });

    test('larger than 16 MB is told by its size alone', async () => {
      const limits = { fileBytes: 40 << 20, diskBytes: 64 << 20 };
      const { folder, folderBytes } = await python(`open('big', 'wb').write(b'x' * (17 << 20))`, { limits });
      expect(folder).toBeNull();
      expect(folderBytes).toBeGreaterThan(17 << 20);
      expect(folderBytes).toBeLessThan(18 << 20);
      const sparse = await python(`open('big', 'wb').truncate(30 << 20)`, { limits });
      expect(sparse.folder).toBeNull();
    });

    if (isolates)
      test('holds no links, pipes or odd names, however it was left', async () => {
        const folder = await kept(`
import os, socket
os.symlink('/etc/passwd', 'link'); os.symlink('/', 'root'); os.mkfifo('pipe')
socket.socket(socket.AF_UNIX).bind('socket')
open(b'\\xff\\xfe', 'w').close(); os.mkdir('closed'); open('closed/in', 'w').write('in'); os.chmod('closed/in', 0)
os.chmod('closed', 0); os.chmod('.', 0); os.chmod('/scratch', 0)`);
        expect(pathsOf(folder)).toEqual(['closed', 'closed/in', 'main.py']);
      });

    if (isolates)
      test('that was replaced, or is very deep, hinders nobody', async () => {
        const gone = await python(
          `import os, shutil\nos.chdir('/scratch'); shutil.rmtree('box'); os.symlink('/usr', 'box')`,
        );
        expect(pathsOf(gone.folder ?? new Uint8Array())).toEqual([]);
        const deep = await python(`import os\nfor _ in range(200): os.mkdir('a'); os.chdir('a')`);
        expect(deep.folder).toBeNull();
        expect(deep.folderBytes).toBeGreaterThan(16 << 20);
      });

    test('gives way to what the next program needs', async () => {
      const folder = await kept(`
import os
os.mkdir('in.txt'); open('in.txt/x', 'w').close(); open('data', 'w').write('a file')
os.remove('main.py'); os.mkdir('main.py'); open('main.py/x', 'w').close()`);
      const source = `import os; print(open('in.txt').read(), open('data/in').read())`;
      const { run } = await python(source, { folder, files: { 'in.txt': '1', 'data/in': '2' } });
      expect(run).toMatchObject({ verdict: 'ok', stdout: { text: '1 2\n' } });
    });

    test('does not count against what the program may write', async () => {
      const bytes = new Uint8Array(8 << 20);
      const folder = encodeFolder([{ type: 'file', path: 'big', executable: false, bytes }]);
      const limits = { diskBytes: 1 << 20 };
      const { run } = await python(`open('more', 'wb').write(b'x' * (900 << 10))`, { folder, limits });
      expect(run?.verdict).toBe('ok');
    });

    test('that is none is refused', async () => {
      const folder = new TextEncoder().encode('path 4\n../xfile 1\nxend 0\n');
      await expect(python('', { folder })).rejects.toThrow(/no archive of a working folder/);
    });
  });
}
