/** Programs over the cases of our own contests, in the real sandbox, judged by the real tools. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CaseOutcome } from '../../src/core/program.ts';
import { ToolsDoNotBuild, toolProgram } from '../../src/families/ahc/judge/build.ts';
import {
  type EvaluateOptions,
  evaluate,
  type OnJudged,
  type TestCase,
} from '../../src/families/ahc/judge/evaluate.ts';
import { practiceContest } from '../../src/practice/atcoder/contest.ts';
import { hashText } from '../../src/run/hash.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { batchCases, batchContest, batchCrate } from './batch-contest.ts';

const sandbox = chooseSandbox();
const contest = batchContest;
const crate = batchCrate;
const cases = (count: number): TestCase[] => batchCases.slice(0, count);

const solution = (name: string): string =>
  readFileSync(join(practiceContest(contest.id).folder, 'solutions', `${name}.cpp`), 'utf8');

async function evaluated(
  source: string,
  change: Partial<EvaluateOptions> = {},
  onCase: OnJudged = () => undefined,
) {
  const reports: (CaseOutcome & { readonly output: string })[] = [];
  const options: EvaluateOptions = {
    contest,
    source,
    crate,
    cases: cases(3),
    hashText,
    compileTimeoutMs: 240_000,
    caseTimeoutMs: 10_000,
    ...change,
  };
  const collect: OnJudged = (report, texts) => {
    reports.push({ ...report, output: texts.output });
    return onCase(report, texts);
  };
  const result = await evaluate(sandbox, options, collect, new AbortController().signal);
  return { ...result, reports: reports.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** Does what the last word of its input says: one program for all ways to end, because each compilation takes seconds. */
const endings: readonly (readonly [name: string, statement: string, verdict: string, message: string])[] = [
  ['prints nothing', '', 'WA', 'the output ends before k_1'],
  ['prints garbage', 'puts("hello");', 'WA', 'k_1 is no integer: "hello"'],
  ['prints too little', 'puts("0");', 'WA', 'the output ends before k_2'],
  ['leaves stops out', 'for (int i = 0; i < 8; i++) puts("0");', 'WA', 'stop 1 is not served'],
  ['ends with a status', 'return 3;', 'RE', 'exit status 3'],
  ['crashes', 'abort();', 'RE', 'SIGABRT'],
  ['does not end', 'for (volatile int i = 0;;) i = i + 1;', 'TLE', 'CPU '],
  ['sleeps', 'std::this_thread::sleep_for(std::chrono::seconds(9));', 'TLE', 'on the wall '],
  [
    'takes too much memory',
    'std::vector<char> a(300u << 20, 1); printf("%d", a[5]);',
    'MLE',
    'limit: memory',
  ],
  ['floods', 'static char large[1 << 20]; for (;;) fwrite(large, 1, sizeof large, stdout);', 'OLE', ''],
];

const chameleon = `#include <bits/stdc++.h>
int main() {
  std::string word, last;
  while (std::cin >> word) last = word;
  switch (std::stoi(last)) {
${endings.map(([, statement], index) => `    case ${index}: { ${statement} break; }`).join('\n')}
    default: for (;;);
  }
}
`;

/** The tools read no further than they have to. */
function caseThat(index: number): TestCase {
  const [first] = cases(1);
  return { name: String(index), input: `${first?.input}${index}\n` };
}

