import { describe, expect, test } from 'vitest';
import { decodeReport, emptyStep } from './protocol.ts';

const fields = {
  verdict: 'ok',
  exitCode: 0,
  signalNumber: 0,
  wallUs: 1500,
  cpuUs: 250,
  cpuIsUpperBound: false,
  peakMemoryBytes: 4096,
  collectedBytes: -1,
  archiveBytes: -1,
  handsArchive: false,
};
const described = (bytes: number, headBytes: number, tailBytes: number) => ({ bytes, headBytes, tailBytes });
const nothing = described(0, 0, 0);

function report(changes: object, ...parts: readonly (string | Buffer)[]): Buffer {
  const line = JSON.stringify({ ...fields, stdout: nothing, stderr: nothing, ...changes });
  return Buffer.concat([Buffer.from(`${line}\n`), ...parts.map((part) => Buffer.from(part))]);
}

function finishedOf(bytes: Buffer) {
  const { report: decoded, length } = decodeReport(bytes);
  if (decoded?.kind !== 'done') throw new Error(`No report: ${JSON.stringify(decoded)}`);
  expect(length).toBe(bytes.length);
  return decoded.finished;
}

function stdoutOf(bytes: Buffer): unknown {
  return finishedOf(bytes).step.stdout;
}

describe('a report', () => {
  test('becomes a step, in milliseconds', () => {
    const bytes = report({ stdout: described(3, 1, 2), stderr: described(1, 0, 1) }, 'abc', 'd');
    expect(finishedOf(bytes)).toEqual({
      collected: null,
      archive: null,
      archiveBytes: null,
      step: {
        verdict: 'ok',
        exitCode: 0,
        signal: null,
        stdout: { text: 'abc', bytes: 3, cut: false },
        stderr: { text: 'd', bytes: 1, cut: false },
        wallMs: 1.5,
        cpuMs: 0.25,
        peakMemoryBytes: 4096,
      },
    });
  });

  test('names signals, even those without a name', () => {
    const signal = (signalNumber: number) =>
      finishedOf(report({ verdict: 'signal', exitCode: null, signalNumber })).step.signal;
    expect([6, 9, 11, 25, 40].map(signal)).toEqual(['SIGABRT', 'SIGKILL', 'SIGSEGV', 'SIGXFSZ', 'SIG40']);
  });

  test('hands over the collected file, however empty', () => {
    const collected = (bytes: Buffer) => finishedOf(bytes).collected?.toString();
    expect(collected(report({ collectedBytes: 3 }, 'elf'))).toBe('elf');
    expect(collected(report({ collectedBytes: 0 }))).toBe('');
  });

  test('hands over the working folder, or only its size', () => {
    const handed = report({ collectedBytes: 2, archiveBytes: 3, handsArchive: true }, 'xy', 'abc');
    expect(finishedOf(handed)).toMatchObject({ archive: Buffer.from('abc'), archiveBytes: 3 });
    expect(finishedOf(report({ archiveBytes: 3 }))).toMatchObject({ archive: null, archiveBytes: 3 });
  });

  test('tells when the runner could not work', () => {
    expect(decodeReport(Buffer.from('{"failure":"fork: no"}\n')).report).toEqual({
      kind: 'failed',
      why: 'fork: no',
    });
  });

  test('that is not all there names how much is needed', () => {
    const needed = (bytes: Buffer) => {
      const { report: decoded, length } = decodeReport(bytes);
      expect(decoded).toBeNull();
      return length - bytes.length;
    };
    expect(needed(Buffer.from(''))).toBe(1);
    expect(needed(Buffer.from('{"verdict":"ok"'))).toBe(1);
    expect(needed(report({ stdout: described(9, 5, 4) }, 'only'))).toBe(5);
    expect(needed(report({ collectedBytes: 9 }, 'only'))).toBe(5);
  });

  test('ends where the next begins', () => {
    const first = report({ stdout: described(3, 1, 2) }, 'abc');
    const both = Buffer.concat([first, Buffer.from('{"opened":true}\n')]);
    expect(decodeReport(both).length).toBe(first.length);
    expect(decodeReport(both.subarray(first.length)).report).toEqual({ kind: 'opened' });
  });

  test('in another form is an error', () => {
    expect(() => decodeReport(Buffer.from('{"verdict":"splendid"}\n'))).toThrow();
  });
});

describe('output', () => {
  test('that was cut says so where it was', () => {
    expect(stdoutOf(report({ stdout: described(100, 4, 3) }, 'headend'))).toEqual({
      text: 'head\n[… 93 bytes left out …]\nend',
      bytes: 100,
      cut: true,
    });
  });

  test.each(['é', '€', '😀'])('that was cut inside %s loses no more than that', (character) => {
    const bytes = Buffer.from(character);
    for (let split = 1; split < bytes.length; split++) {
      const [head, tail] = [Buffer.from('a'), Buffer.from('z')];
      const kept = [head, bytes.subarray(0, split), bytes.subarray(split), tail];
      const stdout = described(50, 1 + split, bytes.length - split + 1);
      expect(stdoutOf(report({ stdout }, ...kept))).toMatchObject({
        text: `a\n[… ${48 - bytes.length} bytes left out …]\nz`,
      });
    }
  });

  test('that is whole at the cut stays whole', () => {
    expect(stdoutOf(report({ stdout: described(50, 3, 3) }, 'a', 'é', 'é', 'z'))).toMatchObject({
      text: 'aé\n[… 44 bytes left out …]\néz',
    });
  });

  test('that is no UTF-8 at all stays in its length', () => {
    const bytes = Buffer.alloc(8, 0xff);
    expect(stdoutOf(report({ stdout: described(8, 4, 4) }, bytes))).toMatchObject({
      text: '\uFFFD'.repeat(8),
    });
    expect(stdoutOf(report({ stdout: described(9, 4, 4) }, bytes))).toMatchObject({ cut: true });
  });

  test('keeps a byte order mark', () => {
    expect(stdoutOf(report({ stdout: described(4, 2, 2) }, '\uFEFFa'))).toMatchObject({ text: '\uFEFFa' });
  });
});

test('a step that never began is empty', () => {
  expect(emptyStep('cancelled')).toMatchObject({ verdict: 'cancelled', exitCode: null, wallMs: 0, cpuMs: 0 });
});
