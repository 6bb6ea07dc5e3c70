/** Whole solutions that are built on headers of the library: bundled into one file as for AtCoder, judged by the real tools. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleFile } from '../../../src/apps/ahc/workspace/program.ts';
import type { CaseOutcome } from '../../../src/core/program.ts';
import { evaluate, type TestCase } from '../../../src/families/ahc/judge/evaluate.ts';
import { type Contest, sourceLimitBytes } from '../../../src/families/ahc/workspace.ts';
import { bundledLibrary } from '../../../src/open/families/ahc/library.ts';
import { filesOf, practiceContest } from '../../../src/practice/atcoder/contest.ts';
import { hashText } from '../../../src/run/hash.ts';
import { chooseSandbox } from '../../../src/sandbox/choose.ts';

/** A garden with a wall through its middle that is open at one end, and two beds. */
function garden(): TestCase {
  const worth = (row: number, column: number): number => {
    if (row === 10 && column > 2) return -1;
    return Math.max(0, 60 - 9 * Math.abs(row - 4) - 9 * Math.abs(column - 6)) + ((row * 7 + column) % 5);
  };
  const rows = Array.from({ length: 20 }, (_, row) =>
    Array.from({ length: 20 }, (_value, column) => worth(row, column)).join(' '),
  );
  return { name: '0000', input: `20 8\n50 100 150 200 250\n${rows.join('\n')}\n` };
}

function stops(): TestCase {
  const input = readFileSync(join(practiceContest('polya002').folder, 'tools', 'in', '0000.txt'), 'utf8');
  return { name: '0000', input };
}

async function judged(id: string, cases: readonly TestCase[]) {
  const practice = practiceContest(id);
  const contest: Contest = {
    id,
    title: practice.title,
    timeLimitMs: practice.timeLimitSeconds * 1000,
    memoryLimitBytes: practice.memoryLimitMegabytes * 1024 * 1024,
    direction: practice.direction,
    scoring: practice.scoring,
    isInteractive: false,
    tools: { binaries: ['gen', 'score', 'vis'], generator: 'gen', judge: 'score', tester: null, sha256: '' },
  };
  const crate = Object.fromEntries(
    Object.entries(filesOf(practice, 'tools')).filter(([path]) => !path.startsWith('in/')),
  );
  const { text, included } = bundleFile({
    folder: join(practice.folder, 'solutions'),
    file: 'library.cpp',
    library: () => [bundledLibrary],
  });
  const reports: CaseOutcome[] = [];
  await evaluate(
    chooseSandbox(),
    { contest, source: text, crate, cases, hashText, compileTimeoutMs: 240_000, caseTimeoutMs: 30_000 },
    (report) => reports.push(report),
    new AbortController().signal,
  );
  return { text, reports, included: included.map((path) => path.slice(bundledLibrary.length + 1)) };
}

describe('a solution built on the library', () => {
  test('lights the garden with annealing and ways on the grid', async () => {
    const { text, included, reports } = await judged('polya001', [garden()]);
    expect(included).toEqual(expect.arrayContaining(['grid_bfs.hpp', 'grid.hpp', 'simulated_annealing.hpp']));
    expect(text).not.toMatch(/#\s*include\s*"/);
    expect(text.length).toBeLessThan(sourceLimitBytes);
    expect(reports.map(({ verdict }) => verdict)).toEqual(['AC']);
    // One lantern of power 5 in the middle of the bed is worth more than 1,000.
    expect(reports[0]?.score).toBeGreaterThan(1000);
  });

  test('sends the vans with annealing and lists of neighbours', async () => {
    const { included, reports } = await judged('polya002', [stops()]);
    expect(included).toEqual(expect.arrayContaining(['bucket_grid.hpp', 'simulated_annealing.hpp']));
    expect(reports.map(({ verdict }) => verdict)).toEqual(['AC']);
    expect(reports[0]?.score).toBeGreaterThan(0);
  });
});
