import { expect, test } from 'vitest';
import { cpp, gccVersion } from './cpp.ts';
import { mcsVersion } from './csharp.ts';
import { javaVersion } from './java.ts';
import { toolchain } from './languages.ts';
import { pythonVersion } from './python.ts';

test.each([
  [pythonVersion, 'Python 3.11.2\n', 'Python 3.11.2'],
  [pythonVersion, 'Python 3.14.0rc1\n', 'Python 3.14.0rc1'],
  [pythonVersion, 'pyenv: python3: command not found\n', null],
  [gccVersion, 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright', 'g++ 12.2.0'],
  [gccVersion, 'g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\n', 'g++ 13.3.0'],
  [gccVersion, 'Apple clang version 15\n', null],
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
  const tool = {
    name: 'g++20',
    version: 'g++ 12.2.0',
    level: 'C++20, -O2',
    compile: null,
    run: () => ({ command: [] }),
  };
  expect(toolchain(cpp, tool)).toEqual({
    language: 'cpp',
    name: 'g++20',
    version: 'g++ 12.2.0',
    level: 'C++20, -O2',
    notes: [],
    sourceFile: 'main.cpp',
  });
});
