/** Sources that are meant for the compiler: to keep it busy, to fill it up, to make it read what it should not. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function compilerTests(bench: Bench): void {
  describe('compilers', () => {
    readingTests(bench);
    if (bench.scope !== 'everything') return;
    bombTests(bench);
    flagTests(bench);
  });
}

function readingTests({ exec, sandbox, isolates }: Bench): void {
  test('read nothing of the host', async () => {
    const source =
      '#include "/etc/shadow"\n#include "/proc/1/environ"\n#include "/root/.profile"\n' +
      'asm(".incbin \\"/etc/shadow\\"");\nint main() {}';
    const { compile, run } = await exec({ language: 'cpp', source });
    expect(run).toBeNull();
    expect(compile?.verdict).toBe('exit');
    expect(compile?.stderr.text + String(compile?.stdout.text)).not.toMatch(/root:|\$\d\$|PATH=/);
  });

  test('that run a build script run it inside as well, whatever it leaves in the place of the program', async () => {
    const { toolchains } = await sandbox.info();
    const hasCargo = toolchains.some(
      ({ language, notes }) => language === 'rust' && /cargo/.test(notes.join()),
    );
    if (!hasCargo) return;
    const beside = 'std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).ancestors().nth(3).unwrap()';
    const executable = (name: string) =>
      `use std::os::unix::fs::PermissionsExt; use std::os::unix::ffi::OsStrExt;
fn main() { let p = ${beside}.join(std::ffi::OsStr::from_bytes(b"${name}")); std::fs::write(&p, "x").unwrap();
std::fs::set_permissions(&p, std::fs::Permissions::from_mode(0o755)).unwrap(); }`;
    const project = (script: string) => ({
      language: 'rust' as const,
      source: 'fn main() { println!("built"); }',
      files: {
        'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n',
        'build.rs': script,
      },
    });
    const reading = `fn main() { for p in ["/etc/shadow", "/proc/1/environ", "/root/.profile"] {
if std::fs::read(p).map_or(false, |t| !t.is_empty()) { panic!("read {}", p); } }
if std::net::UdpSocket::bind("127.0.0.1:0").and_then(|s| s.send_to(b"x", "1.1.1.1:53")).is_ok() { panic!("reached"); } }`;
    if (isolates) {
      const { compile, run } = await exec(project(reading));
      expect([compile?.digest, run?.stdout.text]).toEqual(['', 'built\n']);
    }
    const odd = await exec(project(executable('a\\xff')));
    expect(odd).toMatchObject({ compile: { verdict: 'exit' }, run: null });
    const two = await exec(project(executable('b'))).catch((error: Error) => error);
    expect(String(two)).toMatch(/builds 2 programs.*of b, x/s);
  });
}

function bombTests({ exec }: Bench): void {
  const compileLimits = {
    wallMs: 4_000,
    cpuMs: 800,
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
    expect(compile?.wallMs).toBeLessThan(60_000);
    expect(compile?.stderr.text.length).toBeLessThan(100_000);
  });

  test('a program that is too large for a file is told so, and not for words in its text', async () => {
    const source = 'int x[1 << 27] = { 1 }; int main() { return x[1]; }';
    const small = { fileBytes: 16 * mebibyte };
    const { compile, run } = await exec({ language: 'cpp', source, compileLimits: small });
    expect(run).toBeNull();
    expect(compile?.verdict).toBe('disk');
    const quoted = 'int x = "g++: error: No space left on device"; int main() {}';
    expect((await exec({ language: 'cpp', source: quoted })).compile?.verdict).toBe('exit');
  });
}

function flagTests({ exec, isolates }: Bench): void {
  test('take no flag for an order: one that reads, writes or runs elsewhere finds nothing there', async () => {
    const elsewhere = [
      ['-o', '/usr/x'],
      ['-include', '/etc/shadow'],
      ['-fplugin=/box/x.so'],
      ['@/etc/shadow'],
      ['-wrapper', 'cat,/etc/shadow'],
      ['-Wl,-T,/etc/shadow'],
    ];
    for (const flags of elsewhere) {
      const { compile, run } = await exec({ language: 'cpp', source: 'int main() {}', flags });
      expect([flags, compile?.verdict, run]).toEqual([flags, 'exit', null]);
      if (isolates) expect(`${compile?.stdout.text}${compile?.stderr.text}`).not.toContain('root:');
    }
  });

  test('what makes no program, or none that can be started, is told as the program’s own', async () => {
    for (const flags of [['-fsyntax-only'], ['-o', 'elsewhere']]) {
      const { compile, run } = await exec({ language: 'cpp', source: 'int main() {}', flags });
      expect([flags, compile?.verdict, run]).toEqual([flags, 'exit', null]);
      expect(compile?.digest).toContain('left no program behind');
    }
    for (const flags of [['-c'], ['-S'], ['-Wl,--dynamic-linker=/nowhere']]) {
      const { run } = await exec({ language: 'cpp', source: 'int main() {}', flags });
      expect([flags, run?.verdict, run?.exitCode]).toEqual([flags, 'exit', 126]);
      expect(run?.stderr.text).toContain('cannot be started');
    }
  });
}
