/** `runs diff` and `runs export`: runs side by side, and as files that nothing destroys. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Agent } from '../../src/core/agent.ts';
import type { Family } from '../../src/core/problem.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startRun } from '../../src/run/start.ts';
import { call, launcher } from './process.ts';
import { metricsShape, runShape } from './schemas.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

async function solved(place: Place, ...more: string[]) {
  const { out } = await polya(place, [...day1, '--model', solvingScript(place), '--json', ...more]);
  return runShape.parse(JSON.parse(out));
}

const eventShape = z
  .strictObject({ seq: z.number(), kind: z.string(), position: z.string(), text: z.string() })
  .nullable();
const diffShape = z.strictObject({
  a: runShape,
  b: runShape,
  header: z.array(z.strictObject({ name: z.string(), a: z.json(), b: z.json() })),
  parting: z.strictObject({ at: z.string(), a: eventShape, b: eventShape }).nullable(),
});

async function diff(place: Place, a: string, b: string) {
  return diffShape.parse(JSON.parse((await polya(place, ['runs', 'diff', a, b, '--json'])).out));
}

describe('runs diff', () => {
  test('two runs that did the same part nowhere, however long it took', async () => {
    const place = newPlace();
    const [one, two] = [await solved(place, '--user', 'ada'), await solved(place, '--user', 'ada')];
    expect(await diff(place, one.id, two.id)).toMatchObject({ header: [], parting: null });
    const { code, out } = await polya(place, ['runs', 'diff', one.id, 'last']);
    expect(code).toBe(0);
    expect(out).toMatch(/^How they were begun\nAlike\.\n\nWhere they part\nNowhere: /);
    expect(out).toMatch(/What came of them\n.*\noutcome +solved +solved\n/);
    expect(out).toMatch(/part 1 SubmitAnswer +1 +1\n/);
  });

  test('in what they were begun, and where they part', async () => {
    const place = newPlace();
    const [one, two] = [await solved(place, '--max-wrong-answers', '0'), await solved(place)];
    const found = await diff(place, one.id, two.id);
    expect(found.header).toEqual([{ name: 'problem maxWrongAnswers', a: 0, b: null }]);
    expect(found.parting).toMatchObject({
      at: expect.stringMatching(/^main#\d+ tool-result$/),
      a: { kind: 'tool-result', text: expect.stringContaining('nothing was sent') },
      b: { kind: 'tool-result', text: expect.stringContaining("That's the right answer") },
    });
    expect([found.a.outcome, found.b.outcome]).toEqual(['error', 'solved']);
    const { out } = await polya(place, ['runs', 'diff', one.id, two.id]);
    expect(out).toMatch(/problem maxWrongAnswers +0 +–\n/);
    expect(out).toMatch(
      /At main#\d+ tool-result:\n {2}\S+ {2}event \d+: ← [^\n]+\n {2}\S+ {2}event \d+: ← That's the right/,
    );
    expect(out).toMatch(/part 1 error_type +submission_limit_exceeded\n/);
  });

  test('a fork parts from its parent where it was forked', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    await polya(place, ['runs', 'fork', id, '--at', '6', '--hint', 'Mind the edges.']);
    const { parting } = await diff(place, id, 'last');
    expect(parting?.a?.seq).toBeGreaterThan(6);
    expect(parting?.at).toMatch(/^main#\d+ inbox$/);
  });

  test('a damaged journal is compared with nothing', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '1');
    await solved(place, '--max-tool-calls', '1');
    const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
    database.exec('DELETE FROM events WHERE seq = 4 AND run_key = 1');
    database.close();
    for (const argv of [
      ['diff', 'last', id],
      ['export', id],
      ['export', '--all', '--format', 'csv'],
    ]) {
      const answer = await polya(place, ['runs', ...argv]);
      expect(answer).toMatchObject({ code: 4, out: '', err: expect.stringContaining('damaged at event 4') });
    }
  });
});

describe('runs export', () => {
  test('as JSON, CSV and Markdown', async () => {
    const place = newPlace();
    const [one, two] = [await solved(place), await solved(place, '--max-tool-calls', '1')];
    const { runs } = JSON.parse((await polya(place, ['runs', 'export', one.id, 'last'])).out);
    expect(runs.map(({ metrics }: { metrics: unknown }) => metricsShape.parse(metrics).run_id)).toEqual([
      one.id,
      two.id,
    ]);
    expect(runs[0]).toMatchObject({ with_puzzle: false, metrics: one.metrics });
    expect(runs[0].events).toHaveLength(one.events);
    const rows = (await polya(place, ['runs', 'export', '--all', '--format', 'csv'])).out.split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^run_id,site,year,day,lang,model,.*success_part1,error_type_part1,/);
    expect(rows[1]).toMatch(new RegExp(`^${one.id},practice,2000,1,python,`));
    expect(rows[2]).toContain('tool_limit_exceeded');
    const { out } = await polya(place, ['runs', 'export', one.id, two.id, '--format', 'md']);
    expect(out.match(/^# Run /gm)).toHaveLength(2);
  });

  test('as a folder a run, with hashes in the place of the puzzle unless it is wanted', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    const written = await polya(place, ['runs', 'export', id, '--format', 'files', '--out', 'shared']);
    expect(written).toMatchObject({
      code: 0,
      out: `${join(place.folder, 'shared', id)}\n`,
      err: 'Written: 7 files.\n',
    });
    const folder = join(place.folder, 'shared', id);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      'code',
      'code/001-part1.py',
      'code/002-part2.py',
      'metrics.csv',
      'metrics.json',
      'report.md',
      'run.json',
      'submissions.json',
    ]);
    const [first] = JSON.parse(readFileSync(join(folder, 'submissions.json'), 'utf8'));
    expect(first).toMatchObject({
      part: 1,
      verdict: 'right',
      raw_reply: expect.stringMatching(/^<!DOCTYPE/),
    });
    const question = 'How many rides were made in total';
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).not.toContain(question);
    const whole = await polya(place, ['runs', 'export', id, '--with-puzzle']);
    expect(whole.out).toContain(question);
  });

  test('overwrites nothing unasked, and nothing at all where one file is in the way', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '1');
    const file = join(place.folder, 'out', id, 'report.md');
    mkdirSync(join(place.folder, 'out', id), { recursive: true });
    writeFileSync(file, 'Mine.\n');
    const argv = ['runs', 'export', id, '--format', 'files', '--out', 'out'];
    const refused = await polya(place, argv);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('nothing was written') });
    expect(readdirSync(join(place.folder, 'out', id))).toEqual(['report.md']);
    expect(readFileSync(file, 'utf8')).toBe('Mine.\n');
    expect((await polya(place, [...argv, '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Run /);
  });

  test('a write that breaks leaves the good file as it was', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    const argv = ['runs', 'export', id, '--out', 'run.json'];
    expect((await polya(place, argv)).code).toBe(0);
    const { size } = statSync(join(place.folder, 'run.json'));
    expect(size).toBeGreaterThan(45_000);
    // Larger than what SQLite needs to read its journal, smaller than the export.
    const command = `ulimit -f 80; exec '${launcher}' ${argv.join(' ')} --force --with-puzzle`;
    const broken = await call(place, ['-c', command], '/bin/sh');
    expect(broken).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/cannot be written.*untouched/s),
    });
    expect(statSync(join(place.folder, 'run.json')).size).toBe(size);
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const below = await polya(place, ['runs', 'export', id, '--out', 'run.json/below']);
    expect(below).toMatchObject({ code: 2, err: expect.stringContaining('Name another place') });
  });

  test('a run of another family: its journal and a page', async () => {
    const place = newPlace();
    const own = openJournals({ ...place, create: true, agents: [silent], families: [plain] });
    const models = { default: 'manual:http' };
    const run = await startRun(own.world, {
      id: 'other',
      family: 'plain',
      problem: {},
      agent: 'silent',
      models,
    });
    await run.done;
    await own.close();
    const { runs } = JSON.parse((await polya(place, ['runs', 'export', 'other'])).out);
    expect(runs).toMatchObject([
      { metrics: null, events: [{ kind: 'run-start' }, {}, {}, { kind: 'run-end' }] },
    ]);
    const { out } = await polya(place, ['runs', 'export', 'other', '--format', 'md']);
    expect(out).toMatch(
      /^# Run other: Nothing\n\n```text\nRun other: solved\n[\s\S]+## The journal\n\n```text\n {3}1 {2}run-start/,
    );
    const csv = await polya(place, ['runs', 'export', 'other', '--format', 'csv']);
    expect(csv).toMatchObject({ code: 2, out: '', err: expect.stringContaining('these are none: other') });
    const all = await polya(place, ['runs', 'export', '--all', '--format', 'csv']);
    expect(all).toMatchObject({ code: 0, err: expect.stringContaining('other') });
    const files = await polya(place, ['runs', 'export', 'other', '--format', 'files', '--out', '.']);
    expect(files.code).toBe(0);
    expect(existsSync(join(place.folder, 'other', 'report.md'))).toBe(true);
  });
});

const silent: Agent = {
  name: 'silent',
  settings: z.object({}),
  needs: [],
  roles: [],
  prompts: {},
  solve: async () => ({ end: 'answered', answer: { type: 'text', text: '' } }),
};

const plain: Family = {
  name: 'plain',
  load: async () => ({
    family: 'plain',
    id: 'plain/1',
    title: 'Nothing',
    reference: {},
    contentHash: 'none',
    statement: [],
    brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    stages: [],
    detail: {},
  }),
  open: (spec) => ({ spec, grade: async () => ({ correct: true, explanation: 'As nothing was asked.' }) }),
};
