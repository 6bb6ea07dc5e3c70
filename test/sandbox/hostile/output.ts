/** Programs that write more than anybody reads, or what harms whoever reads it. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

export function outputTests({ python, pythonWithin }: Bench): void {
  describe('output', () => {
    test.each([
      ['stdout', ['1']],
      ['stderr', ['2']],
      ['both', ['1', '2']],
      ['one line without end', ['1'], 'x'],
    ])(
      'a flood of %s is ended, and no more is kept than was asked for',
      async (_name, fds, unit = 'flood\\n') => {
        const source = `
import os
while True:
    for fd in (${fds.join(', ')},): os.write(fd, b'${unit}' * 10000)`;
        const step = await pythonWithin({ outputBytes: 10_000 }, source);
        expect(step).toMatchObject({ verdict: 'output', exitCode: null, signal: 'SIGKILL' });
        for (const output of [step.stdout, step.stderr]) {
          expect(output.text.length).toBeLessThan(10_200);
          expect(output.bytes).toBeLessThan(mebibyte);
        }
      },
    );

    test('a flood from many processes at once', async () => {
      const source = `
import os
for _ in range(4): os.fork()
while True: os.write(1, b'flood' * 1000)`;
      const step = await pythonWithin({ outputBytes: 10_000, processes: 64 }, source);
      expect(step.verdict).toBe('output');
    });

    test('what steers a terminal, NUL and what is no text arrive as they were written, and nothing else does', async () => {
      const source = String.raw`
import os
os.write(1, b'\x1b[2J\x1b]0;owned\x07\x9b31m\x00\xff\xfe ok \xe2\x80\xae\r\n')
os.write(2, b'\x1b[1A\x08\x00')`;
      const step = await python(source);
      expect(step.verdict).toBe('ok');
      expect(step.stdout.text).toBe('\x1b[2J\x1b]0;owned\x07\ufffd31m\x00\ufffd\ufffd ok \u202e\r\n');
      expect(step.stdout.bytes).toBe(30);
      expect(step.stderr.text).toBe('\x1b[1A\b\x00');
    });
  });
}
