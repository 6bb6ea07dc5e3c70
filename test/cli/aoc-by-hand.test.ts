/** A day without a model: its input to standard output, and answers of a person's own. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from './shell.ts';

const day = ['--site', 'practice', '--year', '2000', '--day', '1'];
const submitted = async (place: Place, answer: string, ...more: string[]) => {
  const { code, out } = await polya(place, ['aoc', 'submit', answer, ...day, ...more, '--json']);
  return { code, ...JSON.parse(out) };
};

test('the input alone is printed, and an answer judged once', async () => {
  const place = newPlace();
  const { code, out: input } = await polya(place, ['aoc', 'input', ...day]);
  expect(code).toBe(0);
  const fetched = await polya(place, ['aoc', 'fetch', ...day, '--json']);
  expect(Buffer.byteLength(input)).toBe(JSON.parse(fetched.out).input.bytes);

  expect(await submitted(place, '-1')).toMatchObject({ code: 1, part: 1, source: 'site' });
  expect(await submitted(place, '-1')).toMatchObject({ code: 1, source: 'memory' });
  expect(await submitted(place, 'I do not know it')).toMatchObject({ code: 1, verdict: 'no-value' });
  expect(await submitted(place, '')).toMatchObject({ code: 1, verdict: 'empty' });
  expect(await submitted(place, '999999999999999')).toMatchObject({
    code: 1,
    verdict: 'too-recent',
    source: 'site',
  });
  const status = await polya(place, ['aoc', 'status', ...day, '--json']);
  expect(JSON.parse(status.out).days).toMatchObject([{ guesses: [{ answer: '-1' }], stars: 0 }]);
});

test('wrong words are told before anything is asked or made', async () => {
  const place = newPlace();
  for (const words of [['submit'], ['submit', '1', ...day, '--part', '3'], ['submit', '1'], ['input']])
    expect(await polya(place, ['aoc', ...words]), words.join(' ')).toMatchObject({ code: 2, out: '' });
  expect(readdirSync(place.folder)).toEqual([]);
});

test('without a cookie nothing is kept, and that is no mistake', async () => {
  const place = newPlace();
  expect(await polya(place, ['aoc', 'status'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Nothing is kept of aoc/),
  });
});
