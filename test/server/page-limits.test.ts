/** What a run may use, changed on the page in a real browser: while it goes on, and when it is resumed. */
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { acting, looking } from './acting.ts';
import { asks, isSideways, look, shoot } from './browser.ts';

test('limits of a live run are set by keys, as the command does, and its journal tells them', async () => {
  const place = newPlace();
  const { run, own } = await asks(place, 'waits');
  const { page, wrong, journals, close } = await look(place, { hash: '#/runs/waits' });
  await page.locator('a.event').first().waitFor();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'What this run may use' });
  await dialog.waitFor();
  await page.keyboard.type('0.5');
  await dialog.locator('.command', { hasText: 'polya runs limit waits --budget 0.5' }).waitFor();
  await shoot(page, 'limits');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('tokens').fill('plenty');
  await dialog.getByRole('button', { name: 'Set' }).click();
  await dialog.getByText('These limits cannot be given to a run that has begun.').waitFor();
  await dialog.getByLabel('tokens').fill('9000');
  await dialog.getByRole('button', { name: 'Set' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  await page.locator('a.event', { hasText: 'changed what it may use: 9,000 tokens, $0.50' }).waitFor();
  // The command does the same; what holds now stands in the fields.
  const told = await polya(place, ['runs', 'limit', 'waits', '--max-tool-calls', '7']);
  expect(told).toMatchObject({ code: 0, out: 'Run waits keeps to it within a second: 7 tool calls.\n' });
  await page.locator('a.event', { hasText: 'changed what it may use: 7 tool calls' }).waitFor();
  await page.goto(page.url().replace(/#.*/, '#/'));
  await page.locator('a.line').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('l');
  await expect.poll(() => dialog.getByLabel('tool calls').getAttribute('placeholder')).toBe('7');
  await expect.poll(() => dialog.getByLabel('budget in dollars').getAttribute('placeholder')).toBe('0.5');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isSideways(page)).toBe(false);
  await shoot(page, 'limits-phone');
  await page.keyboard.press('Escape');
  const mail = await journals.world.store.mail('waits', 0);
  expect(mail.map(({ kind }) => kind)).toEqual(['limits', 'limits']);
  run.stop();
  await run.done;
  await own.close();
  expect(wrong.filter((each) => !each.includes('409'))).toEqual([]);
  await close();
});

test('a resume with another budget shows its command, and a page that only shows sets none', async () => {
  const place = newPlace();
  const { run, own } = await asks(place, 'waits');
  const live = await looking(await acting(place, { isReadOnly: true }), { hash: '#/runs/waits' });
  await live.page.locator('a.event').first().waitFor();
  await live.page.keyboard.press('l');
  expect(await live.page.getByRole('button', { name: /Limits/ }).count()).toBe(0);
  expect(await live.page.locator('dialog').count()).toBe(0);
  const posted = await live.page.evaluate(
    `fetch('api/v1/runs/waits/limits', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"costUsd":1}' }).then(({ status }) => status)`,
  );
  expect(posted).toBe(403);
  await live.close();
  run.stop();
  await run.done;
  await own.close();
  const server = await acting(place);
  const { page, close } = await looking(server, { hash: '#/runs/waits' });
  await page.locator('a.event').first().waitFor();
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByLabel('budget in dollars').fill('3');
  await page.getByText('limit costUsd: 3').waitFor();
  await shoot(page, 'resume-limits');
  await close();
  const told = await server.post('runs/waits/resume', { limits: { minutes: 3 } });
  expect(told.status).toBe(400);
});
