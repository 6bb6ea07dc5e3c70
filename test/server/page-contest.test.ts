/** Searches for programs on the page, in a real browser: journals of real ones, and drawings of the largest there may be. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openedOf, panelsOf } from '../../src/apps/ahc/panels.ts';
import type { Block } from '../../src/notes/panel.ts';
import type { PanelsOf as OfApps } from '../../src/server/routes.ts';
import { begin, bench, goOn, until as untilSession } from '../ahc/session/sessions.ts';
import { unpacked } from '../before/fixture.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { evolved } from '../support/evolving.ts';
import { asked, isSideways, look, pageAt, shoot } from './browser.ts';

type PanelsOf = OfApps['panels'];

const phone = { viewport: { width: 390, height: 844 } };

/** The panels of a real search, shown with another run. */
async function searched(settings: Parameters<typeof evolved>[0] = {}): Promise<PanelsOf> {
  const { events } = await evolved(settings);
  const [head] = events;
  if (head?.kind !== 'run-start') throw new Error('It begins otherwise.');
  const { problem } = head.body;
  return async (_, { seq } = {}) => {
    if (seq === undefined) return panelsOf(events, problem);
    return [openedOf(events, problem, seq) ?? []].flat();
  };
}

const drawn =
  (...blocks: readonly Block[]): PanelsOf =>
  async (_, { seq } = {}) =>
    seq === undefined ? [{ title: 'Search', sentence: 'Large.', blocks }] : [];

async function shown(panels: PanelsOf, options: Omit<Parameters<typeof look>[1], 'panels'> = {}) {
  const place = newPlace();
  const id = await asked(place, 'One?', '1');
  const seen = await look(place, { hash: `#/runs/${id}/panels`, panels, ...options });
  await seen.page.locator('.panel').first().waitFor();
  return { ...seen, id };
}

const heatMap = (page: Page) => page.locator('.drawing', { has: page.locator('.heat') });
const status = (page: Page, which: string) =>
  page.locator('.drawing', { has: page.locator(which) }).getByRole('status');

describe('a search on the page', () => {
  test('tells the best and since when, draws its course, and opens a candidate with what it changed', async () => {
    const search = { settings: { maxGenerations: 8, populationSize: 8 } };
    const { page, wrong, close, id } = await shown(await searched(search));
    await expect
      .poll(() => page.locator('.sentence').first().textContent())
      .toMatch(/^Best [\d,.]+, gen\d+_id\d+, found/);
    await page.locator('.drawing .grid').first().waitFor({ state: 'attached' });
    await page.locator('.drawing rect.band').nth(2).waitFor();
    await page.locator('.dots').waitFor({ state: 'attached' });
    await shoot(page, 'contest');
    // By keys: to the best, and into it.
    await page.getByLabel(/^Lineage:/).focus();
    await page.keyboard.press('b');
    await expect.poll(() => status(page, 'rect.band').textContent()).toContain('the best');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${id}/panels/*`);
    await page.locator('.opened .diff').waitFor();
    await expect
      .poll(() => page.locator('.opened .sentence').textContent())
      .toMatch(/against .*: better on \d+, worse on/);
    await shoot(page, 'contest-opened');
    await page.locator('.opened .fold summary').click();
    await page.locator('.opened').getByRole('button', { name: 'Copy' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.opened').count()).toBe(0);
    await page.waitForURL(`**/#/runs/${id}/panels`);
    expect(wrong).toEqual([]);
    await close();
  });

  test('the case on which two candidates differ most is found with two clicks', async () => {
    const { page, wrong, close } = await shown(await searched());
    const rows = heatMap(page).getByRole('button');
    const [one, two] = [await rows.nth(1).textContent(), await rows.nth(2).textContent()];
    await rows.nth(1).click();
    await rows.nth(2).click();
    await page.getByText('They differ most on').waitFor();
    await expect.poll(() => heatMap(page).locator('.told').first().textContent()).toContain(one);
    await expect.poll(() => heatMap(page).locator('.told').first().textContent()).toContain(two);
    await expect.poll(() => rows.nth(0).textContent()).toBe(one);
    // The first column is now that case; keys read its values.
    await page.getByLabel(/Space compares its row/).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => status(page, '.heat').textContent()).toContain(one);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => status(page, '.heat').textContent()).toContain(two);
    await heatMap(page).scrollIntoViewIfNeeded();
    await shoot(page, 'contest-cases');
    expect(wrong).toEqual([]);
    await close();
  });

  test('is drawn over time and evaluations, dark and on a phone', async () => {
    const { page, wrong, close } = await shown(await searched(), { ...phone, colorScheme: 'dark' });
    await page.getByRole('button', { name: 'evaluations' }).click();
    await page.getByLabel(/^Score over evaluations/).focus();
    await page.keyboard.press('End');
    await expect.poll(() => status(page, '.grid').textContent()).toMatch(/at [\d,.]+ evaluations/);
    await expect.poll(() => isSideways(page)).toBe(false);
    await page.locator('.dots').waitFor({ state: 'attached' });
    await shoot(page, 'contest-phone');
    await heatMap(page).scrollIntoViewIfNeeded();
    await shoot(page, 'contest-phone-cases');
    expect(wrong).toEqual([]);
    await close();
  });
});

