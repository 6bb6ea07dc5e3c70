/** Past contests: the entries that come with Polya, the user's own beside them, and what may be asked of both. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContestDatabase, contestText } from '../../src/families/ahc/database/database.ts';
import { contestRecord, entryOf, entryOfText, merged } from '../../src/families/ahc/database/record.ts';
import { namesOf, slug } from '../../src/families/ahc/database/similar.ts';
import { databaseTools } from '../../src/families/ahc/database/tools.ts';
import { indexTexts } from '../../src/io/text-index.ts';
import { openDatabase } from '../../src/open/families/ahc/database.ts';
import { prepareToolCall } from '../../src/run/effects.ts';
import { newPlace } from '../cli/shell.ts';
import { coded } from '../support/coded.ts';

const place = newPlace();
const internal = await openDatabase({ folder: place.folder, env: place.env });
const ids = (found: { readonly found: readonly { readonly contest_id: string }[] }): string[] =>
  found.found.map(({ contest_id }) => contest_id);

const makePipe = (path: string): void => {
  execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', path]);
};

/** With these files in a folder of the user's. */
async function withOwn(files: Readonly<Record<string, string>>): Promise<ContestDatabase> {
  const { folder, env } = newPlace();
  mkdirSync(join(folder, 'own'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'own', name), text);
  return openDatabase({ folder, env, flags: { 'past_contest_db.path': 'own' } });
}

