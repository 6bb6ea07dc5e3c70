/** Puzzles from the user's own files: no site, no account. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { coded } from '../support/coded.ts';
import { newPlace, type Place, playRun, toolsOf } from './whole-run.ts';

let place: Place;
beforeEach(async () => {
  place = newPlace();
});

const write = async (name: string, text: string) => {
  await mkdir(join(place.folder, name, '..'), { recursive: true });
  await writeFile(join(place.folder, name), text);
};
const { statement, input, run, submit } = toolsOf(0, 0);
const files = { site: 'files', statement: 'day.md', input: 'input.txt', lang: 'python' };
const markdown = [
  '## --- Day 3: Adding Up ---',
  'Add the numbers.',
  '',
  '## --- Part Two ---',
  'Multiply them.',
].join('\n');

describe('files with answers', () => {
  beforeEach(async () => {
    await write('day.md', markdown);
    await write('input.txt', '3\n4\n');
  });

  test('are judged here, and part 2 stays hidden until part 1 is solved', async () => {
    const code = 'print(sum(map(int, open("input.txt"))))';
    const { metrics, events } = await playRun(place, {
      problem: { ...files, answer1: '7', answer2: '12' },
      replies: [
        { toolCalls: [statement(1), input(), run(code), submit('8')] },
        { toolCalls: [submit(' 7 ')] },
        { toolCalls: [statement(2), submit('12')] },
      ],
    });
    expect(metrics).toMatchObject({ site: 'files', outcome: 'solved', success_part2: true });
    const [start] = events;
    expect(start?.kind === 'run-start' && start.body.problem).toMatchObject({
      title: 'Adding Up',
      stages: ['part1', 'part2'],
      // A resume from another folder finds them too.
      reference: { statement: join(place.folder, 'day.md'), input: join(place.folder, 'input.txt') },
      brief: { task: expect.stringContaining('a puzzle in the style of Advent of Code') },
    });
    expect(start?.kind === 'run-start' && JSON.stringify(start.body.problem.statement)).not.toContain(
      'Multiply',
    );
    const results = events.filter(({ kind }) => kind === 'tool-result').map(({ body }) => body);
    expect(results[3]).toMatchObject({ result: { data: { verdict: 'too-high', source: 'local' } } });
    expect(results[5]).toMatchObject({
      result: { text: expect.stringMatching(/^## Part Two\s+Multiply them\.$/) },
    });
  });

  test('an answer that nobody can judge is written down and closes its part', async () => {
    const { metrics, events } = await playRun(place, {
      problem: { ...files, answer2: '12' },
      replies: [{ toolCalls: [submit('7')] }, { toolCalls: [submit('12')] }],
    });
    // Its model waited for a verdict that nobody could give.
    expect(JSON.stringify(events[0]?.body)).toContain('you are not told whether it is right');
    expect(metrics).toMatchObject({
      outcome: 'answered',
      success_part1: false,
      error_type_part1: 'unjudged',
      success_part2: false,
      error_type_part2: 'unjudged',
    });
  });

  test('a second statement, a year and a day', async () => {
    await write('two.txt', 'Multiply the numbers.');
    await write('one.html', '<h2>--- Day 3: Adding Up ---</h2><p>Add <em>all</em> numbers.</p>');
    const { metrics, events } = await playRun(place, {
      problem: { ...files, statement: 'one.html', statement2: 'two.txt', year: 2015, day: 3, answer1: '7' },
      replies: [{ toolCalls: [toolsOf(2015, 3).submit('7')] }],
    });
    expect(metrics).toMatchObject({ year: 2015, day: 3, success_part1: true });
    expect(JSON.stringify(events)).toContain('Add *all* numbers.');
    expect(JSON.stringify(events)).toContain('Multiply the numbers.');
  });
});

describe('one part, and what is missing', () => {
  test('without a part 2 the day has one part', async () => {
    await write('day.md', 'Say hello.');
    await write('input.txt', 'x');
    const { metrics } = await playRun(place, {
      problem: { ...files, answer1: 'hello' },
      replies: [{ toolCalls: [submit('hello')] }],
    });
    expect(metrics).toMatchObject({ outcome: 'solved', error_type_part2: 'no_such_part' });
  });

  test('an answer to a part 2 that is not there, and an empty input, are mistakes', async () => {
    await write('day.md', 'Say hello.');
    await write('input.txt', 'x');
    await write('empty.txt', '\n');
    const posed = (more: object) => playRun(place, { problem: { ...files, ...more }, replies: [] });
    await expect(posed({ answer2: '12' })).rejects.toThrow(coded('no-second-part', '2'));
    await expect(posed({ input: 'empty.txt' })).rejects.toThrow(coded('file-empty', 'empty.txt'));
  });

  test.each([
    [{ site: 'files', lang: 'python' }, 'needs a statement and an input'],
    [files, 'There is no file /'],
    [{ ...files, statement: '.' }, 'cannot be read. It is a folder.'],
    [{ ...files, cookie: 'x' }, 'cookie'],
    [{ site: 'files', lang: 'python', aocd: 'aocd' }, 'Name the year and the day too'],
    [{ site: 'files', lang: 'python', aocd: 'aocd', year: 2015, day: 1 }, 'has no input of day 1 of 2015'],
  ])('%j', async (problem, message) => {
    const refused = playRun(place, { problem, replies: [] });
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow(message);
  });
});

describe('an aocd folder', () => {
  const aocd = { site: 'files', lang: 'python', aocd: 'aocd', year: 2015, day: 1 };
  const solved = `<article class="day-desc"><h2>--- Day 1: Fog ---</h2><p>One.</p></article>
    <p>Your puzzle answer was <code>7</code>.</p><article class="day-desc"><p>Two.</p></article>`;

  test('of one user: input, statement and answers', async () => {
    await write('aocd/github.ada.1/2015_01_input.txt', '3\n4\n');
    await write('aocd/github.ada.1/2015_01_prose.1.html', solved);
    await write('aocd/github.ada.1/2015_01b_answer.txt', '12');
    const { submit: hand } = toolsOf(2015, 1);
    const { metrics } = await playRun(place, {
      problem: aocd,
      replies: [{ toolCalls: [hand('6'), hand('7')] }, { toolCalls: [hand('12')] }],
    });
    expect(metrics).toMatchObject({
      outcome: 'solved',
      success_part2: true,
      last_failure_part1: null,
    });
  });

  test('of several users: one has to be named', async () => {
    for (const user of ['ada', 'eve']) await write(`aocd/${user}/2015_01_input.txt`, '3');
    await write('aocd/prose/2015_01_prose.0.html', solved);
    await expect(playRun(place, { problem: aocd, replies: [] })).rejects.toThrow(
      'Name the folder of one of them: ada, eve.',
    );
    const { metrics } = await playRun(place, { problem: { ...aocd, aocd: 'aocd/eve' }, replies: [] });
    expect(metrics.outcome).toBe('stopped');
  });
});