test('a session that went on in a fork leads from each of its runs to the other', async () => {
  const here = bench();
  const first = await begin(here, 'night', { 'evolution.max_generations': 1 });
  await untilSession(here, 'night', (now) => now.status === 'completed' && now.pid === null);
  await goOn(here, first, { 'evolution.max_generations': 2 });
  await untilSession(here, 'night', (now) => now.status === 'completed' && now.runs.length === 2);
  const { page, wrong, close } = await look(here, { hash: '#/runs/night-1' });
  await page.locator('.views').getByRole('link', { name: 'Search' }).click();
  await page.locator('.facts span', { hasText: 'run 1 of 2' }).waitFor();
  await page.getByRole('link', { name: 'night-2' }).click();
  await page.waitForURL('**/#/runs/night-2/panels');
  await page.locator('.facts span', { hasText: 'run 2 of 2' }).waitFor();
  // What a drawing opens tells which event it is of.
  await page.getByLabel(/^Lineage:/).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.locator('.opened').getByRole('link', { name: 'event' }).click();
  await page.locator('.inspector h2', { hasText: 'Event' }).waitFor();
  expect(wrong).toEqual([]);
  await close();
});

test('a copy of a search holds its panels, and shows the event of what it cannot open', async () => {
  const folder = join(unpacked('session', 'whole'), 'workspace/polya001');
  const place = { ...newPlace(), folder };
  const { out } = await polya(place, ['runs', 'list', '--json']);
  const [run] = JSON.parse(out).runs;
  const told = await polya(place, ['view', run.id, '--export', 'out.html', '--force']);
  expect(told).toMatchObject({ code: 0 });
  const url = pathToFileURL(join(folder, 'out.html')).href;
  const { page, wrong, close } = await pageAt(url, { allowed: url });
  await page.locator('.views').getByRole('link', { name: 'Search' }).click();
  await page.locator('.heat .walked').waitFor();
  await shoot(page, 'contest-copy');
  await page.getByLabel(/^Lineage:/).focus();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await page.locator('.inspector h2', { hasText: 'Event' }).waitFor();
  expect(wrong).toEqual([]);
  await close();
});

