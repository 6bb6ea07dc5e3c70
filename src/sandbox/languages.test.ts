import { expect, test } from 'vitest';
import { languages, toolchain } from './languages.ts';

test.each([
  ['python', 'Python 3.11.2\n', 'Python 3.11.2'],
  ['python', 'Python 3.14.0rc1\n', 'Python 3.14.0rc1'],
  ['python', 'pyenv: python3: command not found\n', null],
  ['cpp', 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright', 'g++ 12.2.0'],
  ['cpp', 'g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\n', 'g++ 13.3.0'],
  ['cpp', 'Apple clang version 15\n', null],
] as const)('%s says %j', (id, printed, version) => {
  expect(languages[id].version(printed)).toBe(version);
});

test('a toolchain is described for models', () => {
  expect(toolchain(languages.cpp, 'g++ 12.2.0')).toEqual({
    language: 'cpp',
    version: 'g++ 12.2.0',
    level: 'C++20, -O2',
    sourceFile: 'main.cpp',
  });
});
