/** What all the hostile do at once is no harm to who behaves beside them. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

const bombs: readonly (readonly [source: string, limits: object])[] = [
  ['import os\nwhile True:\n    try: os.fork()\n    except OSError: pass', { processes: 40, wallMs: 1500 }],
  ["kept = []\nwhile True: kept.append(b'x' * (1 << 22))", { memoryBytes: 128 * mebibyte }],
  ["import os\nwhile True: os.write(1, b'x' * 65536)", { outputBytes: 100_000 }],
  ["n = 0\nwhile True:\n    open(f'{n}', 'wb').write(b'x' * 65536); n += 1", { diskBytes: 16 * mebibyte }],
];

export function neighbourTests({ exec, python }: Bench): void {
  test('who behaves beside them is told nothing but its own', async () => {
    const controller = new AbortController();
    const running = bombs.map(([source, limits]) =>
      exec({ language: 'python', source, limits: { wallMs: 30_000, ...limits } }, controller.signal),
    );
    const honest = [];
    for (let n = 0; n < 4; n += 1) {
      honest.push(
        await python(`open('x', 'w').write('y' * 1000000)\nprint(sum(range(100000)) + ${n})`, {
          limits: { wallMs: 30_000 },
        }),
      );
    }
    const ended = await Promise.all(running);
    expect(honest.map(({ verdict, stdout }) => `${verdict} ${stdout.text}`)).toEqual(
      [0, 1, 2, 3].map((n) => `ok ${4999950000 + n}\n`),
    );
    expect(ended.map(({ run }) => run?.verdict)).toEqual([
      expect.stringMatching(/wall|cpu/),
      'memory',
      'output',
      'disk',
    ]);
  });

  describe('afterwards', () => {
    test('all is as before', async () => {
      expect(await python('print(1)')).toMatchObject({ verdict: 'ok', stdout: { text: '1\n' } });
    });
  });
}
