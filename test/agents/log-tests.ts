/** What has to hold of every log of the published IMO 2025 agent, whoever wrote it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutBehind, sectionFrom } from '../../src/agents/kit/sections.ts';
import { decisionsIn, decisionsOnReplaying, type LogLine, linesOf } from '../support/imo-log.ts';

type Log = { readonly name: string; readonly lines: readonly LogLine[] };

export function logsIn(folder: string): readonly Log[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => ({ name, lines: linesOf(readFileSync(join(folder, name), 'utf8')) }));
}

export function holdLogs(logs: readonly Log[]): void {
  test('there are logs', () => {
    expect(logs.length).toBeGreaterThan(0);
  });

  test.each(logs)('$name: the same counters, reports, restarts and end', async ({ lines }) => {
    const expected = decisionsIn(lines);
    expect(expected.length).toBeGreaterThan(3);
    expect(await decisionsOnReplaying(lines)).toEqual(expected);
  });

  test.each(logs)('$name: in every solution our reading finds the proof, the whole of it', ({ lines }) => {
    for (const line of lines) {
      if (line.event !== 'first_solution' && line.event !== 'corrected_solution') continue;
      const original = cutBehind(line.text, 'Detailed Solution');
      if (original === '') continue;
      const proof = sectionFrom(line.text, 'Detailed Solution');
      // The original cuts where the words first occur, be it within a sentence of the summary.
      expect(original.endsWith(proof ?? 'nothing was found')).toBe(true);
      expect(proof?.length).toBeGreaterThan(original.length / 2);
    }
  });
}
