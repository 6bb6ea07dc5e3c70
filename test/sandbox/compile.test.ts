/** What compiling leaves on this machine: compiled headers, libraries of the user's, kept programs; and what spoils them. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BuildRequest } from '../../src/core/sandbox.ts';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const never = new AbortController().signal;
const folders: string[] = [];
const newFolder = () => {
  const folder = temporaryFolder('compile');
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
};
const staging = (parent: string, ...names: string[]) => {
  const [name = ''] = readdirSync(parent).filter((entry) => entry.startsWith('polya-'));
  return join(parent, name, ...names);
};
let parent = '';
const sandboxIn = (place: string) => bubblewrapSandbox({ stagingParents: [place] });
const build = (program: Omit<BuildRequest, 'language'>, place = parent) =>
  sandboxIn(place).build({ language: 'cpp', ...program }, never);

// Everybody's: each test would wait for the same headers.
beforeAll(() => {
  parent = newFolder();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the compiled header', { timeout: 180_000 }, () => {
  const long = `#include <bits/stdc++.h>
int main() { std::map<std::string, int> all; all["a"] = 42; std::cout << all["a"]; }`;

  test.each(['g++20', 'clang++20'])('of %s is made once, and makes no other program', async (toolchain) => {
    const plain = await build({
      toolchain,
      source: `#define FIRST\n#include <bits/stdc++.h>\n${long}`,
      flags: ['-g0'],
    });
    const before = headers().length;
    const first = await build({ toolchain, source: long });
    expect(first.compile).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
    expect(headers()).toHaveLength(before + 1);
    const made = headers();
    const other = await build({ toolchain, source: `${long} // again` });
    expect(headers()).toEqual(made);
    expect(other.compile).toMatchObject({ verdict: 'ok', cached: false });
    const code = ({ executable }: typeof first) => Buffer.from(executable?.bytes ?? []).length;
    expect(code(first)).toBe(code(plain));
    expect(other.compile?.cpuMs).toBeLessThan(plain.compile?.cpuMs ?? 0);
  });

  test.each(['g++20', 'clang++20'])('of %s that is spoilt is not used', async (toolchain) => {
    const [name = ''] = headers().filter((header) => header.startsWith(`${toolchain}-`));
    const path = staging(parent, 'headers', name);
    rmSync(path);
    writeFileSync(path, 'no header at all', { mode: 0o444 });
    const { compile } = await build({ toolchain, source: `${long} // with a spoilt header` });
    expect(compile).toMatchObject({ verdict: 'ok', digest: '' });
    rmSync(path);
  });

  test('is not asked for by a program that does not include it, or has options of its own', async () => {
    const before = headers();
    await build({ toolchain: 'clang++23', source: '#include <cstdio>\nint main() {}' });
    await build({
      toolchain: 'clang++23',
      source: '#include <bits/stdc++.h>\nint main() {}',
      flags: ['-O1'],
    });
    expect(headers()).toEqual(before);
  });
});

function headers(): readonly string[] {
  const folder = staging(parent, 'headers');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

describe('kept programs', () => {
  const source = '#include <cstdio>\nint main() { std::puts("kept"); }';
  const entries = () =>
    readdirSync(staging(parent, 'compiled')).map((name) => staging(parent, 'compiled', name));

  test('are found by the next process, and one that was changed is compiled again', async () => {
    expect((await build({ source })).compile?.cached).toBe(false);
    const { executable, compile } = await build({ source });
    expect(compile?.cached).toBe(true);
    const bytes = Buffer.from(executable?.bytes ?? []);
    const path = entries().find((entry) => readFileSync(entry).includes(bytes)) ?? '';
    const changed = readFileSync(path);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    writeFileSync(path, changed);
    const again = await build({ source });
    expect(again.compile?.cached).toBe(false);
    expect(Buffer.from(again.executable?.bytes ?? [])).toEqual(bytes);
  });

  test('are out of a program’s sight, and of its compiler’s', async () => {
    const folder = staging(parent, 'compiled');
    const look = `import os\nprint(os.path.exists(${JSON.stringify(folder)}), os.path.exists(${JSON.stringify(parent)}))`;
    const { run } = await sandboxIn(parent).exec({ language: 'python', source: look }, never);
    expect(run?.stdout.text).toBe('False False\n');
    const [entry = ''] = entries();
    const { compile } = await build({ source: `#include "${entry}"\nint main() {}` });
    expect(compile?.digest).toMatch(/No such file or directory/);
  });
});

describe('the AtCoder Library', () => {
  test('in a folder of the user’s is staged, told and compiled with; a change makes another program', async () => {
    const acl = newFolder();
    const write = (answer: number) => {
      mkdirSync(join(acl, 'atcoder', 'internal'), { recursive: true });
      writeFileSync(join(acl, 'atcoder', 'all'), '#include "atcoder/dsu"\n');
      writeFileSync(join(acl, 'atcoder', 'dsu'), '#include "atcoder/internal/dsu.hpp"\n');
      const text = `namespace atcoder { inline int answer() { return ${answer}; } }\n`;
      writeFileSync(join(acl, 'atcoder', 'internal', 'dsu.hpp'), text);
    };
    write(42);
    vi.stubEnv('POLYA_ACL', acl);
    try {
      const source =
        '#include <atcoder/all>\n#include <cstdio>\nint main() { std::printf("%d", atcoder::answer()); }';
      const run = async () => sandboxIn(parent).exec({ language: 'cpp', source }, never);
      const { toolchains } = await sandboxIn(parent).info();
      expect(toolchains.find(({ name }) => name === 'clang++23')?.notes.join()).toMatch(
        /There are .*the AtCoder Library/,
      );
      expect((await run()).run?.stdout.text).toBe('42');
      write(43);
      expect(await run()).toMatchObject({ compile: { cached: false }, run: { stdout: { text: '43' } } });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

test('a project of the kind that contests hand out is built with the crates of Debian', {
  timeout: 180_000,
}, async () => {
  const files = {
    'Cargo.toml': `[package]
name = "tools"
version = "0.1.0"
edition = "2021"
[dependencies]
rand = { version = "0.8.5", features = ["small_rng", "min_const_gen"] }
rand_chacha = "0.3.1"
itertools = "0.10"
`,
    'src/lib.rs': `use itertools::Itertools;
use rand::prelude::*;
pub fn cases(seed: u64) -> String {
    let mut random = rand_chacha::ChaCha20Rng::seed_from_u64(seed);
    (0..3).map(|_| random.gen_range(0..10u32)).join(" ")
}
`,
    'src/bin/gen.rs': 'fn main() { println!("{}", tools::cases(1)); }',
  };
  const request = { language: 'rust', source: '', files } as const;
  const first = await bubblewrapSandbox().exec(request, never);
  expect(first.compile).toMatchObject({ verdict: 'ok', digest: '' });
  expect(first.run?.stdout.text).toMatch(/^\d \d \d\n$/);
});

describe('a Kotlin program', { timeout: 180_000 }, () => {
  test('without a main function is refused by its compilation, in words that say what to do', async () => {
    const source = '// main\nclass Solver { fun main() {} }';
    const { compile, executable } = await bubblewrapSandbox().build({ language: 'kotlin', source }, never);
    expect(executable).toBeNull();
    expect(compile).toMatchObject({ verdict: 'exit' });
    expect(compile?.digest).toMatch(/^main\.kt: error: there is no `fun main\(\)` at the top level/);
  });
});
