/** What a case came to: from how a program ended, and from the words of official tools. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { relativeScore } from '../../src/apps/ahc/compare/summary.ts';
import { isBetter } from '../../src/core/program.ts';
import type { StepResult, StepVerdict } from '../../src/core/sandbox.ts';
import { type ConfigValue, configKeyOf } from '../../src/families/ahc/config/keys.ts';
import { resolveConfig } from '../../src/families/ahc/config/layer.ts';
import { judgeOutput, scoreIn, verdictOfProgram } from '../../src/families/ahc/judge/verdict.ts';
import { betterScore } from '../../src/families/ahc/records/best.ts';
import { type ContestFile, contestFileSchema, contestOf } from '../../src/families/ahc/workspace.ts';

const captured = (text: string) => ({ text, bytes: text.length, cut: false });

function step(change: Partial<StepResult> & { out?: string; err?: string } = {}): StepResult {
  const { out = '', err = '', ...rest } = change;
  return {
    verdict: 'ok',
    exitCode: 0,
    signal: null,
    stdout: captured(out),
    stderr: captured(err),
    wallMs: 10,
    cpuMs: 10,
    peakMemoryBytes: 1,
    ...rest,
  };
}

test.each<[StepVerdict, number, string | null]>([
  ['ok', 10, null],
  ['ok', 2001, 'TLE'],
  ['wall', 10, 'TLE'],
  ['cpu', 10, 'TLE'],
  ['memory', 10, 'MLE'],
  ['output', 10, 'OLE'],
  ['disk', 10, 'OLE'],
  ['exit', 10, 'RE'],
  ['exit', 2001, 'TLE'],
  ['signal', 10, 'RE'],
  ['signal', 2001, 'TLE'],
  ['processes', 10, 'RE'],
])('a program that ended with %s after %d ms is %s', (verdict, cpuMs, expected) => {
  expect(verdictOfProgram(step({ verdict, cpuMs, wallMs: cpuMs }), 2000)).toBe(expected);
});

test("waiting for a core that others use is not the program's time", () => {
  expect(verdictOfProgram(step({ cpuMs: 1900, wallMs: 2500 }), 2000)).toBeNull();
  expect(verdictOfProgram(step({ cpuMs: 1900, wallMs: 3500 }), 2000)).toBe('TLE');
});

describe('an output', () => {
  test.each([
    ['Score = 123\n', '', 'AC', 123],
    ['', 'Score = 7\n', 'AC', 7],
    ['turn 1\nScore = 2\n', 'Score = 2\n', 'AC', 2],
    ['Score = 5\r\n', '', 'AC', 5],
    ['Number of errors = 3\nerror rate: 0.5 %\nScore = 6\n', '', 'AC', 6],
    ['Score = 0\n', '', 'AC', 0],
    ['Illegal output (r_1 = 99)\nScore = 0\n', '', 'WA', null],
    ['wrong answer: unexpected EOF\nScore = 5\n', '', 'WA', null],
    ['no score at all\n', '', 'WA', null],
    ['', '', 'WA', null],
    ['Score = 12x\n', '', 'WA', null],
    ['Score = 1\nturn 2\nScore = 2\n', '', 'WA', null],
    ['Score = 1\n', 'Score = 2\n', 'WA', null],
    ['Score = 8\n', 'invalid move\n', 'WA', null],
  ])('of which the tool says %j and %j is %s', (out, err, verdict, score) => {
    expect(judgeOutput(step({ out, err }))).toMatchObject({ verdict, score });
  });

  /** What a program may get a tool to repeat, or a tool may say beside its score. */
  const doubts = [
    ...[
      'Score = 8',
      'score: 8',
      'SCORE = 8',
      ' Score=8 ',
      '\tScore = 8',
      '\u00a0Score = 8',
      '\ufeffScore = 8',
    ],
    ...[
      'Score = 1e3',
      'Score = -5',
      'Score = +9',
      'Score = 1.5',
      'Score = 0x10',
      'Score = NaN',
      'Score = Infinity',
    ],
    ...[
      'Score = 7 8',
      'score: 5 points',
      'Score = 7\rScore = 9',
      'Score = 7\u20289',
      'Score = \u0000',
      'Score = ٧',
    ],
    ...[
      'Score = \u001b[31m7',
      'Score = 7\u001b[2K',
      `Score = ${'9'.repeat(20)}`,
      `Score = ${'9'.repeat(1_000_000)}`,
    ],
    ...[
      'wrong answer: 5',
      'Invalid output: 7',
      'Parse error: 7',
      'Illegal count: 3',
      'error = 1',
      'unexpected EOF',
    ],
    ...['\u001b[31minvalid move\u001b[0m', 'value out of range', "thread 'main' panicked at src/lib.rs:5"],
  ];
  test.each(doubts)(
    'with a score and %j is not accepted, whichever comes first and wherever it stands',
    (doubt) => {
      for (const said of [
        `Score = 7\n${doubt}\n`,
        `${doubt}\nScore = 7\n`,
        `Score = 7\n${'x'.repeat(100_000)}\n${doubt}`,
      ]) {
        expect(judgeOutput(step({ out: said }))).toMatchObject({ verdict: 'WA', score: null });
        expect(judgeOutput(step({ err: said }))).toMatchObject({ verdict: 'WA', score: null });
      }
      expect(judgeOutput(step({ out: 'Score = 7\n', err: doubt })).verdict).toBe('WA');
      expect(judgeOutput(step({ out: doubt, err: 'Score = 7' })).verdict).toBe('WA');
    },
  );

  test.each([
    ...['Output is not a permutation', 'Too many turns', 'WA: x', 'assertion failed', 'cannot parse line 3'],
    ...['Collision at (3, 4)', 'Time limit exceeded', 'duplicate vertex 3', 'each row must have 5 numbers'],
    ...['line 3: expected 4 integers, got 3', '不正な出力です', 'NG', 'Score mismatch'],
  ])('a score and the complaint %j are never AC', (said) => {
    for (const text of [`Score = 5\n${said}\n`, `${said}\nScore = 5\n`]) {
      expect(judgeOutput(step({ out: text }))).toEqual({ verdict: 'WA', score: null, message: said });
      expect(judgeOutput(step({ out: 'Score = 5', err: said })).verdict).toBe('WA');
    }
  });

  test.each([
    'Not visited = 3',
    'Collisions: 0',
    'too large moves = 4 times',
    'Turn 3',
    'seed 7, 12.5 %',
    'http://x',
  ])('a score and the figure or remark %j are AC', (said) => {
    expect(judgeOutput(step({ out: `Score = 5\n${said}\n` }))).toMatchObject({ verdict: 'AC', score: 5 });
  });

  test('of which the tool fails is wrong, with what it said', () => {
    const failed = step({
      verdict: 'exit',
      exitCode: 1,
      err: "thread 'main' panicked at parse\nScore = 9\n",
    });
    expect(judgeOutput(failed)).toEqual({
      verdict: 'WA',
      score: null,
      message: "thread 'main' panicked at parse",
    });
    // As newer Rust says it.
    const err =
      "\nthread 'main' (2) panicked at src/lib.rs:3:5:\nOut of range: 9\nnote: run with `RUST_BACKTRACE=1`\n";
    expect(judgeOutput(step({ verdict: 'exit', exitCode: 101, err })).message).toBe(
      "thread 'main' (2) panicked at src/lib.rs:3:5: Out of range: 9",
    );
    for (const [verdict, said] of [
      ['wall', 'the tool took too long'],
      ['output', 'the tool wrote more than it may'],
      ['disk', 'the tool failed (disk)'],
    ] as const)
      expect(judgeOutput(step({ verdict })).message).toBe(said);
  });

  test.each(['\n', '\u2028', '\u2029', '\r', '\r\n', '\v', '\f', '\u0085', '\0'])(
    'names no score of its own choice behind the break %j, in a line that the tool repeats',
    (end) => {
      const forged = `x${end}Score = 999999999${end}`;
      for (const said of [
        `Score = 0\nParse error: ${forged}\n`,
        `Score = 17\nParse error: ${forged}\n`,
        `Parse error: ${forged}\nScore = 0\n`,
        `Parse error: ${forged}\n`,
        `Score = 0\n${forged}\n`,
        `Score = 0\nit was: 12${forged}\n`,
      ]) {
        expect(judgeOutput(step({ out: said })), JSON.stringify(said)).toMatchObject({
          verdict: 'WA',
          score: null,
        });
        expect(judgeOutput(step({ err: said }))).toMatchObject({ verdict: 'WA', score: null });
      }
      // A remark that complains of nothing leaves the score as the tool named it, or makes it doubtful.
      const { score } = judgeOutput(step({ out: `Score = 17\nlast line: ${forged}\n` }));
      expect(score).toBe(end.includes('\n') ? null : 17);
    },
  );

  test('the line that names the score is found among words of any kind', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), fc.nat(), (lines, score) => {
        expect(scoreIn(`${lines.join('\n')}\nScore = ${score}\n`)).toBe(score);
        expect(scoreIn(`Score = ${score + 1}\n${lines.join('\n')}\nScore = ${score}\n`)).toBeNull();
      }),
      { seed: 2 },
    );
  });
});

