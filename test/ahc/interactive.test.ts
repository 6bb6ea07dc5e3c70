/** Programs in dialogue with the tester of our interactive contest, in the real sandbox: every way in which that can end. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsIn } from '../../src/apps/ahc/intake/contest-file.ts';
import { dialogueOf, inspectCrate } from '../../src/apps/ahc/intake/crates.ts';
import { parseTaskPage } from '../../src/apps/ahc/intake/page.ts';
import type { CaseOutcome } from '../../src/core/program.ts';
import { type CaseTexts, evaluate, type TestCase } from '../../src/families/ahc/judge/evaluate.ts';
import type { Contest } from '../../src/families/ahc/workspace.ts';
import { filesOf, practiceContest } from '../../src/practice/atcoder/contest.ts';
import { taskPage } from '../../src/practice/atcoder/pages.ts';
import { hashText } from '../../src/run/hash.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';

const sandbox = chooseSandbox();
const practice = practiceContest('polya003');
const crate = filesOf(practice, 'tools');
const contest: Contest = {
  id: practice.id,
  title: practice.task,
  timeLimitMs: 1000,
  memoryLimitBytes: 512 * 1024 * 1024,
  direction: 'maximise',
  scoring: 'absolute',
  isInteractive: true,
  tools: { ...inspectCrate(crate), sha256: '' },
};

/** Springs at (2, 3) and (9, 9) of 15 x 15 cells; no answer is off. The name of a case is not told to the program. */
const input = '15 2 0 1\n2 3\n9 9\n';

/** By the size of the field: one program for all, because each compilation takes seconds. */
const endings: readonly (readonly [
  name: string,
  statement: string,
  verdict: string,
  score: number | null,
  message: string,
])[] = [
  [
    'asks, digs and ends',
    'ask("? 2 5", 2); ask("# 2 3", 1); ask("? 9 9", 0); ask("# 9 9", 1); say("!");',
    'AC',
    1860,
    '',
  ],
  ['ends at once', 'say("!");', 'AC', 0, ''],
  ['claims a score of its own', 'say("Score = 5");', 'WA', null, 'none of'],
  ['says what nobody knows', 'say("hello");', 'WA', null, 'none of'],
  ['digs outside', 'say("# 99 0");', 'WA', null, 'i = "99" is not between 0 and'],
  ['says nothing', '', 'WA', null, 'the output ends without'],
  ['crashes in the middle', 'ask("? 0 0", 5); abort();', 'RE', null, 'SIGABRT'],
  ['ends with a status', 'say("!"); return 3;', 'RE', null, 'exit status 3'],
  // Was RE or WA by chance, where the tester's time was over first.
  ['does not flush', 'printf("? 0 0\\n"); int answer; answer = scanf("%d", &answer);', 'TLE', null, 'CPU '],
  // Was "the tool ended with output": it complained in as many words.
  [
    'ends no line',
    'for (int i = 0; i < 10000000; i++) putchar(65); fflush(stdout);',
    'WA',
    null,
    'a line has more',
  ],
  ['never ends', 'for (volatile int i = 0;;) i = i + 1;', 'TLE', null, 'CPU '],
  // Was RE SIGPIPE: the tester complains and goes, and the program writes on.
  ['talks nonsense without end', 'for (;;) say("garbage");', 'WA', null, 'none of'],
  ['asks for ever', 'for (int i = 0; i < 3000; i++) say("? 0 0");', 'WA', null, 'more than 2 N^2 turns'],
];

const chameleon = `#include <bits/stdc++.h>
void say(const char* line) { puts(line); fflush(stdout); }
void ask(const char* line, int expected) {
  int answer;
  say(line);
  std::cin >> answer;
  if (answer != expected) { fprintf(stderr, "heard %d\\n", answer); exit(9); }
}
int main() {
  int n, m;
  std::cin >> n >> m;
  switch (n - 15) {
${endings.map(([, statement], index) => `    case ${index}: { ${statement} break; }`).join('\n')}
  }
}
`;

async function evaluated(source: string, cases: readonly TestCase[]) {
  const reports: (CaseOutcome & CaseTexts)[] = [];
  const options = {
    contest,
    source,
    crate,
    cases,
    hashText,
    compileTimeoutMs: 240_000,
    caseTimeoutMs: 10_000,
  };
  const { compiled } = await evaluate(
    sandbox,
    options,
    (report, texts) => reports.push({ ...report, ...texts }),
    new AbortController().signal,
  );
  expect(compiled).toBe(true);
  return reports.sort((a, b) => a.name.localeCompare(b.name));
}

test('every way to end a dialogue is told from the others', async () => {
  const cases = endings.map((_ending, index) => ({
    name: String(index),
    input: input.replace('15', String(15 + index)),
  }));
  const reports = await evaluated(chameleon, cases);
  expect(reports).toHaveLength(endings.length);
  for (const [index, [name, , verdict, score, message]] of endings.entries()) {
    const report = reports.find((each) => each.name === String(index));
    expect(report, name).toMatchObject({ verdict, score });
    expect(report?.message, name).toContain(message);
  }
  // What the program said is kept for the visualizer.
  expect(reports[0]?.output).toBe('? 2 5\n# 2 3\n? 9 9\n# 9 9\n!\n');
});

test('a solution that thinks is worth more than one that walks', async () => {
  const cases = Array.from({ length: 4 }, (_, at) => ({
    name: String(at),
    input: `25 3 10 ${at + 1}\n${at} 3\n${20 - at} 9\n11 ${22 - at}\n`,
  }));
  const sums = [];
  for (const name of ['weak', 'good']) {
    const source = readFileSync(join(practice.folder, 'solutions', `${name}.cpp`), 'utf8');
    const reports = await evaluated(source, cases);
    expect(reports.map(({ verdict }) => verdict)).toEqual(cases.map(() => 'AC'));
    sums.push(reports.reduce((sum, { score }) => sum + (score ?? 0), 0));
  }
  const [weak = 0, good = 0] = sums;
  expect(good).toBeGreaterThan(1.5 * weak);
});

test('statement and tools say that it is a dialogue', () => {
  expect(dialogueOf(inspectCrate(crate))?.value).toBe(true);
  for (const lang of ['ja', 'en'] as const) {
    const links = { zip: null, windowsZip: null, visualizer: null };
    const found = findingsIn(parseTaskPage(taskPage(practice, { layout: 'new', links, lang })));
    expect([found.isInteractive.value, found.direction.value]).toEqual([true, 'maximise']);
  }
});
