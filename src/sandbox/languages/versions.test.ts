import { expect, test } from 'vitest';
import { absentLibraries, aclFolders, cpp } from './cpp.ts';
import { beginsWithEveryHeader, clangVersion, gccVersion, includeFolders } from './cpp-compiler.ts';
import { mcsVersion } from './csharp.ts';
import { javaVersion } from './kotlin.ts';
import { isIncluded, type Tool } from './language.ts';
import { languages, toolchain } from './languages.ts';
import { libraryVersions, pythonVersion } from './python.ts';
import { cargoVersion, crateVersions, isProject, rustcVersion } from './rust.ts';

test.each([
  [pythonVersion, 'Python 3.11.2\n', 'Python 3.11.2'],
  [pythonVersion, 'Python 3.14.0rc1\n', 'Python 3.14.0rc1'],
  [pythonVersion, 'pyenv: python3: command not found\n', null],
  [gccVersion, 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright', 'g++ 12.2.0'],
  [gccVersion, 'g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\n', 'g++ 13.3.0'],
  [gccVersion, 'Apple clang version 15\n', null],
  [clangVersion, 'Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64', 'clang++ 19.1.7'],
  [clangVersion, 'Ubuntu clang version 18.1.3 (1ubuntu1)\n', 'clang++ 18.1.3'],
  [clangVersion, 'clang version 21.1.0\n', 'clang++ 21.1.0'],
  [clangVersion, 'Debian clang version 14.0.6\n', null],
  [rustcVersion, 'rustc 1.63.0\n', 'rustc 1.63.0'],
  [rustcVersion, 'error: rustup could not choose a version of rustc to run\n', null],
  [cargoVersion, 'cargo 1.65.0 (Debian 0.66.0+ds1-1)\n', 'cargo 1.65.0'],
  [mcsVersion, 'Mono C# compiler version 6.8.0.105\n', 'Mono mcs 6.8.0.105'],
  [mcsVersion, 'Mono C# compiler version 4.6.2.0\n', null],
  [mcsVersion, 'mcs: command not found\n', null],
])('%o takes %j for %j', (read, printed, version) => {
  expect(read(printed)).toBe(version);
});

test.each([
  ['openjdk 17.0.15 2025-04-15\nOpenJDK Runtime', { version: 'OpenJDK 17.0.15', major: 17 }],
  ['openjdk 25 2025-09-16\n', { version: 'OpenJDK 25', major: 25 }],
  ['java 21.0.2 2024-01-16 LTS\n', { version: 'Java 21.0.2', major: 21 }],
  ['Unrecognized option: --version\n', null],
])('java prints %j', (printed, version) => {
  expect(javaVersion(printed)).toEqual(version);
});

test('a toolchain is described for models', () => {
  const tool: Tool = {
    name: 'g++20',
    version: 'g++ 12.2.0',
    level: 'C++20, -O2',
    notes: ['No Boost.'],
    identity: 'x',
    compile: null,
    check: null,
    run: () => ({ command: [] }),
    digest: () => '',
  };
  expect(toolchain(cpp, tool)).toEqual({
    language: 'cpp',
    name: 'g++20',
    version: 'g++ 12.2.0',
    level: 'C++20, -O2',
    notes: ['No Boost.'],
    sourceFile: 'main.cpp',
  });
  expect(new Set(languages.map(({ sourceFile }) => sourceFile)).size).toBe(languages.length);
});

test('libraries of Python are told as people write them, in one order', () => {
  expect(libraryVersions('sympy 1.11.1\nnumpy 1.24.2\nz3 4.8.12\nnothing\nscipy None\n')).toEqual([
    'NumPy 1.24.2',
    'SymPy 1.11.1',
    'z3 4.8.12',
  ]);
});

test('crates that contests use are told, each version of them', () => {
  const entry = 'itertools-0.10.3\nlibc-0.2.139\nrand-0.7.3\nrand-0.8.5\nrand_chacha-0.3.1\nrand-core\n';
  expect(crateVersions(entry)).toEqual(['rand 0.7.3', 'rand 0.8.5', 'rand_chacha 0.3.1', 'itertools 0.10.3']);
});

test('a Cargo.toml makes a project', () => {
  expect(isProject({ source: '', files: { 'Cargo.toml': '' } })).toBe(true);
  expect(isProject({ source: '', files: { 'tools/Cargo.toml': '' } })).toBe(false);
  expect(isProject({ source: '' })).toBe(false);
});

test('the folders of headers, in the compiler’s own order', () => {
  const printed = `ignoring nonexistent directory "/usr/local/include/x86_64-linux-gnu"
#include "..." search starts here:
#include <...> search starts here:
 /usr/include/c++/12
 /usr/lib/gcc/x86_64-linux-gnu/12/include
End of search list.
 /not/this`;
  expect(includeFolders(printed)).toEqual([
    '/usr/include/c++/12',
    '/usr/lib/gcc/x86_64-linux-gnu/12/include',
  ]);
  expect(includeFolders('')).toEqual([]);
});

test.each([
  ['#include <bits/stdc++.h>\nint main() {}', true],
  ['// a\n/* b *\n ** c */\n\n  # include "bits/stdc++.h"\n', true],
  ['\uFEFF#include <bits/stdc++.h>', true],
  ['#define _GLIBCXX_DEBUG\n#include <bits/stdc++.h>', false],
  ['#pragma GCC optimize("O3")\n#include <bits/stdc++.h>', false],
  ['#include <vector>\n#include <bits/stdc++.h>', false],
  ['/* #include <bits/stdc++.h> */ int main() {}', false],
  ['/* never closed\n#include <bits/stdc++.h>', false],
])('%j begins with the header: %s', (source, begins) => {
  expect(beginsWithEveryHeader(source)).toBe(begins);
});

test.each([
  [
    "main.cpp:1:10: fatal error: 'atcoder/dsu' file not found",
    /AtCoder Library is not on this machine.*ac-library/,
  ],
  ['main.cpp:1:10: fatal error: boost/x.hpp: No such file or directory', /Boost is not .*libboost-dev/],
  ['main.cpp:1:10: fatal error: Eigen/Dense: No such file or directory', /Eigen is not .*libeigen3-dev/],
])('%s names what would bring it', (printed, told) => {
  expect(absentLibraries(printed, new Set()).join()).toMatch(told);
});

test('of a library that is there, or that nobody knows, a missing header is the program’s own mistake', () => {
  expect(absentLibraries('fatal error: boost/x.hpp: No such file or directory', new Set(['Boost']))).toEqual(
    [],
  );
  expect(absentLibraries('fatal error: mine/x.hpp: No such file or directory', new Set())).toEqual([]);
  expect(absentLibraries('fatal error: toString/x: No such file or directory', new Set())).toEqual([]);
});

test('ACL is looked for where its user says, then in the folder for data, then where AtCoder has it', () => {
  expect(aclFolders({ POLYA_ACL: '/a', XDG_DATA_HOME: '/data' })).toEqual([
    '/a',
    '/data/polya/ac-library',
    '/opt/ac-library',
  ]);
  expect(aclFolders({ XDG_DATA_HOME: 'relative', HOME: '/home/b' })[0]).toBe(
    '/home/b/.local/share/polya/ac-library',
  );
});

test('a file that a source includes is for the compiler, whatever its name', () => {
  const source = '#include "data/table.txt"\nlet all = include_str!("in.txt");\nopen("other.txt");';
  expect(isIncluded('data/table.txt', { source })).toBe(true);
  expect(isIncluded('in.txt', { source })).toBe(true);
  expect(isIncluded('other.txt', { source })).toBe(false);
  expect(
    isIncluded('deep.txt', { source, files: { 'a.h': '#include "deep.txt"', b: new Uint8Array() } }),
  ).toBe(true);
});
