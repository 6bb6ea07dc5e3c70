/**
 * C# by Mono's own compiler, mcs, and Mono's runtime, as Debian packages them. The level names what models write
 * most often and mcs does not know. `dotnet` is not looked for: we could not test it.
 *
 * Memory: Mono crashes where it reaches `max-heap-size`, and a crash is no verdict. So it is only told from where
 * on to collect eagerly, and the sandbox ends it at the limit, as any native program.
 */
import { access } from 'node:fs/promises';
import type { ExecLimits } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { installHint } from '../needs.ts';
import type { Language, Tool } from './language.ts';

const mcs = '/usr/bin/mcs';
const mono = '/usr/bin/mono';
const settingsFolder = '/etc/mono';
const output = `${outputFolder}/main.exe`;
const references = ['System.Core', 'System.Numerics', 'Microsoft.CSharp'].map((name) => `-r:${name}`);
const flags = ['-langversion:Latest', '-optimize', '-unsafe', '-warn:0', ...references];
const level = [
  'C# 7.2 with the library of .NET Framework 4.7; this compiler has no local functions (use lambdas or methods)',
  'no type patterns in `switch`, no `switch` expressions, no `foreach (var (a, b) in …)`, no == of tuples',
  'nothing newer: no records, ranges, `new()`, `??=`, `using var`, `is not`, top-level statements',
  'and no PriorityQueue, MinBy, MaxBy, Chunk',
].join('; ');
/** The collector's, the finalizer's and those of the pool that stand by. */
const runtimeThreads = 16;

export const csharp: Language = {
  id: 'csharp',
  title: 'C#',
  sourceFile: 'main.cs',
  installHint: installHint('mono-mcs mono-runtime'),
  async find(host) {
    const mounts = await settings();
    const answer = await host.answer({ command: [mcs, '--version'], mounts }, [
      mcs,
      mono,
      '/usr/lib/mono/4.5/mcs.exe',
    ]);
    const version = answer === null ? null : mcsVersion(answer);
    if (version === null) return [];
    const tool: Tool = {
      name: 'mono',
      version,
      level,
      runtimeThreads,
      compile: (_limits, more) => ({
        command: [mcs, ...flags, `-out:/${output}`, ...more, csharp.sourceFile],
        collectPath: output,
        mounts,
      }),
      run: (limits) => ({ command: [mono, `--gc-params=${collection(limits)}`, programInside], mounts }),
    };
    return [tool];
  },
};

/** Older ones know less of the language than the level says. */
export function mcsVersion(printed: string): string | null {
  const [, version = ''] = /^Mono C# compiler version (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return Number.parseInt(version, 10) >= 6 ? `Mono mcs ${version}` : null;
}

function collection({ memoryBytes }: ExecLimits): string {
  return `soft-heap-limit=${Math.max(Math.floor(memoryBytes / 2), 16 * 2 ** 20)}`;
}

async function settings(): Promise<readonly Mount[]> {
  const exists = await access(settingsFolder).then(
    () => true,
    () => false,
  );
  return exists ? [{ source: settingsFolder, target: settingsFolder }] : [];
}
