/** What is found on machines that this one is not: a compiler that is too old, a library more, a crate less. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { defaultCompileLimits } from '../limits.ts';
import { cpp } from './cpp.ts';
import type { Host, MakeFile, Step } from './language.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { rustupToolchains } from './rustup.ts';

type Machine = {
  /** The folders of toolchains that their user has from rustup. */
  readonly home?: string;
  /** What a command prints; null where it fails or is not there. */
  readonly answer: (words: string) => string | null;
  readonly files?: readonly string[];
};

function hostOn({ answer, files = [], home = '/nowhere' }: Machine) {
  const created: { path: string; job: MakeFile }[] = [];
  const host: Host = {
    env: { HOME: home },
    shareFolder: async (folder) => folder,
    answer: async ({ command }: Step) => answer(command.join(' ')),
    fileState: async (path) => (files.includes(path) ? `${path} 1` : null),
    stageFolder: async (name) => `/nowhere/${name}`,
    stageFiles: async (name) => `/nowhere/${name}`,
    makeFile: async (path, job) => {
      created.push({ path, job });
    },
  };
  return { host, made: created };
}

const printedFolders =
  '#include <...> search starts here:\n /usr/include/c++/12\n /usr/include\nEnd of search list.';

describe('C++', () => {
  const gcc = (words: string) => (words === '/usr/bin/g++ --version' ? 'g++ (Debian) 12.2.0\n' : null);

  test('without a compiler there is no toolchain', async () => {
    expect(await cpp.find(hostOn({ answer: () => null }).host)).toEqual([]);
  });

  test('a level that does not compile is left out', async () => {
    const answer = (words: string) => gcc(words) ?? (words.includes('-std=gnu++20') ? printedFolders : null);
    expect((await cpp.find(hostOn({ answer }).host)).map(({ name }) => name)).toEqual(['g++20']);
  });

  test('a compiler that cannot tell its processor compiles for any', async () => {
    const answer = (words: string) => gcc(words) ?? (words.includes('-march=native') ? null : printedFolders);
    const [tool] = await cpp.find(hostOn({ answer }).host);
    const { command = [] } = tool?.compile?.({ source: '' }, defaultCompileLimits) ?? {};
    expect(command).not.toContain('-march=native');
    expect(command.slice(0, 5)).toEqual([
      '/usr/bin/g++',
      '-std=gnu++20',
      '-O2',
      '-DONLINE_JUDGE',
      '-DATCODER',
    ]);
    expect(tool?.notes.join(' ')).not.toContain('native');
  });

  test('the header of all headers is made from where the compiler has it, once it is of use', async () => {
    const answer = (words: string) => gcc(words) ?? printedFolders;
    const { host, made } = hostOn({ answer, files: ['/usr/include/c++/12/bits/stdc++.h'] });
    const [tool] = await cpp.find(host);
    const all = { source: '#include <bits/stdc++.h>\n' };
    expect(tool?.preparesFor?.(all)).toBe(true);
    expect(tool?.preparesFor?.({ source: '#include <vector>\n' })).toBe(false);
    expect(tool?.preparesFor?.({ ...all, flags: ['-O3'] })).toBe(false);
    await tool?.prepare?.(new AbortController().signal);
    expect(made[0]?.job.command.at(-1)).toBe('/usr/include/c++/12/bits/stdc++.h');
    expect(made[0]?.job.replaces).toBe('g++20-');
    // It is not there yet.
    expect(tool?.compile?.(all, defaultCompileLimits).plain).toBeUndefined();
  });

  test('where there is no such header, nothing is made', async () => {
    const { host, made } = hostOn({ answer: (words) => gcc(words) ?? printedFolders });
    const [tool] = await cpp.find(host);
    expect(tool?.preparesFor?.({ source: '#include <bits/stdc++.h>\n' })).toBe(false);
    await tool?.prepare?.(new AbortController().signal);
    expect(made).toEqual([]);
  });

  test('a library of AtCoder’s that every program sees needs no folder of its own', async () => {
    const answer = (words: string) => gcc(words) ?? printedFolders;
    const { host } = hostOn({ answer, files: ['/usr/local/include/atcoder/all'] });
    const [tool] = await cpp.find(host);
    expect(tool?.notes.join(' ')).toMatch(/There are the AtCoder Library.*Not there: Boost, Eigen/);
    expect(tool?.compile?.({ source: '' }, defaultCompileLimits).mounts).toEqual([]);
  });
});

