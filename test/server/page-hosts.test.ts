/** Hosts on the page, in a real browser: the workers of a store that several share, and which host has a run. */
import { describe, expect, test } from 'vitest';
import type { WorkerInfo } from '../../src/core/fleet.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { violations } from './axe.ts';
import { asked, isSideways, look, shoot } from './browser.ts';

const workerOn = (host: string, more: Partial<WorkerInfo> = {}): WorkerInfo => ({
  id: `${host}-1`,
  host,
  boot: host,
  pid: 1,
  codeVersion: '0.9.0',
  slots: 4,
  isolation: 'bubblewrap',
  toolchains: ['python (3.13)', 'g++20 (g++ 14.2)'],
  providers: ['openai'],
  processor: 'Xeon',
  code: [],
  only: [],
  runs: [],
  ...more,
});

async function sharedPlace(host: string) {
  const place = newPlace();
  return { ...place, env: { ...place.env, POLYA_STORE: await newStoreUrl(), POLYA_HOST: host } };
}

describe('the hosts of a store', () => {
  test('are no screen where the store is one machine’s', async () => {
    const { page, wrong, close } = await look(newPlace(), { hash: '#/cost' });
    await page.getByText('polya demo').waitFor();
    expect(await page.getByRole('link', { name: 'Hosts' }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  test('are shown with what they have in hand, and one that leaves goes from the screen', async () => {
    const place = await sharedPlace('north');
    const id = await asked(place, 'How much is 6 times 7?', '42');
    const { page, wrong, journals, close } = await look(place);
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByText('No worker is there').waitFor();
    await page.getByText('polya worker --slots 4').waitFor();
    const fleet = await journals.world.store.fleet?.();
    const north1 = workerOn('north', { runs: [id] });
    let living = [north1, workerOn('south<b>', { only: ['qa'], isolation: null, providers: [] })];
    const beat = setInterval(() => living.map((each) => fleet?.announce(each)), 500);
    const cards = page.locator('article.host');
    await expect.poll(() => cards.count(), { timeout: 120_000 }).toBe(2);
    const north = cards.filter({ hasText: 'north' });
    await expect.poll(() => north.textContent()).toContain('1 of 4');
    await expect.poll(() => north.textContent()).toContain('bubblewrap');
    const south = cards.filter({ hasText: 'south<b>' });
    await expect.poll(() => south.textContent()).toContain('scripts only');
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'hosts');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => isSideways(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'hosts-phone');
    living = [north1];
    await fleet?.unregister('south<b>-1');
    await expect.poll(() => cards.count(), { timeout: 120_000 }).toBe(1);
    await cards.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${id}`);
    await expect.poll(() => page.locator('.facts').textContent()).toContain('host north');
    clearInterval(beat);
    expect(wrong).toEqual([]);
    await close();
  });
});

test('a run tells its host: where it ended, and in lists where hosts differ', async () => {
  const place = await sharedPlace('north');
  const id = await asked(place, 'How much is 6 times 7?', '42');
  expect((await polya(place, ['runs', 'list'])).out).not.toContain('north');
  await asked({ ...place, env: { ...place.env, POLYA_HOST: 'south' } }, 'And 6 times 8?', '48');
  const { out } = await polya(place, ['runs', 'list']);
  expect(out).toMatch(/host\n/);
  expect(out).toMatch(/south\n.*north\n/s);
  expect((await polya(place, ['runs', 'show', id])).out).toMatch(/host +north\n/);
  // Any command takes the store as an option, before its words or after them.
  const { POLYA_STORE: url, ...env } = place.env;
  const elsewhere = { ...newPlace(), env: { ...env, HOME: newPlace().env.HOME ?? '' } };
  const words = [
    ['--store', url, 'runs', 'show', id, '--json'],
    ['runs', 'show', id, '--json', `--store=${url}`],
  ];
  for (const each of words)
    expect(JSON.parse((await polya(elsewhere, each)).out)).toMatchObject({ id, host: 'north' });
  const folder = await polya(elsewhere, ['runs', 'list', '--store', 'nowhere']);
  expect(folder).toMatchObject({ code: 0, out: expect.stringContaining('No runs yet') });
  expect(await polya(elsewhere, ['runs', 'list', '--store'])).toMatchObject({ code: 2 });
});
