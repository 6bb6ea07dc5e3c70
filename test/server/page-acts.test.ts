/** Comparing, forking, resuming, beginning and searching in a real browser, by keyboard alone where that is said. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { notesIn } from '../../src/notes/event-line.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { until } from '../support/until.ts';
import { acting, ensembleRun, looking, usedBy, writing } from './acting.ts';

const isSideways = (page: Page) =>
  page.locator('body').evaluate((body) => body.scrollWidth > body.clientWidth);

/** Goes on by Tab until what has the focus says so. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  await until(async () => {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    return (await focused.count()) === 1 && words.test((await focused.textContent()) ?? '');
  });
}

describe('by keyboard alone', () => {
  test('two runs are marked, compared, and gone through from difference to difference', async () => {
    const place = newPlace();
    await ensembleRun(place);
    await ensembleRun(place, 'A rope of 12 metres is cut in two again.');
    const { page, wrong, close } = await looking(await acting(place));
    await page.locator('a.line').nth(1).waitFor();
    for (const key of ['j', ' ', 'j', ' ', 'c']) await page.keyboard.press(key);
    await page.locator('.parting').waitFor();
    await page.keyboard.press(']');
    await page.locator('.pair.chosen').waitFor();
    const first = await page.locator('.pair.chosen').getAttribute('title');
    // The word that differs is underlined, in the line or in the whole text.
    await page.locator('.inspector mark, .inspector .diff .gone').first().waitFor();
    await page.keyboard.press(']');
    await until(async () => (await page.locator('.pair.chosen').getAttribute('title')) !== first);
    await page.keyboard.press('[');
    await until(async () => (await page.locator('.pair.chosen').getAttribute('title')) === first);
    await page.keyboard.press('Escape');
    await page.getByText('What came of them').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('a run is forked with a hint; its price is shown first, and its journal has it', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const server = await acting(place);
    const { page, wrong, close } = await looking(server, { hash: `#/runs/${id}/9` });
    await page.locator('a.event.chosen').waitFor();
    await page.keyboard.press('f');
    await page.locator('dialog textarea').first().waitFor();
    // The dialog is as small as what is in it.
    expect((await page.locator('dialog').boundingBox())?.height).toBeLessThan(500);
    await page.keyboard.type('Mind the shorter piece.');
    const begin = page.locator('dialog button.main');
    await expect.poll(() => begin.isDisabled()).toBe(true);
    await tabTo(page, /^Show, free$/);
    await page.keyboard.press('Enter');
    await page.locator('dialog .price').waitFor();
    await expect
      .poll(() => page.locator('dialog .command').textContent())
      .toBe(`./polya runs fork ${id} --at 9 --hint 'Mind the shorter piece.'`);
    expect(await server.store.list()).toHaveLength(1);
    await tabTo(page, /^Fork, free$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/compare/${id}/*`);
    await page.locator('.parting, .alike').first().waitFor();
    const [fork] = await server.store.list();
    expect(fork?.parent).toEqual({ run: id, seq: 9 });
    await until(async () => (await server.store.get(fork?.id ?? ''))?.ended);
    expect((await server.events(fork?.id ?? '')).flatMap(notesIn)).toContain('Mind the shorter piece.');
    // Another word after the price was shown has to be priced anew.
    await page.goto(`${server.server.url}#/forks/${id}`);
    await page.locator('.tree tbody tr').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await page.waitForURL(`**/#/compare/${id}/${fork?.id}`);
    expect(wrong).toEqual([]);
    await close();
  });

  test('a new run is begun from the form', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 's.json'), '{"roles": {"solver": {"": [{"text": "8"}]}}}');
    const server = await acting(place);
    const { page, wrong, close } = await looking(server, { hash: '#/new' });
    await page.getByLabel('question needed').focus();
    await page.keyboard.type('How many legs has a spider?');
    await page.getByLabel('Model of all roles').focus();
    await page.keyboard.type('scripted:s.json');
    await tabTo(page, /^Show, free$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Begin, free$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/runs/*');
    await page.getByText('How many legs has a spider?').first().waitFor();
    const [run] = await server.store.list();
    expect(server.words).toEqual([
      expect.arrayContaining([
        'run',
        '--family',
        'qa',
        'question=How many legs has a spider?',
        'scripted:s.json',
      ]),
    ]);
    await until(async () => (await server.store.get(run?.id ?? ''))?.ended);
    expect(wrong).toEqual([]);
    await close();
  });
});

/** What comes in late moves a fold away below the pointer. */
function unfolded(fold: Locator) {
  return until(async () => {
    const isOpen = () => fold.evaluate((details) => details.hasAttribute('open'));
    if (!(await isOpen())) await fold.locator('summary').first().click();
    return isOpen();
  });
}

test('what was shown holds for these words only, and what is wrong is told in place', async () => {
  const place = newPlace();
  const id = await ensembleRun(place);
  const server = await acting(place);
  const { page, close } = await looking(server, { hash: `#/runs/${id}/9` });
  await page.getByRole('button', { name: 'Fork from 9' }).click();
  const hint = page.locator('dialog textarea').first();
  await hint.fill('One');
  await page.getByRole('button', { name: 'Show, free' }).click();
  await page.locator('dialog .price').waitFor();
  await hint.fill('Two');
  await expect.poll(() => page.locator('dialog button.main').isDisabled()).toBe(true);
  await unfolded(page.locator('dialog details', { hasText: 'Settings of ensemble' }).last());
  await page.getByLabel('reminders').fill('often');
  await page.getByRole('button', { name: 'Show, free' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'reminders' }).waitFor();
  expect(await server.store.list()).toHaveLength(1);
  // A server that is gone is told in words, not in those of the browser.
  await page.route('**/fork', (route) => route.abort());
  await page.getByRole('button', { name: 'Show, free' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'The server does not answer' }).waitFor();
  await close();
});

test('every command on the page is told as its user types it', async () => {
  const place = newPlace();
  const server = await acting(place);
  const { page, close } = await looking(server);
  const commands = () => page.locator('#page').textContent();
  const each = async (screen: string, shows: string): Promise<void> => {
    await page.goto(`${server.server.url}${screen}`);
    await expect.poll(commands).toContain(`./polya ${shows}`);
    expect(await commands()).not.toMatch(/(?<![./])\bpolya [a-z]/);
  };
  for (const screen of ['#/', '#/cost', '#/sets']) await each(screen, 'demo');
  await each('#/sets/none', 'run-set list');
  await each('#/questions', 'ask');
  const id = await ensembleRun(place);
  await each('#/cost', 'cost --by model');
  for (const [key, words] of [
    ['p', 'runs replay'],
    ['e', 'view --export'],
  ] as const) {
    await page.goto(`${server.server.url}#/runs/${id}`);
    await page.locator('a.event').first().waitFor();
    await page.keyboard.press(key);
    await expect.poll(commands).toContain(`./polya ${words}`);
    await page.keyboard.press('Escape');
  }
  await close();
});

test('a page that only shows has nothing to act with', async () => {
  const place = newPlace();
  const id = await ensembleRun(place);
  const { page, close } = await looking(await acting(place, { isReadOnly: true }));
  await page.locator('a.line').waitFor();
  await expect.poll(() => page.getByText('New run').count()).toBe(0);
  await page.keyboard.press('n');
  await page.locator('a.line').click();
  await page.locator('a.event').first().waitFor();
  await page.keyboard.press('f');
  await expect.poll(() => page.getByRole('button', { name: /Fork|Resume|Stop/ }).count()).toBe(0);
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  expect(page.url()).toContain(`#/runs/${id}`);
  await close();
});

test('hostile texts in titles, hints and prompts are text on each of these screens, also on a phone', async () => {
  const place = newPlace();
  const text = hostileTexts.join(' ').replaceAll('\0', '').toWellFormed();
  const id = await ensembleRun(place, `${hostileTexts[0]} ${text}`.slice(0, 10_000));
  const hint = text.slice(0, 10_000);
  const { out } = await polya(place, ['runs', 'fork', id, '--at', '9', '--hint', hint, '--json']);
  const { id: fork } = JSON.parse(out) as { id: string };
  const server = await acting(place);
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page, wrong, close } = await looking(server, { viewport });
    for (const [hash, ready] of [
      [`#/compare/${id}/${fork}`, '.pair .cell'],
      [`#/forks/${fork}`, '.tree tbody tr:nth-child(2)'],
      [`#/runs/${fork}/12`, 'a.event'],
      ['#/new', '.start .fields'],
      ['#/compare/none/nosuch', '.empty .bad'],
    ] as const) {
      await page.goto(server.server.url + hash);
      await page.locator(ready).first().waitFor();
      await expect.poll(async () => [hash, await isSideways(page)]).toEqual([hash, false]);
      await expect.poll(() => page.locator('script:not([src]), iframe, object, embed, base').count()).toBe(0);
      if (hash.startsWith('#/compare') && ready === '.pair .cell') {
        const overlap = await page.evaluate<number>(
          `[...document.querySelectorAll('.pair .cell')].filter((cell) => cell.scrollHeight > cell.clientHeight).length`,
        );
        expect([viewport.width, overlap]).toEqual([viewport.width, 0]);
        await page.keyboard.press(']');
        await page.locator('.inspector .diff').first().waitFor();
      }
      if (hash.startsWith('#/runs')) {
        await page.keyboard.press('f');
        await page.locator('dialog textarea').first().fill(hint);
        await page.getByRole('button', { name: 'Show, free' }).click();
        await page.locator('dialog .command').waitFor();
        await expect.poll(() => isSideways(page)).toBe(false);
        await page.keyboard.press('Escape');
      }
    }
    // The 404 of the last one is told by the browser too.
    expect(wrong.filter((what) => !what.includes('404'))).toEqual([]);
    expect(await page.evaluate('"pwned" in window')).toBe(false);
    await close();
  }
});

