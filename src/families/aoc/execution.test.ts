import { describe, expect, test } from 'vitest';
import type { StepResult } from '../../core/sandbox.ts';
import { byteLength } from './excerpt.ts';
import { reportExecution } from './tool-run.ts';

describe('reports of a program', () => {
  const output = (text: string) => ({ text, bytes: byteLength(text), cut: false });
  const step: StepResult = {
    verdict: 'ok',
    exitCode: 0,
    signal: null,
    stdout: output('42\n'),
    stderr: output(''),
    wallMs: 12.4,
    cpuMs: 9,
    peakMemoryBytes: 8.4 * 2 ** 20,
  };
  const report = (run: StepResult | null, compile: StepResult | null = null) =>
    reportExecution({ compile, run }, 30);

  test('status, stdout, stderr', () => {
    const result = report(step);
    expect(result.text).toBe('status: ok; wall 12 ms, CPU 9 ms, memory 8.4 MiB\nstdout:\n42\nstderr:\n');
    expect(result.isError).toBeUndefined();
    expect(result.data).toMatchObject({
      failed: false,
      phase: 'run',
      verdict: 'ok',
      exitCode: 0,
      cpuMs: 9,
      compile: null,
    });
  });

  test.each([
    [{ verdict: 'exit', exitCode: 3 }, 'exit 3'],
    [{ verdict: 'signal', signal: 'SIGSEGV', exitCode: null }, 'signal SIGSEGV'],
    [{ verdict: 'wall' }, 'time limit (wall time)'],
    [{ verdict: 'cpu' }, 'time limit (CPU time)'],
    [{ verdict: 'memory' }, 'memory limit'],
    [{ verdict: 'processes', exitCode: 1 }, 'processes limit'],
    [{ verdict: 'output' }, 'output limit'],
    [{ verdict: 'cancelled' }, 'cancelled'],
  ] as const)('%j', (change, status) => {
    expect(report({ ...step, ...change })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`status: ${status};`),
    });
  });

  test('a model reads the short form of what the compiler said; the journal has all of it', () => {
    const words = `In file included from <algorithm>:\n${'note: candidate\n'.repeat(50)}`;
    const compile = {
      ...{ ...step, verdict: 'exit' as const, exitCode: 1, stdout: output('') },
      ...{ stderr: output(words), digest: 'main.cpp:1:1: error: no' },
    };
    const { text, data } = reportExecution({ compile, run: null }, 200);
    expect(text).toMatch(/^status: compile error; .*\nstdout:\n\nstderr:\nmain\.cpp:1:1: error: no$/);
    expect(data).toMatchObject({ stderr: words });
  });

  test('a program that does not compile never ran', () => {
    const compile: StepResult = {
      ...step,
      verdict: 'exit',
      exitCode: 1,
      stderr: output('main.cpp:1: error'),
    };
    const result = report(null, compile);
    expect(result).toMatchObject({ isError: true, data: { phase: 'compile', failed: true } });
    expect(result.text).toContain('status: compile error; ');
    expect(result.text).toContain('stderr:\nmain.cpp:1: error');
    expect(report(null, { ...compile, verdict: 'wall' }).text).toContain(
      'compile error (time limit (wall time))',
    );
  });

  test('a long output is cut for the model and whole in the journal', () => {
    const long = 'x'.repeat(100);
    const result = report({ ...step, stdout: output(long) });
    expect(result.text).toContain('[… 70 bytes cut …]');
    expect(result.data?.stdout).toBe(long);
  });
});
