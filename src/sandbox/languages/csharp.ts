/** C# by .NET if its SDK lies in /usr, and by Mono, which Debian has and which knows less of the language. */
// .NET's compiler is called without the SDK: a project file and a restore would cost seconds for every program.
// Mono crashes at its hard limit for the heap, and a crash is no verdict: it gets a soft limit below the sandbox's own.
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { ExecLimits, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { defaultRunLimits, heapBytes } from '../limits.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/readers.ts';
import { installHint } from '../needs.ts';
import { digest } from '../staged-file.ts';
import { anywhere, type Host, identityOf, type Language, type Tool, toolsInside } from './language.ts';

const sourceFile = 'main.cs';

export const csharp: Language = {
  id: 'csharp',
  title: 'C#',
  sourceFile,
  installHint: installHint('mono-mcs mono-runtime'),
  async find(host) {
    const found = await Promise.all([findDotnet(host), findMono(host)]);
    return found.filter((tool) => tool !== null);
  },
};

const common = {
  // Only options can name another file.
  reads: (_path, { flags = [] }) => flags.length > 0,
  digest: (printed) => digestMessages(printed, readLineMessages),
} satisfies Partial<Tool>;

const dll = `${outputFolder}/main.dll`;
const configFile = 'main.runtimeconfig.json';
const dotnetInside = posix.join(toolsInside, 'dotnet');
const [oldestMajor, languageAhead] = [6, 4];
const outOfMemory =
  /^(?:Out of memory\.|(?:Unhandled exception\.|Fatal error\.) System\.(?:Insufficient|OutOf)\w*Memory)/m;
/** No logo, no port for debuggers, no cultures, no second mapping of what is compiled: it would need more rights. */
const dotnetSettings = [
  ...['DOTNET_NOLOGO=1', 'DOTNET_EnableDiagnostics=0', 'DOTNET_EnableWriteXorExecute=0'],
  ...['DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1', 'DOTNET_TieredPGO=0', 'DOTNET_gcServer=0'],
  ...['DOTNET_gcConcurrent=0', 'DOTNET_CLI_TELEMETRY_OPTOUT=1'],
];
const trial =
  'var all = new[] { 6, 7 }; System.Console.WriteLine(System.Linq.Enumerable.Aggregate(all, (a, b) => a * b));';

/** Versions as `8.0.122`, with the folder of each. */
type DotnetFolders = {
  readonly sdk: string;
  readonly sdkFolder: string;
  readonly runtime: string;
  readonly runtimeFolder: string;
};

export async function findDotnet(host: Host): Promise<Tool | null> {
  for (const path of anywhere('dotnet')) {
    const request = (option: string) => host.answer({ command: withSettings([path, option]) }, [path]);
    const [sdks, runtimes] = await Promise.all([request('--list-sdks'), request('--list-runtimes')]);
    const folders = dotnetFolders(sdks ?? '', runtimes ?? '');
    const tool = folders && (await dotnetTool(host, path, folders));
    if (tool !== null) return tool;
  }
  return null;
}

/** Of what `dotnet --list-sdks` and `dotnet --list-runtimes` print, the newest of a kind that belong together. */
export function dotnetFolders(sdks: string, runtimes: string): DotnetFolders | null {
  const newestFirst = (printed: string, line: RegExp) =>
    printed
      .split('\n')
      .flatMap((text) => {
        const [, version = '', folder = ''] = line.exec(text) ?? [];
        return version === '' ? [] : [{ version, folder: posix.join(folder, version) }];
      })
      .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  const [sdk] = newestFirst(sdks, /^(\d+\.\d+\.\d+) \[(\/usr\/[^\]]+)\]$/);
  if (sdk === undefined || major(sdk.version) < oldestMajor) return null;
  const all = newestFirst(runtimes, /^Microsoft\.NETCore\.App (\d+\.\d+\.\d+) \[(\/usr\/[^\]]+)\]$/);
  const runtime = all.find(({ version }) => major(version) === major(sdk.version));
  if (runtime === undefined) return null;
  return { sdk: sdk.version, sdkFolder: sdk.folder, runtime: runtime.version, runtimeFolder: runtime.folder };
}

