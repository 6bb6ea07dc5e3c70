/** What holds for compilers on every back-end: several a language, once a program, a look before, bounded bombs. */
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import type { BuildRequest, LanguageId } from '../../src/core/sandbox.ts';
import { type Bench, mebibyte } from './bench.ts';

/** What nobody has compiled before. */
const unique = () => `${process.pid} ${performance.now()}`;
const never = new AbortController().signal;

export function compileTests(bench: Bench): void {
  describe('compilers', () => {
    cppTests(bench);
    cacheTests(bench);
    checkTests(bench);
    projectTests(bench);
    bombTests(bench);
  });
}

function cppTests({ exec, sandbox }: Bench): void {
  test.each([
    ['g++20', 202002],
    ['g++23', 202002],
    ['clang++20', 202002],
    ['clang++23', 202002],
  ])('%s has the judge’s macros, the newest headers, and its level', async (toolchain, atLeast) => {
    // Without the header of all headers: it would be compiled ahead for each of them.
    const source = `#include <algorithm>
#include <iostream>
#include <ranges>
#include <vector>
int main() {
  std::vector<int> all{3, 1, 2};
  std::ranges::sort(all);
  for (int n : all | std::views::filter([](int n) { return n > 1; })) std::cout << n;
  std::cout << ' ' << (__cplusplus > ${atLeast}) << ' ' << ONLINE_JUDGE + ATCODER;
}`;
    const { compile, run } = await exec({ language: 'cpp', toolchain, source });
    expect(compile).toMatchObject({ verdict: 'ok', digest: '' });
    expect(run?.stdout.text).toBe(`23 ${toolchain.endsWith('23') ? 1 : 0} 2`);
  });

  test('a toolchain that is not there is refused with those that are, and so are options without a compiler', async () => {
    const unknown = exec({ language: 'cpp', toolchain: 'g++99', source: '' });
    await expect(unknown).rejects.toThrow(/no toolchain "g\+\+99".*g\+\+20, g\+\+23, clang\+\+20/s);
    await expect(exec({ language: 'python', source: '', flags: ['-O'] })).rejects.toBeInstanceOf(UserError);
  });

  test('a program’s own options come behind those of the toolchain', async () => {
    const source = '#include <cstdio>\nint main() { std::printf("%d %ld", ANSWER, __cplusplus); }';
    const { run } = await exec({ language: 'cpp', source, flags: ['-DANSWER=42', '-std=c++17'] });
    expect(run?.stdout.text).toBe('42 201703');
  });

  test('what is told of libraries is true: what is there compiles, what is not is named', async () => {
    const { toolchains } = await sandbox.info();
    const notes = toolchains.find(({ name }) => name === 'g++20')?.notes.join(' ');
    expect(notes).toMatch(/There are Boost 1\.\d+.*Eigen 3\.\d+/);
    const there = '#include <boost/version.hpp>\n#include <Eigen/Core>\nint main() {}';
    expect((await sandbox.check({ language: 'cpp', source: there }, never)).check?.verdict).toBe('ok');
    const { check } = await sandbox.check(
      { language: 'cpp', source: '#include <atcoder/all>\nint main() {}' },
      never,
    );
    const hasAcl = !notes?.includes('Not there: the AtCoder Library');
    expect(check?.verdict).toBe(hasAcl ? 'ok' : 'exit');
    if (!hasAcl)
      expect(check?.digest).toMatch(/The AtCoder Library is not on this machine: write without it/);
  });

  test('Python has the libraries that are told, and they need no thread of their own', async () => {
    const source = `
import numpy, scipy.optimize, sympy, networkx, sortedcontainers, more_itertools, gmpy2, z3
x = z3.Int('x')
print(int(numpy.dot([1, 2], [3, 4])), sympy.factorint(91), gmpy2.is_prime(97), z3.simplify(x + x))`;
    const { run } = await exec({ language: 'python', source, limits: { processes: 1 } });
    expect(run).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
    expect(run?.stdout.text).toBe('11 {7: 1, 13: 1} True 2*x\n');
  });
}

function cacheTests({ exec, sandbox }: Bench): void {
  test('a program is compiled once, however often and by whomever it is wanted', async () => {
    const source = `#include <cstdio>\n// ${unique()}\nint main() { std::puts("42"); }`;
    const files = { 'input.txt': 'one' };
    const first = await exec({ language: 'cpp', source, files });
    expect(first).toMatchObject({
      compile: { verdict: 'ok', cached: false },
      run: { stdout: { text: '42\n' } },
    });
    const again = await exec({ language: 'cpp', source, files: { 'input.txt': 'two' } });
    expect(again.compile).toEqual({ ...first.compile, cached: true });
    expect(again.run?.stdout.text).toBe('42\n');
    const built = await sandbox.build({ language: 'cpp', source }, never);
    expect(built.compile?.cached).toBe(true);
    const other = await sandbox.build({ language: 'cpp', toolchain: 'g++23', source }, never);
    expect(other.compile?.cached).toBe(false);
  });

  test('an error is kept too; a time limit is none', async () => {
    const wrong = { language: 'cpp', source: `int main() { return nothing; } // ${unique()}` } as const;
    const first = await exec(wrong);
    expect(first.compile).toMatchObject({ verdict: 'exit', cached: false });
    expect((await exec(wrong)).compile).toEqual({ ...first.compile, cached: true });
    const slow = { language: 'cpp', source: `#include <regex>\nint main() {} // ${unique()}` } as const;
    const ended = await exec({ ...slow, compileLimits: { cpuMs: 20 } });
    expect(ended.compile).toMatchObject({ verdict: 'cpu', cached: false });
    expect((await exec(slow)).compile).toMatchObject({ verdict: 'ok', cached: false });
    expect((await exec({ ...slow, compileLimits: { cpuMs: 20 } })).compile?.verdict).toBe('cpu');
  });
}

