/** The tour of the page in a real browser: of what a demo leaves, and of a folder where nothing is. */
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { isSideways, look, pageAt, shoot } from './browser.ts';

/** The stops, and what is there when their screens show something. */
const stops = [
  ['1 of 8: Runs.', 'a.line'],
  ['2 of 8: A run.', 'a.event'],
  ['3 of 8: Its panel.', '.panel .sentence'],
  ['4 of 8: Compare.', '.pair'],
  ['5 of 8: Forks.', '.tree tbody tr'],
  ['6 of 8: Sets.', '.line.row'],
  ['7 of 8: Questions.', 'main code'],
  ['8 of 8: Cost.', 'a.line.total'],
] as const;

test('the tour of a demo leads by keyboard through screens that show something, and Esc ends it', async () => {
  let told = '';
  let stop = (): void => undefined;
  const onWrite = (text: string, interrupt: () => void): void => {
    told += text;
    stop = interrupt;
  };
  const ended = polya(newPlace(), ['demo', 'ensemble', '--view'], { onWrite });
  await until(() => told.includes('The page stays at its address'));
  const [, address = ''] = /The page is at (\S+)/.exec(told) ?? [];
  const { page, wrong, close } = await pageAt(address, { allowed: new URL('/', address).href });
  const line = page.locator('.tour');
  await expect.poll(() => page.locator('main p a').count()).toBe(stops.length);
  for (const [name, shown] of stops) {
    await page.keyboard.press('>');
    await line.getByText(name).waitFor();
    await page.locator(shown).first().waitFor();
    await shoot(page, `tour ${name.slice(0, 1)}`);
  }
  await expect.poll(() => line.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  for (const [name] of stops.toReversed().slice(1, 4)) {
    await page.keyboard.press('<');
    await line.getByText(name).waitFor();
  }
  await line.getByText('polya runs fork').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isSideways(page)).toBe(false);
  await shoot(page, 'tour phone');
  await page.keyboard.press('Escape');
  await expect.poll(() => line.count()).toBe(0);
  expect(wrong).toEqual([]);
  await close();
  stop();
  expect(await ended).toMatchObject({ code: 0 });
});

test('the tour of the demo of a contest shows its run and its panel, though its folder is gone', async () => {
  const place = newPlace();
  let told = '';
  let stop = (): void => undefined;
  const onWrite = (text: string, interrupt: () => void): void => {
    told += text;
    stop = interrupt;
  };
  // What was there before is not what was played.
  await polya(place, ['demo', 'ensemble']);
  const ended = polya(place, ['demo', 'evolution', '--view'], { onWrite });
  await until(() => told.includes('The page stays at its address'));
  const [, address = ''] = /The page is at (\S+)/.exec(told) ?? [];
  const { page, wrong, close } = await pageAt(address, { allowed: new URL('/', address).href });
  await page.locator('main', { hasText: 'The screens of this page' }).locator('a[href*=panels]').waitFor();
  await page.locator('.tour').waitFor();
  for (const [name, shown] of stops.slice(0, 3)) {
    await page.keyboard.press('>');
    await page.locator('.tour').getByText(name).waitFor();
    await page.locator(shown).first().waitFor();
    await shoot(page, `tour evolution ${name.slice(0, 1)}`);
  }
  await page
    .locator('.path', { hasText: 'evolution' })
    .or(page.locator('.facts', { hasText: 'evolution' }))
    .first()
    .waitFor();
  expect(wrong).toEqual([]);
  await close();
  stop();
  expect(await ended).toMatchObject({ code: 0 });
});

test('where nothing is each stop says what to type, and no page shows the tour by itself', async () => {
  const { page, wrong, close, server } = await look(newPlace());
  await page.getByText('No runs yet').waitFor();
  await expect.poll(() => page.locator('.tour, a[href*=tour]').count()).toBe(0);
  await page.goto(`${server.url}#/tour`);
  for (const [name] of stops) {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('.tour').getByText(name).waitFor();
    await page.locator('main code', { hasText: 'polya' }).first().waitFor();
  }
  expect(wrong).toEqual([]);
  await close();
});