describe('while somebody reads', () => {
  test('what arrives moves nothing until Follow is on', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const server = await acting(place);
    const { note, release } = await writing(server.journals.world, id);
    await note(400, (index) => `before ${index}`);
    const { page, wrong, close } = await looking(server, { hash: `#/runs/${id}` });
    const rows = page.locator('.events .rows');
    const place0 = () =>
      rows.evaluate((box) => [box.scrollTop, box.scrollHeight - box.clientHeight] as const);
    // A run that goes on is followed when it is opened.
    await page.locator('a.event', { hasText: 'before 399' }).waitFor();
    await rows.evaluate((box) => box.scrollTo(0, 1_000));
    await page.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    await note(30, (index) => `after ${index}`);
    await page.getByRole('button', { name: '30 new' }).waitFor();
    expect((await place0())[0]).toBe(1_000);
    await page.getByRole('button', { name: '30 new' }).click();
    await page.locator('a.event', { hasText: 'after 29' }).waitFor();
    await note(1, () => 'the newest of all');
    await page.locator('a.event', { hasText: 'the newest of all' }).waitFor();
    const [at, end] = await place0();
    expect(end - at).toBeLessThan(30);
    await release();
    expect(wrong).toEqual([]);
    await close();
  });

  test('rows that have scrolled away are not kept', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const server = await acting(place);
    const { note, release } = await writing(server.journals.world, id);
    const { page, close } = await looking(server, { hash: `#/runs/${id}` });
    const used = await usedBy(page);
    const batch = async (name: string): Promise<void> => {
      await note(200, (index) => `note ${index} of batch ${name}`);
      await page.locator('a.event', { hasText: `note 199 of batch ${name}` }).waitFor();
    };
    await batch('one');
    const { nodes } = await used();
    for (const name of ['two', 'three', 'four', 'five', 'six']) await batch(name);
    // Each batch fills the screen with two hundred.
    await expect.poll(async () => (await used()).nodes - nodes).toBeLessThan(300);
    await release();
    await close();
  });

  test('words are found in events that are not on the page, and in what their lines leave out', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const server = await acting(place);
    const { note, release } = await writing(server.journals.world, id);
    const far = `${'x '.repeat(3_000)} needle`;
    await note(5_000, (index) => (index % 1_000 === 7 ? far : 'hay'));
    const { page, wrong, close } = await looking(server, { hash: `#/runs/${id}` });
    await page.locator('a.event').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('NEEDLE');
    await page.getByText(/^5 of \d+$/).waitFor();
    await expect.poll(() => page.locator('a.event').count()).toBe(5);
    // What is written later is found when it is there.
    await note(1, () => far);
    await page.getByText(/^6 of \d+$/).waitFor();
    await page.locator('a.event').last().click();
    await page.getByRole('button', { name: 'Unfold all' }).waitFor();
    await page.getByRole('button', { name: 'Raw' }).waitFor();
    await release();
    expect(wrong).toEqual([]);
    await close();
  });
});

test('a long output folds, unfolds whole, and a conversation opens at its end', async () => {
  const place = newPlace();
  const id = await ensembleRun(place, `${'A line.\n'.repeat(200)}And the last line.`);
  const server = await acting(place);
  const request = (await server.events(id)).find(({ kind }) => kind === 'model-request');
  const { page, close } = await looking(server, { hash: `#/runs/${id}/${request?.seq}` });
  const pre = page.locator('.inspector .fold[open] pre').first();
  await pre.waitFor();
  const heights = () => pre.evaluate((box) => [box.clientHeight, box.scrollHeight] as const);
  const [folded, whole] = await heights();
  expect(folded).toBeLessThan(whole);
  await page
    .getByRole('button', { name: /Unfold all \d+ lines/ })
    .first()
    .click();
  await until(async () => (await heights())[0] === (await heights())[1]);
  await page.getByRole('button', { name: 'Fold it' }).first().click();
  await until(async () => (await heights())[0] === folded);
  await page.getByRole('button', { name: 'clock' }).click();
  await page
    .locator('a.event', { hasText: /\d\d:\d\d:\d\d/ })
    .first()
    .waitFor();
  await close();
});
