/**
 * C# by .NET, where an SDK lies in /usr. The compiler is called as the SDK calls it, without the SDK: a project file
 * and a restore would cost seconds for every program. It counts as there when a program that it compiled has run
 * inside, with the very commands that are used afterwards.
 *
 * Memory: the collector is told a limit below that of the sandbox. Reaching it ends the program with an exception that
 * nobody can handle, which is reported as `memory`.
 */
import { posix } from 'node:path';
import type { ExecLimits, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { defaultRunLimits } from '../limits.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/line.ts';
import { digest } from '../staged-file.ts';
import { anywhere, type Host, identityOf, type Tool, toolsInside } from './language.ts';

export type DotnetFolders = {
  /** `8.0.122`. */
  readonly sdk: string;
  readonly sdkFolder: string;
  /** `8.0.22`. */
  readonly runtime: string;
  readonly runtimeFolder: string;
};

const output = `${outputFolder}/main.dll`;
const configFile = 'main.runtimeconfig.json';
const inside = posix.join(toolsInside, 'dotnet');
const mebibyte = 2 ** 20;
/** Its collector, compilers, finalizer and signal handler, and the pool that stands by. */
const runtimeThreads = 48;
const [oldestMajor, languageAhead] = [6, 4];
const outOfMemory =
  /^(?:Out of memory\.|(?:Unhandled exception\.|Fatal error\.) System\.(?:Insufficient|OutOf)\w*Memory)/m;
/** No logo, no port for debuggers, no cultures, no second mapping of what is compiled: it would need more rights. */
const settings = [
  ...['DOTNET_NOLOGO=1', 'DOTNET_EnableDiagnostics=0', 'DOTNET_EnableWriteXorExecute=0'],
  ...['DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1', 'DOTNET_TieredPGO=0', 'DOTNET_gcServer=0'],
  ...['DOTNET_gcConcurrent=0', 'DOTNET_CLI_TELEMETRY_OPTOUT=1'],
];
const trial =
  'var all = new[] { 6, 7 }; System.Console.WriteLine(System.Linq.Enumerable.Aggregate(all, (a, b) => a * b));';

export async function findDotnet(host: Host, sourceFile: string): Promise<Tool | null> {
  for (const path of anywhere('dotnet')) {
    const folders = await findFolders(host, path);
    if (folders === null) continue;
    const tool = await toolOf(host, { path, folders, sourceFile });
    if (tool !== null) return tool;
  }
  return null;
}

/** Of what `dotnet --list-sdks` and `dotnet --list-runtimes` print, the newest of a kind that belong together. */
export function dotnetFolders(sdks: string, runtimes: string): DotnetFolders | null {
  const newest = (printed: string, line: RegExp) =>
    printed
      .split('\n')
      .flatMap((text) => {
        const [, version = '', folder = ''] = line.exec(text) ?? [];
        return version === '' ? [] : [{ version, folder: posix.join(folder, version) }];
      })
      .toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
      .toReversed();
  const [sdk] = newest(sdks, /^(\d+\.\d+\.\d+) \[(\/usr\/[^\]]+)\]$/);
  if (sdk === undefined || major(sdk.version) < oldestMajor) return null;
  const all = newest(runtimes, /^Microsoft\.NETCore\.App (\d+\.\d+\.\d+) \[(\/usr\/[^\]]+)\]$/);
  const runtime = all.find(({ version }) => major(version) === major(sdk.version));
  if (runtime === undefined) return null;
  return { sdk: sdk.version, sdkFolder: sdk.folder, runtime: runtime.version, runtimeFolder: runtime.folder };
}

async function findFolders(host: Host, path: string): Promise<DotnetFolders | null> {
  const ask = (option: string) => host.answer({ command: withSettings([path, option]) }, [path]);
  const [sdks, runtimes] = await Promise.all([ask('--list-sdks'), ask('--list-runtimes')]);
  return sdks === null || runtimes === null ? null : dotnetFolders(sdks, runtimes);
}

type Found = { readonly path: string; readonly folders: DotnetFolders; readonly sourceFile: string };

