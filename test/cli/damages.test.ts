/** Damaged stores: never a defect of Polya. 200 of these damages are in `damages.long.test.ts`. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { type Damaged, damage, databaseOf, expectToldOf, placeWith, wholeStore } from './damages.ts';
import { polya } from './shell.ts';

let whole: Awaited<ReturnType<typeof wholeStore>>;
beforeAll(async () => {
  whole = await wholeStore();
});

test.each(Array.from({ length: 20 }, (_, index) => index + 1))('damage %i is told', async (seed) => {
  await expectToldOf(whole, damage(whole, seed), seed);
});

test('a whole store is said to be whole, and its copy replays as it did', async () => {
  const place = placeWith({ bytes: whole.bytes, log: null });
  expect(await polya(place, ['store', 'check'])).toMatchObject({ code: 0, out: '8 runs, all whole.\n' });
  expect(await polya(place, ['store', 'check', '--salvage', 'copy'])).toMatchObject({ code: 0 });
  const copy = { ...place, env: { ...place.env, POLYA_HOME: 'copy' } };
  const shown = await polya(place, ['runs', 'list', '--json']);
  expect(JSON.parse((await polya(copy, ['runs', 'list', '--json'])).out)).toEqual(JSON.parse(shown.out));
  for (const id of whole.ids) expect((await polya(copy, ['runs', 'replay', id])).code, id).toBe(0);
  expect(await polya(place, ['store', 'check', '--salvage', 'copy'])).toMatchObject({ code: 2 });
});

/** One bit wherever these words stand in the file. */
function flipped(bytes: Buffer, words: string): Damaged {
  const hurt = Buffer.from(bytes);
  for (let at = hurt.indexOf(words); at >= 0; at = hurt.indexOf(words)) hurt[at] = (hurt[at] ?? 0) ^ 1;
  return { bytes: hurt, log: null };
}

test('one bit in a row is found by its checksum, and what is before it is salvaged', async () => {
  const place = placeWith(flipped(whole.bytes, '"finish":"stop"'));
  const checked = await polya(place, ['store', 'check']);
  expect(checked.code).toBe(4);
  expect(checked.out).toMatch(/whole up to event \d+ of \d+; its checksum does not fit/);
  expect(await polya(place, ['store', 'check', '--salvage', 'copy'])).toMatchObject({ code: 4 });
  const copy = { ...place, env: { ...place.env, POLYA_HOME: 'copy' } };
  expect(await polya(copy, ['store', 'check'])).toMatchObject({ code: 0 });
});

test('one bit in a blob is found by its hash', async () => {
  const { place, hash } = withOtherBlob();
  const { code, out } = await polya(place, ['store', 'check']);
  expect(code).toBe(4);
  expect(out).toContain(`the blob ${hash} that it refers to is missing or damaged`);
});

function withOtherBlob() {
  const place = placeWith({ bytes: whole.bytes, log: null });
  using database = new DatabaseSync(databaseOf(place));
  const body = String(database.prepare("SELECT body FROM events WHERE kind = 'model-response'").get()?.body);
  const hash = /"\$message":"([^"]+)"/.exec(body)?.[1] ?? '';
  database.prepare("UPDATE blobs SET data = 'other words' WHERE hash = ?").run(hash);
  return { place, hash };
}

test('a row of an earlier version has no checksum, and is as whole as before', async () => {
  const place = placeWith({ bytes: whole.bytes, log: null });
  using database = new DatabaseSync(databaseOf(place));
  database.exec('UPDATE events SET sum = NULL');
  expect((await polya(place, ['store', 'check'])).code).toBe(0);
});

test('what a version 3 file holds stays readable where nothing may be written beside it', async () => {
  const { openReadOnly } = await import('../../src/store/connections.ts');
  const place = placeWith({ bytes: whole.bytes, log: null });
  const file = databaseOf(place);
  {
    using database = new DatabaseSync(file);
    database.exec('DROP TRIGGER events_by_hand; ALTER TABLE events DROP COLUMN sum; PRAGMA user_version = 3');
  }
  const before = readFileSync(file);
  using reading = openReadOnly(file);
  expect(reading.isOpen).toBe(true);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a run whose id is damaged in an index is told as damaged: it was listed, and said not to be there', async () => {
  const id = whole.ids[1] ?? '';
  const codes = [];
  for (let at = whole.bytes.indexOf(id); at >= 0; at = whole.bytes.indexOf(id, at + 1)) {
    const hurt = Buffer.from(whole.bytes);
    const last = at + id.length - 1;
    hurt[last] = (hurt[last] ?? 0) ^ 1;
    const place = placeWith({ bytes: hurt, log: null });
    const listed = (await polya(place, ['runs', 'list'])).out.includes(id);
    codes.push([listed, (await polya(place, ['runs', 'show', id, '--full', '--json'])).code]);
  }
  expect(codes.length).toBeGreaterThan(1);
  for (const [listed, code] of codes) if (listed) expect([0, 4]).toContain(code);
});
