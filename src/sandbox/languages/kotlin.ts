/** Kotlin by its complete compiler. An archive of the compiler's loaded classes (AppCDS) saves a third of its time. */
// The Java heap stays below our limit, because garbage counts too. A full heap ends Java with status 3: `memory`.
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { unzipSync } from 'fflate';
import type { ExecLimits, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { defaultMakeLimits, heapBytes } from '../limits.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/readers.ts';
import { compilerJar, findKotlinCompiler, libraryJar } from './kotlin-compiler.ts';
import { anywhere, type Host, type Language, type Tool } from './language.ts';

const inside = '/run/polya/kotlin';
const library = posix.join(inside, libraryJar);
const compilerClass = 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler';
const output = `${outputFolder}/main.jar`;
/** The optimising compiler of Java does not pay off in so short a life. */
const shortLife = '-XX:TieredStopAtLevel=1';
const noMain =
  'main.kt: error: there is no `fun main()` at the top level of the file, where a Kotlin program begins.';
const deepRecursion = '-Xss64m';
/** What the compiler loads for this program is what it is likely to need for others. */
const sample = join(import.meta.dirname, 'kotlin', 'sample.kt');

export const kotlin: Language = {
  id: 'kotlin',
  title: 'Kotlin',
  sourceFile: 'main.kt',
  installHint:
    'Run `./polya setup`: it needs default-jre-headless of Debian (Java 17 or newer) and kotlin-compiler of npm.',
  async find(host) {
    const [java, compiler] = await Promise.all([findJava(host), findKotlinCompiler()]);
    if (java === null || compiler === null) return [];
    const folder = await host.stageFolder(`kotlin-${compiler.version}`, compiler.jars);
    return [tool(host, java, folder, compiler.version)];
  },
};

function tool(host: Host, java: Java, folder: string, version: string): Tool {
  const mounts = [...java.mounts, { source: folder, target: inside }];
  const archive = `compiler-${java.key}.jsa`;
  const archivePath = posix.join(folder, archive);
  const compileWith = (archiveArgument: string, limits: ExecLimits) => [
    ...[java.path, ...javaArguments(limits), shortLife, archiveArgument],
    ...['-cp', posix.join(inside, compilerJar), compilerClass],
    ...['-no-stdlib', '-no-reflect', '-cp', library, '-nowarn', '-d', `/${output}`, kotlin.sourceFile],
  ];
  return {
    name: 'kotlin',
    version: `Kotlin ${version} on ${java.version}`,
    level: `\`fun main()\`, Kotlin's and Java ${java.major}'s standard library`,
    notes: [],
    identity: `${version} ${java.key}`,
    // Java's compilers, collector and helpers; it asks for more on machines with many processors.
    runtimeThreads: 32,
    ranOutOfMemory: ranOutOfHeap,
    lacks: (jar) => (hasMainClass(jar) ? null : noMain),
    staged: [compilerJar, libraryJar].map((jar) => posix.join(folder, jar)),
    // Only options can name another file.
    reads: (_path, { flags = [] }) => flags.length > 0,
    compile: ({ flags = [] }, limits) => {
      const command = (share: string) => [...compileWith(share, limits), ...flags];
      const plain = { command: command('-Xshare:auto'), blames: archive };
      const common = { collectPath: output, mounts };
      if (!existsSync(archivePath)) return { command: plain.command, ...common };
      return { command: command(`-XX:SharedArchiveFile=${inside}/${archive}`), plain, ...common };
    },
    // What the compiler does before it writes is most of its work, so a look at the syntax would gain nothing.
    check: null,
    // The compiler names the main class in the jar. The library is part of Java's own classes here: started so,
    // a small program costs a third less than with a class path.
    run: (limits) => ({
      command: [
        ...[java.path, ...javaArguments(limits), deepRecursion],
        ...[`-Xbootclasspath/a:${library}`, '-jar', programInside],
      ],
      mounts,
    }),
    digest: (printed) => digestMessages(printed, readLineMessages),
    prepare: async (signal) => {
      const collectPath = `${outputFolder}/${archive}`;
      const command = compileWith(`-XX:ArchiveClassesAtExit=/${collectPath}`, defaultMakeLimits);
      const source = { name: kotlin.sourceFile, text: await readFile(sample, 'utf8') };
      await host.makeFile(archivePath, { command, collectPath, mounts, source }, signal);
    },
  };
}

const manifest = 'META-INF/MANIFEST.MF';
const mostManifestBytes = 65_536;

/** What cannot be read is not judged: Java itself will say what is wrong with it. */
export function hasMainClass(jar: Uint8Array): boolean {
  try {
    const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) =>
      name === manifest && originalSize <= mostManifestBytes;
    const text = unzipSync(jar, { filter: isWanted })[manifest];
    return text === undefined || /^Main-Class:/m.test(new TextDecoder().decode(text));
  } catch {
    return true;
  }
}

type Java = {
  /** `OpenJDK 17.0.15`. */
  readonly version: string;
  readonly major: number;
  readonly path: string;
  /** Changes with every build, as what Java keeps of its memory has to. */
  readonly key: string;
  /** Debian keeps its settings in /etc, and Java does not start without them. */
  readonly mounts: readonly Mount[];
};

const oldestMajor = 17;
const outOfMemory = /^Terminating due to java\.lang\.OutOfMemoryError: /m;
const outOfBuffers =
  /^Exception in thread "[^"\n]*" java\.lang\.OutOfMemoryError: Cannot reserve \d+ bytes of direct buffer/m;

async function findJava(host: Host): Promise<Java | null> {
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

/** Java prints this line when it exits; memory outside the heap only throws. A program can imitate both: see `judgeStep`. */
export function ranOutOfHeap({ verdict, exitCode, stderr }: StepResult): boolean {
  if (verdict !== 'exit') return false;
  return exitCode === 3 ? outOfMemory.test(stderr.text) : exitCode === 1 && outOfBuffers.test(stderr.text);
}

async function settingsOf(home: string): Promise<readonly Mount[]> {
  const file = await realpath(join(home, 'lib', 'jvm.cfg')).catch(() => '');
  const folder = dirname(file);
  return file.startsWith('/etc/') ? [{ source: folder, target: folder }] : [];
}
