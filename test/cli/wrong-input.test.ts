/** Wrong input gets one clear message, the right exit code, and changes nothing. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day1, newPlace, polya } from './shell.ts';

const script = ['--model', 'scripted/aoc-practice-day1'];
/** Options that come last win, as on any command line. */
const run = (...more: string[]) => [...day1, ...script, ...more];
const real = (...more: string[]) => ['aoc', 'run', '--day', '1', '--lang', 'python', ...script, ...more];
const mine = (...more: string[]) => ['aoc', 'run', '--lang', 'python', ...script, ...more];
const fetch = ['aoc', 'fetch', '--site', 'practice', '--year', '2000', '--day', '1'];

describe('what is wrong is said, and nothing is changed', () => {
  test.each<[string, string[], RegExp, number]>([
    ['a day that never was', run('--day', '26'), /no day 26 of 2000/, 2],
    ['a day that is no number', run('--day', 'x'), /'--day <number>' argument 'x'.*whole number/, 2],
    ['half a day', run('--day', '1.5'), /whole number/, 2],
    ['a year without practice', run('--year', '2015'), /no day 1 of 2015/, 2],
    ['a language', run('--lang', 'cobol'), /"cobol" is not a language.*python, cpp/s, 2],
    ['the real site without a cookie', real('--year', '2015'), /AOC_SESSION.*--site practice/s, 2],
    ['a year before the first', real('--year', '2000'), /no Advent of Code 2000.*--site practice/s, 2],
    ['a day in the year of twelve', real('--year', '2025', '--day', '13'), /has no day 13/, 2],
    ['another site', run('--site', 'elsewhere'), /no site named elsewhere/, 2],
    ['no model', day1, /No model is named.*scripted\/aoc-practice-day1/s, 2],
    ['an unknown model', [...day1, '--model', 'foo/bar'], /no model "foo\/bar"/, 2],
    ['two models', run('--model', 'scripted/other'), /chosen twice/, 2],
    ['an empty model', [...day1, '--model', 'solver='], /names no model/, 2],
    ['an unknown role', run('--model', 'critic=scripted/aoc-practice-day1'), /no role critic/, 2],
    ['a script that is not there', [...day1, '--model', 'scripted:none.yaml'], /none.yaml cannot be read/, 2],
    [
      'a script that comes not with Polya',
      [...day1, '--model', 'scripted/nope'],
      /There are: .*aoc-practice-day1,/,
      2,
    ],
    ['a model without a key', [...day1, '--model', 'openai-compatible/x'], /OPENAI_COMPATIBLE_BASE_URL/, 2],
    ['a negative limit', run('--max-tool-calls', '-1'), /'-1' is invalid/, 2],
    ['a budget of nothing', run('--budget', '0'), /above 0/, 2],
    ['a seed', run('--seed', '1.5'), /whole number/, 2],
    ['a user', run('--user', '../root'), /letters, digits/, 2],
    ['too many reminders', run('--reminders', '99'), /from 0 to 20/, 2],
    ['prompts that are not there', run('--prompts', 'nowhere'), /nowhere cannot be read/, 2],
    ['a folder without prompts', run('--prompts', '.'), /There are no prompts/, 2],
    ['an argument too many', run('more'), /Too many arguments/, 2],
    ['an unknown option', run('--fast'), /Unknown option '--fast'/, 2],
    ['a missing option', ['aoc', 'run'], /'--lang <language>' not specified/, 2],
    ['no year', ['aoc', 'run', '--lang', 'python', ...script], /No year is named.*--statement/s, 2],
    ['no day', ['aoc', 'run', '--lang', 'py', '--year', '2000', ...script], /No day is named/, 2],
    ['files and a site', run('--statement', 'x.md'), /belong to no site.*Leave out --site/s, 2],
    ['files of an account', mine('--seed', '1', '--input', 'x'), /belong to no account/, 2],
    ['a statement alone', mine('--statement', 'x.md'), /not complete.*statement and an input/s, 2],
    ['files that are not there', mine('--statement', 'x.md', '--input', 'y'), /no file .*x\.md/, 2],
    ['an aocd cache without a day', mine('--aocd'), /many days.*Name the year/s, 2],
    ['an aocd cache that is not there', mine('--aocd', '--year', '2020', '--day', '1'), /has no input/, 2],
    ['wrong answers', run('--max-wrong-answers', '-1'), /'-1' is invalid/, 2],
    ['output that is too short', run('--output-characters', '5'), /from 100 to 200000/, 2],
    ['output that is too long', run('--output-characters', '900000'), /from 100 to 200000/, 2],
    ['fetching no day', ['aoc', 'fetch', '--site', 'practice'], /No year is named/, 2],
    ['fetching a day that never was', [...fetch, '--day', '26'], /no day 26 of 2000/, 2],
    ['fetching without a cookie', ['aoc', 'fetch', '--year', '2015', '--day', '1'], /AOC_SESSION/, 2],
    [
      'files that are fetched',
      [...fetch, '--day', '1', '--site', 'files'],
      /belong to no site.*practice, aoc/s,
      2,
    ],
    ['the status of no site', ['aoc', 'status', '--site', 'elsewhere'], /no site named elsewhere/, 2],
    ['a port', ['aoc', 'practice', '--port', '70000'], /below 65536/, 2],
    ['a diff with nothing', ['runs', 'diff', 'abc', 'def'], /There is no run abc/, 2],
    ['a diff with one run', ['runs', 'diff', 'abc'], /Missing required argument 'b'/, 2],
    ['an export of no run', ['runs', 'export'], /No run is named/, 2],
    ['an export of all and one', ['runs', 'export', 'abc', '--all'], /give --all alone/, 2],
    ['an export of an unknown run', ['runs', 'export', 'abc'], /There is no run abc/, 2],
    ['an export in no form', ['runs', 'export', 'abc', '--format', 'pdf'], /json, csv, md, files/, 2],
    ['files without a folder', ['runs', 'export', 'abc', '--format', 'files'], /need a folder.*--out/s, 2],
    ['an unknown command', ['rnus'], /Unknown command 'rnus'.*runs/s, 2],
    ['an unknown command of a group', ['runs', 'lsit'], /Unknown command 'lsit'.*list/s, 2],
    ['an unknown run', ['runs', 'show', 'abc'], /There is no run abc/, 2],
    ['the last of no runs', ['runs', 'resume', 'last'], /There is no run last/, 2],
    ['nothing to delete', ['runs', 'delete', 'abc', '--yes'], /There is no run abc/, 2],
    ['nothing to fork', ['runs', 'fork', 'abc'], /There is no run abc/, 2],
    ['nothing set', ['runs', 'fork', 'abc', '--set', 'x'], /"x" sets nothing/, 2],
    ['nothing to watch', ['runs', 'watch', 'abc'], /There is no run abc/, 2],
    ['an unknown demo', ['demo', 'chess'], /no demo of chess/, 2],
    ['an unknown agent', ['agents', 'nobody', '--export-prompts', 'x'], /no agent nobody/, 2],
    ['no run named', ['runs', 'show'], /Missing required argument 'run'/, 2],
  ])('%s', async (_name, argv, message, code) => {
    const place = newPlace();
    const answer = await polya(place, argv);
    expect(answer.err).toMatch(message);
    expect(answer.err.match(/^polya:/gm)).toHaveLength(1);
    expect(answer.err).not.toMatch(/\n\s+at /);
    expect(answer).toMatchObject({ code, out: '' });
    expect(readdirSync(place.folder)).toEqual([]);
    expect(existsSync(place.env.HOME ?? '')).toBe(false);
  });

  test('an unknown prompt', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'sytem.md'), 'You.\n');
    const answer = await polya(place, run('--prompts', '.'));
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(/no prompt named sytem.*system/s);
    expect(readdirSync(place.folder)).toEqual(['sytem.md']);
  });

  test('a script that is none', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'bad.yaml'), 'roles: 7\n');
    const answer = await polya(place, [...day1, '--model', 'scripted:bad.yaml']);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(readdirSync(place.folder)).toEqual(['bad.yaml']);
  });

  test('a folder that cannot be written', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'file'), '');
    const env = { ...place.env, POLYA_HOME: join(place.folder, 'file', 'polya') };
    const answer = await polya({ ...place, env }, run());
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(/cannot be made or written/);
    expect(readdirSync(place.folder)).toEqual(['file']);
  });

  test('a file without an end kept commands waiting', async () => {
    for (const argv of [
      ['qa', 'run', '/dev/zero', '--model', 'scripted/qa-vote'],
      ['arc', 'show', '/dev/zero'],
      ['run-set', 'run', '/dev/zero'],
    ])
      expect(await polya(newPlace(), argv), argv.join(' ')).toMatchObject({ code: 2, out: '' });
  });

  test('a budget where the price is unknown', async () => {
    const place = newPlace();
    const env = {
      ...place.env,
      OPENAI_COMPATIBLE_BASE_URL: 'http://192.0.2.1/v1',
      OPENAI_COMPATIBLE_API_KEY: 'none',
    };
    const argv = [...day1, '--model', 'openai-compatible/some', '--budget', '1'];
    const answer = await polya({ ...place, env }, argv);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(/price of openai-compatible\/some is unknown/);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test('with --json the error is a document too', async () => {
    const answer = await polya(newPlace(), ['runs', 'show', 'abc', '--json']);
    expect(JSON.parse(answer.out)).toMatchObject({
      exitCode: 2,
      error: { what: 'There is no run abc here.' },
    });
    expect(answer.err).toMatch(/^polya: There is no run abc here/);
  });
});
