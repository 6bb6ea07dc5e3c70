/** How a program's output on a day becomes an answer. */
import { expect, test } from 'vitest';
import type { StepResult } from '../../src/core/sandbox.ts';
import { samplesOfDay } from '../../src/families/aoc/samples.ts';
import { reportExecution } from '../../src/families/aoc/tool-run.ts';
import type { Puzzle } from '../../src/families/aoc/tools.ts';

const captured = (text: string) => ({ text, bytes: text.length, cut: false });
const step = (stdout: string, stderr: string, verdict: StepResult['verdict'] = 'ok'): StepResult => ({
  verdict,
  exitCode: verdict === 'ok' ? 0 : 1,
  signal: null,
  stdout: captured(stdout),
  stderr: captured(stderr),
  wallMs: 1,
  cpuMs: 1,
  peakMemoryBytes: 1,
});

test.each([
  ['the last line counts', step('part 1: 7\n42\n', ''), '42'],
  ['what stands in stderr does not', step('42\n', 'warning: 9\n'), '42'],
  ['a program that fails has none', step('42\n', 'IndexError', 'exit'), null],
  ['a program that prints nothing has none', step('', ''), null],
])('%s', (_name, run, output) => {
  const { target } = samplesOfDay({ reference: { lang: 'python' } } as Puzzle);
  if (target.type !== 'tools') throw new Error('A day is answered by its tools.');
  expect(target.output(reportExecution({ compile: null, run }, 1_000))).toBe(output);
  expect(target.handIn('42')).toEqual({ name: 'SubmitAnswer', args: { answer: '42' } });
});