async function dotnetTool(host: Host, path: string, folders: DotnetFolders): Promise<Tool | null> {
  const { sdk, sdkFolder, runtime, runtimeFolder } = folders;
  const entry = await host.answer({ command: ['/bin/ls', runtimeFolder] }, [runtimeFolder]);
  const references = (entry ?? '').split('\n').filter((name) => name.endsWith('.dll'));
  if (references.length === 0) return null;
  const framework = { name: 'Microsoft.NETCore.App', version: runtime };
  const config = Buffer.from(JSON.stringify({ runtimeOptions: { framework, rollForward: 'latestPatch' } }));
  const folder = await host.stageFiles(`dotnet-${digest([config])}`, { [configFile]: config });
  const mounts: readonly Mount[] = [{ source: folder, target: dotnetInside }];
  const compileCommand = (flags: readonly string[] = []) =>
    withSettings([
      ...[path, 'exec', posix.join(sdkFolder, 'Roslyn/bincore/csc.dll'), '-nologo', '-noconfig', '-nostdlib'],
      ...['-langversion:latest', '-nullable:disable', '-unsafe', '-optimize', '-warn:0', '-utf8output'],
      ...references.map((name) => `-r:${posix.join(runtimeFolder, name)}`),
      ...[`-out:/${dll}`, ...flags, sourceFile],
    ]);
  const files = [path, sdkFolder, runtimeFolder];
  const command = trialCommand(compileCommand(), dotnetRun(path, `/${dll}`, defaultRunLimits));
  if ((await host.answer({ command, mounts }, files))?.trim() !== '42') return null;
  return {
    ...common,
    name: 'dotnet',
    version: `.NET ${sdk}`,
    level: `C# ${major(sdk) + languageAhead} with the library of .NET ${runtime}`,
    notes: ['The usual namespaces are not imported by themselves: write every `using`.'],
    identity: await identityOf(host, [sdk, runtime], files),
    // Its collector, compilers, finalizer and signal handler, and the pool that stands by.
    runtimeThreads: 48,
    ranOutOfMemory: ranOutOfDotnetMemory,
    staged: [posix.join(folder, configFile)],
    compile: ({ flags }) => ({ command: compileCommand(flags), collectPath: dll, mounts }),
    // Compiling is little more than reading the references, which a look at the syntax would do as well.
    check: null,
    run: (limits) => ({ command: dotnetRun(path, programInside, limits), mounts }),
  };
}

/** It ends itself by SIGABRT, and says why. A program can imitate it: see `judgeStep`. */
export function ranOutOfDotnetMemory({ verdict, signal, stderr }: StepResult): boolean {
  return verdict === 'signal' && signal === 'SIGABRT' && outOfMemory.test(stderr.text);
}

/** .NET starts only what is named as an assembly, and the assembly is named `main`. It reads limits in hexadecimal. */
function dotnetRun(path: string, program: string, { memoryBytes }: ExecLimits): readonly string[] {
  const start = 'mkdir -p /tmp/polya && ln -sf "$0" /tmp/polya/main.dll && exec "$@"';
  const config = posix.join(dotnetInside, configFile);
  const command = [path, 'exec', '--runtimeconfig', config, '/tmp/polya/main.dll'];
  const heap = `DOTNET_GCHeapHardLimit=${heapBytes(memoryBytes).toString(16)}`;
  return ['/bin/sh', '-c', start, program, ...withSettings(command, [heap])];
}

function trialCommand(compile: readonly string[], run: readonly string[]): readonly string[] {
  const quoted = (words: readonly string[]) =>
    words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const script = `printf %s "$1" > "$2" && ${quoted(compile)} >&2 && ${quoted(run)}`;
  return ['/bin/sh', '-c', script, 'sh', trial, sourceFile];
}

function withSettings(command: readonly string[], more: readonly string[] = []): readonly string[] {
  return ['/usr/bin/env', ...dotnetSettings, ...more, ...command];
}

function major(version: string): number {
  return Number.parseInt(version, 10);
}

const [mcs, mono] = ['/usr/bin/mcs', '/usr/bin/mono'];
const mcsAssembly = '/usr/lib/mono/4.5/mcs.exe';
const monoConfig = '/etc/mono';
const exe = `${outputFolder}/main.exe`;
const monoReferences = ['System.Core', 'System.Numerics', 'Microsoft.CSharp'].map((name) => `-r:${name}`);
/** It names what models write most often and mcs does not know. */
const monoLevel = [
  'C# 7.2 with the library of .NET Framework 4.7; this compiler has no local functions (use lambdas or methods)',
  'no type patterns in `switch`, no `switch` expressions, no `foreach (var (a, b) in …)`, no == of tuples',
  'nothing newer: no records, ranges, `new()`, `??=`, `using var`, `is not`, top-level statements',
  'and no PriorityQueue, MinBy, MaxBy, Chunk',
].join('; ');

async function findMono(host: Host): Promise<Tool | null> {
  const mounts = existsSync(monoConfig) ? [{ source: monoConfig, target: monoConfig }] : [];
  const answer = await host.answer({ command: [mcs, '--version'], mounts }, [mcs, mono, mcsAssembly]);
  const version = mcsVersion(answer ?? '');
  if (version === null) return null;
  const options = ['-langversion:Latest', '-unsafe', '-warn:0', ...monoReferences];
  const step = (last: readonly string[], flags: readonly string[] = []) => ({
    command: [mcs, ...options, ...last, ...flags, sourceFile],
    mounts,
  });
  return {
    ...common,
    name: 'mono',
    version,
    level: monoLevel,
    notes: [],
    identity: await identityOf(host, [version], [mcsAssembly, mono]),
    // The threads of the collector, of the finalizer, and of the pool.
    runtimeThreads: 16,
    compile: ({ flags }) => ({ ...step(['-optimize', `-out:/${exe}`], flags), collectPath: exe }),
    check: ({ flags }) => step(['--parse'], flags),
    run: ({ memoryBytes }) => {
      const collectFrom = Math.max(Math.floor(memoryBytes / 2), 16 * 2 ** 20);
      return { command: [mono, `--gc-params=soft-heap-limit=${collectFrom}`, programInside], mounts };
    },
  };
}

/** Older ones know less of the language than the level says. */
export function mcsVersion(printed: string): string | null {
  const [, version = ''] = /^Mono C# compiler version (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return Number.parseInt(version, 10) >= 6 ? `Mono mcs ${version}` : null;
}