async function toolOf(host: Host, { path, folders, sourceFile }: Found): Promise<Tool | null> {
  const { sdk, sdkFolder, runtime, runtimeFolder } = folders;
  const listed = await host.answer({ command: ['/bin/ls', runtimeFolder] }, [runtimeFolder]);
  const references = (listed ?? '').split('\n').filter((name) => name.endsWith('.dll'));
  if (references.length === 0) return null;
  const config = Buffer.from(runtimeConfig(runtime));
  const folder = await host.stageFiles(`dotnet-${digest([config])}`, { [configFile]: config });
  const mounts: readonly Mount[] = [{ source: folder, target: inside }];
  const compileCommand = (flags: readonly string[] = []) =>
    withSettings([
      ...[path, 'exec', posix.join(sdkFolder, 'Roslyn/bincore/csc.dll'), '-nologo', '-noconfig', '-nostdlib'],
      ...['-langversion:latest', '-nullable:disable', '-unsafe', '-optimize', '-warn:0', '-utf8output'],
      ...references.map((name) => `-r:${posix.join(runtimeFolder, name)}`),
      ...[`-out:/${output}`, ...flags, sourceFile],
    ]);
  const tried = trialCommand(compileCommand(), runCommand(path, `/${output}`, defaultRunLimits));
  const files = [path, sdkFolder, runtimeFolder];
  const answer = await host.answer({ command: tried(sourceFile), mounts }, files);
  if (answer?.trim() !== '42') return null;
  return {
    name: 'dotnet',
    version: `.NET ${sdk}`,
    level: `C# ${major(sdk) + languageAhead} with the library of .NET ${runtime}`,
    notes: ['The usual namespaces are not imported by themselves: write every `using`.'],
    identity: await identityOf(host, [sdk, runtime], files),
    runtimeThreads,
    ranOutOfMemory: ranOutOfDotnetMemory,
    staged: [posix.join(folder, configFile)],
    // Only options can name another file.
    reads: (_path, { flags = [] }) => flags.length > 0,
    compile: ({ flags }) => ({ command: compileCommand(flags), collectPath: output, mounts }),
    // Compiling is little more than reading the references, which a look at the syntax would do as well.
    check: null,
    run: (limits) => ({ command: runCommand(path, programInside, limits), mounts }),
    digest: (printed) => digestMessages(printed, readLineMessages),
  };
}

/** It ends itself by SIGABRT, and says why. A program that imitates it only misnames its own failure. */
export function ranOutOfDotnetMemory({ verdict, signal, stderr }: StepResult): boolean {
  return verdict === 'signal' && signal === 'SIGABRT' && outOfMemory.test(stderr.text);
}

function runtimeConfig(version: string): string {
  const framework = { name: 'Microsoft.NETCore.App', version };
  return JSON.stringify({ runtimeOptions: { framework, rollForward: 'latestPatch' } });
}

/** .NET starts only what is named as an assembly, and the assembly is named `main`. */
function runCommand(path: string, program: string, limits: ExecLimits): readonly string[] {
  const starting = 'ln -sf "$0" /tmp/polya/main.dll && exec "$@"';
  const start = `mkdir -p /tmp/polya && ${starting}`;
  const config = posix.join(inside, configFile);
  const command = [path, 'exec', '--runtimeconfig', config, '/tmp/polya/main.dll'];
  return [
    '/bin/sh',
    '-c',
    start,
    program,
    ...withSettings(command, [`DOTNET_GCHeapHardLimit=${heapBytes(limits)}`]),
  ];
}

function trialCommand(compile: readonly string[], run: readonly string[]) {
  const quoted = (words: readonly string[]) =>
    words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return (sourceFile: string) => [
    ...['/bin/sh', '-c', `printf %s "$1" > "$2" && ${quoted(compile)} >&2 && ${quoted(run)}`],
    ...['sh', trial, sourceFile],
  ];
}

function withSettings(command: readonly string[], more: readonly string[] = []): readonly string[] {
  return ['/usr/bin/env', ...settings, ...more, ...command];
}

/** In hexadecimal, as .NET reads it. What is left holds the runtime itself, compiled code and stacks. */
function heapBytes({ memoryBytes }: ExecLimits): string {
  const rest = Math.max(64 * mebibyte, memoryBytes / 8);
  return Math.max(16 * mebibyte, Math.floor(memoryBytes - rest)).toString(16);
}

function major(version: string): number {
  return Number.parseInt(version, 10);
}
