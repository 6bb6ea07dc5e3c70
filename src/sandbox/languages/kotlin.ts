/**
 * Kotlin by its complete compiler, which runs on a Java machine as the programs do. Its jars are staged once for
 * each version, and with them an archive of the compiler's loaded classes (AppCDS), which saves a third and more of
 * every compilation; the first compilation on a machine waits for it, unless `polya setup` made it.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { unzipSync } from 'fflate';
import { outputFolder, programInside } from '../layout.ts';
import { defaultMakeLimits } from '../limits.ts';
import { digestMessages } from '../messages/digest.ts';
import { readLineMessages } from '../messages/readers.ts';
import { findJava, type Java, javaArguments, javaThreads, ranOutOfHeap } from './java.ts';
import { compilerJar, findKotlinCompiler, libraryJar } from './kotlin-compiler.ts';
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

export const kotlinSample = `
import java.math.BigInteger

data class Point(val row: Int, val column: Int) {
    operator fun plus(other: Point) = Point(row + other.row, column + other.column)
}

enum class Direction(val step: Point) {
    UP(Point(-1, 0)), RIGHT(Point(0, 1)), DOWN(Point(1, 0)), LEFT(Point(0, -1));
    val next get() = entries[(ordinal + 1) % entries.size]
}

sealed interface Cell { data object Wall : Cell; data class Floor(val cost: Int) : Cell }

class Grid(lines: List<String>) {
    private val cells = lines.flatMapIndexed { row, line ->
        line.mapIndexed { column, sign -> Point(row, column) to cellOf(sign) }
    }.toMap()

    private fun cellOf(sign: Char): Cell = when (sign) {
        '#' -> Cell.Wall
        in '0'..'9' -> Cell.Floor(sign.digitToInt())
        else -> Cell.Floor(1)
    }

    fun distances(start: Point): Map<Point, Int> {
        val found = mutableMapOf(start to 0)
        val queue = java.util.PriorityQueue<Pair<Int, Point>>(compareBy { it.first })
        queue.add(0 to start)
        while (queue.isNotEmpty()) {
            val (distance, here) = queue.poll()
            for (direction in Direction.entries) {
                val there = here + direction.step
                val cell = cells[there] ?: continue
                if (cell !is Cell.Floor) continue
                val candidate = distance + cell.cost
                if (candidate < (found[there] ?: Int.MAX_VALUE)) {
                    found[there] = candidate
                    queue.add(candidate to there)
                }
            }
        }
        return found
    }
}

fun <T> List<T>.pairs(): Sequence<Pair<T, T>> = sequence {
    for (i in indices) for (j in i + 1 until size) yield(get(i) to get(j))
}

fun main() {
    val lines = generateSequence(::readLine).toList()
    val number = Regex("""-?\\d+""")
    val numbers = lines.map { line -> number.findAll(line).map { it.value.toLong() }.toList() }
    val grid = Grid(lines.filter { it.isNotBlank() })
    println("part 1: \${grid.distances(Point(0, 0)).values.maxOrNull() ?: 0}")
    val product = numbers.flatten().fold(BigInteger.ONE) { product, n -> product * n.toBigInteger() }
    println("part 2: $product \${numbers.flatten().pairs().count { (a, b) -> a < b }}")
    println(numbers.groupingBy { it.size }.eachCount().entries.sortedByDescending { it.value }.joinToString { "\${it.key}=\${it.value}" })
    val text = buildString { repeat(3) { append(it).append(' ') } }
    println(text.trim().split(" ").sumOf { it.toInt() }.let { if (it > 2) "much" else "little" })
    try { error("no") } catch (problem: IllegalStateException) { println(problem.message?.uppercase()) }
}
`;

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