function checkTests({ sandbox }: Bench): void {
  test.each<[LanguageId, string, string, RegExp]>([
    ['cpp', 'int main() {}', 'int main() { return }', /^main\.cpp:1:21: error: /],
    ['python', 'print(1)', 'print(1', /^main\.py:1: SyntaxError: '\(' was never closed/],
    ['kotlin', 'fun main() {}', 'fun main() { val }', /^main\.kt:1:\d+: error: /],
    [
      'csharp',
      'class A { static void Main() {} }',
      'class A { static void Main() { int } }',
      /^main\.cs\(1,\d+\): error CS/,
    ],
    ['rust', 'fn main() {}', 'fn main() { let }', /^error: expected/],
  ])('%s is looked at before it is built', async (language, right, wrong, complaint) => {
    const look = async (source: string) => (await sandbox.check({ language, source }, never)).check;
    expect(await look(right)).toMatchObject({ verdict: 'ok', digest: '' });
    const found = await look(wrong);
    expect(found?.verdict).toBe('exit');
    expect(found?.digest).toMatch(complaint);
  });
}

function projectTests({ exec, sandbox }: Bench): void {
  const project: BuildRequest & { files: Record<string, string> } = {
    language: 'rust',
    source: '',
    files: {
      'Cargo.toml': '[package]\nname = "tools"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n[[package]]\nname = "elsewhere"\nversion = "9.9.9"\n',
      'src/lib.rs': `pub const SEED: u64 = 41; // ${unique()}`,
      'src/bin/gen.rs': 'fn main() { println!("{}", tools::SEED + 1); }',
      'src/bin/vis.rs':
        'fn main() { let name = std::env::args().nth(1).unwrap(); println!("{}", std::fs::read_to_string(name).unwrap()); }',
    },
  };

  test('a cargo project is built once for all its programs, offline', async () => {
    const gen = await exec({ ...project, binary: 'gen' });
    expect(gen).toMatchObject({
      compile: { verdict: 'ok', cached: false },
      run: { stdout: { text: '42\n' } },
    });
    const vis = await sandbox.build({ ...project, binary: 'vis' }, never);
    expect(vis.compile?.cached).toBe(true);
    if (vis.executable === null) throw new Error('It was not built.');
    const seen: string[] = [];
    await sandbox.batch(
      { executable: vis.executable, cases: [{ name: 'a', args: ['out.txt'], files: { 'out.txt': 'hi' } }] },
      ({ step }) => {
        seen.push(step.stdout.text);
      },
      never,
    );
    expect(seen).toEqual(['hi\n']);
    await expect(exec({ ...project, binary: 'tester' })).rejects.toThrow(
      /builds no program "tester".*gen, vis/s,
    );
    await expect(exec(project)).rejects.toThrow(/builds 2 programs, and none was chosen.*gen, vis/s);
  });

  test('what a project lacks is named, with where it could come from', async () => {
    const lacking = {
      ...project.files,
      'Cargo.toml': `${project.files['Cargo.toml']}[dependencies]\nproconio = "0.4"\n`,
    };
    const { check } = await sandbox.check({ ...project, files: lacking }, never);
    expect(check?.verdict).toBe('exit');
    expect(check?.digest).toMatch(
      /`?proconio`?[\s\S]*There is no network: crates come from a folder `vendor`/,
    );
  });
}

function bombTests({ exec }: Bench): void {
  // Those of C++ are in the hostile suite.
  test('macros of Rust cannot keep a compiler busy for longer than it may be', async () => {
    const source = `#![recursion_limit = "1000000"]
macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) } }
fn main() { m!(a b) }`;
    const compileLimits = { cpuMs: 700, memoryBytes: 256 * mebibyte };
    const { compile, run } = await exec({ language: 'rust', source, compileLimits });
    expect(run).toBeNull();
    expect(['cpu', 'memory']).toContain(compile?.verdict);
    expect(compile?.cpuMs).toBeLessThan(5_000);
  });

  test('what a compiler may have of threads is not for its program', async () => {
    const source = `fn main() {
    let sleep = || std::thread::sleep(std::time::Duration::from_millis(500));
    let threads: Vec<_> = (0..12).map(|_| std::thread::spawn(sleep)).collect();
    for thread in threads { thread.join().unwrap(); }
}`;
    const { run } = await exec({ language: 'rust', source, limits: { processes: 4 } });
    expect(['exit', 'processes']).toContain(run?.verdict);
    expect(run?.stderr.text).toMatch(/failed to spawn thread/);
  });

  test('a source that includes itself drowns nobody in complaints', async () => {
    const { compile } = await exec({
      language: 'cpp',
      source: '#include "main.cpp"\n#include "main.cpp"\nint main() {}',
    });
    expect(['exit', 'output']).toContain(compile?.verdict);
    expect(compile?.stderr.text.length).toBeLessThan(mebibyte / 8);
    expect(compile?.digest.length).toBeLessThan(4_001);
    expect(compile?.digest).toContain('error: #include nested');
  });
}
