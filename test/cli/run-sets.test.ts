/** `polya run-set …`: the example of docs/run-sets.md, by script; what is wrong is found before anything is made. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRunSet } from '../../src/studies/run-set/file.ts';
import { layoutOf } from '../../src/studies/run-set/layout.ts';
import { specOf } from '../../src/studies/run-set/plan.ts';
import { typed } from '../support/typed.ts';
import { launcher, root, start } from './process.ts';
import { newPlace, type Place, polya, solvingScript, stallingScript } from './shell.ts';

const example = join(root, 'examples', 'run-sets', 'practice.yaml');

/** Rows of practice day 1, played by a script that solves it. */
function solvable(place: Place, more: object = {}, delayMs = 0): string {
  const file = join(place.folder, 'set.yaml');
  const defaults = {
    family: 'aoc',
    agent: 'tool-loop',
    problem: { site: 'practice', year: 2000, day: 1, lang: 'python', user: '{{run}}' },
    models: solvingScript(place, delayMs),
    limits: { toolCalls: 20 },
  };
  writeFileSync(file, JSON.stringify({ name: 'solvable', concurrency: 2, defaults, ...more }));
  return 'set.yaml';
}

test('the example runs, is shown, listed, and told as JSON and CSV', async () => {
  const place = newPlace();
  const { code, out, err } = await polya(place, ['run-set', 'run', example, '--json']);
  expect(code, err).toBe(0);
  const told = JSON.parse(out);
  expect(told).toMatchObject({ ended: 'done', concurrency: 2, budget: { costUsd: 1, tokens: 2_000_000 } });
  expect(
    told.rows.map((row: Record<string, unknown>) => [row.name, row.outcome, row.label !== null]),
  ).toEqual([
    ['day 1', 'solved', true],
    ['day 2', 'solved', true],
  ]);
  expect(err).toMatch(/Estimate: free \(script\)/);
  expect(err).toMatch(/Row 2, day 2: solved: part1: \d+ \(right\); part2: \d+ \(right\) · free \(script\)/);
  const shown = await polya(place, ['run-set', 'show', 'last']);
  expect(shown.out).toMatch(/every row has ended/);
  expect(shown.out).toMatch(/2 rows, 2 solved; free of 2,000,000 tokens, \$1\.00/);
  const csv = (await polya(place, ['run-set', 'show', told.id, '--csv'])).out.trim().split('\n');
  expect(csv).toHaveLength(3);
  expect(csv[0]).toMatch(/^row,name,run,state,outcome/);
  expect(csv[2]).toMatch(/^2,day 2,.*,ended,solved,/);
  expect((await polya(place, ['run-set', 'list'])).out).toMatch(/practice days, played by scripts +2 +done/);
  expect(await polya(place, ['run-set', 'resume', 'last'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/has ended/),
  });
});

describe('a set', () => {
  test('that is killed is gone on with in another process', async () => {
    const place = newPlace();
    const script = stallingScript(place, 1);
    const file = solvable(place, { rows: [{}, { models: script.model, repeat: 3 }] });
    const running = start(place, ['run-set', 'run', file], launcher);
    await new Promise<void>((resolve) => {
      running.child.stderr?.on('data', (text: string) => {
        if (text.includes('Row ')) resolve();
      });
    });
    running.child.kill('SIGKILL');
    await running.ended;
    script.goesOn();
    expect((await polya(place, ['run-set', 'list'])).out).toContain('interrupted');
    const before = JSON.parse((await polya(place, ['run-set', 'show', 'last', '--json'])).out);
    expect(before.ended).toBeNull();
    const { code, out, err } = await polya(place, ['run-set', 'resume', 'last', '--json']);
    expect(code, err).toBe(0);
    const { rows } = JSON.parse(out);
    expect(rows.map((row: { outcome: string }) => row.outcome)).toEqual(
      Array.from({ length: 4 }, () => 'solved'),
    );
    expect(rows.map((row: { modelCalls: number }) => row.modelCalls)).toEqual([5, 5, 5, 5]);
  });

  test('ends with the first row that solves, where that was asked for', async () => {
    const place = newPlace();
    const file = solvable(place, { concurrency: 1, stopWhen: 'solved', rows: [{ repeat: 3 }] });
    const { code, out } = await polya(place, ['run-set', 'run', file]);
    expect(code).toBe(0);
    expect(out).toMatch(/a row has solved it, the rest was cancelled/);
    expect(out).toMatch(/1 solved, 2 not begun/);
  });

  test('is stopped by Ctrl-C, and shown on a terminal', async () => {
    const place = newPlace();
    const file = solvable(place, { rows: [{ repeat: 3 }] }, 200);
    let isStopped = false;
    const { code, err } = await polya(place, ['run-set', 'run', file], {
      isTerminal: true,
      onWrite: (text, interrupt) => {
        if (isStopped || !text.includes('row 1')) return;
        isStopped = true;
        interrupt();
      },
    });
    expect(code).toBe(130);
    expect(err).toContain('Stopping');
    expect(err).toMatch(/1 row 1 .*· .*running/s);
    expect(err).toContain('run-set resume');
  });

  test('has no budget left: the rest is not begun, and a larger one goes on', async () => {
    const place = newPlace();
    const file = solvable(place, { concurrency: 1, budget: { tokens: 3_000 }, rows: [{ repeat: 2 }] });
    const first = await polya(place, ['run-set', 'run', file]);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/the budget has no room for more/);
    expect(first.out).toMatch(/2 rows, 1 stopped by the budget of its run-set, 1 not begun/);
    expect(first.err).toContain('run-set resume');
    const { code, out, err } = await polya(place, ['run-set', 'resume', 'last', '--max-tokens', '900000']);
    expect(code, err).toBe(0);
    expect(out).toMatch(/2 rows, 2 solved/);
  });
});

