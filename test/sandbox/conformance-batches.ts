/** One program over many cases: each is told on its own, and none finds anything of another. */
import { describe, expect, test } from 'vitest';
import type { BatchRequest, Case, CaseResult } from '../../src/core/sandbox.ts';
import { until } from '../support/until.ts';
import type { Bench } from './bench.ts';

export function batchTests({ sandbox, scope }: Bench): void {
  const never = new AbortController().signal;
  const batch = async (request: BatchRequest, signal = never) => {
    const results: CaseResult[] = [];
    const ended = await sandbox.batch(request, (result) => void results.push(result), signal);
    return { ended, results: results.sort((a, b) => a.index - b.index) };
  };
  const python = (source: string, cases: readonly Case[], more: Partial<BatchRequest> = {}) =>
    batch({ program: { language: 'python', source }, cases, ...more });
  const outputs = (results: readonly CaseResult[]) => results.map(({ step }) => step.stdout.text);
  const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}` }));

  describe('a batch', () => {
    test('goes on after a case that broke a limit, with the limits of each case unspent', async () => {
      const source = `
import sys, time
what = sys.argv[1]
if what == 'sleep': time.sleep(60)
if what == 'burn':
    while True: pass
if what == 'eat': x = b'x' * (1 << 29)
if what == 'fill': open('big', 'wb').write(b'x' * (30 << 20))
if what == 'flood':
    while True: print('x' * 1000)
if what == 'crash':
    import os; os.abort()
print('well')`;
      // Room to eat: on a busy machine, whoever watches the memory may look after 200 ms of the program's time.
      const limits = { cpuMs: 600, memoryBytes: 64 << 20, diskBytes: 16 << 20, outputBytes: 1000 };
      const plan = [
        ['burn', 'cpu'],
        ['well', 'ok'],
        ['eat', 'memory'],
        ['well', 'ok'],
        ['fill', 'disk'],
        ['flood', 'output'],
        ['crash', 'signal'],
        ['well', 'ok'],
      ] as const;
      const sleepy = [
        ['sleep', 'wall'],
        ['well', 'ok'],
      ] as const;
      const meet = async (fates: typeof plan | typeof sleepy, within: object) => {
        const cases = fates.map(([what]) => ({ name: what, args: [what] }));
        const { results } = await python(source, cases, { workers: 1, limits: { ...limits, ...within } });
        expect(results.map(({ name, step }) => [name, step.verdict])).toEqual(fates);
        return results.filter(({ name }) => name === 'well').map(({ step }) => step);
      };
      // On a busy machine 600 ms of CPU time take longer than a short limit of the other time.
      const well = [...(await meet(plan, {})), ...(await meet(sleepy, { wallMs: 2500 }))];
      expect(well).toHaveLength(4);
      for (const step of well) {
        expect(step.stdout.text).toBe('well\n');
        expect(step.cpuMs).toBeLessThan(limits.cpuMs);
        expect(step.peakMemoryBytes).toBeLessThan(32 << 20);
      }
    });

    test('measures each case alone: memory and time of one are not those of the next', async () => {
      const source = `
import sys, time
block = bytearray(int(sys.argv[1]) << 20)
end = time.process_time() + float(sys.argv[2])
while time.process_time() < end: pass`;
      const cases = [
        { name: 'large', args: ['80', '0.4'] },
        { name: 'small', args: ['1', '0'] },
        { name: 'large', args: ['60', '0'] },
        { name: 'small', args: ['1', '0.1'] },
      ];
      const { results } = await python(source, cases, { workers: 1 });
      const [first, second, third, fourth] = results.map(({ step }) => step);
      expect(first?.peakMemoryBytes).toBeGreaterThan(80 << 20);
      expect(second?.peakMemoryBytes).toBeLessThan(25 << 20);
      expect(third?.peakMemoryBytes).toBeGreaterThan(60 << 20);
      expect(third?.peakMemoryBytes).toBeLessThan(85 << 20);
      expect(fourth?.peakMemoryBytes).toBeLessThan(25 << 20);
      expect(first?.cpuMs).toBeGreaterThanOrEqual(400);
      expect(second?.cpuMs).toBeLessThan(300);
      expect(fourth?.cpuMs).toBeLessThan(400);
    });

    test('counts to a program neither what was kept of the outputs before it nor what its cell is made of', async () => {
      const source = `
