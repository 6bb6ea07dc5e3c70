import { expect, test } from 'vitest';
import { defaultRunLimits } from '../limits.ts';
import { emptyStep } from '../protocol.ts';
import { csharp, dotnetFolders, findDotnet, ranOutOfDotnetMemory } from './csharp.ts';
import type { Host, Step } from './language.ts';

const sdks = '6.0.400 [/usr/lib/dotnet/sdk]\n8.0.122 [/usr/lib/dotnet/sdk]\n9.0.100 [/root/.dotnet/sdk]\n';
const runtimes = `Microsoft.AspNetCore.App 8.0.22 [/usr/lib/dotnet/shared/Microsoft.AspNetCore.App]
Microsoft.NETCore.App 6.0.8 [/usr/lib/dotnet/shared/Microsoft.NETCore.App]
Microsoft.NETCore.App 8.0.9 [/usr/lib/dotnet/shared/Microsoft.NETCore.App]
Microsoft.NETCore.App 8.0.22 [/usr/lib/dotnet/shared/Microsoft.NETCore.App]
`;

/** A machine on which dotnet lies in /usr/bin and prints these; what it is asked is written down. */
function machine(answers: { readonly sdks?: string; readonly trial?: string | null }) {
  const requests: Step[] = [];
  const staged: Record<string, Readonly<Record<string, Uint8Array>>> = {};
  const host: Host = {
    async answer(step) {
      requests.push(step);
      const words = step.command.join(' ');
      if (words.includes('/usr/bin/dotnet --list-sdks')) return answers.sdks ?? sdks;
      if (words.includes('/usr/bin/dotnet --list-runtimes')) return runtimes;
      if (step.command[0] === '/bin/ls') return 'System.Runtime.dll\nlibclrjit.so\nSystem.Linq.dll\n';
      return words.includes('Roslyn') ? (answers.trial === undefined ? '42\n' : answers.trial) : null;
    },
    fileState: async (path) => path,
    env: {},
    shareFolder: async (folder) => folder,
    stageFolder: async (name) => `/staging/${name}`,
    async stageFiles(name, files) {
      staged[name] = files;
      return `/staging/${name}`;
    },
    makeFile: async () => undefined,
  };
  return { host, asked: requests, staged };
}

test('the newest SDK in /usr is taken, with the newest runtime that belongs to it', () => {
  expect(dotnetFolders(sdks, runtimes)).toEqual({
    sdk: '8.0.122',
    sdkFolder: '/usr/lib/dotnet/sdk/8.0.122',
    runtime: '8.0.22',
    runtimeFolder: '/usr/lib/dotnet/shared/Microsoft.NETCore.App/8.0.22',
  });
});

test.each([
  ['', runtimes],
  [sdks, ''],
  ['5.0.400 [/usr/lib/dotnet/sdk]', runtimes],
  ['9.0.100 [/usr/lib/dotnet/sdk]', runtimes],
  ['8.0.100 [/home/a/.dotnet/sdk]', runtimes],
])('of %j and %j there is none', (installed, shared) => {
  expect(dotnetFolders(installed, shared)).toBeNull();
});

test('it counts as there when a program that it compiled has run, by the commands that are then used', async () => {
  const { host, asked, staged } = machine({});
  const tool = await findDotnet(host);
  expect(tool).toMatchObject({
    name: 'dotnet',
    version: '.NET 8.0.122',
    level: expect.stringMatching(/^C# 12 /),
  });
  const source = { source: '', flags: ['-define:A'] };
  const compile = tool?.compile?.(source, defaultRunLimits);
  expect(compile?.command).toContain(
    '-r:/usr/lib/dotnet/shared/Microsoft.NETCore.App/8.0.22/System.Linq.dll',
  );
  expect(compile?.command.join(' ')).not.toContain('libclrjit');
  expect(compile?.command.slice(-2)).toEqual(['-define:A', 'main.cs']);
  const trial = asked.map(({ command }) => command.join(' ')).find((words) => words.includes('Roslyn')) ?? '';
  expect(trial).toContain("'/usr/lib/dotnet/sdk/8.0.122/Roslyn/bincore/csc.dll' '-nologo'");
  expect(trial).toContain("'--runtimeconfig' '/run/polya/dotnet/main.runtimeconfig.json'");
  const [files = {}] = Object.values(staged);
  const config = JSON.parse(Buffer.from(files['main.runtimeconfig.json'] ?? '').toString());
  expect(config.runtimeOptions.framework).toEqual({ name: 'Microsoft.NETCore.App', version: '8.0.22' });
});

test('the collector is told a limit below that of the sandbox', async () => {
  const tool = await findDotnet(machine({}).host);
  const memoryBytes = 256 * 2 ** 20;
  const words = tool?.run({ ...defaultRunLimits, memoryBytes }).command.join(' ') ?? '';
  const [, limit = ''] = /DOTNET_GCHeapHardLimit=([0-9a-f]+)/.exec(words) ?? [];
  expect(Number.parseInt(limit, 16)).toBe(192 * 2 ** 20);
});

test.each([null, '', '41\n'])('where the trial prints %j, there is none', async (trial) => {
  expect(await findDotnet(machine({ trial }).host)).toBeNull();
});

test('Mono is the other toolchain, and the only one where .NET does not answer', async () => {
  const pair = machine({});
  const answer: Host['answer'] = async (step, files) =>
    step.command[0] === '/usr/bin/mcs'
      ? 'Mono C# compiler version 6.8.0.105\n'
      : pair.host.answer(step, files);
  const found = await csharp.find({ ...pair.host, answer });
  expect(found.map(({ name }) => name)).toEqual(['dotnet', 'mono']);
  const without = machine({ sdks: '' });
  expect((await csharp.find(without.host)).map(({ name }) => name)).toEqual([]);
});

test('a full heap is told from a program’s own failure', () => {
  const words = 'Unhandled exception. System.OutOfMemoryException: Exception of type …\n';
  const stderr = { text: words, bytes: words.length, cut: false };
  const step = { ...emptyStep('signal'), signal: 'SIGABRT' };
  expect(ranOutOfDotnetMemory({ ...step, stderr })).toBe(true);
  expect(ranOutOfDotnetMemory(step)).toBe(false);
  expect(ranOutOfDotnetMemory({ ...step, verdict: 'wall', stderr })).toBe(false);
});