describe('what comes with Polya', () => {
  const contests = internal.all.map((contest) => [contest.contest_id, contest] as const);

  test('is 74 contests, each under its own id', () => {
    expect(new Set(contests.map(([id]) => id)).size).toBe(74);
    expect(contests.map(([id]) => id)).toEqual(contests.map(([id]) => id).sort());
    expect(internal.warnings).toEqual([]);
  });

  test.each(contests)('%s is whole, and fits together', (id, contest) => {
    expect(contest.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(contest.kind).toBe(Number(contest.length_hours) < 24 ? 'short' : 'long');
    expect(['absolute', 'relative', 'rank', null]).toContain(contest.score_rule.type);
    expect(['maximise', 'minimise', null]).toContain(contest.score_rule.direction);
    expect(contest.problem_summary).toMatch(/^[A-Z0-9].{10,}\.$/);
    expect(contest.problem_summary_ja).toMatch(/[ぁ-ん].*。$/);
    // By the site's own scheme: nothing that would have to be known.
    const page = `https://atcoder.jp/contests/${id}`;
    expect(contest).toMatchObject({
      problem_url: `${page}/tasks${id.includes('-') ? '' : `/${id}_a`}`,
      official_editorial_url: `${page}/editorial`,
      reference_urls: [page, `${page}/standings`],
    });
  });

  test('has tags in one spelling, and those of its algorithms', () => {
    for (const { tags, solution_approaches } of internal.all) {
      expect(tags).toEqual(tags.map(slug));
      for (const { algorithms_used, rank_range, reference_urls } of solution_approaches) {
        for (const name of algorithms_used) {
          expect(
            tags.some((tag) => slug(tag) === slug(name) || namesOf(tag).map(slug).includes(slug(name))),
          ).toBe(true);
        }
        expect([rank_range, reference_urls]).toEqual([null, []]);
      }
    }
  });
});

describe('search', () => {
  test.each([
    ['焼きなまし法', 'ahc001'],
    ['annealing', 'ahc001'],
    ['SA', 'ahc001'],
    ['全域木', 'ahc011'],
    ['巡回', 'ahc027'],
    ['木', 'ahc041'],
    ['rectangles', 'ahc014'],
    ['RECTANGLE', 'ahc014'],
    ['spanning-tree', 'ahc007'],
    ['monte_carlo', 'ahc007'],
    ['ｂｅａｍ', 'ahc032'],
    ['Toyota', 'ahc015'],
    ['ahc030', 'ahc030'],
    ['noisy divination', 'ahc030'],
  ])('the word %s finds %s', (word, id) => {
    expect(ids(internal.search({ keywords: [word] }))).toContain(id);
  });

  test('a word is no part of another: tree is not in street, nor SA in sardines', () => {
    const index = indexTexts([
      { id: 'street', fields: ['one street'] },
      { id: 'tree', fields: ['two trees'] },
      { id: '森', fields: ['森の木を切る'] },
    ]);
    expect([...index.find('tree').keys()]).toEqual(['tree']);
    expect([...index.find('木を').keys()]).toEqual(['森']);
    expect([...index.find('木を切る').keys()]).toEqual(['森']);
    expect(ids(internal.search({ keywords: ['sard'] }))).toEqual(['ahc039']);
    expect(ids(internal.search({ keywords: ['sa'] }))).not.toContain('ahc036');
  });

  test('criteria of every kind hold together, and each of a kind', () => {
    expect(ids(internal.search({ tags: ['geometry'], algorithms: ['beam'] }))).toEqual(['ahc014', 'ahc040']);
    expect(ids(internal.search({ tags: ['geometry', 'noise'], algorithms: ['beam', 'annealing'] }))).toEqual([
      'ahc040',
    ]);
    expect(ids(internal.search({ problem: ['AD'], tags: ['長方形'], keywords: ['area', 'point'] }))).toEqual([
      'ahc001',
    ]);
    expect(internal.search({}).found.length).toBe(74);
  });

  test('a tag is whole, in either language; an algorithm may be a part', () => {
    expect(ids(internal.search({ tags: ['tree'] }))).not.toContain('ahc007');
    expect(ids(internal.search({ tags: ['Simulated Annealing'] }))).toEqual(
      ids(internal.search({ algorithms: ['焼きなまし'] })),
    );
    expect(ids(internal.search({ algorithms: ['flow'] }))).toEqual(['ahc034']);
  });

  test('nothing found: each criterion tells what it leaves, what is there without it, and what may have been meant', () => {
    const { found, criteria } = internal.search({
      tags: ['geometri', 'noise'],
      algorithms: ['Dijkstr'],
      keywords: ['xyzzy'],
    });
    expect(found).toEqual([]);
    expect(criteria).toMatchObject([
      { kind: 'tag', value: 'geometri', alone: 0, without: 0, nearest: 'geometry' },
      { kind: 'tag', value: 'noise', alone: 4, nearest: null },
      { kind: 'algorithm', value: 'Dijkstr', alone: 3, nearest: null },
      { kind: 'keyword', value: 'xyzzy', alone: 0, nearest: null },
    ]);
    expect(internal.search({ tags: ['packing', 'crane'] }).criteria.map(({ without }) => without)).toEqual([
      1, 3,
    ]);
  });

  test('no text of a user is an operator of the index, or breaks it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (text) => {
        const { found } = internal.search({ keywords: [text] });
        expect(found.length).toBeLessThanOrEqual(74);
      }),
      { numRuns: 200, seed: 11 },
    );
    for (const text of [
      '"',
      'a"b',
      'NEAR(a b)',
      'grid OR robot',
      'title:x',
      '*',
      "'; DROP TABLE english; --",
    ])
      expect(() => internal.search({ keywords: [text] })).not.toThrow();
    expect(ids(internal.search({ keywords: ['grid OR xyzzy'] }))).toEqual([]);
  });
});

