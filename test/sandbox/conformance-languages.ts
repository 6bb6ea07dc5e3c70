/** The same promises for every language that brings a runtime of its own: what it says must not depend on it. */
import { describe, expect, test } from 'vitest';
import type { ExecLimits, ExecRequest, LanguageId } from '../../src/core/sandbox.ts';
import { type Bench, mebibyte } from './bench.ts';

const heapIsFull = 'Terminating due to java.lang.OutOfMemoryError: Java heap space';

type Programs = {
  readonly language: LanguageId;
  /** Prints its arguments, stdin, the file input.txt, 2 to the power of 100 and the sum that eight threads made. */
  readonly everything: string;
  /** Has its mistake in the second line, and a warning in the first. */
  readonly mistaken: string;
  readonly complaint: RegExp;
  /**
   * Does what its argument names: `crash`; `exit` with status 3, as Java does when its heap is full; `pretend` to be
   * Java that does so, by its words; `loop`; `hog` all memory; `flood`: print the numbers below 100,000, a line each. One program: compiling is the most of it.
   */
  readonly fates: string;
  /** How the crash ends. */
  readonly crashed: { readonly exitCode: number; readonly words: RegExp };
};

const kotlin: Programs = {
  language: 'kotlin',
  everything: `
import java.io.File
import java.math.BigInteger
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
fun main(args: Array<String>) {
    val unused = 1
    val sum = AtomicInteger()
    (1..8).map { n -> thread { sum.addAndGet(n) } }.forEach { it.join() }
    println("\${args.toList().joinToString("|")} \${readln()} \${File("input.txt").readText()}")
    println("\${BigInteger.TWO.pow(100)} $sum \${Regex("[0-9]+").find("a12b")?.value}")
}`,
  mistaken: 'fun warned(unused: Int) = 1\nfun main() { println(nothing) }',
  complaint: /^main\.kt:2:22: error: unresolved reference 'nothing'\./,
  fates: `
fun main(args: Array<String>) {
    if (args[0] == "crash") error("boom")
    if (args[0] == "pretend") System.err.println("${heapIsFull}")
    if (args[0] == "exit" || args[0] == "pretend") kotlin.system.exitProcess(3)
    if (args[0] == "loop") { var n = 0L; while (true) n++ }
    if (args[0] == "hog") { val all = ArrayList<LongArray>(); while (true) all.add(LongArray(1000)) }
    if (args[0] == "flood") for (n in 0 until 100_000) println(n)
}`,
  crashed: { exitCode: 1, words: /Exception: boom/ },
};

