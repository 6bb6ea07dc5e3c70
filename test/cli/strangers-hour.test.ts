/** Where strangers stopped who had nothing but one page of the documents, each under its name. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defineAgent, defineFamily } from '../../src/core/define.ts';
import { markerPaint, noPaint } from '../../src/text/paint.ts';
import { table } from '../../src/text/table.ts';
import { fitToWidth, padded, widthOf, wrapped, wrapWords } from '../../src/text/wrap.ts';
import { coded } from '../support/coded.ts';
import { root } from './process.ts';
import { ahcAgent, newPlace, type Place, polya } from './shell.ts';

const mark = '\ufeff';
const windows = (text: string): string => mark + text.replaceAll('\n', '\r\n');
const put = (place: Place, name: string, text: string): void => writeFileSync(join(place.folder, name), text);
const five = 'roles: {"*": [{text: "Final answer: 5", repeat: true}]}\n';
const ask = (question: string, ...more: string[]) => [
  ...['run', '--family', 'qa', '--problem', `question=${question}`, '--agent', 'single-call'],
  ...['--model', 'scripted:five.yaml', ...more],
];

describe('a script that comes with Polya offered itself for a puzzle or a task of somebody else', () => {
  test.each(globSync('examples/scripts/*.yaml', { cwd: root }))('%s says what it is for', (file) => {
    const { onlyFor } = parse(readFileSync(join(root, file), 'utf8'));
    expect(onlyFor, basename(file)).toEqual(expect.stringMatching(/.{5}/));
  });

  test('of Advent of Code', async () => {
    const place = newPlace();
    put(place, 'day.md', '--- Day 1: Apple Crates ---\n\nHow many?\n');
    put(place, 'input.txt', '10\n');
    const own = ['--statement', 'day.md', '--input', 'input.txt', '--lang', 'python'];
    const met = await polya(place, ['aoc', 'run', ...own, '--model', 'scripted/aoc-practice-day1']);
    expect(met).toMatchObject({ code: 2, err: expect.stringContaining('"Ticket Stubs"') });
    expect(met.err).toContain('--model manual');
  });

  test('of ARC, also for a task of the same name', async () => {
    const place = newPlace();
    const pair = { input: [[1, 0]], output: [[0, 1]] };
    put(place, 'own.json', JSON.stringify({ mirror: { train: [pair], test: [pair] } }));
    const met = await polya(place, [
      ...['arc', 'run', '--task-file', 'own.json', '--model', 'scripted/arc-mirror'],
    ]);
    expect(met).toMatchObject({ code: 2, err: expect.stringContaining('written ahead for another problem') });
  });
});

describe('a file that an editor of Windows has saved', () => {
  test('was an input that no program could read', async () => {
    const place = newPlace();
    put(place, 'day.md', windows('--- Day 1: Apple Crates ---\n\nHow many in all?\n'));
    put(place, 'input.txt', windows('10\n20\n'));
    const code = 'import sys\nprint(sum(map(int, sys.stdin.read().split("\\n")[:-1])))';
    const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
    const replies = [call('RunGeneratedCode', { code }), call('SubmitAnswer', { answer: '{{tool.stdout}}' })];
    put(place, 'replies.yaml', mark + JSON.stringify({ roles: { solver: replies } }));
    const met = await polya(place, [
      ...[
        'aoc',
        'run',
        '--statement',
        'day.md',
        '--input',
        'input.txt',
        '--answer1',
        '30',
        '--lang',
        'python',
      ],
      ...['--model', 'scripted:replies.yaml', '--json'],
    ]);
    expect(JSON.parse(met.out)).toMatchObject({ outcome: 'solved' });
  });

  test('was a `.env` whose first variable had another name', async () => {
    const place = newPlace();
    put(place, '.env', windows('OPENAI_API_KEY=sk-of-windows\nGEMINI_API_KEY=of-windows\n'));
    const { out } = await polya(place, ['models']);
    expect(out).toMatch(/openai\/NAME +OPENAI_API_KEY is set/);
  });
});

describe('a message did not say what to do', () => {
  const place = newPlace();
  put(place, 'five.yaml', five);
  put(place, 'mine.ts', '');
  put(place, 'flat.yaml', 'solver: [Yes.]\n');
  const flat = ask('x').map((word) => (word === 'scripted:five.yaml' ? 'scripted:flat.yaml' : word));
  const agent = (name: string) => [...ask('x'), '--agent', name];
  test.each<[string, string[], RegExp]>([
    ['an agent that is nearly one', agent('chan'), /Did you mean chain\?[\s\S]+--agent \.\/chan\.ts/],
    [
      'an agent of a file, by its name',
      ['agents', 'mine'],
      /There is no agent mine\.[\s\S]+--agent \.\/mine\.ts/,
    ],
    [
      'a file without its ending',
      agent('./mine'),
      /There is no file .*mine\.\n {2}Did you mean .*mine\.ts\?/,
    ],
    [
      'an agent that the problem does not fit',
      agent('evolution'),
      /does not offer: program[\s\S]+`\.\/polya agents`/,
    ],
    ['a script without roles', flat, /Lists of replies stand under `roles`/],
    [
      'a puzzle without its input',
      ['aoc', 'run', '--statement', 'a.md', '--lang', 'cpp', '--model', 'manual:http'],
      /--input FILE/,
    ],
    ['a model without a key', ['ask', 'x', '--model', 'openai/gpt-5.1'], /Without a key: `--model manual`/],
    [
      'a proof that is not there',
      ['proof', 'solve', 'none.md', '--model', 'manual:http'],
      /There is no file .*none\.md/,
    ],
    [
      'data that are not there',
      ['qa', 'run', 'none.csv', '--model', 'scripted:five.yaml'],
      /There is no file /,
    ],
  ])('%s', async (_, argv, told) => {
    const met = await polya(place, argv);
    expect(met).toMatchObject({ code: 2, out: '' });
    expect(met.err).toMatch(told);
  });

  test('an agent or a family whose function has a typing error ran, and ended as a defect', () => {
    expect(() => defineAgent(JSON.parse('{"name":"mine"}'))).toThrow(coded('user-code-unfit', '`solve`'));
    expect(() => defineFamily(JSON.parse('{"name":"sums"}'))).toThrow(coded('user-code-unfit', '`load`'));
  });

  test.each(['agents', 'families', 'models'])('`%s list` was no list', async (noun) => {
    expect(await polya(place, [noun, 'list', '--json'])).toEqual(await polya(place, [noun, '--json']));
  });
});

test('a question that was resumed told no answer', async () => {
  const place = newPlace();
  put(place, 'five.yaml', five);
  await polya(place, ask('How much is 2+3?'));
  const { out } = await polya(place, ['runs', 'show', 'last']);
  expect(out).toMatch(/^ {2}answer +5$/m);
});

test('two run-sets had one name in the table that compares them', async () => {
  const place = newPlace();
  put(place, 'five.yaml', five);
  put(place, 'q.csv', 'question,answer\nHow much is 2+3?,5\n');
  const run = ['qa', 'run', 'q.csv', '--agent', 'single-call', '--model', 'scripted:five.yaml'];
  await polya(place, run);
  await polya(place, run);
  const sets = (await polya(place, ['run-set', 'list'])).out.match(/^\d{8}-\d{6}-\w{4}/gm) ?? [];
  const { out } = await polya(place, ['qa', 'score', ...sets]);
  for (const set of sets) expect(out).toContain(`…${set.slice(-5)}`);
});

describe('characters of two columns', () => {
  const titles = [
    '日本語の質問:素数を三つ挙げて、その理由を説明せよ。',
    '絵文字🎉🎉と漢字'.repeat(6),
    'ﾊﾝｶｸ と 全角',
  ];
  const terminal = { isTerminal: true, size: { columns: 80, rows: 24 } };
  const lines = (text: string): readonly string[] => text.split('\n');

  test('made `runs list`, `runs show` and `run-set show` wider than a terminal of 80', async () => {
    const place = newPlace();
    put(place, 'five.yaml', five);
    const rows = titles.map((question, at) => ({ name: `問${at}「${question}」`, problem: { question } }));
    const defaults = { family: 'qa', agent: 'single-call', models: 'scripted:five.yaml' };
    put(place, 'set.yaml', JSON.stringify({ name: '三つの問い', defaults, rows }));
    await polya(place, ['run-set', 'run', 'set.yaml'], terminal);
    for (const argv of [
      ['runs', 'list'],
      ['runs', 'show', 'last'],
      ['run-set', 'show', 'last'],
      ['run-set', 'list'],
    ]) {
      const { out } = await polya(place, argv, terminal);
      expect(out).toMatch(/\p{Script=Han}/u);
      expect(lines(out).filter((line) => widthOf(line) > 80)).toEqual([]);
    }
    // A title is cut by its columns, and every row of the table begins its next column in the same one.
    const { out } = await polya(place, ['runs', 'list']);
    const begins = lines(out).flatMap((line) => {
      const at = line.search(/agent|single-call/);
      return at < 0 ? [] : [widthOf(line.slice(0, at))];
    });
    expect(begins).toHaveLength(4);
    expect(new Set(begins).size).toBe(1);
  });

  test('made tables of `ahc-agent` wider than a terminal of 80', async () => {
    const place = newPlace();
    const contests = join(place.folder, 'own');
    mkdirSync(contests);
    for (const [at, title] of titles.entries()) {
      const about = { contest_id: `own00${at}`, title, problem_summary: title.repeat(3), tags: ['grid'] };
      writeFileSync(join(contests, `own00${at}.json`), JSON.stringify(about));
    }
    const env = { ...place.env, AHC_AGENT_PAST_CONTEST_DB_PATH: contests };
    for (const argv of [
      ['database', 'list'],
      ['database', 'search', '日本語'],
      ['library', 'search', '焼きなまし'],
    ]) {
      const { out } = await ahcAgent({ ...place, env }, argv, terminal);
      expect(out.trim()).not.toBe('');
      expect(lines(out).filter((line) => widthOf(line) > 80)).toEqual([]);
    }
    rmSync(contests, { recursive: true });
  });

  test('are counted where texts are cut, filled and broken', () => {
    for (const title of titles) {
      for (let columns = 2; columns < 60; columns += 1) {
        expect(widthOf(fitToWidth(title, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(padded(title, columns))).toBe(Math.max(columns, widthOf(title)));
      }
    }
    const long = titles[0]?.repeat(4) ?? '';
    for (const broken of [wrapWords(long, 30, '  '), lines(wrapped(`    ${long}`, 30))]) {
      expect(broken.filter((line) => widthOf(line) > 30)).toEqual([]);
      expect(broken.map((line) => line.trim()).join('')).toBe(long);
      expect(broken.filter((line) => /^\s*[、。]/.test(line))).toEqual([]);
    }
    const drawn = table(
      { paint: noPaint, isTerminal: true, columns: 80 },
      ['title', 'cost'],
      [...titles.map((title) => [fitToWidth(title, 40), 1])],
    );
    expect(lines(drawn).filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(widthOf(markerPaint('4711')('strong', '漢字'))).toBe(4);
  });
});
