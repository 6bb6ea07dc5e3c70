/** Which store is used is told where it is another than the one of the working folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from './shell.ts';

async function withRun() {
  const place = newPlace();
  const script = join(place.folder, 'r.json');
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '42' }] } } }));
  expect(await polya(place, ['ask', 'What?', '--model', `scripted:${script}`])).toMatchObject({ code: 0 });
  const below: Place = { ...place, folder: join(place.folder, 'deep') };
  mkdirSync(below.folder);
  return { place, below, store: join(place.folder, '.polya') };
}

test('the store of a folder above, or of POLYA_HOME, is named at a terminal', async () => {
  const { place, below, store } = await withRun();
  const told = async (where: Place, isTerminal = true) =>
    /Store: (\S+?\.polya)/.exec((await polya(where, ['runs', 'list'], { isTerminal })).err)?.[1];
  expect(await told(place)).toBeUndefined();
  expect(await told(below)).toBe(store);
  expect(await told(below, false)).toBeUndefined();
  expect(await told({ folder: '/', env: { ...place.env, POLYA_HOME: store } })).toBe(store);
});

test('`runs delete last` followed the store of a folder above without a word', async () => {
  const { place, below, store } = await withRun();
  const here = await polya(place, ['runs', 'delete', 'last'], { isInteractive: true });
  expect(here.err).toMatch(/Delete 1 run for good/);
  const asked = await polya(below, ['runs', 'delete', 'last'], { isInteractive: true });
  expect(asked).toMatchObject({
    code: 130,
    err: expect.stringContaining(`Delete 1 run of the store ${store} for good`),
  });
  const refused = await polya(below, ['runs', 'delete', 'last']);
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining(`1 run of the store ${store} would be`),
  });
  const deleted = await polya(below, ['runs', 'delete', 'last', '--yes']);
  expect(deleted).toMatchObject({ code: 0, err: `Store: ${store}\n` });
});