describe('similar', () => {
  const statement = (id: string, language: 'en' | 'ja'): string =>
    readFileSync(
      join(import.meta.dirname, '../../examples/contests', id, 'statement', `${language}.html`),
      'utf8',
    ).replaceAll(/<[^>]*>/g, ' ');

  test('to a statement in English: what both speak of, and the words that it rests on', () => {
    const [first, second] = internal.similar(statement('polya003', 'en'), 5);
    expect([first?.contest.contest_id, second?.contest.contest_id]).toEqual(['ahc018', 'ahc030']);
    expect(first?.words).toContain('dig');
    expect(first?.tags).toEqual(expect.arrayContaining(['digging', 'interactive']));
    expect(first?.fit).toBeGreaterThan(second?.fit ?? Number.POSITIVE_INFINITY);
  });

  test('to one in Japanese', () => {
    const found = internal.similar(
      '長方形の広告を、重ならないように配置する。各長方形は点を囲み、目標の面積に近づける。',
      3,
    );
    expect(found[0]?.contest.contest_id).toBe('ahc001');
    expect(found[0]?.words).toEqual(expect.arrayContaining(['長方形', '面積']));
    expect(internal.similar(statement('polya002', 'ja'), 1)[0]?.contest.contest_id).toBe('ahc006');
  });

  test('stops in their order are no ordering, and no stop either', () => {
    const found = internal.similar(statement('polya002', 'en'), 2);
    expect(ids({ found: found.map(({ contest }) => contest) })).toContain('ahc006');
    expect(
      internal.similar('Serve the stops in order. Memory limit.', 5).flatMap(({ tags }) => tags),
    ).toEqual([]);
  });

  test('simulated annealing is no simulation', () => {
    const pyramid = internal.find('ahc021');
    const found = internal.similar(pyramid === null ? '' : contestText(pyramid), 74, 'ahc021');
    expect(found[0]).toMatchObject({
      contest: { contest_id: 'ahc068' },
      tags: expect.arrayContaining(['swap']),
    });
    expect(found.flatMap(({ tags }) => tags)).not.toContain('simulation');
    expect(found.flatMap(({ tags }) => tags)).toContain('simulated_annealing');
  });

  test('to another contest, by what is known of it', () => {
    const packing = internal.find('ahc040');
    const found = internal.similar(packing === null ? '' : contestText(packing), 3, 'ahc040');
    expect(found.map(({ contest }) => contest.contest_id)).toContain('ahc001');
  });

  test('nothing in common is nothing found; a contest is not similar to itself', () => {
    expect(internal.similar('', 5)).toEqual([]);
    expect(internal.similar('of the and', 5)).toEqual([]);
    expect(
      internal.similar('rectangles', 9, 'ahc001').map(({ contest }) => contest.contest_id),
    ).not.toContain('ahc001');
  });
});

