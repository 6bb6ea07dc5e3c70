/** The user's own prices: with them a budget in dollars is kept with a model that is not a script. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day1, newPlace, type Place, polya } from './shell.ts';

const name = 'openai-compatible/some';
const budgeted = [...day1, '--model', name, '--budget', '1', '--dry-run', '--json'];

function placeWith(more: Record<string, string> = {}): Place {
  const { folder, env } = newPlace();
  const server = {
    OPENAI_COMPATIBLE_BASE_URL: 'http://192.0.2.1/v1',
    OPENAI_COMPATIBLE_API_KEY: 'none',
  };
  return { folder, env: { ...env, ...server, ...more } };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function pricesIn(place: Place): Promise<unknown> {
  const { code, out, err } = await polya(place, budgeted);
  expect(code, err).toBe(0);
  return JSON.parse(out).models;
}

describe('a budget with a live model', () => {
  test('has the price of the table in the user’s config folder', async () => {
    const place = placeWith();
    const file = join(place.env.HOME ?? '', '.config', 'polya', 'prices.yaml');
    write(file, `# Mine.\n${name}: { input: 0.5, cachedInput: 0.1, output: 2 }\n`);
    expect(await pricesIn(place)).toMatchObject([
      {
        model: name,
        price: { inputUsdPerMillion: 0.5, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 2 },
      },
    ]);
  });

  test('has the price of the file that POLYA_PRICES names, from the working folder', async () => {
    const place = placeWith({ POLYA_PRICES: 'mine.yaml' });
    write(join(place.folder, 'mine.yaml'), `${name}: { input: 3, output: 4 }\n`);
    expect(await pricesIn(place)).toMatchObject([
      { price: { inputUsdPerMillion: 3, cachedInputUsdPerMillion: 3, outputUsdPerMillion: 4 } },
    ]);
  });

  test.each([
    ['another model', 'openai-compatible/other: { input: 1, output: 1 }', /price of .*some is unknown/],
    ['nothing but a comment', '# later\n', /price of .*some is unknown/],
    ['a negative price', `${name}: { input: -1, output: 1 }`, /mine\.yaml is no usable.*input/s],
    ['half a price', `${name}: { input: 1 }`, /mine\.yaml is no usable.*output/s],
    ['a misspelled price', `${name}: { input: 1, ouptut: 1, output: 1 }`, /no usable.*ouptut/s],
    ['a text', 'free', /no usable table of prices.*dollars per million/s],
    ['what is no YAML', '{ a: ', /mine\.yaml is no usable/],
  ])('a table with %s', async (_name, text, message) => {
    const place = placeWith({ POLYA_PRICES: 'mine.yaml' });
    write(join(place.folder, 'mine.yaml'), text);
    const answer = await polya(place, [...day1, '--model', name, '--budget', '1']);
    expect(answer).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
    expect(readdirSync(place.folder)).toEqual(['mine.yaml']);
  });

  test('has a price of a pattern, with rates of their own for what is cached, thought and long', async () => {
    const place = placeWith({ POLYA_PRICES: 'mine.yaml' });
    const tiers =
      '[{ aboveInputTokens: 200, input: 5, output: 6 }, { aboveInputTokens: 100, input: 4, output: 5 }]';
    const line = `{ input: 3, cacheWrite: 3.5, output: 4, reasoning: 8, tiers: ${tiers} }`;
    write(join(place.folder, 'mine.yaml'), `openai-compatible/*: ${line}\n"*": { input: 9, output: 9 }\n`);
    expect(await pricesIn(place)).toMatchObject([
      {
        price: {
          cacheWriteInputUsdPerMillion: 3.5,
          reasoningUsdPerMillion: 8,
          tiers: [
            { aboveInputTokens: 100, inputUsdPerMillion: 4, cachedInputUsdPerMillion: 4 },
            { aboveInputTokens: 200, inputUsdPerMillion: 5 },
          ],
        },
      },
    ]);
  });

  test('has the price of a provider that is known by its address', async () => {
    const place = placeWith({ OPENAI_COMPATIBLE_BASE_URL: 'https://api.deepseek.com/v1' });
    const argv = [
      ...day1,
      '--model',
      'openai-compatible/deepseek-chat',
      '--budget',
      '1',
      '--dry-run',
      '--json',
    ];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    const [model] = JSON.parse(out).models;
    expect(model.price.outputUsdPerMillion).toBeGreaterThan(0);
  });

  test('a table that is not there', async () => {
    const answer = await polya(placeWith({ POLYA_PRICES: 'none.yaml' }), budgeted);
    expect(answer).toMatchObject({ code: 2, err: expect.stringMatching(/none\.yaml cannot be read/) });
  });

  test('a broken table does not trouble a script', async () => {
    const place = placeWith({ POLYA_PRICES: 'none.yaml' });
    const argv = [...day1, '--model', 'scripted/aoc-practice-day1', '--budget', '1', '--dry-run'];
    expect(await polya(place, argv)).toMatchObject({ code: 0 });
  });
});
