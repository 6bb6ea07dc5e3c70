/** Sources that are meant for the compiler: to keep it busy, to fill it up, to make it read what it should not. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function compilerTests({ exec }: Bench): void {
  describe('compilers', () => {
    const compileLimits = {
      wallMs: 6_000,
      cpuMs: 5_000,
      memoryBytes: 384 * mebibyte,
      diskBytes: 64 * mebibyte,
    };
    const limited = ['exit', 'wall', 'cpu', 'memory', 'disk', 'output', 'signal'];

    test.each<[string, string]>([
      [
        'templates within templates',
        'template<int N, class T> struct D { using type = typename D<N - 1, D<N - 1, T>>::type; };\n' +
          'template<class T> struct D<0, T> { using type = T; };\nD<900, int>::type x; int main() {}',
      ],
      [
        'an expression of constants that is never done',
        'constexpr unsigned long f(unsigned long n) { unsigned long s = 0; for (unsigned long i = 0; i < n; i++) s += i * s; return s; }\n' +
          'constexpr auto x = f(1ul << 40); int main() { return x; }',
      ],
      [
        'macros that double',
        `#define A0 1,\n${Array.from({ length: 30 }, (_, n) => `#define A${n + 1} A${n} A${n}`).join('\n')}\nint x[] = { A30 }; int main() {}`,
      ],
      ['a program of two gigabytes', 'char x[2000000000] = { 1 }; int main() { return x[1]; }'],
      ['a file that includes itself', '#include "main.cpp"\nint main() {}'],
      ['what has no end', '#include "/dev/zero"\nint main() {}'],
      ['a file of bytes without end', '#include </dev/urandom>\nint main() {}'],
    ])('%s', async (_name, source) => {
      const { compile, run } = await exec({
        language: 'cpp',
        source,
        compileLimits,
        limits: { wallMs: 2000 },
      });
      expect(run).toBeNull();
      expect(limited).toContain(compile?.verdict);
      expect(compile?.wallMs).toBeLessThan(12_000);
      expect(compile?.stderr.text.length).toBeLessThan(100_000);
    });

    test('read nothing of the host', async () => {
      const source =
        '#include "/etc/shadow"\n#include "/proc/1/environ"\n#include "/root/.profile"\n' +
        'asm(".incbin \\"/etc/shadow\\"");\nint main() {}';
      const { compile, run } = await exec({ language: 'cpp', source });
      expect(run).toBeNull();
      expect(compile?.verdict).toBe('exit');
      expect(compile?.stderr.text + String(compile?.stdout.text)).not.toMatch(/root:|\$\d\$|PATH=/);
    });

    test('take no flag for an order: a flag that reads or writes elsewhere finds nothing there', async () => {
      const source = 'int main() {}';
      for (const flags of [
        ['-o', '/usr/x'],
        ['-include', '/etc/shadow'],
        ['-fplugin=/box/x.so'],
        ['@/etc/shadow'],
      ]) {
        const { compile, run } = await exec({ language: 'cpp', source, flags }).catch((error: Error) => {
          expect(error.name).toBe('UserError');
          return { compile: null, run: null };
        });
        expect(run).toBeNull();
        expect(compile?.stderr.text ?? '').not.toContain('root:');
      }
    });
  });
}
