/** `polya ahc database …` as somebody uses it, under both names: tables, JSON, empty results, mistakes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ahcAgent, newPlace, type Place, polya } from './shell.ts';

const place = newPlace();
const run = (words: readonly string[], where: Place = place) => polya(where, ['ahc', 'database', ...words]);
const json = (text: string) => JSON.parse(text);

function workspaceWith(files: Readonly<Record<string, string>>): Place & { readonly workspace: string } {
  const made = newPlace();
  const workspace = join(made.folder, 'workspace', 'ahc001');
  mkdirSync(join(workspace, 'problem'), { recursive: true });
  for (const [name, text] of Object.entries({ 'ahc_config.yaml': '', ...files }))
    writeFileSync(join(workspace, name), text);
  return { ...made, workspace };
}

describe('polya ahc database', () => {
  test('list: a line for each, and how many; the same under both names', async () => {
    const listed = await run(['list']);
    expect(listed).toMatchObject({
      code: 0,
      err: '74 contests; `./polya ahc database show ID` tells all of one.\n',
    });
    expect(listed.out.trim().split('\n').length).toBe(75);
    expect(listed.out).toMatch(/ahc030 +Polyomino Mining +2024 +long int +Find oil/);
    expect(listed.out).toMatch(/ahc055 +– +2025 +short /);
    const byOtherName = await ahcAgent(place, ['database', 'list']);
    expect(byOtherName.out).toBe(listed.out);
    expect(byOtherName.err).toContain('ahc-agent database show ID');
    expect(json((await run(['list', '--json'])).out).contests.length).toBe(74);
  });

  test('search: quick words and options hold together', async () => {
    const found = await run([
      'search',
      '焼きなまし',
      '--tag',
      'geometry',
      '--algorithm',
      'beam',
      '--algorithm',
      'annealing',
    ]);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out.match(/^ahc\d+/gm)).toEqual(['ahc014', 'ahc040']);
    const told = json((await run(['search', '--problem', 'TREE', '--keyword', 'robot', '--json'])).out);
    expect(told.found).toMatchObject([
      { contest_id: 'ahc038', kind: 'long', score_rule: { type: 'relative' } },
    ]);
    expect(told.criteria).toMatchObject([
      { kind: 'problem', value: 'TREE', alone: 3, without: 4 },
      { kind: 'keyword', value: 'robot', alone: 4, without: 3 },
    ]);
  });

  test('search: an empty result says what would match less', async () => {
    expect(await run(['search', '--tag', 'geometri', '--algorithm', 'beam'])).toEqual({
      code: 0,
      err: '',
      out: 'No past contest fits all of this.\n  tag geometri: no contest has it; did you mean geometry?; without it: 21 contests\n  algorithm beam: 21 contests; without it: 0 contests\n',
    });
    expect((await run(['search', 'xyzzy'])).out).toBe(
      'No past contest fits.\n  keyword xyzzy: no contest has it\n',
    );
    expect(await run(['search', ' '])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing to search for'),
    });
  });

  test('show: all that is known, what was inferred, and what is not known', async () => {
    const { out } = await run(['show', 'AHC061']);
    expect(out).toMatch(/^ahc061 {2}Multi-Player Territory Game \(THIRD\)\nwhen: +2026-02-13, 240 h, long\n/);
    expect(out).toContain('inferred:    interactive\nnot known:   score rule\n');
    expect(out).toContain('did well:    Particle Filter, Monte Carlo');
    const page = 'https://atcoder.jp/contests/ahc061';
    expect(out).toContain(
      `editorial:   ${page}/editorial\nsee also:    ${page}\n             ${page}/standings\n`,
    );
    expect(json((await run(['show', 'ahc001', '--json'])).out)).toMatchObject({
      contest_id: 'ahc001',
      problem_url: 'https://atcoder.jp/contests/ahc001/tasks/ahc001_a',
      solution_approaches: [
        { rank_range: null, algorithms_used: ['Simulated Annealing'], reference_urls: [] },
      ],
      source: 'internal',
    });
  });

  test('show: a number alone suggests the contest of that number', async () => {
    for (const id of ['30', '#030', 'AHC 30', 'ahc-30'])
      expect((await run(['show', id])).err, id).toContain('Did you mean ahc030?');
    expect((await run(['show', '999'])).err).not.toContain('Did you mean');
    expect((await run(['show', ''])).err).toContain('no contest without an id.');
  });

  test('show: a wrong id suggests the nearest', async () => {
    expect(await run(['show', 'ahc30'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean ahc030?'),
    });
    expect((await run(['show', 'ahc999x'])).err).toContain('It knows ahc001 to ahc070, and 4 others.');
  });

  test('entries of the user’s own: from the key, a broken one named on stderr and skipped', async () => {
    const own = workspaceWith({ 'ahc_config.yaml': 'past_contest_db:\n  path: ../../mine\n' });
    mkdirSync(join(own.folder, 'mine'));
    writeFileSync(
      join(own.folder, 'mine', 'x001.json'),
      '{"contest_id": "x001", "problem_summary_ja": "橋を架ける"}',
    );
    writeFileSync(join(own.folder, 'mine', 'bad.json'), '{');
    const found = await run(['search', '橋'], own);
    expect(found.out).toMatch(/^x001 +– +– +– +橋を架ける +–$/m);
    expect(found.err).toMatch(/^Warning: .*mine\/bad\.json is not valid JSON: .* It is skipped\.\n$/);
    expect((await run(['show', 'x001'], own)).out).toMatch(/from: +.*mine\/x001\.json/);
    expect(json((await run(['list', '--json'], own)).out).warnings.length).toBe(1);
    const env = { ...own.env, AHC_AGENT_PAST_CONTEST_DB_PATH: 'nowhere' };
    expect(await run(['list'], { ...own, env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('past_contest_db.path is nowhere'),
    });
  });
});
