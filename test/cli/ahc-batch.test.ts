/** `polya ahc batch` as its user calls it: the real family and search, a script, stopped and gone on with, its files read. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { practiceWorkspace, solutionFile } from '../ahc/practice-workspace.ts';
import { newPlace, type Place, polya } from './shell.ts';

const file = `
name: 'sizes & <more>'
repeat: 2
base: { evolution.max_generations: 0, heldOutCases: 0 }
matrix: { islands: [1, 2] }
cases: 0-1
from: [weak.cpp]
`;

/** Nothing is asked of a model but what a session begins with, and the program is there already. */
function batchPlace(): Place {
  const { folder, env } = newPlace();
  const workspace = practiceWorkspace(folder, { inputs: 2 });
  writeFileSync(join(workspace, 'problem/problem.md'), 'Deliver parcels.\n');
  copyFileSync(solutionFile('weak'), join(workspace, 'weak.cpp'));
  const silent = { '*': [{ text: 'No.', repeat: true }] };
  writeFileSync(join(workspace, 's.json'), JSON.stringify({ roles: { '*': silent } }));
  writeFileSync(join(workspace, 'b.yaml'), file);
  return { folder: workspace, env };
}

test('a batch is shown, begun, stopped, gone on with and told; what is no batch is not gone on with as one', async () => {
  const place = batchPlace();
  const batch = ['ahc', 'batch', 'b.yaml', '--model', 'scripted:s.json'];
  const dry = await polya(place, [...batch, '--dry-run']);
  expect([dry.code, dry.err]).toEqual([0, expect.stringMatching(/c1 +islands=1\nc2 +islands=2\n/)]);
  expect(existsSync(join(place.folder, 'sizes_more_-c1-r1'))).toBe(false);

  const stopped = await polya(place, batch, {
    onWrite: (text, interrupt) => /Row 1, /.test(text) && interrupt(),
  });
  expect([stopped.code, stopped.err]).toEqual([130, expect.stringContaining('ahc batch --resume')]);
  expect(stopped.out).toMatch(/sessions? w(as|ere) not brought to/);
  const before = readFileSync(join(place.folder, 'sizes_more_-c1-r1/session.json'), 'utf8');

  const twice = await polya(place, batch);
  expect([twice.code, twice.err]).toEqual([
    2,
    expect.stringMatching(/c1-r1 is there already[\s\S]*batch --resume 2/),
  ]);
  const { code, out, err } = await polya(place, ['ahc', 'batch', '--resume', 'last', '--json']);
  expect(code, err).toBe(0);
  const told = JSON.parse(out);
  expect(told).toMatchObject({
    label: 'free (script)',
    fewestPairs: 6,
    combinations: [
      { name: 'islands=1', sessions: 2 },
      { name: 'islands=2', against: { pairs: 2 } },
    ],
  });
  expect(told.sessions).toHaveLength(4);
  for (const session of told.sessions)
    expect(session).toMatchObject({ isDone: true, why: null, cases: 2, label: 'free (script)' });
  expect(readFileSync(join(place.folder, 'sizes_more_-c1-r1/session.json'), 'utf8')).toBe(before);
  // Keys of digits in its problem were read as numbers.
  const view = ['view', '--export', 'set.html', told.set];
  expect(await polya(place, view)).toMatchObject({ code: 0 });
  expect(readFileSync(join(place.folder, 'set.html'), 'utf8').includes(`${told.set}-4`)).toBe(true);

  const session = 'sizes_more_-c1-r1';
  const report = JSON.parse((await polya(place, ['ahc', 'report', session, '--json'])).out);
  expect(report).toMatchObject({ file: join(place.folder, session, 'report.html'), session });
  const page = readFileSync(report.file, 'utf8');
  expect(page.slice(0, 300)).toMatch(/^<!doctype html>[\s\S]*default-src 'none'; script-src 'sha256-/);
  expect(page.includes(report.best.id)).toBe(true);
  // What is a key in the environment of who writes it is in no copy, and its script is whole.
  const shared = { ...place, env: { ...place.env, SOME_API_KEY: report.best.id } };
  expect((await polya(shared, ['ahc', 'report', session, '--out', 'r.html'])).code).toBe(0);
  expect(readFileSync(join(place.folder, 'r.html'), 'utf8').includes(report.best.id)).toBe(false);

  const csv = await polya(place, ['ahc', 'batch', '--resume', 'last', '--csv', '--out', 'elsewhere']);
  expect(csv.out).toBe(readFileSync(join(place.folder, 'elsewhere/results.csv'), 'utf8'));
  expect(csv.out.trim().split('\n')).toHaveLength(5);
  rmSync(join(place.folder, 'sizes_more_-c2-r2'), { recursive: true });
  // What is lost is made again from the journal, from wherever the batch is gone on with.
  const elsewhere = { ...place, folder: join(place.folder, '..') };
  const again = ['ahc', 'batch', '--resume', 'last', '--workspace', place.folder];
  expect(await polya(elsewhere, again)).toMatchObject({ code: 0 });
  expect(existsSync(join(place.folder, 'sizes_more_-c2-r2/best_solution.cpp'))).toBe(true);

  const questions = { family: 'plain', agent: 'single-call', models: 'scripted:s.json' };
  const set = { name: 'questions', defaults: questions, rows: [{ name: 'one', problem: { text: 'Why?' } }] };
  writeFileSync(join(place.folder, 'set.yaml'), JSON.stringify(set));
  expect((await polya(place, ['run-set', 'run', 'set.yaml'])).err).toContain('Row 1');
  expect(await polya(place, ['ahc', 'batch', '--resume', 'last'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/is no batch of sessions[\s\S]*run-set resume/),
  });
});

test('sessions that broke on an error are named with what broke them, and are compared with nothing', async () => {
  const place = batchPlace();
  writeFileSync(join(place.folder, 'none.json'), JSON.stringify({ roles: { grader: ['Yes.'] } }));
  const batch = ['ahc', 'batch', 'b.yaml', '--model', 'scripted:none.json'];
  const nowhere = await polya(place, [...batch, '--out', '/dev/null/results']);
  expect([nowhere.code, nowhere.err]).toEqual([
    2,
    expect.stringContaining('/dev/null/results cannot be written'),
  ]);
  expect(existsSync(join(place.folder, 'sizes_more_-c1-r1')), 'found before anything was begun').toBe(false);
  const { code, out } = await polya(place, batch);
  expect(code).toBe(1);
  expect(out).toContain('4 sessions were not brought to their ends, and are not compared.');
  expect(out).toMatch(/sizes_more_-c1-r1 broke off: .*script-exhausted/);
  expect(out).toMatch(/c1 +islands=1 +0 +– /);
  const csv = readFileSync(join(place.folder, 'sizes_more_-results/results.csv'), 'utf8');
  expect(csv).toContain('sizes_more_-c1-r1,polya002,c1,islands=1,1,error,');
});