import sys
print('x' * int(sys.argv[1]))
with open('/proc/self/oom_score_adj') as own, open('/proc/1/oom_score_adj') as other:
    print(own.read(), other.read(), file=sys.stderr)`;
      const cases = ['1', '40000000', '1'].map((size, n) => ({ name: `${n}`, args: [size] }));
      const { results } = await python(source, cases, { workers: 1, limits: { outputBytes: 64 << 20 } });
      const peaks = results.map(({ step }) => step.peakMemoryBytes);
      expect(peaks[1]).toBeGreaterThan(40 << 20);
      expect(peaks[0]).toBeLessThan(20 << 20);
      expect(peaks[2]).toBeLessThan(20 << 20);
      // Where the machine runs out of memory, the program goes before its runner.
      const [own = 0, other = 1000] = (results[0]?.step.stderr.text ?? '').trim().split(/\s+/).map(Number);
      expect(own).toBe(1000);
      expect(other).toBeLessThan(1000);
    });

    if (scope === 'limits' || scope === 'differences') return;

    test('gives every case its own input, arguments and files, and tells each on its own', async () => {
      const source = `
import os, sys
print(sys.stdin.read(), sys.argv[1:], open('in.txt').read(), open('all.txt').read(), sorted(os.listdir('.')))
print('complaint', file=sys.stderr)
sys.exit(int(sys.argv[1]))`;
      const cases = [0, 1, 2].map((n) => ({
        name: `case ${n}`,
        stdin: `stdin ${n}`,
        args: [`${n}`],
        files: { 'in.txt': new TextEncoder().encode(`file ${n}`), ...(n === 2 ? { 'all.txt': 'own' } : {}) },
      }));
      const program = { language: 'python', source, files: { 'all.txt': 'shared' } } as const;
      const { ended, results } = await batch({ program, cases, workers: 2 });
      expect(ended).toMatchObject({ compile: null, testerCompile: null, finished: 3, stopped: false });
      const seen = (n: number, all: string) =>
        `stdin ${n} ['${n}'] file ${n} ${all} ['all.txt', 'in.txt', 'main.py']\n`;
      expect(outputs(results)).toEqual([seen(0, 'shared'), seen(1, 'shared'), seen(2, 'own')]);
      expect(results.map(({ name, step }) => [name, step.verdict, step.exitCode, step.stderr.text])).toEqual([
        ['case 0', 'ok', 0, 'complaint\n'],
        ['case 1', 'exit', 1, 'complaint\n'],
        ['case 2', 'exit', 2, 'complaint\n'],
      ]);
    });

    test('compiles once, or runs what was built before', async () => {
      const source = '#include <cstdio>\nint main() { int n; scanf("%d", &n); printf("%d", n * n); }';
      const program = { language: 'cpp', source } as const;
      const cases = [2, 3, 4].map((n) => ({ name: `${n}`, stdin: `${n}` }));
      const { ended, results } = await batch({ program, cases });
      expect(ended.compile?.verdict).toBe('ok');
      expect(outputs(results)).toEqual(['4', '9', '16']);
      const { executable, compile } = await sandbox.build(program, never);
      if (executable === null) throw new Error(`It did not compile: ${compile?.stderr.text}`);
      const again = await batch({ executable, cases });
      expect(again.ended.compile).toBeNull();
      expect(outputs(again.results)).toEqual(['4', '9', '16']);
    });

    test('is ended by an abort; what was broken off has no result', async () => {
      const controller = new AbortController();
      const source = `import sys, time\nif sys.argv[1] != '0': time.sleep(60)`;
      const cases = named(6).map((each) => ({ ...each, args: [each.name] }));
      const seen: string[] = [];
      const running = sandbox.batch(
        { program: { language: 'python', source }, cases, workers: 2 },
        ({ name }) => void seen.push(name),
        controller.signal,
      );
      await until(() => seen.length > 0);
      controller.abort();
      expect(await running).toMatchObject({ finished: 1, stopped: true });
      expect(seen).toEqual(['0']);
    });

    test('takes cases of very different sizes', async () => {
      const sizes = [1, 3 << 20, 10, 9 << 20, 5];
      const cases = sizes.map((size) => ({ name: `${size}`, stdin: 'x'.repeat(size) }));
      const limits = { diskBytes: 1 << 20, fileBytes: 1 << 20 };
      const source = `import sys; print(len(sys.stdin.read()))`;
      const { results } = await python(source, cases, { workers: 2, limits });
      expect(outputs(results)).toEqual(sizes.map((size) => `${size}\n`));
    });

    if (scope !== 'everything') return;

    test('of a program that does not compile runs nothing', async () => {
      const program = { language: 'cpp', source: 'int main() {' } as const;
      const { ended, results } = await batch({ program, cases: named(3) });
      expect(ended).toMatchObject({ compile: { verdict: 'exit' }, finished: 0, stopped: false });
      expect(results).toEqual([]);
    });

    test('hands results over as they arrive, one at a time', async () => {
      let inside = 0;
      const seen: string[] = [];
      const waiting = Promise.withResolvers<void>();
      const cases = (async function* () {
        yield { name: 'first' };
        yield { name: 'second' };
        // Asked for only once a result is there: streaming both ways.
        await waiting.promise;
        yield { name: 'third' };
      })();
      const program = { language: 'python', source: 'print(1)' } as const;
      const ended = await sandbox.batch(
        { program, cases, workers: 2 },
        async ({ name }) => {
          expect(++inside).toBe(1);
          seen.push(name);
          await Promise.resolve();
          inside--;
          waiting.resolve();
        },
        never,
      );
      expect(ended).toMatchObject({ finished: 3, stopped: false });
      expect(seen.sort()).toEqual(['first', 'second', 'third']);
    });

    test('does not run ahead of a slow receiver', async () => {
      let asked = 0;
      const cases = (function* () {
        for (; asked < 50; asked++) yield { name: `${asked}` };
      })();
      const release = Promise.withResolvers<void>();
      const program = { language: 'python', source: '' } as const;
      const running = sandbox.batch({ program, cases, workers: 2 }, () => release.promise, never);
      await until(() => asked >= 3);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(asked).toBeLessThan(10);
      release.resolve();
      expect(await running).toMatchObject({ finished: 50 });
    });

    test('stops when it is told to, and asks for no more cases', async () => {
      let closed = false;
      const cases = (function* () {
        try {
          for (let n = 0; ; n++) yield { name: `${n}` };
        } finally {
          closed = true;
        }
      })();
      const program = { language: 'python', source: '' } as const;
      let seen = 0;
      const ended = await sandbox.batch(
        { program, cases, workers: 2 },
        () => (++seen === 5 ? 'stop' : undefined),
        never,
      );
      expect(ended).toMatchObject({ finished: 5, stopped: true });
      expect(closed).toBe(true);
    });

    test('ends with what its receiver or its cases throw', async () => {
      const program = { language: 'python', source: 'import time; time.sleep(0.05)' } as const;
      const request = { program, cases: named(100), workers: 2 };
      const failing = () => {
        throw new Error('the receiver fails');
      };
      await expect(sandbox.batch(request, failing, never)).rejects.toThrow('the receiver fails');
      const cases = (function* () {
        yield { name: 'one' };
        throw new Error('the cases fail');
      })();
      await expect(sandbox.batch({ ...request, cases }, () => {}, never)).rejects.toThrow('the cases fail');
      const bad = [{ name: 'bad', files: { '../x': '' } }];
      await expect(batch({ ...request, cases: bad })).rejects.toThrow(/cannot be the name/);
      await expect(batch({ ...request, workers: 0 })).rejects.toThrow(/cannot have 0 workers/);
    });
  });
}
