/** `polya ahc solve` beside `polya worker --only ahc-evaluation`, as processes: the search is here, its evaluations are there. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { practiceWorkspace, solutionFile } from '../ahc/practice-workspace.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { call, start } from './process.ts';
import { newPlace, polya } from './shell.ts';

test('a session whose evaluations a worker does comes to the same as one alone', async () => {
  const { folder, env } = newPlace();
  const url = await newStoreUrl();
  const workspace = practiceWorkspace(folder, { inputs: 3 });
  writeFileSync(join(workspace, 'problem/problem.md'), 'Deliver parcels.\n');
  copyFileSync(solutionFile('weak'), join(workspace, 'weak.cpp'));
  const roles = { '*': { '*': [{ text: 'No.', repeat: true }] } };
  writeFileSync(join(workspace, 's.json'), JSON.stringify({ roles }));
  // The home of a test has no Rust of its user's.
  const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), '.rustup');
  const place = { folder: workspace, env: { ...env, RUSTUP_HOME, POLYA_STORE: url } };
  const solved = async (name: string) => {
    const few = ['--max-generations', '0', '--set', 'heldOutCases=0', '--set', 'reevaluateEvery=0'];
    const session = ['--session-name', name, '--from', 'weak.cpp', '--cases', '0-2', '--foreground'];
    const { code, err } = await call(place, [
      ...['ahc', 'solve', '--model', 'scripted:s.json', ...few, ...session],
    ]);
    expect(code, err).toBe(0);
    expect(err).not.toContain('Evaluated on this host');
    const status = JSON.parse((await polya(place, ['ahc', 'status', name, '--json'])).out);
    return { outcome: status.outcome, score: status.best_score, candidates: status.candidates };
  };
  const alone = await solved('alone');
  expect(await bySql(url, 'SELECT * FROM slice_files')).toEqual([]);

  const worker = start({ folder, env: place.env }, ['worker', '--only', 'ahc-evaluation', '--slots', '1']);
  const workers = async () => JSON.parse((await polya(place, ['fleet', 'status', '--json'])).out).workers;
  await until(async () => (await workers()).length === 1, 200);
  const shown = await polya(place, ['fleet', 'status']);
  expect(shown.out).toContain((await workers())[0].processor);
  expect(await solved('away')).toEqual(alone);
  expect((await bySql(url, 'SELECT * FROM slice_files')).length).toBeGreaterThanOrEqual(5);
  expect(await bySql(url, 'SELECT * FROM slices')).toEqual([]);
  worker.child.kill('SIGTERM');
  await worker.ended;
});