describe('nothing is made', () => {
  test.each([
    ['a file that is not there', null, /cannot be read/],
    ['what is no YAML', '{ a: ', /no usable run-set/],
    ['a misspelled field', 'name: x\nrow: []', /no usable run-set.*row/s],
    ['a row without an agent', 'name: x\ndefaults: { family: aoc }', /Row 1 names no agent/],
    ['a row without a family', 'name: x\ndefaults: { agent: tool-loop }', /Row 1 names no family/],
    ['a wrong limit', 'name: x\ndefaults: { limits: { usd: -1 } }', /limits.*usd/s],
    ['a wrong matrix', 'name: x\nmatrix: { limits: [{ calls: 1 }] }', /Its matrix.*calls/s],
    [
      'a day that is not there',
      'name: x\ndefaults: { family: aoc, agent: tool-loop, problem: { site: practice, year: 2000, day: 99, lang: python }, models: scripted/aoc-practice-day1 }',
      /Row 1 \(row 1\)/,
    ],
  ])('for %s', async (_name, text, message) => {
    const place = newPlace();
    if (text !== null) writeFileSync(join(place.folder, 'set.yaml'), text);
    expect(await polya(place, ['run-set', 'run', 'set.yaml'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(message),
    });
    expect((await polya(place, ['run-set', 'list'])).out).toContain('No run-sets yet');
    expect((await polya(place, ['runs', 'list'])).out).toContain('No runs yet');
  });

  test('by a dry run', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, ['run-set', 'run', example, '--dry-run']);
    expect(code, err).toBe(0);
    expect(out).toMatch(/2 rows, 2 at once, budget: 2,000,000 tokens, \$1\.00/);
    expect(out).toMatch(/aoc\/practice\/2000\/2\/cpp/);
    expect(out).toMatch(/The first request, in the role solver:/);
    expect(existsSync(join(place.folder, '.polya'))).toBe(false);
    const json = JSON.parse((await polya(place, ['run-set', 'run', example, '--dry-run', '--json'])).out);
    expect(json.plan.rows).toHaveLength(2);
    expect(json.firstRow.firstRequest.role).toBe('solver');
  });
});