describe('an evaluation', () => {
  // The crate takes a while to build; afterwards it is kept.
  beforeAll(() => evaluated(solution('weak')));

  test('compiles once, runs every case and asks the official tool', async () => {
    const { reports, compiled } = await evaluated(solution('weak'), { cases: cases(20) });
    expect([compiled, reports.length]).toEqual([true, 20]);
    for (const { verdict, score, cpuMs, memoryBytes, output } of reports) {
      expect(verdict).toBe('AC');
      expect(score).toBeGreaterThan(5_000);
      expect(cpuMs).toBeGreaterThanOrEqual(0);
      expect(memoryBytes).toBeGreaterThan(100_000);
      expect(output.trim().split('\n').length).toBeGreaterThanOrEqual(3);
    }
    expect(reports[0]).toMatchObject({ name: '0000', score: 51_739 });
  });

  test('writes tools of a few hundred KB for each case: with what a debugger wants they were 12 MB', async () => {
    const { executable } = await sandbox.build(toolProgram(crate, 'score'), new AbortController().signal);
    expect(executable?.bytes.length).toBeLessThan(2_000_000);
  });

  test('tells every way to end from the others', async () => {
    const all = endings.map((_ending, index) => caseThat(index));
    // Little memory: who takes more has it sooner than a busy machine ends its time.
    const small = { ...contest, memoryLimitBytes: 2 ** 26 };
    const { reports } = await evaluated(chameleon, { cases: all, contest: small });
    expect(reports).toHaveLength(endings.length);
    for (const [index, [name, , verdict, message]] of endings.entries()) {
      const report = reports.find((each) => each.name === String(index));
      expect(report, name).toMatchObject({ verdict, score: null });
      expect(report?.message, name).toContain(message);
    }
  });

  test('of what does not compile runs nothing, and says why', async () => {
    const { compiled, compile, reports } = await evaluated('int main() { return x; }');
    expect([compiled, reports]).toEqual([false, []]);
    expect(compile?.digest).toContain('was not declared');
  });

  test('ends when whoever watches has seen enough', async () => {
    const { reports } = await evaluated(solution('weak'), { cases: cases(100), jobs: 1 }, () => 'stop');
    expect(reports.length).toBeLessThan(100);
  });

  test('tells what went wrong where a judged case was taken: it was counted as a stop, and swallowed', async () => {
    const full = new Error('ENOSPC: no space left on device');
    const broken = evaluated(solution('weak'), { cases: cases(20) }, () => {
      throw full;
    });
    await expect(broken).rejects.toBe(full);
  });

  test('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const options = {
      contest,
      source: chameleon,
      crate,
      cases: Array.from({ length: 50 }, (_, at) => caseThat(at === 0 ? 0 : 99)),
      hashText,
      compileTimeoutMs: 240_000,
      caseTimeoutMs: 10_000,
    };
    let finished = 0;
    const onCase = () => {
      finished += 1;
      abort.abort();
    };
    await evaluate(sandbox, options, onCase, abort.signal).catch(() => undefined);
    expect(finished).toBeLessThan(50);
  });

  test('takes longer than the judge has, where a flag allows less', async () => {
    const { reports } = await evaluated(chameleon, { cases: [caseThat(99)], caseTimeoutMs: 300 });
    expect(reports[0]?.verdict).toBe('TLE');
    expect(reports[0]?.cpuMs).toBeLessThan(contest.timeLimitMs);
  });

  test('without tools looks at how programs end, and names no score', async () => {
    const alone = { contest: { ...contest, tools: null }, crate: null };
    const { reports } = await evaluated(solution('weak'), alone);
    expect(reports.map(({ verdict, score }) => [verdict, score])).toEqual([
      ['AC', null],
      ['AC', null],
      ['AC', null],
    ]);
  });

  test("with tools that do not build says so, with the compiler's words", async () => {
    const broken = { ...crate, 'src/lib.rs': 'fn broken( {}' };
    await expect(evaluated(solution('weak'), { crate: broken })).rejects.toThrow(ToolsDoNotBuild);
  });

  test('knows that it is compiled as the judge compiles', async () => {
    const source =
      '#if defined(ONLINE_JUDGE) && defined(ATCODER)\nint main() { return 0; }\n#else\nint main() { return 1; }\n#endif\n';
    const { reports } = await evaluated(source, { cases: cases(1) });
    expect(reports[0]?.verdict).toBe('WA');
  });
});
