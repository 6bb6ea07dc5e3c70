/** Every screen, light and dark, wide and narrow, by axe-core: nothing serious. And what a finger needs. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { unpacked } from '../before/fixture.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { acting, ensembleRun, looking } from './acting.ts';
import { begun as begunRun, families } from './app-runs.ts';
import { violations } from './axe.ts';
import { asked, asks, comparedSet, look, shoot } from './browser.ts';

async function waiting(place: Place): Promise<void> {
  const { run } = await asks(place, 'waits');
  run.done.catch(() => undefined);
}

/** Rows, buttons, fields and folds that are lower, by what they say. */
const lowTargets = `[...document.querySelectorAll('button, .button, nav a, a.line, a.event, summary, select, input:not([type=checkbox])')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
  .map((each) => each.outerHTML.slice(0, 120))`;

/** What keys are for. */
const begun = 'a.line, a.event.chosen, .pair, .matrix button.cell';

type Screen = {
  readonly name: string;
  readonly hash: string;
  /** What is there when all of it is. */
  readonly shown: string;
  readonly keys?: readonly string[];
};

const place = newPlace();
const empty = newPlace();
let screens: readonly Screen[] = [];

beforeAll(async () => {
  const first = await ensembleRun(place);
  const second = await ensembleRun(place, 'A rope of 12 metres is cut in two again.');
  await polya(place, ['runs', 'fork', first, '--at', '9', '--hint', 'Mind the shorter piece.']);
  const third = await asked(place, 'How much is 6 times 7?', '42');
  const set = await comparedSet(place, ['8', '4', '4']);
  await waiting(place);
  screens = [
    { name: 'runs', hash: '', shown: 'a.line.chosen', keys: ['j', 'j'] },
    { name: 'run', hash: `#/runs/${first}/9`, shown: '.inspector .fold' },
    { name: 'run that waits', hash: '#/runs/waits', shown: '.tell' },
    { name: 'compare', hash: `#/compare/${first}/${second}`, shown: '.pair.chosen', keys: [']'] },
    { name: 'forks', hash: `#/forks/${first}`, shown: '.tree tbody tr:nth-child(2)' },
    { name: 'sets', hash: '#/sets', shown: 'a.line' },
    {
      name: 'set',
      hash: `#/sets/${set}`,
      shown: 'button.cell[aria-pressed=true]',
      keys: ['j', 'ArrowRight'],
    },
    { name: 'questions', hash: '#/questions', shown: 'article' },
    { name: 'cost', hash: '#/cost', shown: 'a.line.total' },
    { name: 'new run', hash: '#/new', shown: '.form select' },
    { name: 'fork dialog', hash: `#/runs/${first}/10`, shown: 'dialog textarea', keys: ['f'] },
    { name: 'resume dialog', hash: `#/runs/${third}/2`, shown: 'dialog .act', keys: ['r'] },
    { name: 'limits dialog', hash: '#/runs/waits/2', shown: 'dialog .command', keys: ['l'] },
    { name: 'a run that is not there', hash: '#/runs/none', shown: '.bad' },
    { name: 'a comparison that cannot be', hash: '#/compare/none/neither', shown: '.bad' },
    { name: 'forks of none', hash: '#/forks/none', shown: '.bad' },
    { name: 'a set that is not there', hash: '#/sets/none', shown: '.bad' },
  ];
});

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

async function openScreen(page: Page, origin: string, { hash, shown, keys = [] }: Screen): Promise<void> {
  await page.goto('about:blank');
  await page.goto(origin + hash);
  await page
    .locator(keys.length > 0 ? begun : shown)
    .first()
    .waitFor();
  for (const key of keys) await page.keyboard.press(key);
  await page.locator(shown).first().waitFor();
}

describe('nothing serious is in the way of anybody', () => {
  test.each(looks)('$colorScheme, $width wide', async ({ colorScheme, width }) => {
    const viewport = { width, height: 844 };
    const found: Record<string, readonly string[]> = {};
    const { page, close } = await looking(await acting(place), { colorScheme, viewport });
    const origin = page.url().replace(/#.*/, '');
    for (const screen of screens) {
      await openScreen(page, origin, screen);
      const { name } = screen;
      await shoot(page, `${name} ${colorScheme} ${width}`);
      const told = await violations(page);
      if (told.length > 0) found[name] = told;
    }
    expect(found).toEqual({});
    await close();
  });

  test.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const)('panels of apps: $colorScheme, $width wide', async ({ colorScheme, width }) => {
    const session = { ...newPlace(), folder: join(unpacked('session', 'whole'), 'workspace/polya001') };
    const [search] = JSON.parse((await polya(session, ['runs', 'list', '--json'])).out).runs;
    const panels = [{ name: 'search', at: session, id: search.id, drawn: '.heat .walked' }];
    for (const { family, words, drawn } of families)
      panels.push({ name: family, at: place, id: await begunRun(place, words), drawn });
    const found: Record<string, readonly string[]> = {};
    for (const { name, at, id, drawn } of panels) {
      const viewport = { width, height: 844 };
      const { page, close } = await look(at, { hash: `#/runs/${id}/panels`, colorScheme, viewport });
      await page.locator(drawn).first().waitFor();
      await shoot(page, `panels ${name} ${colorScheme} ${width}`);
      const told = await violations(page);
      if (told.length > 0) found[name] = told;
      await close();
    }
    expect(found).toEqual({});
  });

  test('what a finger hits is 44 pixels high', async () => {
    const { page, close } = await looking(await acting(place), {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    const origin = page.url().replace(/#.*/, '');
    const found: Record<string, readonly string[]> = {};
    for (const screen of screens) {
      await openScreen(page, origin, screen);
      const { name } = screen;
      await shoot(page, `${name} touch`);
      const low = await page.evaluate<readonly string[]>(lowTargets);
      if (low.length > 0) found[name] = low;
    }
    expect(found).toEqual({});
    await close();
  });

  test.each(looks)(
    'where there is nothing yet: $colorScheme, $width wide',
    async ({ colorScheme, width }) => {
      const { page, close } = await looking(await acting(empty), {
        colorScheme,
        viewport: { width, height: 844 },
      });
      const origin = page.url().replace(/#.*/, '');
      for (const hash of ['', '#/sets', '#/questions', '#/cost']) {
        await page.goto('about:blank');
        await page.goto(origin + hash);
        // Each says what to type.
        await page.locator('main code', { hasText: 'polya' }).first().waitFor();
        expect(await violations(page)).toEqual([]);
      }
      await close();
    },
  );
});