describe('relative scores', () => {
  test.each([
    ['maximise', 50, 100, 500_000_000],
    ['maximise', 100, 100, 1_000_000_000],
    ['maximise', 0, 0, 1_000_000_000],
    ['maximise', 5, 0, 1_000_000_000],
    ['minimise', 200, 100, 500_000_000],
    ['minimise', 3, 2, 666_666_667],
    ['minimise', 0, 0, 1_000_000_000],
    ['minimise', 100, 0, 0],
    ['minimise', null, 100, 0],
    ['maximise', 7, null, 1_000_000_000],
  ] as const)('%s %s against %s', (direction, score, best, points) => {
    expect(relativeScore(direction, score, best)).toBe(points);
  });

  test('never exceed 10^9 against the best of all, and grow with the score', () => {
    const direction = fc.constantFrom('maximise' as const, 'minimise' as const);
    fc.assert(
      fc.property(direction, fc.nat(), fc.nat(), (which, a, b) => {
        const best = betterScore(which, a, b);
        expect(relativeScore(which, a, best)).toBeLessThanOrEqual(1e9);
        if (isBetter(a, b, which)) {
          expect(relativeScore(which, a, best)).toBeGreaterThanOrEqual(relativeScore(which, b, best));
        }
      }),
      { seed: 3 },
    );
  });

  test('the best of nothing is what there is', () => {
    expect(betterScore('minimise', null, 4)).toBe(4);
    expect(betterScore('minimise', 3, null)).toBe(3);
    expect(betterScore('maximise', null, null)).toBeNull();
  });
});

