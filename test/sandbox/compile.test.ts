/**
 * What compiling leaves on this machine: libraries of the user's and kept programs; and what spoils them. Compiled headers
 * are in `compile.long.test.ts`.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { BuildRequest } from '../../src/core/sandbox.ts';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { stageIn } from './elsewhere.ts';

const never = new AbortController().signal;
const newFolder = () => {
  const folder = temporaryFolder('compile');
  chmodSync(folder, 0o755);
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

beforeAll(async () => {
  parent = newFolder();
  await stageIn(parent);
});

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
