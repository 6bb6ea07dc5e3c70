/** Headers that are compiled ahead: made once, left out where they are spoilt or not asked for. To make one takes long. */
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BuildRequest } from '../../src/core/sandbox.ts';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let parent = '';
const staging = (...names: string[]) => {
  const [name = ''] = readdirSync(parent).filter((entry) => entry.startsWith('polya-'));
  return join(parent, name, ...names);
};
const build = (program: Omit<BuildRequest, 'language'>) =>
  bubblewrapSandbox({ stagingParents: [parent] }).build(
    { language: 'cpp', ...program },
    new AbortController().signal,
  );

beforeAll(() => {
  parent = temporaryFolder('compile');
  chmodSync(parent, 0o755);
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
    const path = staging('headers', name);
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
  const folder = staging('headers');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
