/**
 * C# by Mono's own compiler, mcs, and Mono's runtime, as Debian packages them. The level names what models write most
 * often and mcs does not know.
 *
 * Memory: Mono crashes where it reaches `max-heap-size`, and a crash is no verdict. So it is only told from where
 * on to collect eagerly, and the sandbox ends it at the limit, as any native program.
 */
import { access } from 'node:fs/promises';
import type { ExecLimits } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/line.ts';
import { type Host, identityOf, type Tool } from './language.ts';

const mcs = '/usr/bin/mcs';
const mono = '/usr/bin/mono';
const compiler = '/usr/lib/mono/4.5/mcs.exe';
const settingsFolder = '/etc/mono';
const output = `${outputFolder}/main.exe`;
const references = ['System.Core', 'System.Numerics', 'Microsoft.CSharp'].map((name) => `-r:${name}`);
const options = ['-langversion:Latest', '-unsafe', '-warn:0', ...references];
const level = [
  'C# 7.2 with the library of .NET Framework 4.7; this compiler has no local functions (use lambdas or methods)',
  'no type patterns in `switch`, no `switch` expressions, no `foreach (var (a, b) in …)`, no == of tuples',
  'nothing newer: no records, ranges, `new()`, `??=`, `using var`, `is not`, top-level statements',
  'and no PriorityQueue, MinBy, MaxBy, Chunk',
].join('; ');
/** The collector's, the finalizer's and those of the pool that stand by. */
const runtimeThreads = 16;

export async function findMono(host: Host, sourceFile: string): Promise<Tool | null> {
  const mounts = await settings();
  const answer = await host.answer({ command: [mcs, '--version'], mounts }, [mcs, mono, compiler]);
  const version = answer === null ? null : mcsVersion(answer);
  if (version === null) return null;
  const command = (last: readonly string[], flags: readonly string[] = []) => ({
    command: [mcs, ...options, ...last, ...flags, sourceFile],
    mounts,
  });
  return {
    name: 'mono',
    version,
    level,
    notes: [],
    identity: await identityOf(host, [version], [compiler, mono]),
    runtimeThreads,
    // Only options can name another file.
    reads: (_path, { flags = [] }) => flags.length > 0,
    compile: ({ flags }) => ({ ...command(['-optimize', `-out:/${output}`], flags), collectPath: output }),
    check: ({ flags }) => command(['--parse'], flags),
    run: (limits) => ({ command: [mono, `--gc-params=${collection(limits)}`, programInside], mounts }),
    digest: (printed) => digestMessages(printed, readLineMessages),
  };
}

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
