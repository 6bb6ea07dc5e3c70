/** The host's end of a cell, over a connection that is no sandbox: what happens where the runner does not do its part. */
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UnavailableError } from '../core/errors.ts';
import { CellGoneError, type Job } from './backend.ts';
import { RunnerCell } from './cell.ts';
import { defaultRunLimits } from './limits.ts';

const never = new AbortController().signal;
const job: Job = {
  command: ['/bin/x'],
  files: [],
  stdin: null,
  collectPath: null,
  limits: { ...defaultRunLimits, wallMs: 1000 },
};
const nothing = { bytes: 0, headBytes: 0, tailBytes: 0 };

function report(exitCode: number, stdout = ''): string {
  const description = { bytes: stdout.length, headBytes: stdout.length, tailBytes: 0 };
  const fields = {
    verdict: 'exit',
    exitCode,
    signalNumber: 0,
    wallUs: 1,
    cpuUs: 1,
    cpuIsUpperBound: false,
    memoryIsUpperBound: false,
    peakMemoryBytes: 1,
  };
  const sizes = { collectedBytes: -1, archiveBytes: -1, handsArchive: false };
  return `${JSON.stringify({ ...fields, stdout: description, stderr: nothing, ...sizes })}\n${stdout}`;
}

/** A runner that says what the test says. It ends when it is killed, or, as it should, with its input. */
function fakeRunner({ endsWithInput = true, wasOutOfMemory = (): boolean => false } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const requests: string[] = [];
  input.on('data', (chunk: Buffer) => requests.push(chunk.toString()));
  if (endsWithInput) input.on('close', () => end());
  const kill = vi.fn(() => end());
  const cell = new RunnerCell(
    {
      input,
      output,
      kill,
      ended,
      wasOutOfMemory,
      explain: (why) => new UnavailableError({ code: 'no-word', what: why ?? 'no word' }),
    },
    { openFiles: [{ name: 'cgroupCpu', fd: 5 }], kept: [] },
  );
  return { cell, say: (text: string) => output.write(text), sent: requests, kill, end, fail };
}

describe('a cell', () => {
  test('that ran out of memory, its runner included, tells the job so that took it', async () => {
    const { cell, end } = fakeRunner({ wasOutOfMemory: () => true });
    const [first, second] = [cell.run(job, never), cell.run(job, never)];
    second.catch(() => {});
    end();
    expect((await first).step.verdict).toBe('memory');
    await expect(second).rejects.toThrow('no word');
  });

  test('cancels what it runs and what waits behind it', async () => {
    const { cell } = fakeRunner();
    const controller = new AbortController();
    const answers = [cell.run(job, controller.signal), cell.run(job, never)];
    controller.abort();
    const verdicts = (await Promise.all(answers)).map(({ step }) => step.verdict);
    expect(verdicts).toEqual(['cancelled', 'cancelled']);
    expect((await cell.run(job, never)).step.verdict).toBe('cancelled');
  });
});

describe('a runner that does not answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is killed when its time and some more is up; what waited can be run elsewhere', async () => {
    const { cell, kill } = fakeRunner({ endsWithInput: false });
    const [first, second] = [cell.run(job, never), cell.run(job, never)];
    const missing = expect(second).rejects.toThrow(CellGoneError);
    await vi.advanceTimersByTimeAsync(32_900);
    expect(kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect((await first).step.verdict).toBe('wall');
    await missing;
    await expect(cell.run(job, never)).rejects.toThrow(CellGoneError);
  });

  // A busy machine needed more than two seconds to make a cell: programs were told that their time was over before they began.
  test('may take its time to come into being', async () => {
    const { cell, say, kill } = fakeRunner({ endsWithInput: false });
    const answer = cell.run(job, never);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(kill).not.toHaveBeenCalled();
    say(report(4));
    expect((await answer).step.exitCode).toBe(4);
  });

  test('may take its time to clear away what a job left', async () => {
    const { cell, say, kill } = fakeRunner({ endsWithInput: false });
    const [first, second] = [cell.run(job, never), cell.run(job, never)];
    say(report(1));
    await first;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(kill).not.toHaveBeenCalled();
    say(report(2));
    expect((await second).step.exitCode).toBe(2);
    const third = cell.run(job, never);
    await vi.advanceTimersByTimeAsync(33_100);
    expect((await third).step.verdict).toBe('wall');
  });

  test('is killed when it does not hear of an abort', async () => {
    const { cell, kill } = fakeRunner({ endsWithInput: false });
    const controller = new AbortController();
    const answer = cell.run(job, controller.signal);
    controller.abort();
    await vi.advanceTimersByTimeAsync(400);
    expect(kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect((await answer).step.verdict).toBe('cancelled');
  });

  test('is not blamed where a report waited while we were busy', async () => {
    const { cell, say, kill } = fakeRunner({ endsWithInput: false });
    const answer = cell.run(job, never);
    say(report(7));
    vi.advanceTimersByTime(40_000);
    expect((await answer).step.exitCode).toBe(7);
    vi.useRealTimers();
    await sleep(5);
    expect(kill).not.toHaveBeenCalled();
  });
});
