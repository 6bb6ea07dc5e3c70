/** An hour of a live run that somebody follows, by simulated time: nothing is lost, memory grows by a line for each event, and no row that is gone is kept. */
import { expect, test } from 'vitest';
import { newPlace } from '../cli/shell.ts';
import { acting, ensembleRun, looking, usedBy, writing } from './acting.ts';

/** Ten events a second. */
const events = 36_000;
const batch = 500;

test('an hour of a live run is followed to its end', async () => {
  const place = newPlace();
  const id = await ensembleRun(place);
  const server = await acting(place);
  const { note, release } = await writing(server.journals.world, id);
  const { page, wrong, close } = await looking(server, { hash: `#/runs/${id}` });
  const used = await usedBy(page);
  await page.locator('a.event').first().waitFor();
  let early = await used();
  for (let written = 0; written < events; written += batch) {
    await note(batch, (index) => `note ${written + index} of the hour`);
    await page.locator('a.event', { hasText: `note ${written + batch - 1} of the hour` }).waitFor();
    if (written === 5_000) early = await used();
  }
  const late = await used();
  const last = (await server.store.get(id))?.lastSeq ?? 0;
  await page.getByText(`all ${last.toLocaleString('en')} events`).waitFor();
  await expect.poll(() => page.locator('a.event').count()).toBeLessThan(120);
  // Bytes an event: its line of the list is kept.
  expect((late.bytes - early.bytes) / (events - 5_000)).toBeLessThan(1_000);
  // Another batch would leave two hundred.
  await expect.poll(async () => (await used()).nodes - early.nodes).toBeLessThan(500);
  await release();
  expect(wrong).toEqual([]);
  await close();
});
