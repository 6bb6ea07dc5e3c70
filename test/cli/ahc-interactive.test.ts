/**
 * A contest in which the judge answers, as its competitor has it: `init`, `test`, `vis`, `history` and `bundle` work on it as
 * on any other. How a dialogue may end stands in test/ahc/interactive.test.ts; the demo shows the comparison of two programs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { practiceContest } from '../../src/practice/atcoder/contest.ts';
import { ahcAgent, newPlace } from './shell.ts';

test('a dialogue with the judge, from init to the file that is handed in', async () => {
  const place = newPlace();
  const good = join(practiceContest('polya003').folder, 'solutions', 'good.cpp');
  const made = await ahcAgent(place, ['init', 'polya003', '--lang', 'en', '--template', good]);
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/interactive yes/)]);
  expect(made.out).toMatch(/template +\S+good\.cpp: main\.cpp begins as it/);
  expect(made.out).toMatch(/tools +gen, tester, vis \(tester, built\)/);

  const folder = join(place.folder, 'workspace', 'polya003');
  const inside = { ...place, folder };
  const tested = JSON.parse(
    (await ahcAgent(inside, ['test', '--cases', '0-4', '--group', 'N', '--json'])).out,
  );
  expect(tested.contest).toMatchObject({ id: 'polya003', isInteractive: true, direction: 'maximise' });
  expect(tested.groups.by).toBe('N');
  expect(tested.summary.verdicts).toEqual({ AC: 5 });
  expect(tested.summary.average).toBeGreaterThan(500);

  const drawn = await ahcAgent(inside, ['vis', '3', '--json']);
  expect(drawn.code).toBe(0);
  const picture = JSON.parse(drawn.out);
  expect(picture).toMatchObject({ version: 'v1', isKept: true, score: tested.cases[3].score });
  expect(readFileSync(picture.files[0], 'utf8')).toContain('<svg');

  const past = JSON.parse((await ahcAgent(inside, ['history', '--json'])).out);
  expect(past.evaluations).toMatchObject([{ version: 'v1', file: 'main.cpp', compiled: true }]);

  const bundled = await ahcAgent(inside, ['bundle', '-o', 'submit.cpp']);
  expect(bundled).toMatchObject({ code: 0, err: expect.stringContaining('it compiles alone') });
  expect(readFileSync(join(folder, 'submit.cpp'), 'utf8')).toBe(readFileSync(good, 'utf8'));
  expect(existsSync(join(folder, '.ahc', 'history.jsonl'))).toBe(true);
});
