import { expect, test } from 'vitest';
import type { StepResult, StepVerdict } from '../../core/sandbox.ts';
import { judge, whyFailed } from './judged.ts';

const captured = (text: string) => ({ text, bytes: text.length, cut: false });
const stepOf = (verdict: StepVerdict, stderr = ''): StepResult => ({
  ...{ verdict, exitCode: null, signal: null, wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 },
  ...{ stdout: captured(''), stderr: captured(stderr) },
});
const why = (step: StepResult, tester: StepResult) =>
  whyFailed(judge({ name: 'a', index: 0, worker: 0, step, tester }, null));

test('a tester that hangs is named beside the program that waits for it', () => {
  expect(why(stepOf('wall'), stepOf('wall'))).toBe('tester: time limit');
  expect(why(stepOf('exit', 'no answer\n'), stepOf('wall'))).toBe('no answer; tester: time limit');
  expect(why(stepOf('ok'), stepOf('wall', 'a word'))).toBe('tester: time limit a word');
});

test('a tester that was ended with its program is not to blame', () => {
  expect(why(stepOf('exit', 'no answer\n'), stepOf('cancelled'))).toBe('no answer');
  expect(why(stepOf('wall'), stepOf('ok'))).toBe('');
});
