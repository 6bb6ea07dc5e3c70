/** C++ by g++, with the flags that contests use. */
import { outputFolder, programInside } from '../layout.ts';
import { installHint } from '../needs.ts';
import { anywhere, firstThatAnswers, type Language, type Tool } from './language.ts';

const flags = ['-std=gnu++20', '-O2'];
const output = `${outputFolder}/main`;

export const cpp: Language = {
  id: 'cpp',
  title: 'C++',
  sourceFile: 'main.cpp',
  installHint: installHint('g++'),
  async find(host) {
    const found = await firstThatAnswers(host, anywhere('g++'), gccVersion);
    if (found === null) return [];
    const command = [found.path, ...flags, '-o', `/${output}`, cpp.sourceFile];
    const tool: Tool = {
      name: 'g++20',
      version: found.version,
      level: 'C++20, -O2',
      compile: (_limits, more) => ({ command: [...command, ...more], collectPath: output }),
      run: () => ({ command: [programInside] }),
    };
    return [tool];
  },
};

export function gccVersion(printed: string): string | null {
  const [, version] = /^g\+\+.* (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return version === undefined ? null : `g++ ${version}`;
}
