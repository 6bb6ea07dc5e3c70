import { describe, expect, test } from 'vitest';
import { decodeReport } from './protocol.ts';

const fields = {
  verdict: 'ok',
  exitCode: 0,
  signalNumber: 0,
  wallUs: 1500,
  cpuUs: 250,
  cpuIsUpperBound: false,
  memoryIsUpperBound: false,
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

describe('a report', () => {
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

  test('in another form is an error', () => {
    expect(() => decodeReport(Buffer.from('{"verdict":"splendid"}\n'))).toThrow();
  });
});
