/**
 * A Java machine for languages that need one: found in /usr, told its limits, and made to end at once where its
 * heap is full. Knows no language.
 *
 * A heap that may grow to the limit would be ended by the sandbox for garbage that it had not collected yet. So it
 * stays below, and reaching that limit of ours is reported as `memory`, although Java ends itself, with status 3.
 */
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecLimits, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { heapBytes } from '../limits.ts';
import { anywhere, type Host } from './language.ts';

export type Java = {
  /** `OpenJDK 17.0.15`. */
  readonly version: string;
  readonly major: number;
  readonly path: string;
  /** Changes with every build, as what Java keeps of its memory has to. */
  readonly key: string;
  /** Debian keeps its settings in /etc, and Java does not start without them. */
  readonly mounts: readonly Mount[];
};

/** Its compilers, collector and helpers; it asks for more on machines with many processors. */
export const javaThreads = 32;
const oldestMajor = 17;
const outOfMemory = /^Terminating due to java\.lang\.OutOfMemoryError: /m;
const outOfBuffers =
  /^Exception in thread "[^"\n]*" java\.lang\.OutOfMemoryError: Cannot reserve \d+ bytes of direct buffer/m;

export async function findJava(host: Host): Promise<Java | null> {
  for (const candidate of anywhere('java')) {
    // Debian's /usr/bin/java is a link by way of /etc/alternatives.
    const path = await realpath(candidate).catch(() => null);
    if (path === null || !path.startsWith('/usr/')) continue;
    const mounts = await settingsOf(dirname(dirname(path)));
    const printed = await host.answer({ command: [path, '-Xlog:disable', '--version'], mounts }, [path]);
    const found = javaVersion(printed ?? '');
    if (found === null || found.major < oldestMajor) continue;
    const { mtimeMs } = await stat(path);
    const key = `${found.version}-${Math.floor(mtimeMs)}`.replace(/[^\w.]/g, '-');
    return { ...found, path, key, mounts };
  }
  return null;
}

export function javaVersion(printed: string): { version: string; major: number } | null {
  const [, name = '', version = ''] = /^(\w+) (\d[\w.]*)/.exec(printed) ?? [];
  if (version === '') return null;
  const title = name === 'openjdk' ? 'OpenJDK' : 'Java';
  return { version: `${title} ${version}`, major: Number.parseInt(version, 10) };
}

/** The serial collector needs the fewest threads and the least memory. */
export function javaArguments({ memoryBytes }: ExecLimits): readonly string[] {
  return [
    ...['-Xlog:disable', '-XX:+UseSerialGC', '-XX:-UsePerfData', '-XX:+DisplayVMOutputToStderr'],
    ...['-XX:+ExitOnOutOfMemoryError', `-Xmx${heapBytes(memoryBytes)}`],
  ];
}

/**
 * Java says so in a line of its own as it exits; what lies outside of the heap has the heap's limit too, and only
 * throws. A program that imitates it only misnames its own failure.
 */
export function ranOutOfHeap({ verdict, exitCode, stderr }: StepResult): boolean {
  if (verdict !== 'exit') return false;
  return exitCode === 3 ? outOfMemory.test(stderr.text) : exitCode === 1 && outOfBuffers.test(stderr.text);
}

async function settingsOf(home: string): Promise<readonly Mount[]> {
  const file = await realpath(join(home, 'lib', 'jvm.cfg')).catch(() => '');
  const folder = dirname(file);
  return file.startsWith('/etc/') ? [{ source: folder, target: folder }] : [];
}
