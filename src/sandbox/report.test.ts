import { describe, expect, test } from 'vitest';
import { decodeReport, emptyStep } from './report.ts';

const fields = {
  verdict: 'ok',
  exitCode: 0,
  signalNumber: 0,
  wallUs: 1500,
  cpuUs: 250,
  peakMemoryBytes: 4096,
  collectedBytes: -1,
};
const described = (bytes: number, headBytes: number, tailBytes: number) => ({ bytes, headBytes, tailBytes });
const nothing = described(0, 0, 0);

function report(changes: object, ...parts: readonly (string | Buffer)[]): Buffer {
  const line = JSON.stringify({ ...fields, stdout: nothing, stderr: nothing, ...changes });
  return Buffer.concat([Buffer.from(`${line}\n`), ...parts.map((part) => Buffer.from(part))]);
}

function stdoutOf(bytes: Buffer): unknown {
  const decoded = decodeReport(bytes);
  return decoded?.kind === 'done' ? decoded.step.stdout : decoded;
}

describe('a report', () => {
  test('becomes a step, in milliseconds', () => {
    const bytes = report({ stdout: described(3, 1, 2), stderr: described(1, 0, 1) }, 'abc', 'd');
    expect(decodeReport(bytes)).toEqual({
      kind: 'done',
      collected: null,
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
    const signal = (signalNumber: number) => {
      const decoded = decodeReport(report({ verdict: 'signal', exitCode: null, signalNumber }));
      return decoded?.kind === 'done' ? decoded.step.signal : null;
    };
    expect([6, 9, 11, 25, 40].map(signal)).toEqual(['SIGABRT', 'SIGKILL', 'SIGSEGV', 'SIGXFSZ', 'SIG40']);
  });

  test('hands over the collected file, however empty', () => {
    const collected = (bytes: Buffer) => {
      const decoded = decodeReport(bytes);
      return decoded?.kind === 'done' ? decoded.collected?.toString() : undefined;
    };
    expect(collected(report({ collectedBytes: 3 }, 'elf'))).toBe('elf');
    expect(collected(report({ collectedBytes: 0 }))).toBe('');
  });

  test('tells when the runner could not work', () => {
    expect(decodeReport(Buffer.from('{"failure":"fork: no"}\n'))).toEqual({
      kind: 'failed',
      why: 'fork: no',
    });
  });

  test('that ends in the middle is none', () => {
    expect(decodeReport(Buffer.from(''))).toBeNull();
    expect(decodeReport(Buffer.from('{"verdict":"ok"'))).toBeNull();
    expect(decodeReport(report({ stdout: described(9, 5, 4) }, 'only'))).toBeNull();
    expect(decodeReport(report({ collectedBytes: 9 }, 'only'))).toBeNull();
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