describe("the user's own entries", () => {
  const mine = { contest_id: 'AHC001', title: 'Mine', problem_summary: '広告枠に配置する', unknown_field: 1 };

  test('go before those of the same id, and are found with them; what they leave out is not known', async () => {
    const database = await withOwn({ 'a.json': JSON.stringify(mine), 'notes.txt': 'no entry' });
    expect(database.all.length).toBe(74);
    expect(database.find('ahc001')).toMatchObject({
      title: 'Mine',
      tags: [],
      interactive: null,
      score_rule: { type: null, direction: null },
      source: expect.stringMatching(/own\/a\.json$/),
    });
    expect(ids(database.search({ keywords: ['広告枠'] }))).toEqual(['ahc001']);
    expect(database.warnings).toEqual([]);
  });

  test('that are broken are named and skipped, and the others are there', async () => {
    const { warnings, all, find } = await withOwn({
      'broken.json': '{"contest_id": "ahc999"',
      'list.json': '[]',
      'nameless.json': '{"title": "x"}',
      'odd.json': '{"contest_id": "ahc998", "tags": 5}',
      'fine.json': '{"contest_id": "ahc997", "tags": "grid"}',
    });
    expect(all.length).toBe(75);
    expect(find('ahc997')?.tags).toEqual(['grid']);
    expect(warnings.length).toBe(4);
    for (const [at, name] of ['broken', 'list', 'nameless', 'odd'].entries())
      expect(warnings[at]).toMatch(new RegExp(`own/${name}\\.json.*skipped`));
    expect(warnings[3]).toContain('tags');
  });

  test('in another encoding, or twice, are named; the mark of Windows is no fault', async () => {
    const { folder, env } = newPlace();
    const write = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, name), bytes);
    // 日本 in Shift JIS.
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
    write(
      'a.json',
      Buffer.concat([Buffer.from('{"contest_id": "a1", "title": "'), japanese, Buffer.from('"}')]),
    );
    write('b.json', '\uFEFF{"contest_id": "b1", "title": "Marked"}');
    write('c.json', '{"contest_id": "B1", "title": "Again"}');
    const { find, warnings } = await openDatabase({ folder, env, flags: { 'past_contest_db.path': '.' } });
    expect([find('a1'), find('b1')?.title]).toEqual([null, 'Marked']);
    expect(warnings).toEqual([
      expect.stringMatching(/a\.json is not text in UTF-8\. It is skipped\.$/),
      expect.stringMatching(/c\.json has b1 once more, which stands in .*b\.json\. It is skipped\.$/),
    ]);
  });

  test('may lie in tables that name and keep things in their own way', async () => {
    const { folder, env } = newPlace();
    const at = (path: string) => openDatabase({ folder, env, flags: { 'past_contest_db.path': path } });
    const make = (name: string, sql: string) => {
      const made = new DatabaseSync(join(folder, name));
      made.exec(sql);
      made.close();
    };
    make(
      'odd.db',
      `CREATE TABLE Contests (Contest_ID INTEGER, title BLOB, length_hours TEXT, interactive TEXT, reference_urls TEXT);
       INSERT INTO contests VALUES (7, x'e69ca8', '4', 'no', 'https://example.org/a, https://example.org/b'),
         (8, NULL, 'four', 'perhaps', NULL), (9, 'x', 2.5, 1, NULL);`,
    );
    const { find, warnings } = await at('odd.db');
    expect(find('7')).toMatchObject({
      title: '木',
      length_hours: 4,
      interactive: false,
      reference_urls: ['https://example.org/a', 'https://example.org/b'],
    });
    expect(find('9')).toMatchObject({ length_hours: 2.5, interactive: true });
    expect(warnings).toEqual([expect.stringMatching(/odd\.db \(8\): length_hours: .* It is skipped\.$/)]);
    make(
      'endless.db',
      'CREATE VIEW contests AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS contest_id FROM r',
    );
    await expect(at('endless.db')).rejects.toThrow(/contests has more than 100000 rows/);
    makePipe(join(folder, 'pipe.db'));
    await expect(at('pipe.db')).rejects.toThrow(/pipe\.db cannot be read as a SQLite database.*no file/);
  });

  test('may lie in a SQLite file of the specification, with columns left out', async () => {
    const { folder, env } = newPlace();
    const file = join(folder, 'contests.db');
    const made = new DatabaseSync(file);
    made.exec(`CREATE TABLE contests (contest_id TEXT PRIMARY KEY, title TEXT, date TEXT, problem_url TEXT, problem_summary TEXT);
      CREATE TABLE contest_tags (contest_id TEXT, tag TEXT);
      CREATE TABLE solution_approaches (solution_id INTEGER PRIMARY KEY, contest_id TEXT, rank_range TEXT, algorithms_used TEXT, key_ideas TEXT, reference_url TEXT);
      INSERT INTO contests VALUES ('my001', 'Bridges', '2025-01-01', NULL, 'Build bridges'), (NULL, 'nameless', NULL, NULL, NULL);
      INSERT INTO contest_tags VALUES ('my001', 'graph'), ('my001', 'geometry');
      INSERT INTO solution_approaches VALUES (1, 'my001', 'Top 10', '["Beam Search", "Greedy"]', 'wide, then deep', 'https://example.org/x'),
        (2, 'my001', NULL, 'Dijkstra, BFS', NULL, NULL);`);
    made.close();
    const database = await openDatabase({ folder, env, flags: { 'past_contest_db.path': file } });
    expect(database.find('my001')).toMatchObject({
      title: 'Bridges',
      tags: ['graph', 'geometry'],
      solution_approaches: [
        {
          rank_range: 'Top 10',
          algorithms_used: ['Beam Search', 'Greedy'],
          key_ideas: ['wide, then deep'],
          reference_urls: ['https://example.org/x'],
        },
        { rank_range: null, algorithms_used: ['Dijkstra', 'BFS'], key_ideas: [], reference_urls: [] },
      ],
    });
    expect(database.warnings).toEqual([expect.stringContaining('contest_id')]);
    expect(ids(database.search({ algorithms: ['幅優先探索'], tags: ['グラフ'] }))).toContain('my001');
  });

  test('at a place that is not there, or in a file that is no database, are an error that says what to do', async () => {
    const { folder, env } = newPlace();
    const at = (path: string) => openDatabase({ folder, env, flags: { 'past_contest_db.path': path } });
    await expect(at('nowhere')).rejects.toThrow(
      /past_contest_db.path is nowhere, and .*nowhere is no folder/,
    );
    writeFileSync(join(folder, 'text.db'), 'not a database at all');
    await expect(at('text.db')).rejects.toThrow(coded('database-unreadable'));
    const empty = new DatabaseSync(join(folder, 'empty.db'));
    empty.exec('CREATE TABLE other (x)');
    empty.close();
    await expect(at('empty.db')).rejects.toThrow(coded('no-such-table'));
  });

  test('are looked for from the file that names them, not from where their user stands', async () => {
    const { folder, env } = newPlace();
    const workspace = join(folder, 'workspace', 'ahc001');
    mkdirSync(join(workspace, 'mine'), { recursive: true });
    mkdirSync(join(workspace, 'problem'));
    writeFileSync(join(workspace, 'ahc_config.yaml'), 'past_contest_db:\n  path: mine\n');
    writeFileSync(join(workspace, 'mine', 'x.json'), '{"contest_id": "mine001"}');
    const database = await openDatabase({ folder: join(workspace, 'problem'), env });
    expect(database.find('mine001')).not.toBeNull();
    const outside = await openDatabase({ folder, env, workspace: 'ahc001' });
    expect(outside.find('mine001')).not.toBeNull();
    expect((await openDatabase({ folder: newPlace().folder, env })).find('mine001')).toBeNull();
  });

  test('survive whatever JSON they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = entryOf(value, 'f');
        expect(read.contest === null).toBe(read.fault !== null);
        const text = entryOfText(JSON.stringify(value), 'f');
        expect(text.fault).toBe(read.fault);
      }),
      { numRuns: 300, seed: 12 },
    );
    const { contest } = entryOf({ contest_id: 'a', title: ' – ', date: '', tags: ['x', 'x', ' '] }, 'f');
    expect(contest).toMatchObject({ title: null, date: null, tags: ['x'] });
    expect(contestRecord.parse(contest)).toMatchObject({ contest_id: 'a' });
    expect(merged([], []).length).toBe(0);
  });
});

