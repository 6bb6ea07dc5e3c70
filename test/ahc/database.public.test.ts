/** The past contests that come with Polya say what a public list of facts says of them, and know no more. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/open/families/ahc/database.ts';
import { sharedFile } from '../support/shared-data.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const internal = await openDatabase({ folder: temporaryFolder(), env: {} });
const rows = readFileSync(sharedFile('ahc-contests.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\|[a-z]+[-\d]/.test(line) || line.startsWith('|future') || line.startsWith('|awtf'))
  .map((line) => line.slice(1, -1).split('|'));

test('is every contest of the facts, and no other', () => {
  expect(rows.length).toBe(74);
  expect(internal.all.map(({ contest_id }) => contest_id)).toEqual(rows.map(([id]) => id).sort());
});

test.each(rows)('%s says what the facts say, and nothing of what they do not know', (...row) => {
  const [id = '', title = '', when = '', kind = '', , approaches = ''] = row;
  const contest = internal.find(id);
  const [, name = '', sponsor] = /^(.*?)\s*(?:\(([^()]*)\))?$/.exec(title) ?? [];
  expect(contest?.title).toBe(['', '–'].includes(name) ? null : name);
  expect(contest?.sponsor).toBe(sponsor ?? null);
  expect(`${contest?.date}, ${contest?.length_hours}`).toBe(when);
  expect(contest?.interactive).toBe(
    kind.includes('int') ? true : /^(A|R|by rank|relative)/.test(kind) ? false : null,
  );
  const type = /^A/.test(kind)
    ? 'absolute'
    : /^R|relative/.test(kind)
      ? 'relative'
      : /rank/.test(kind)
        ? 'rank'
        : null;
  expect(contest?.score_rule.type).toBe(type);
  const direction = /^A|max/.test(kind) ? 'maximise' : /min/.test(kind) ? 'minimise' : null;
  expect(contest?.score_rule.direction).toBe(direction);
  expect(contest?.inferred.length).toBe(kind.split('?').length - 1);
  expect(contest?.solution_approaches.length).toBe(approaches === '–' ? 0 : 1);
});
