/** The page in a real browser, over journals that real runs and hostile texts have made. */
import { describe, expect, test } from 'vitest';
import { openJournals } from '../../src/open/journals.ts';
import { servePage } from '../../src/server/server.ts';
import { newPlace } from '../cli/shell.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { until } from '../support/until.ts';
import { asked, isSideways, look, pageFiles } from './browser.ts';

describe('the page', () => {
  test('says what to type where there are no runs, and shows the first one when it is there', async () => {
    const place = newPlace();
    const { page, wrong, close } = await look(place);
    await page.getByText('polya demo').waitFor();
    const id = await asked(place, 'How many legs has a spider?', '8');
    await page.locator(`a.line[href="#/runs/${id}"]`).waitFor();
    await expect.poll(() => page.locator('a.line').textContent()).toContain('How many legs has a spider?');
    // What no model said is called that.
    await page.locator('a.line').click();
    await page.getByText('script: replies written ahead').first().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('is used by keyboard alone: find, move, open, back', async () => {
    const place = newPlace();
    const first = await asked(place, 'One?', '1');
    const second = await asked(place, 'Two?', '2');
    const { page, wrong, close } = await look(place);
    await page.locator('a.line').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${first}`);
    await page.locator('a.event').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('a.line').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('two');
    await until(async () => (await page.locator('a.line').count()) === 1);
    // Enter leaves the field: the keys of the list are keys again.
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${second}`);
    expect(wrong).toEqual([]);
    await close();
  });

  test('texts of models and users are text, whatever is in them', async () => {
    const place = newPlace();
    const text = hostileTexts.join('\n').toWellFormed();
    const id = await asked(place, `${hostileTexts[0]} ${text}`.slice(0, 20_000), text.slice(0, 60_000));
    const { page, wrong, close } = await look(place);
    await page.locator('a.line').click();
    await page.locator('a.event', { hasText: 'model-response' }).click();
    await page.locator('.inspector .fold').first().waitFor();
    await page.waitForURL(`**/#/runs/${id}/*`);
    await expect.poll(() => page.locator('script:not([src])').count()).toBe(0);
    await expect
      .poll(() => page.locator('iframe, object, embed, form:not(.tell):not(search form)').count())
      .toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  test('a run that is not here is told, and the list is one step away', async () => {
    const { page, server, close } = await look(newPlace());
    await page.goto(`${server.url}#/runs/no-such-run`);
    await page.getByText('There is no such run here.').waitFor();
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByText('No runs yet').waitFor();
    await close();
  });

  test('says when its server is gone, and goes on when it is back', async () => {
    const place = newPlace();
    await asked(place, 'Still there?', 'yes');
    const { page, server, close } = await look(place);
    await page.locator('a.line').waitFor();
    await server.close();
    await page.getByText('the server has ended').waitFor();
    await expect.poll(() => page.locator('a.line').count()).toBe(1);
    // Another one at its place does not know this page: its user is told what to open.
    const journals = openJournals({ folder: place.folder, env: place.env, create: true });
    const next = await servePage({
      polya: journals,
      page: pageFiles,
      port: Number(new URL(server.url).port),
    });
    await page.getByText('open the link that `polya view` prints').waitFor();
    await page.goto(next.createLink());
    await page.locator('a.line').waitFor();
    await close();
    await next.close();
    await journals.close();
  });

  test('on a phone, nothing scrolls sideways', async () => {
    const place = newPlace();
    await asked(place, 'A question that is longer than a phone is wide, and then some more words', 'yes');
    const { page, wrong, close } = await look(place, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.locator('a.line').waitFor();
    expect(await isSideways(page)).toBe(false);
    await page.locator('a.line').click();
    await page.locator('a.event').first().waitFor();
    expect(await isSideways(page)).toBe(false);
    expect(wrong).toEqual([]);
    await close();
  });
});
