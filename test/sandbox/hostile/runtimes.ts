/** Runtimes that want more than they may have. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function runtimeTests({ pythonWithin, sandbox }: Bench): void {
  describe('runtimes', () => {
    test('a JVM that wants more heap and more threads than there are', async () => {
      const source = `
fun main(args: Array<String>) {
  val all = ArrayList<LongArray>()
  if (args[0] == "heap") while (true) all.add(LongArray(1 shl 18))
  var n = 0
  try { while (true) { Thread { Thread.sleep(60000) }.also { it.isDaemon = true }.start(); n++ } }
  catch (error: Throwable) { println(if (n < 200) "refused" else n) }
  System.exit(0)
}`;
      const ended: string[] = [];
      await sandbox.batch(
        {
          program: { language: 'kotlin', source },
          cases: ['heap', 'threads'].map((name) => ({ name, args: [name] })),
          workers: 1,
          limits: { memoryBytes: 160 * mebibyte, processes: 40 },
        },
        ({ step }) => ended.push(`${step.verdict} ${step.stdout.text.trim()}`),
        new AbortController().signal,
      );
      expect(ended).toEqual(['memory ', 'ok refused']);
    });

    test('Python that opens files without end', async () => {
      const source = `
kept = []
try:
    while True: kept.append(open('/dev/null'))
except OSError as error: print(len(kept) < 100, error.errno)`;
      const step = await pythonWithin({ openFiles: 64 }, source);
      expect(step.stdout.text).toBe('True 24\n');
    });
  });
}
