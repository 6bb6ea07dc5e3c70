/**
 * Kotlin by its complete compiler, which runs on a Java machine as the programs do. Its jars are staged once for
 * each version, and with them an archive of the compiler's loaded classes (AppCDS), which saves a third and more of
 * every compilation; the first compilation on a machine waits for it, unless `polya setup` made it.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { outputFolder, programInside } from '../layout.ts';
import { defaultMakeLimits } from '../limits.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/line.ts';
import { hasMainClass } from './jar.ts';
import { findJava, type Java, javaArguments, javaThreads, ranOutOfHeap } from './java.ts';
import { compilerJar, findKotlinCompiler, libraryJar } from './kotlin-compiler.ts';
import { kotlinSample } from './kotlin-sample.ts';
import type { Host, Language, Tool } from './language.ts';

const inside = '/run/polya/kotlin';
const library = posix.join(inside, libraryJar);
const compilerClass = 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler';
const output = `${outputFolder}/main.jar`;
/** The optimising compiler of Java does not pay off in so short a life. */
const shortLife = '-XX:TieredStopAtLevel=1';
const noMain =
  'main.kt: error: there is no `fun main()` at the top level of the file, where a Kotlin program begins.';
const deepRecursion = '-Xss64m';

export const kotlin: Language = {
  id: 'kotlin',
  title: 'Kotlin',
  sourceFile: 'main.kt',
  installHint:
    'Run `./polya setup`: it needs default-jre-headless of Debian (Java 17 or newer) and kotlin-compiler of npm.',
  async find(host) {
    const [java, compiler] = await Promise.all([findJava(host), findKotlinCompiler()]);
    if (java === null || compiler === null) return [];
    const name = `kotlin-${compiler.version}`;
    // Where the temporary folder has no room for its jars, the other languages still run.
    const folder = await host.stageFolder(name, compiler.jars).catch(() => null);
    if (folder === null) return [];
    return [tool(host, { java, folder, version: compiler.version })];
  },
};

type Found = { readonly java: Java; readonly folder: string; readonly version: string };

function tool(host: Host, { java, folder, version }: Found): Tool {
  const mounts = [...java.mounts, { source: folder, target: inside }];
  const archive = `compiler-${java.key}.jsa`;
  const archivePath = posix.join(folder, archive);
  const compileWith = (archiveArgument: string, limits: Parameters<typeof javaArguments>[0]) => [
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
    runtimeThreads: javaThreads,
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
    prepare: (signal) => {
      const collectPath = `${outputFolder}/${archive}`;
      const command = compileWith(`-XX:ArchiveClassesAtExit=/${collectPath}`, defaultMakeLimits);
      const source = { name: kotlin.sourceFile, text: kotlinSample };
      return host.makeFile(archivePath, { command, collectPath, mounts, source }, signal);
    },
  };
}
