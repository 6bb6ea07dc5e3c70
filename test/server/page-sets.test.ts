/** Run-sets on the page, in a real browser. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { comparedSet, isSideways, look, saying, shoot } from './browser.ts';

describe('a run-set on the page', () => {
  test('says what to type where there is none', async () => {
    const { page, wrong, close } = await look(newPlace(), { hash: '#/sets' });
    await page.getByText('polya run-set run FILE.yaml').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('is not there where the address is no encoding at all', async () => {
    const { page, close } = await look(newPlace(), { hash: '#/sets/%E0%A4%A' });
    await page.getByText('This run-set is not here').waitFor();
    await close();
  });

  test('that compares two models is a matrix: who is right on what, and why', async () => {
    const place = newPlace();
    const id = await comparedSet(place, ['8', '8', '4']);
    const { page, wrong, close } = await look(place, { hash: '#/sets' });
    await page.locator(`a.line[href="#/sets/${id}"]`).click();
    await page.getByText('is right on 2 of 3, the most of all.').waitFor();
    // The head tells what `run-set show` tells.
    const told = (await polya(place, ['run-set', 'show', id])).out;
    const counts = await page.locator('.facts span').nth(1).textContent();
    expect(told).toContain(`6 rows, ${counts}`);
    await expect.poll(() => page.locator('.matrix:not(.head)').count()).toBe(3);
    await expect.poll(() => page.locator('.matrix.head').textContent()).toContain('says-8');
    // Beside the matrix: intervals, the best less the other, what each used.
    const sheet = page.locator('.inspector');
    await expect.poll(() => sheet.textContent()).toContain('2 of 3, 67 % (');
    await expect
      .poll(() => sheet.textContent())
      .toMatch(/\+33 points, 95 % from .*, only .* right on 2, only .* on 1, p 1\D/);
    await expect.poll(() => sheet.textContent()).toMatch(/A row took \d+ tokens/);
    await expect
      .poll(() => page.locator('.why').textContent())
      .toMatch(/Against .+ that is \+33 points, 95 % from −\d+ to \+\d+: luck would give as much\./);
    // The plot names both of its axes.
    await expect.poll(() => sheet.locator('.drawing').textContent()).toMatch(/% right.*over tokens a row/);
    await shoot(page, 'set-systems');
    await page.locator('.matrix .cell').nth(4).click();
    await sheet.getByText('wrong').waitFor();
    await expect.poll(() => sheet.textContent()).toContain('question 3');
    await expect.poll(() => sheet.textContent()).toMatch(/gold answer|expected|4/);
    await shoot(page, 'set-matrix');
    // What one got and the other did not.
    await page.getByLabel('right by').selectOption({ index: 2 });
    await until(async () => (await page.locator('.matrix:not(.head)').count()) === 1);
    await expect.poll(() => page.locator('.matrix:not(.head)').textContent()).toContain('question 3');
    await sheet.getByRole('link').click();
    await page.waitForURL(`**/#/runs/${id}-5`);
    expect(wrong).toEqual([]);
    await close();
  });

  test('that is still read shows how far, and no count, interval or sentence over a part of its rows', async () => {
    const place = newPlace();
    const id = await comparedSet(place, ['8', '8', '4']);
    const { page, server, close } = await look(place);
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}api/v1/sets/${id}/stream`, { headers });
    let told = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      told += decoder.decode(chunk, { stream: true });
      if (/event: rows\n.*\n\n[\s\S]*event: set\n.*\n\n/.test(told)) break;
    }
    const blocks = told.split('\n\n').filter((block) => /^event: (?:set|rows)\n/m.test(block));
    expect(blocks[0]).toContain('"isRead":false');
    expect(blocks.at(-1)).toContain('"isRead":true');
    const [head = '', rows = ''] = blocks;
    const some = rows.replace(
      /^data: (.*)$/m,
      (_, data: string) => `data: ${JSON.stringify(JSON.parse(data).slice(0, 2))}`,
    );
    await page.route(`**/api/v1/sets/${id}/stream`, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `${head}\n\n${some}\n\n` }),
    );
    await page.goto('about:blank');
    await page.goto(`${server.createLink()}#/sets/${id}`);
    await page.getByText('2 of 6 rows are read.').waitFor();
    expect(await page.locator('.facts').count()).toBe(0);
    expect(await page.locator('main').textContent()).not.toMatch(/the most of all|95 %|\bp 1\b/);
    await close();
  });

  test('is used by keyboard alone, and on a phone nothing but the matrix scrolls sideways', async () => {
    const place = newPlace();
    const id = await comparedSet(place, ['8', '4', '8', '4', '8', '4']);
    const { page, wrong, close } = await look(place, {
      hash: `#/sets/${id}`,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.locator('.matrix .cell').first().waitFor();
    // Its mark and what was answered stand in one line: a row has room for no other.
    const tall = () =>
      page
        .locator('.matrix .cell')
        .first()
        .evaluate((cell) => cell.scrollHeight);
    await expect.poll(tall).toBeLessThan(40);
    // No row is hidden in a slot, and no name of a column is cut.
    const hidden = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length);
    expect(await hidden('.parts .rows')).toBe(0);
    expect(await hidden('.matrix.head span')).toBe(0);
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, 'set-matrix-phone');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.locator('.cell[aria-pressed="true"]').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${id}-4`);
    // The button of its screen covers no other one.
    const copy = page.getByRole('button', { name: /^Copy/ });
    const fork = page.getByRole('button', { name: /^Fork/ });
    await copy.scrollIntoViewIfNeeded();
    const [a, b] = [await copy.boundingBox(), await fork.boundingBox()];
    expect((a?.y ?? 0) - (b?.y ?? 0)).toBeGreaterThan(b?.height ?? 0);
    expect(wrong).toEqual([]);
    await close();
  });

  test('of one model is a list, and goes on while somebody looks', async () => {
    const place = newPlace();
    const file = join(place.folder, 'set.yaml');
    const rows = ['8', '4', '8', undefined].map((answer) => ({ problem: { question: 'How many?', answer } }));
    const models = saying(place, 'eight', '8');
    const defaults = { family: 'qa', agent: 'single-call', models };
    writeFileSync(file, JSON.stringify({ name: 'One model', defaults, rows, budget: { usd: 2 } }));
    const { page, wrong, close } = await look(place, { hash: '#/sets' });
    await page.getByText('No run-sets yet').waitFor();
    const running = polya(place, ['run-set', 'run', file, '--json']);
    await page.locator('a.line.sets').click();
    await page.getByText('2 of 3 are right, 1 not judged.').waitFor();
    await running;
    await page.getByText('every row has ended', { exact: false }).waitFor();
    await expect.poll(() => page.locator('.facts').textContent()).toContain('of $2.00');
    await page.getByRole('button', { name: 'not right' }).click();
    await until(async () => (await page.locator('a.line.row').count()) === 1);
    await expect.poll(() => page.locator('a.line.row').textContent()).toContain('wrong 8 · ');
    await shoot(page, 'set-list');
    expect(wrong).toEqual([]);
    await close();
  });

  test('of 5,000 rows shows the first ones before the last, and only those that can be seen', async () => {
    const place = newPlace();
    const { page, wrong, close, journals } = await look(place, { hash: '#/sets' });
    const { store, owner } = journals.world;
    const row = {
      family: 'qa',
      agent: 'single-call',
      settings: {},
      models: { default: 'x/y' },
      modelSettings: {},
    };
    const planned = Array.from({ length: 5_000 }, (_, at) => ({
      ...row,
      name: `row ${at + 1}`,
      problem: { question: String(at) },
      limits: {},
    }));
    const plan = { name: 'Long', concurrency: 4, budget: {}, stopWhen: 'never', prompts: {}, rows: planned };
    const ownership = await store.createSet({ id: 'long-set', createdAtMs: Date.now(), plan, owner });
    await store.releaseSet(ownership, null);
    await page.locator('a.line.sets').click();
    await page.locator('a.line.row').first().waitFor();
    await until(
      async () => (await page.locator('.list .rows > div').evaluate((box) => box.clientHeight)) >= 5_000 * 26,
    );
    await expect.poll(() => page.locator('a.line.row').count()).toBeLessThan(120);
    await page.getByLabel('Find in this set').fill('row 4999');
    await until(async () => (await page.locator('a.line.row').count()) === 1);
    expect(wrong).toEqual([]);
    await close();
  });

  test('polya view opens a set by a part of its id', async () => {
    const place = newPlace();
    const id = await comparedSet(place, ['8']);
    let stop = (): void => undefined;
    let told = '';
    const ended = polya(place, ['view', id.slice(-6), '--no-open', '--json'], {
      onWrite: (text, interrupt) => {
        told += text;
        stop = interrupt;
      },
    });
    await until(() => told.includes('address'));
    expect(told).toContain(`#/sets/${id}`);
    stop();
    expect(await ended).toMatchObject({ code: 0 });
  });
});
