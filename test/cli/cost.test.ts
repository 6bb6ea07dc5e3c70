/** `polya cost`, over what two scripts were asked. */
import { expect, test } from 'vitest';
import { day1, newPlace, polya, solvingScript } from './shell.ts';

test('says what was spent, and that a script costs nothing', async () => {
  const place = newPlace();
  expect(await polya(place, ['cost'])).toMatchObject({ code: 0, out: 'No model has been asked.\n' });
  const model = solvingScript(place);
  expect((await polya(place, [...day1, '--model', model])).code).toBe(0);
  const { out } = await polya(place, ['cost', '--by', 'role']);
  expect(out).toMatch(/role +calls +tokens in/);
  expect(out).toMatch(/solver +5 +[\d,]+ .* free \(script\)\ntotal +5 /);
  const json = JSON.parse((await polya(place, ['cost', '--since', '1h', '--json'])).out);
  expect(json).toMatchObject({
    by: 'model',
    lines: [{ name: model, modelCalls: 5, free: true, costUsd: 0, possiblyBilled: 0 }],
    total: { modelCalls: 5 },
  });
  const later = JSON.parse((await polya(place, ['cost', '--since', '2999-01-01', '--json'])).out);
  expect(later.lines).toEqual([]);
});

test.each([
  ['--since', 'yesterday'],
  ['--by', 'colour'],
])('refuses %s %s', async (option, value) => {
  expect(await polya(newPlace(), ['cost', option, value])).toMatchObject({ code: 2 });
});
