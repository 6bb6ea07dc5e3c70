/** A program that behaves: what it is given, and the account of what it did. */
import { describe, expect, test } from 'vitest';
import type { Bench } from './bench.ts';

export function accountTests({ exec, python, sandbox, isolates, scope }: Bench): void {
  describe('account', () => {
    test('a compiler that eats all memory is ended by the compiler’s own limit', async () => {
      const source = '#include "/dev/zero"\nint main() {}';
      const { compile, run } = await exec({
        language: 'cpp',
        source,
        compileLimits: { memoryBytes: 64 << 20 },
      });
      expect(run).toBeNull();
      expect(compile?.verdict).toBe('memory');
    });

    test('times and memory are measured, of children too', async () => {
      const source = `
import os, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
block = bytearray(60 << 20)
if os.fork() == 0:
    burn(0.15); os._exit(0)
os.wait()
burn(0.05)
time.sleep(0.1)`;
      const step = await python(source);
      expect(step.verdict).toBe('ok');
      expect(step.cpuMs).toBeGreaterThan(200);
      expect(step.cpuMs).toBeLessThan(1000);
      expect(step.wallMs).toBeGreaterThan(295);
      expect(step.peakMemoryBytes).toBeGreaterThan(60 << 20);
      expect(step.peakMemoryBytes).toBeLessThan(90 << 20);
    });

    test('what an orphan used is measured too', async () => {
      const source = `
import os, sys, time
if os.fork() == 0:
    if os.fork() == 0:
        end = time.process_time() + 0.2
        while time.process_time() < end: pass
        print('done', flush=True)
        open('done', 'w').close()
        os._exit(0)
    os._exit(0)
os.wait()
while not os.path.exists('done'): time.sleep(0.01)
time.sleep(0.05)`;
      const step = await python(source);
      expect(step.stdout.text).toBe('done\n');
      expect(step.cpuMs).toBeGreaterThan(200);
    });

    if (scope === 'limits' || scope === 'differences') return;

    test('Python gets stdin, arguments and files, in a folder with nothing else', async () => {
      const source = `
import os, sys
print(sys.argv[1:], sys.stdin.read(), open('data/in.txt').read(), sorted(os.listdir('.')))
print('to stderr', file=sys.stderr)`;
      const step = await python(source, {
        stdin: 'standard',
        args: ['a', 'b c', ''],
        files: { 'data/in.txt': 'Ünïcode' },
      });
      expect(step).toMatchObject({ verdict: 'ok', exitCode: 0, signal: null });
      expect(step.stdout).toEqual({
        text: "['a', 'b c', ''] standard Ünïcode ['data', 'main.py']\n",
        bytes: 56,
        cut: false,
      });
      expect(step.stderr.text).toBe('to stderr\n');
    });

    test('C++ is compiled and run, with the files in both', async () => {
      const source = `
#include <fstream>
#include <iostream>
#include <concepts>
#include "twice.hpp"
int main(int argc, char **argv) {
  std::ifstream file("in.txt");
  int a, b; file >> a; std::cin >> b;
  std::cout << twice(a + b) << ' ' << argv[1] << std::endl;
}`;
      const files = {
        'twice.hpp': 'std::integral auto twice(std::integral auto x) { return 2 * x; }',
        'in.txt': '1',
      };
      const { compile, run, backend } = await exec({
        language: 'cpp',
        source,
        files,
        stdin: '20',
        args: ['x'],
      });
      expect(compile?.verdict).toBe('ok');
      expect(run).toMatchObject({ verdict: 'ok', exitCode: 0, stdout: { text: '42 x\n' } });
      expect(backend).toBe((await sandbox.info()).backend);
    });

    test('a compile error is an account of the compiler, and nothing is run', async () => {
      const { compile, run } = await exec({ language: 'cpp', source: 'int main() { return nothing; }' });
      expect(run).toBeNull();
      expect(compile).toMatchObject({ verdict: 'exit', exitCode: 1, signal: null });
      expect(compile?.stderr.text).toContain('main.cpp:1:21: error:');
    });

    test('a flood of compile errors is cut to the compiler’s limit', async () => {
      const source = 'int unknown_here = x + y;\n'.repeat(300);
      const { compile, run } = await exec({ language: 'cpp', source, compileLimits: { outputBytes: 4096 } });
      expect(run).toBeNull();
      expect(compile?.stderr.cut).toBe(true);
      expect(compile?.stderr.text.length).toBeLessThan(4200);
    });

    test.each([0, 1, 42, 124, 137, 139, 255])('a program’s own exit status %i is its own', async (code) => {
      const step = await python(`import os; os._exit(${code})`);
      expect(step).toMatchObject({ verdict: code === 0 ? 'ok' : 'exit', exitCode: code, signal: null });
    });

    test.each(['SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGXCPU', 'SIGABRT'])(
      'a program’s own %s is no limit',
      async (name) => {
        const step = await python(`import os, signal; os.kill(os.getpid(), signal.${name})`);
        expect(step).toMatchObject({ verdict: 'signal', exitCode: null, signal: name });
      },
    );

    test('a C++ program that crashes is told by its signal', async () => {
      const source = 'int main() { volatile int *nowhere = nullptr; return *nowhere; }';
      const { run } = await exec({ language: 'cpp', source });
      expect(run).toMatchObject({ verdict: 'signal', exitCode: null, signal: 'SIGSEGV' });
    });

    test('invalid UTF-8 becomes U+FFFD, and bytes are counted', async () => {
      const step = await python(`import sys; sys.stdout.buffer.write(b'a\\xff\\xc3(\\xf0\\x9f\\x98\\x80')`);
      expect(step.stdout).toEqual({ text: 'a\uFFFD\uFFFD(😀', bytes: 8, cut: false });
    });

    test('of a long output head and tail are kept, and all of it is counted', async () => {
      const step = await python(`print('head'); print('é' * 3000); print('tail')`, {
        limits: { outputBytes: 1001 },
      });
      expect(step).toMatchObject({ verdict: 'ok', exitCode: 0 });
      expect(step.stdout).toMatchObject({ bytes: 6011, cut: true });
      expect(step.stdout.text).toMatch(/^head\né+\n.*\né+\ntail\n$/);
      expect(step.stdout.text).not.toContain('\uFFFD');
      expect(Buffer.byteLength(step.stdout.text)).toBeLessThan(1100);
    });

    test('input that nobody reads, and output that is closed, hinder nobody', async () => {
      const stdin = 'x'.repeat(20 << 20);
      expect(await python(`print('ok')`, { stdin })).toMatchObject({
        verdict: 'ok',
        stdout: { text: 'ok\n' },
      });
      const closing = `import os, time; os.close(0); os.close(1); os.close(2); time.sleep(0.1); os._exit(7)`;
      expect(await python(closing, { stdin })).toMatchObject({
        verdict: 'exit',
        exitCode: 7,
        wallMs: expect.any(Number),
      });
    });

    test('large input arrives whole', async () => {
      const stdin = `${'0123456789'.repeat(1 << 20)}end`;
      const step = await python(`import sys; s = sys.stdin.read(); print(len(s), s[-3:])`, { stdin });
      expect(step.stdout.text).toBe(`${(10 << 20) + 3} end\n`);
    });

    if (isolates)
      test('programs run at the same time without meeting', async () => {
        const source = `
import os, sys, time
open('/tmp/mine', 'x').write(sys.argv[1])
time.sleep(0.2)
print(open('/tmp/mine').read(), len([p for p in os.listdir('/proc') if p.isdigit()]))`;
        const steps = await Promise.all(['a', 'b', 'c', 'd'].map((name) => python(source, { args: [name] })));
        expect(steps.map(({ stdout }) => stdout.text)).toEqual(['a 2\n', 'b 2\n', 'c 2\n', 'd 2\n']);
      });

    test('a name that leads out of the working folder is refused', async () => {
      for (const name of ['../x', '/x', 'a/../../x', '', 'a//b', './x', 'main.py/x', 'x'.repeat(300)]) {
        await expect(python('', { files: { [name]: '' } })).rejects.toThrow(/cannot be the name/);
      }
    });
  });
}
