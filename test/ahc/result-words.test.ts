/** What is told at the end of an evaluation or of a search, and where its outputs go: the odd ends, nothing is run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allText, type SessionRow } from '../../src/apps/ahc/commands/status.ts';
import { openOutputs, type TestJob, tellCompileError } from '../../src/apps/ahc/testing/run.ts';
import type { Output } from '../../src/cli/contract.ts';
import type { Prepared, TestedProgram } from '../../src/families/ahc/evaluation.ts';
import { formatImprovement, type Improvement, numberText, pointsText } from '../../src/notes/tuning.ts';
import { noPaint } from '../../src/text/paint.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function kept(): Output & { text(): string } {
  let all = '';
  return {
    isTerminal: false,
    columns: 100,
    paint: noPaint,
    isClosed: false,
    write: (text) => {
      all += text;
    },
    text: () => all,
  };
}

describe('where outputs go', () => {
  test('is made where it is missing; what cannot be written later is told once, and ends nothing', async () => {
    const base = temporaryFolder('outputs');
    const outputs = openOutputs(base, 'deep/out');
    await outputs.add('0000', 'of 0000');
    expect(readFileSync(join(base, 'deep/out/0000.txt'), 'utf8')).toBe('of 0000');
    mkdirSync(join(base, 'deep/out/0001.txt'));
    mkdirSync(join(base, 'deep/out/0002.txt'));
    await outputs.add('0001', 'of 0001');
    await outputs.add('0002', 'of 0002');
    expect(outputs.failure?.message).toContain('0001.txt cannot be written');
  });

  test('is refused ahead where it is a file', () => {
    const base = temporaryFolder('outputs');
    writeFileSync(join(base, 'file'), '');
    expect(() => openOutputs(base, 'file')).toThrow('--out file is no folder');
  });

  test('is no place for a defect to hide', async () => {
    const broken = () => ({ write: () => Promise.reject(new TypeError('ours')) });
    const outputs = openOutputs(temporaryFolder('outputs'), '.', broken);
    await expect(outputs.add('0000', 'of 0000')).rejects.toThrow('ours');
  });
});

describe('a program that does not compile', () => {
  const told = (compile: object | null, json: boolean) => {
    const [out, err] = [kept(), kept()];
    const shell = { out, err, calledAs: './polya' };
    const context = { workspace: { folder: { path: '/w' } } };
    const job = { shell, context, info: { backend: 'none' }, options: { json } };
    const evaluation = {
      compile,
      compiled: false,
      backend: 'none',
      asked: 3,
      cases: [],
      improved: [],
      version: { name: 'v4', file: 'a.cpp' },
      best: { of: () => null, size: 0 },
    };
    const contest = { id: 'x', direction: 'maximise', scoring: 'absolute', timeLimitMs: 1000 };
    const prepared = { contest, warnings: ['one'] };
    const code = tellCompileError(
      job as unknown as TestJob,
      evaluation as unknown as TestedProgram,
      prepared as unknown as Prepared,
    );
    return { code, out: out.text(), err: err.text() };
  };
  const said = (text: string) => ({ verdict: 'exit', digest: '', stderr: { text } });

  test.each([
    [{ ...said(''), verdict: 'wall' }, '`./polya ahc config docker.compilation_timeout SECONDS`'],
    [{ ...said(''), verdict: 'cpu' }, 'The compiler was ended by docker.compilation_timeout'],
    [said(' '), 'The compiler said nothing.'],
    [null, 'The compiler said nothing.'],
    [said('bad words'), 'bad words'],
    [{ ...said('long'), digest: 'short' }, 'short\n'],
  ])('is told with what is known of it: %j', (compile, words) => {
    const { code, out, err } = told(compile, false);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(words);
    expect(err).toContain('v4 of a.cpp: CE, nothing was run.');
  });

  test('is one document as JSON, and the missing library is named in it', () => {
    const { out, err } = told(said('main.cpp:1: fatal error: atcoder/dsu: No such file'), true);
    expect(err).toContain('--include FOLDER');
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'CE',
      cases: [],
      warnings: ['one', expect.stringContaining('--include FOLDER')],
    });
  });
});

describe('the worth of constants', () => {
  const gain: Improvement = {
    cases: 50,
    rescued: 0,
    mean: 12.345,
    low: 1,
    high: 20_000,
    p: 0.0301,
    verdict: 'better',
  };

  test.each([
    [
      gain,
      'score',
      '+12.35 a case, 95 % interval +1 to +20,000 over 50 cases, p = 0.030: better: more than noise',
    ],
    [
      { ...gain, mean: -0.01, low: -0.02, high: 0, p: 0 },
      'share',
      '-1.00 % a case, 95 % interval -2.00 % to 0.00 %',
    ],
    [{ ...gain, p: null, verdict: 'noise' }, 'score', 'over 50 cases: cannot be told from noise'],
    [{ ...gain, mean: null, rescued: 3 }, 'score', 'no case that both solve; +3 cases solved: better'],
    [{ ...gain, rescued: -2, verdict: 'worse' }, 'score', '; -2 cases solved: worse: more than noise'],
  ] as const)('is told in words: %j', (each, unit, words) => {
    expect(formatImprovement(each, unit)).toContain(words);
  });

  test('has four digits that count', () => {
    expect([0.00312512, 120, 12.349, 1_234_567, -3].map(numberText)).toEqual([
      ...['0.003125', '120', '12.35', '1,234,567', '-3'],
    ]);
    expect(pointsText(0, 'score')).toBe('0');
  });
});

test('sessions are a line each, and what is not known of one is told as that', () => {
  const row: SessionRow = {
    session: 'night',
    id: 'i',
    status: 'running',
    started_at: '2026-01-01T00:00:00.000Z',
    generation: 3,
    best_score: 1234.5,
    best: 'gen01_id02',
    tokens: 5000,
    cost_usd: 0.25,
    label: null,
    known_tokens: 5000,
    known_cost_usd: 0.25,
  };
  const unknown = { tokens: null, cost_usd: null };
  const nothing = {
    generation: null,
    best_score: null,
    best: null,
    ...unknown,
    known_tokens: null,
    known_cost_usd: null,
  };
  const out = kept();
  const text = allText({ out } as never, [
    row,
    { ...row, ...nothing, session: 'new' },
    { ...row, ...unknown, session: 'cut' },
    { ...row, session: 'free', cost_usd: null, label: 'a script' },
  ]);
  expect(text).toMatch(/^night +running .* 3 +1,235 +5,000 +\$0\.25$/m);
  expect(text).toMatch(/^new +running .* unknown +unknown$/m);
  expect(text).toMatch(/^cut .* at least 5,000 +at least \$0\.25$/m);
  expect(text).toMatch(/^free .* a script$/m);
  expect(allText({ out } as never, [])).toBe('There are no sessions here yet.\n');
});