describe('the largest drawings', () => {
  const nodes = Array.from({ length: 5_000 }, (_, at) => ({
    id: `n${at}`,
    band: `island ${1 + (at % 4)}`,
    seq: 1,
    // Every third one has children.
    parent:
      at < 4
        ? null
        : `n${at - 4 - ((at * 7) % 3) * 4 < 0 ? at - 4 : Math.floor((at - 4) / 12) * 12 + (at % 4)}`,
    label: String(at),
    about: `the ${at}th`,
    ...(at % 5 === 0 ? ({ tone: 'bad' } as const) : {}),
    ...(at === 4_000 ? { isBest: true } : {}),
  }));

  test('5,000 nodes: leaves are counts until they are asked for, and every node can be reached', async () => {
    const { page, wrong, close } = await shown(drawn({ kind: 'lineage', title: 'Lineage', nodes }));
    await page.getByRole('button', { name: /folded leaves/ }).waitFor();
    const few = await page.locator('.drawing svg *').count();
    expect(few).toBeLessThan(3_000);
    await page.getByRole('button', { name: /folded leaves/ }).click();
    await page.getByRole('button', { name: 'Fold leaves' }).waitFor();
    await page.getByLabel(/^Lineage:/).focus();
    await page.keyboard.press('End');
    await expect.poll(() => status(page, 'rect.band').textContent()).toContain('n4999');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => status(page, 'rect.band').textContent()).toContain('n4998');
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, 'contest-5000');
    expect(wrong).toEqual([]);
    await close();
  });

  test('200 cases and 50 candidates: each value can be read, also on a phone', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ label: `gen_${at} ${5_000 - at}`, seq: 1 }));
    const columns = Array.from({ length: 200 }, (_, at) => String(at).padStart(4, '0'));
    const cells = rows.map((_, row) =>
      columns.map((name, column) => {
        const value = ((row * 31 + column * 17) % 50) / 50;
        return { shade: Math.min(1, value * 2), value, text: `${name} is ${value}` };
      }),
    );
    const { page, wrong, close } = await shown(
      drawn({ kind: 'heat', title: 'Cases', rows, columns, cells }),
      phone,
    );
    await page.getByLabel(/^Cases:/).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await expect.poll(() => status(page, '.heat').textContent()).toContain('0199 is');
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, 'contest-heat-phone');
    await page.keyboard.press(' ');
    await expect.poll(() => page.locator('.heat button[aria-pressed="true"]').count()).toBe(1);
    expect(wrong).toEqual([]);
    await close();
  });

  test('texts of models are texts in every drawing, and one without values draws nothing wrong', async () => {
    const texts = hostileTexts.map((each) => each.toWellFormed().slice(0, 400));
    const named = texts.map((label, seq) => ({ label, seq: seq + 1 }));
    const point = (x: number) => ({ x, y: x % 7, about: texts[x % texts.length] ?? '' });
    const { page, wrong, close } = await shown(
      drawn(
        {
          kind: 'chart',
          title: texts[0] ?? '',
          x: { label: texts[1] ?? '' },
          y: { label: texts[2] ?? '' },
          series: texts.map((name) => ({ name, points: [1, 2, 3].map(point) })),
        },
        { kind: 'chart', title: 'Nothing', x: { label: 'x' }, y: { label: 'y' }, series: [] },
        {
          kind: 'heat',
          title: texts[3] ?? '',
          rows: named,
          columns: texts,
          cells: named.map(() => texts.map((text, at) => (at % 3 === 0 ? null : { shade: 0.5, text }))),
        },
        { kind: 'heat', title: 'Nothing', rows: [], columns: [], cells: [] },
        {
          kind: 'lineage',
          title: texts[4] ?? '',
          nodes: texts.map((id, at) => ({
            id,
            band: id,
            parent: texts[at - 1] ?? null,
            label: id,
            about: id,
          })),
        },
        { kind: 'lineage', title: 'Nothing', nodes: [] },
      ),
      phone,
    );
    await expect.poll(() => page.locator('.drawing').count()).toBe(6);
    await expect
      .poll(() => page.locator('.panels :is(script, img, iframe, style, image, use)').count())
      .toBe(0);
    await expect.poll(() => isSideways(page)).toBe(false);
    expect(wrong).toEqual([]);
    await close();
  });
});
