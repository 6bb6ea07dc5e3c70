/** The list of runs in a real browser: its filters, its totals, and what is told where nothing is. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { asked, isSideways, look, saying, shoot } from './browser.ts';

test('totals are of what is shown: filters by outcome, family, agent, model, text and time change them', async () => {
  const place = newPlace();
  const first = await asked(place, 'One question?', '1');
  await asked(place, 'Two questions?', '2');
  const unknown = await asked(place, 'Three questions?', '3');
  const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
  const keyOf = (id: string) => `(SELECT key FROM runs WHERE id = '${id}')`;
  database.exec(
    `UPDATE runs SET summary = json_set(summary, '$.free', NULL, '$.spent.costUsd', NULL) WHERE id = '${unknown}'`,
  );
  // The first one is of long ago.
  database.exec(`UPDATE events SET at = 1000 WHERE run_key = ${keyOf(first)}`);
  database.close();
  const { page, wrong, close } = await look(place);
  const totals = page.locator('.totals');
  await until(async () => (await totals.textContent())?.includes('unknown for 1'));
  await expect.poll(() => totals.textContent()).toContain('3 runs');
  await expect.poll(() => totals.textContent()).toContain('2 free');
  await expect.poll(() => totals.textContent()).not.toContain('$0');
  await expect.poll(() => page.locator('a.line').first().textContent()).toMatch(/answered *3/);
  await shoot(page, 'runs');
  // The chosen row has its whole sentence below the list.
  await page.keyboard.press('j');
  const peek = page.locator('.peek');
  await expect
    .poll(() => peek.textContent())
    .toContain((await page.locator('a.chosen .word').textContent()) ?? '');
  await shoot(page, 'runs-peek');
  await page.getByLabel('Find runs').fill('one');
  await until(async () => (await totals.textContent())?.includes('no provider was paid'));
  await expect.poll(() => totals.textContent()).toContain('1 run');
  // The words of the column at the left are found as well.
  const outcome = await page.locator('a.line .word').first().textContent();
  await page.getByLabel('Find runs').fill(`${outcome} one`);
  await until(async () => (await page.locator('a.line').count()) === 1);
  await page.getByLabel('Find runs').fill('');
  await page.getByRole('button', { name: 'in the last hour' }).click();
  await until(async () => (await page.locator('a.line').count()) === 2);
  await page.getByLabel('Find runs').fill('nothing like this');
  await page.getByRole('button', { name: 'Show all' }).click();
  await until(async () => (await page.locator('a.line').count()) === 3);
  await page.getByRole('button', { name: /^plain/ }).click();
  await expect.poll(() => page.locator('a.line').count()).toBe(3);
  expect(wrong).toEqual([]);
  await close();
});

test('on a phone the filters are there, and nothing scrolls the page sideways', async () => {
  const place = newPlace();
  await asked(place, 'One question?', '1');
  const { page, wrong, close } = await look(place, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.locator('a.line').waitFor();
  await page.getByRole('button', { name: 'in the last hour' }).click();
  await expect.poll(() => page.locator('a.line').count()).toBe(1);
  await expect.poll(() => isSideways(page)).toBe(false);
  await shoot(page, 'runs-phone');
  expect(wrong).toEqual([]);
  await close();
});

test('at each width, runs of one question are told apart by their models', async () => {
  const place = newPlace();
  for (const name of ['a-model-of-a-long-name-small', 'a-model-of-a-long-name-large']) {
    await polya(place, ['ask', 'One question?', '--model', saying(place, name, '1'), '--json']);
  }
  const { page, wrong, close } = await look(place, { viewport: { width: 1440, height: 900 } });
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const end of ['small.yaml', 'large.yaml']) {
      const name = page.locator('a.line .middle span', { hasText: new RegExp(`${end}$`) });
      await expect.poll(() => name.isVisible()).toBe(true);
      expect(await name.evaluate((span) => span.scrollWidth - span.clientWidth)).toBe(0);
    }
  }
  expect(wrong).toEqual([]);
  await close();
});

test('a page that was cut off while it slept catches up, and shows nothing twice', async () => {
  const place = newPlace();
  await asked(place, 'One question?', '1');
  const { page, wrong, close } = await look(place);
  await page.locator('a.line').waitFor();
  await page.context().setOffline(true);
  const second = await asked(place, 'Two questions?', '2');
  await page.context().setOffline(false);
  await page.locator(`a.line[href="#/runs/${second}"]`).waitFor();
  await expect.poll(() => page.locator('a.line').count()).toBe(2);
  await page.locator(`a.line[href="#/runs/${second}"]`).click();
  await page.locator('a.event').last().waitFor();
  const numbers = await page.locator('a.event .number:first-child').allTextContents();
  expect(new Set(numbers).size).toBe(numbers.length);
  // What could not be reached meanwhile is told in the console of the browser.
  expect(wrong.filter((each) => !/ERR_INTERNET_DISCONNECTED|Failed to load/.test(each))).toEqual([]);
  await close();
});