const csharp: Programs = {
  language: 'csharp',
  everything: `
using System; using System.IO; using System.Linq; using System.Numerics;
using System.Text.RegularExpressions; using System.Threading;
class Program {
  static void Main(string[] args) {
    int unused = 1;
    int sum = 0;
    var threads = Enumerable.Range(1, 8).Select(n => new Thread(() => Interlocked.Add(ref sum, n))).ToList();
    threads.ForEach(thread => thread.Start());
    threads.ForEach(thread => thread.Join());
    Console.WriteLine($"{string.Join("|", args)} {Console.ReadLine()} {File.ReadAllText("input.txt")}");
    Console.WriteLine($"{BigInteger.Pow(2, 100)} {sum} {Regex.Match("a12b", "[0-9]+").Value}");
  }
}`,
  mistaken: 'class Program { static void Main() { int unused = 1;\nSystem.Console.WriteLine(nothing); } }',
  complaint: /^main\.cs\(2,\d+\): error CS0103: The name `nothing' does not exist/,
  fates: `
using System; using System.Collections.Generic;
class Program {
  static int Main(string[] args) {
    if (args[0] == "crash") throw new Exception("boom");
    if (args[0] == "pretend") Console.Error.WriteLine("${heapIsFull}");
    if (args[0] == "exit" || args[0] == "pretend") return 3;
    if (args[0] == "loop") { long n = 0; while (true) n++; }
    if (args[0] == "hog") { var all = new List<long[]>(); while (true) all.Add(new long[1000]); }
    if (args[0] == "flood") for (int n = 0; n < 100000; n++) Console.WriteLine(n);
    return 0;
  }
}`,
  crashed: { exitCode: 1, words: /Exception: boom/ },
};

const rust: Programs = {
  language: 'rust',
  everything: `
use std::sync::atomic::{AtomicI32, Ordering};
fn main() {
    let unused = 1;
    static SUM: AtomicI32 = AtomicI32::new(0);
    let threads: Vec<_> = (1..=8).map(|n| std::thread::spawn(move || SUM.fetch_add(n, Ordering::SeqCst))).collect();
    for thread in threads { thread.join().unwrap(); }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{} {} {}", args.join("|"), line.trim_end(), std::fs::read_to_string("input.txt").unwrap());
    println!("{} {} {}", 1u128 << 100, SUM.load(Ordering::SeqCst), "a12b".trim_matches(char::is_alphabetic));
}`,
  mistaken: 'fn main() { let unused = 1;\nprintln!("{}", nothing); }',
  complaint: /^error\[E0425\]: cannot find value `nothing` in this scope\n --> main\.rs:2:16/,
  fates: `
fn main() {
    match std::env::args().nth(1).unwrap().as_str() {
        "crash" => panic!("boom"),
        "exit" => std::process::exit(3),
        "pretend" => { eprintln!("${heapIsFull}"); std::process::exit(3) }
        "loop" => { let mut n = 0u64; loop { n = unsafe { std::ptr::read_volatile(&n) } + 1; } }
        "hog" => { let mut all = Vec::new(); loop { all.push(vec![1u64; 1000]); } }
        _ => for n in 0..100_000 { println!("{}", n); }
    }
}`,
  crashed: { exitCode: 101, words: /panicked at [^\n]*\n?.*boom/ },
};

export function languageTests({ exec }: Bench, languages: readonly LanguageId[]): void {
  const chosen = [kotlin, csharp, rust].filter(({ language }) => languages.includes(language));
  describe.each(chosen)('$language', (programs) => {
    const run = async (source: string, request: Partial<ExecRequest> = {}) => {
      const { compile, run } = await exec({ language: programs.language, source, ...request });
      expect(compile).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
      if (run === null) throw new Error('It was compiled and not run.');
      return run;
    };
    const meet = (fate: string, limits: Partial<ExecLimits> = {}) =>
      run(programs.fates, { args: [fate], limits });

    test('gets arguments, stdin and files; has big numbers, patterns and threads', async () => {
      const step = await run(programs.everything, {
        args: ['a', 'b c', ''],
        stdin: 'ständard\nrest',
        files: { 'input.txt': 'Ünïcode' },
      });
      expect(step).toMatchObject({ verdict: 'ok', exitCode: 0, signal: null, stderr: { text: '' } });
      expect(step.stdout.text).toBe('a|b c| ständard Ünïcode\n1267650600228229401496703205376 36 12\n');
    });

    test('a compile error is short, says where, and no warning is before it', async () => {
      const { compile, run } = await exec({ language: programs.language, source: programs.mistaken });
      expect(run).toBeNull();
      expect(compile).toMatchObject({ verdict: 'exit', exitCode: 1 });
      expect(compile?.stderr.text).toMatch(programs.complaint);
      expect(compile?.stderr.text.length).toBeLessThan(400);
      expect(compile?.digest).toMatch(programs.complaint);
      expect(compile?.digest.length).toBeLessThan(200);
    });

    test('an exception that nobody catches is the program’s own', async () => {
      const step = await meet('crash');
      const { exitCode, words } = programs.crashed;
      expect(step).toMatchObject({ verdict: 'exit', exitCode, stdout: { text: '' } });
      expect(step.stderr.text).toMatch(words);
    });

    test('and so is its exit status; its runtime lives where it may have no other process', async () => {
      const limits = { processes: 1, memoryBytes: 64 * mebibyte };
      expect(await meet('exit', limits)).toMatchObject({ verdict: 'exit', exitCode: 3 });
    });

    test('the words of a runtime whose heap is full are no evidence that it is', async () => {
      const step = await meet('pretend');
      expect(step).toMatchObject({ verdict: 'exit', exitCode: 3, stderr: { text: `${heapIsFull}\n` } });
    });

    test('an endless loop is ended for its CPU time', async () => {
      const step = await meet('loop', { cpuMs: 500 });
      expect(step).toMatchObject({ verdict: 'cpu', exitCode: null, signal: 'SIGKILL' });
    });

    test('too much memory is told as such, whoever ends the program', async () => {
      const step = await meet('hog', { memoryBytes: 160 * mebibyte });
      expect(step).toMatchObject({ verdict: 'memory', stdout: { text: '' } });
      expect(step.peakMemoryBytes).toBeGreaterThan(64 * mebibyte);
      expect(step.peakMemoryBytes).toBeLessThan(300 * mebibyte);
    });

    test('a long output is counted whole', async () => {
      const step = await meet('flood', { outputBytes: 100_000 });
      expect(step).toMatchObject({ verdict: 'ok', stdout: { bytes: 588_890, cut: true } });
      expect(step.stdout.text.slice(0, 6)).toBe('0\n1\n2\n');
      expect(step.stdout.text.slice(-12)).toBe('99998\n99999\n');
    });
  });
}