describe('the file', () => {
  const parse = (value: object) =>
    parseRunSet(JSON.stringify({ name: 'x', ...value }), {
      file: 'f',
      modelName: (name) => `!${name}`,
      promptsOf: (folder) => ({ solve: `Solve it, ${folder}.` }),
    });

  test('of the documentation says what it shows', () => {
    const page = readFileSync(join(root, 'docs', 'run-sets.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const plan = parseRunSet(yaml, {
      file: 'docs/run-sets.md',
      modelName: (name) => name,
      promptsOf: () => ({}),
    });
    expect(plan).toMatchObject({
      concurrency: 4,
      budget: { costUsd: 5, tokens: 3_000_000 },
      stopWhen: 'never',
    });
    expect(plan.rows).toHaveLength(2 * 5 + 2);
    expect(plan.rows[0]).toMatchObject({
      name: 'day 1, openai/gpt-5 (1)',
      problem: { year: 2000, day: 1 },
      limits: { costUsd: 1, wallMs: 1_800_000 },
      seed: 'mine',
    });
    expect(new Set(plan.rows.slice(0, 5).map(({ seed }) => seed)).size).toBe(5);
    expect(plan.rows.at(-1)).toMatchObject({
      models: { default: 'google/gemini-2.5-pro' },
      problem: { day: 2 },
    });
  });

  test('merges a row over the defaults, field by field, and resolves names of models', () => {
    const { rows } = parse({
      defaults: { family: 'f', agent: 'a', models: 'm', problem: { x: 1, y: 1 }, settings: { s: 1 } },
      rows: [{ models: { grader: 'g' }, problem: { y: 2 } }, { models: 'n' }],
    });
    expect(rows).toMatchObject([
      { models: { default: '!m', grader: '!g' }, problem: { x: 1, y: 2 }, settings: { s: 1 } },
      { models: { default: '!n' }, problem: { x: 1, y: 1 } },
    ]);
  });

  test('has prompts of a folder for a row, and compares folders of prompts in a matrix', () => {
    const plan = parse({
      defaults: { family: 'qa', agent: 'chain', models: 'm', problem: { question: 'q' } },
      matrix: { prompts: ['short', 'long'] },
    });
    expect(plan.rows.map(({ name }) => name)).toEqual(['row 1, short', 'row 2, long']);
    expect(layoutOf(plan).columns).toEqual(['prompts short', 'prompts long']);
    const set = { id: 's', createdAtMs: 0, plan };
    expect(specOf(set, 1).prompts).toEqual({ solve: 'Solve it, long.' });
    const withOwn = { ...set, plan: { ...plan, prompts: { solve: 'All alike.' } } };
    expect(specOf(withOwn, 1).prompts).toEqual({ solve: 'All alike.' });
  });

  test('merges settings of models one by one, and names the rows of a matrix by what differs', () => {
    const { rows } = parse({
      defaults: {
        family: 'f',
        agent: 'a',
        modelSettings: { default: { maxOutputTokens: 500, temperature: 1 } },
      },
      matrix: {
        modelSettings: [{ default: { temperature: 0.1 } }, { grader: { seed: 7 } }],
        models: ['m', { default: 'n' }],
      },
    });
    expect(rows.map(({ name }) => name)).toEqual([
      'row 1, 0.1, m',
      'row 2, 0.1, n',
      'row 3, 7, m',
      'row 4, 7, n',
    ]);
    expect(rows[0]?.modelSettings).toEqual({ default: { maxOutputTokens: 500, temperature: 0.1 } });
    expect(rows[2]?.modelSettings).toEqual({
      default: { maxOutputTokens: 500, temperature: 1 },
      grader: { seed: 7 },
    });
  });

  test('takes a provider and a bare model, as older configurations have them', async () => {
    const place = newPlace();
    const old = { provider: 'gemini', model: 'gemini-2.5-pro' };
    const defaults = { family: 'plain', agent: 'single-call', problem: { text: 'x' }, ...old };
    const rows = [{}, { model: 'gemini/gemini-2.5-flash' }, { provider: 'codex', model: 'gpt-5' }];
    writeFileSync(join(place.folder, 'old.yaml'), JSON.stringify({ name: 'old', defaults, rows }));
    const env = { ...place.env, GEMINI_API_KEY: 'any-key-at-all', OPENAI_API_KEY: 'any-key-at-all' };
    const { code, out, err } = await polya({ ...place, env }, typed`run-set run old.yaml --dry-run --json`);
    expect(code, err).toBe(0);
    expect(JSON.parse(out).plan.rows.map(({ models }: { models: unknown }) => models)).toEqual([
      { default: 'google/gemini-2.5-pro' },
      { default: 'gemini/gemini-2.5-flash' },
      { default: 'openai/gpt-5' },
    ]);
  });

  test('has a limit to its rows', () => {
    const defaults = { family: 'f', agent: 'a' };
    const many = { defaults, rows: [{ repeat: 9_000 }, { repeat: 9_000 }] };
    expect(() => parse(many)).toThrow(/18000 rows/);
  });
});