describe('tools of agents', () => {
  const call = async (name: string, args: Record<string, string | number | string[]>) => {
    const prepared = prepareToolCall(
      databaseTools(async () => internal, {
        statement: 'A lattice of points and rectangles.',
        contest: 'ahc014',
      }),
      name,
      args,
    );
    expect(prepared.isSafe).toBe(true);
    return prepared.handle(Object.create(null), false);
  };

  test('contests_similar lists what speaks of the same as this problem, without its own contest', async () => {
    const found = await call('contests_similar', { limit: 2 });
    expect(found.text).toMatch(/ \| alike in: .*rectang/);
    expect(found.data?.found).toHaveLength(2);
    expect(found.data?.found).not.toContain('ahc014');
  });

  test('contests_search lists what fits, and says why nothing does', async () => {
    const found = await call('contests_search', { tags: ['geometry'], algorithms: ['beam'], limit: 1 });
    expect(found.text).toMatch(/^ahc014 RectJoin \(long\): .* \| tags: .*\n… and 1 more/);
    expect(found.data).toEqual({ found: ['ahc014', 'ahc040'] });
    const none = await call('contests_search', { tags: ['geometri'] });
    expect(none.text).toBe(
      'No contest fits all of it. tag "geometri": 0 alone, 74 without it. Did you mean geometry?',
    );
    expect((await call('contests_search', { limit: 99 })).isError).toBe(true);
  });

  test('contests_show gives one entry whole; a wrong id the nearest', async () => {
    const shown = await call('contests_show', { contest_id: 'AHC030' });
    expect(JSON.parse(shown.text)).toMatchObject({ contest_id: 'ahc030', interactive: true });
    const wrong = await call('contests_show', { contest_id: 'ahc03O' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean ahc030?') });
  });
});

test("a pipe or a device in a folder of the user's holds nobody up", async () => {
  const { folder } = newPlace();
  const own = join(folder, 'own');
  mkdirSync(own);
  makePipe(join(own, 'pipe.json'));
  symlinkSync('/dev/zero', join(own, 'zero.json'));
  const env = { HOME: own, AHC_AGENT_PAST_CONTEST_DB_PATH: own };
  const { warnings, find } = await openDatabase({ folder, env });
  expect(warnings).toEqual(
    ['pipe', 'zero'].map(
      (name) =>
        `${join(own, name)}.json cannot be read: It is a pipe, a socket or a device, not a file. It is skipped.`,
    ),
  );
  expect(find('ahc030')).not.toBeNull();
});