describe('Python', () => {
  const version = (words: string) => (words === '/usr/bin/python3 --version' ? 'Python 3.13.1\n' : null);

  test('without libraries, models are told so', async () => {
    const [tool] = await python.find(hostOn({ answer: version }).host);
    expect(tool).toMatchObject({ version: 'Python 3.13.1', compile: null });
    expect(tool?.notes).toEqual(['No library beside the standard one is there.']);
  });

  test('without Python there is no toolchain', async () => {
    expect(await python.find(hostOn({ answer: () => null }).host)).toEqual([]);
  });
});

describe('Rust', () => {
  const rustc = (words: string) => (words === '/usr/bin/rustc --version' ? 'rustc 1.85.0\n' : null);
  const both = (words: string) =>
    rustc(words) ?? (words === '/usr/bin/cargo --version' ? 'cargo 1.85.0\n' : null);
  const project = { 'Cargo.toml': '' };
  const toolOn = async (answer: Machine['answer']) => (await rust.find(hostOn({ answer }).host))[0];

  test('without rustc there is no toolchain; without cargo and crates, models are told so', async () => {
    expect(await toolOn(() => null)).toBeUndefined();
    expect((await toolOn(rustc))?.notes).toContain('cargo is not there.');
    expect((await toolOn(both))?.notes.join(' ')).toContain('no crate of Debian’s is there');
  });

  test('crates come from the project’s own folder, else from Debian, unless it says so itself', async () => {
    const tool = await toolOn(both);
    const words = (files: Record<string, string>) =>
      tool?.compile?.({ source: '', files }, defaultCompileLimits).command.join(' ');
    expect(words(project)).toContain('source.polya.directory="/usr/share/cargo/registry"');
    expect(words({ ...project, 'vendor/rand/Cargo.toml': '' })).toContain('source.polya.directory="vendor"');
    expect(words({ ...project, '.cargo/config.toml': '' })).not.toContain('source.polya');
  });

  test('a project’s source is its main file, and need not be there', async () => {
    const tool = await toolOn(both);
    expect(tool?.sourceFile?.({ source: 'fn main() {}' })).toBe('main.rs');
    expect(tool?.sourceFile?.({ source: 'fn main() {}', files: project })).toBe('src/main.rs');
    expect(tool?.sourceFile?.({ source: '', files: project })).toBeNull();
  });

  test.each([
    ['error: no matching package named `svg` found', /vendor.*librust-svg-dev/],
    ['error: failed to select a version for the requirement `rand_pcg = "=9"`', /librust-rand-pcg-dev/],
    ['error: no matching package found\nsearched package name: `svg`', /vendor` of the project/],
  ])('%s says where a crate could come from', async (printed, told) => {
    expect((await toolOn(both))?.digest(printed)).toMatch(told);
  });

  test('of rustup’s toolchains and the system’s the newest is taken; a linked folder is none of them', async () => {
    const home = temporaryFolder('rustup');
    const put = (name: string) => {
      const bin = join(home, '.rustup', 'toolchains', name, 'bin');
      mkdirSync(bin, { recursive: true });
      for (const program of ['rustc', 'cargo']) writeFileSync(join(bin, program), '');
    };
    put('stable-x86_64-unknown-linux-gnu');
    put('nightly-x86_64-unknown-linux-gnu');
    mkdirSync(join(home, 'private', 'bin'), { recursive: true });
    symlinkSync(join(home, 'private'), join(home, '.rustup', 'toolchains', 'mine'));
    const found = await rustupToolchains({ HOME: home });
    expect(found.map((path) => basename(path))).toEqual(['stable-x86_64-unknown-linux-gnu']);
    const own = (version: string) => (words: string) =>
      both(words) ?? (words.startsWith('/run/polya/rust/bin/rustc') ? `rustc ${version}` : null);
    const withCargo = (version: string) => (words: string) =>
      own(version)(words) ?? (words.startsWith('/run/polya/rust/bin/cargo') ? `cargo ${version}` : null);
    const chosen = async (answer: Machine['answer']) =>
      (await rust.find(hostOn({ answer, home }).host)).map(({ version }) => version);
    expect(await chosen(withCargo('1.95.0'))).toEqual(['rustc 1.95.0']);
    expect(await chosen(withCargo('1.60.0'))).toEqual(['rustc 1.85.0']);
    expect(await chosen(own('1.95.0'))).toEqual(['rustc 1.85.0']);
    const [tool] = await rust.find(hostOn({ answer: withCargo('1.95.0'), home }).host);
    const step = tool?.compile?.({ source: '' }, defaultCompileLimits);
    expect(step?.mounts).toEqual([{ source: found[0], target: '/run/polya/rust' }]);
  });
});
