/** Parts of the problem that a contest is, each by itself: what agents are told, what a score is, new inputs. */
import { expect, test } from 'vitest';
import { encodeFolder } from '../../src/core/folder-archive.ts';
import type { CaseOutcome } from '../../src/core/program.ts';
import type { ExecRequest, ExecResult, Sandbox, StepResult, Toolchain } from '../../src/core/sandbox.ts';
import type { Turns } from '../../src/families/ahc/judge/turns.ts';
import { layout } from '../../src/families/ahc/layout.ts';
import { type ContestInfo, contestInfo, detailOf } from '../../src/families/ahc/problem/facts.ts';
import { makeFresh, readFresh, seedOf } from '../../src/families/ahc/problem/fresh.ts';
import { scoreOf } from '../../src/families/ahc/problem/grade.ts';
import { contestBrief } from '../../src/families/ahc/problem/load.ts';
import type { Contest } from '../../src/families/ahc/workspace.ts';
import { openFolder } from '../../src/io/folder.ts';
import { newPlace } from '../cli/shell.ts';

const contest: Contest = {
  id: 'toy',
  title: 'Toy',
  timeLimitMs: 1000,
  memoryLimitBytes: 2 ** 30,
  tools: null,
  direction: 'maximise',
  scoring: 'absolute',
  isInteractive: false,
};

test('the brief says how this contest scores, and what is special about it', () => {
  const toolchain: Toolchain = {
    language: 'cpp',
    name: 'g++20',
    version: 'g++ 12',
    sourceFile: 'main.cpp',
    level: '',
    notes: ['There is Boost.'],
  };
  const plain = contestBrief(contest, toolchain, 1);
  expect(plain.criteria).toMatch(/The higher the score.*Scoring is absolute.*measured on 1 case by/);
  expect(plain.criteria).not.toContain('Flush');
  expect(plain.environment).toMatch(
    /^g\+\+ 12, with -DONLINE_JUDGE -DATCODER, without network\. There is Boost\./,
  );
  // The limit is told once: of what, by which clock, and when to stop.
  expect(plain.environment).toContain(
    'Time limit: 1000 ms of CPU time a case, 1500 ms on the wall; more than 900 ms of CPU counts as a failure here, for the judge may be slower.',
  );
  expect(plain.environment).toContain('a wall clock first thing in main and stops at 850 ms.');
  const relative: Contest = { ...contest, isInteractive: true, scoring: 'relative' };
  const dialogue = contestBrief(relative, { ...toolchain, level: 'C++20' }, 2);
  expect(dialogue.task).toContain('talks to the judge');
  expect(dialogue.criteria).toMatch(/counts as yours \/ best of the best score known.*2 cases.*Flush/);
  expect(dialogue.environment).toContain('g++ 12 (C++20)');
});

test('facts are what they were; a spec without them is told of', () => {
  const facts: ContestInfo = {
    contest,
    cases: ['1'],
    best: { 1: 2 },
    features: ['N'],
    template: 'int main() {}',
  };
  expect(contestInfo({ detail: detailOf(facts) })).toEqual(facts);
  for (const detail of [{}, { facts: '{' }, { facts: '{"cases":[]}' }])
    expect(() => contestInfo({ detail })).toThrow(
      'The journal does not say what this run knew of its contest.',
    );
});

const outcome = (name: string, score: number | null): CaseOutcome => ({
  name,
  verdict: score === null ? 'WA' : 'AC',
  score,
  message: '',
  features: {},
  cpuMs: 1,
  wallMs: 1,
  memoryBytes: 1,
});

test.each([
  ['maximise', 'absolute', [3, 5], 4],
  ['maximise', 'absolute', [3, null], 1.5],
  ['minimise', 'absolute', [3, 5], 4],
  // Nothing is worse than every number, and a mean with it is none.
  ['minimise', 'absolute', [3, null], null],
  ['maximise', 'relative', [5, 10], 750_000_000],
  ['minimise', 'relative', [20, null], 250_000_000],
  ['maximise', 'absolute', [null, null], null],
] as const)('%s, %s: %j is %j', (direction, scoring, scores, score) => {
  const cases = scores.map((each, at) => outcome(String(at), each));
  expect(scoreOf({ cases }, { 0: 10, 1: 10 }, { ...contest, direction, scoring })).toBe(score);
});

const text = (all: string) => ({ text: all, bytes: all.length, cut: false });
const step: StepResult = {
  verdict: 'ok',
  exitCode: 0,
  signal: null,
  stdout: text(''),
  stderr: text(''),
  wallMs: 1,
  cpuMs: 1,
  peakMemoryBytes: 1,
};

/** A generator that writes the seeds it is given, or does what it is told. */
function generating(change: Partial<ExecResult> = {}, most = 1_000) {
  const asked: string[][] = [];
  const sandbox = {
    async exec({ folder }: ExecRequest): Promise<ExecResult> {
      const seeds = new TextDecoder().decode(folder ?? new Uint8Array()).match(/\d{7,}/g) ?? [];
      asked.push(seeds);
      const files = seeds.slice(0, most).map((seed, at) => ({
        type: 'file' as const,
        executable: false,
        path: `in/${String(at).padStart(4, '0')}.txt`,
        bytes: new TextEncoder().encode(`of ${seed}`),
      }));
      const made = { backend: 'toy', compile: null, run: step, folder: encodeFolder(files), folderBytes: 1 };
      return { ...made, ...change };
    },
  };
  return { sandbox: sandbox as unknown as Sandbox, asked };
}

test('new inputs are made once, kept up to a bound, and each is that of its seed', async () => {
  const folder = openFolder(newPlace().folder);
  const { signal } = new AbortController();
  const { sandbox, asked } = generating();
  const turns: Turns = { take: async () => true, give: () => undefined, alone: () => turns };
  const work = { folder, crate: {}, generator: 'gen', sandbox, turns, signal };
  await makeFresh(work, ['seed1000001', 'seed1000000']);
  await makeFresh(work, ['seed1000000', 'seed1000002']);
  expect(asked).toEqual([['1000001', '1000000'], ['1000002']]);
  expect(await readFresh(folder, 'seed1000000')).toBe('of 1000000');
  await expect(readFresh(folder, 'seed1000009')).rejects.toThrow('seed1000009.txt is gone');
  const many = Array.from({ length: 999 }, (_, at) => `seed${2_000_000 + at}`);
  await makeFresh({ ...work, folder: { ...folder, write: (name) => folder.append(name, 'x') } }, many);
  const kept = await folder.files(layout.fresh);
  expect([kept.length, kept.includes('seed1000000.txt'), kept.includes('seed1000002.txt')]).toEqual([
    1_000,
    false,
    true,
  ]);
  const failing = [
    generating({ run: { ...step, verdict: 'exit', stderr: text('no seed') } }),
    generating({ folder: null }),
    generating({}, 1),
  ];
  for (const [at, { sandbox: broken }] of failing.entries()) {
    const why = ['no seed', 'It was ended.', 'It made 1 of 2 inputs.'][at];
    await expect(makeFresh({ ...work, sandbox: broken }, ['seed3000000', 'seed3000001'])).rejects.toThrow(
      why,
    );
  }
});

test('a seed of ours is far from the official ones', () => {
  expect([seedOf('seed1000000'), seedOf('seed0999999'), seedOf('0000'), seedOf('seed10')]).toEqual([
    '1000000',
    null,
    null,
    null,
  ]);
});