describe('a contest', () => {
  const file: ContestFile = contestFileSchema.parse({
    version: 1,
    id: 'x001',
    title: 'A - X',
    url: null,
    startsAt: null,
    endsAt: null,
    timeLimitSeconds: null,
    memoryLimitMegabytes: 512,
    direction: { value: 'maximise', because: null },
    scoring: { value: 'absolute', because: 'It says so.' },
    isInteractive: { value: false, because: null },
    tools: null,
    confirmed: null,
  });
  const withKeys = (values: Record<string, ConfigValue>) =>
    resolveConfig([{ source: 'x', values: new Map(Object.entries(values)), warnings: [] }], {});

  test('is what was found, with what most have where nothing was', () => {
    expect(contestOf(file, withKeys({}))).toMatchObject({
      timeLimitMs: 2000,
      memoryLimitBytes: 512 * 1024 * 1024,
      direction: 'maximise',
      isInteractive: false,
    });
  });

  test.each<[string, ConfigValue, object]>([
    ['contest.direction', 'minimise', { direction: 'minimise' }],
    ['contest.scoring', 'relative', { scoring: 'relative' }],
    ['contest.interactive', true, { isInteractive: true }],
    ['contest.time_limit', 4.5, { timeLimitMs: 4500 }],
    ['contest.memory_limit', 256, { memoryLimitBytes: 256 * 1024 * 1024 }],
  ])('is corrected by %s', (path, value, expected) => {
    expect(configKeyOf.has(path)).toBe(true);
    expect(contestOf(file, withKeys({ [path]: value }))).toMatchObject(expected);
  });
});
