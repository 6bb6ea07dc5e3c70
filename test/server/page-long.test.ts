/** Long journals and long lists: what is asked for is told first, counted in bytes and requests, and nothing is lost for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { EventItem, RunItem } from '../../src/notes/page-items.ts';
import { openJournals } from '../../src/open/journals.ts';
import type { Journals } from '../../src/open/options.ts';
import { Reader } from '../../src/server/reader.ts';
import { newPlace, type Place } from '../cli/shell.ts';
import { asked, look, pageFiles } from './browser.ts';

const added = 20_000;

type LongJournal = { readonly place: Place; readonly id: string; readonly last: number };
let journal: Promise<LongJournal> | null = null;

/** A run with as many notes as a long one has, which the tests only read; `last` is the number of its last event. */
function longJournal(): Promise<LongJournal> {
  journal ??= writeLongJournal();
  return journal;
}

async function writeLongJournal(): Promise<LongJournal> {
  const place = newPlace();
  const id = await asked(place, 'Many?', 'yes');
  const journals = openJournals({ folder: place.folder, env: place.env });
  const { store, owner } = journals.world;
  const ownership = await store.acquire(id, owner);
  const from = (await store.get(id))?.lastSeq ?? 0;
  const events = Array.from({ length: added }, (_, index) => ({
    seq: from + index + 1,
    atMs: 1_800_000_000_000 + index,
    branch: '',
    ordinal: null,
    attempt: 0,
    kind: 'note' as const,
    body: JSON.stringify({ kind: 'step', data: { index }, index }),
  }));
  await store.append(ownership, { events, blobs: [], durable: false });
  await store.release(ownership);
  await journals.close();
  return { place, id, last: from + added };
}

type Told = { readonly name: string; readonly bytes: number; readonly data: never };

type Served = { readonly url: string; readonly token: string };

/** What a stream tells, up to the run that comes after its last event. */
async function streamed({ url, token }: Served, path: string, lastSeq: number): Promise<readonly Told[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}api/v1/${path}`, { headers });
  const told: Told[] = [];
  let rest = '';
  let isWhole = false;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = ''] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data = 'null'] = /^data: (.*)$/m.exec(block) ?? [];
      told.push({ name, bytes: block.length, data: JSON.parse(data) as never });
      if (isWhole && name === 'run') return told;
      if (new RegExp(`^id: ${lastSeq}$`, 'm').test(block)) isWhole = true;
    }
  }
  return told;
}

/** Without the secret part of the address below which the page lies. */
function pathBelowPage(url: string): string {
  return new URL(url).pathname.replace(/^\/[0-9a-f]{12}(?=\/)/, '');
}

/** The line of an event, and how far below the top of its list it stands. */
function placeOf(page: Page, href: string): Promise<number> {
  return page
    .locator(`a.event[href="${href}"]`)
    .evaluate(
      (line) => line.getBoundingClientRect().top - (line.closest('.rows')?.getBoundingClientRect().top ?? 0),
    );
}

describe('a long journal', () => {
  test('what is near the asked event is told first, then totals, then every event once and in order', async () => {
    const { place, id, last } = await longJournal();
    const { server, close } = await look(place);
    for (const [near, holds] of [
      ['0', last],
      ['1', 1],
      ['9000', 9_000],
    ] as const) {
      const told = await streamed(server, `runs/${id}/stream?near=${near}`, last);
      expect(told.slice(0, 3).map(({ name }) => name)).toEqual(['open', 'near', 'run']);
      const [, first, summed] = told;
      // Not a hundredth of what there is.
      const all = told.reduce((sum, { bytes }) => sum + bytes, 0);
      expect((first?.bytes ?? all) * 20).toBeLessThan(all);
      const { run, events }: { run: { item: RunItem }; events: readonly EventItem[] } =
        first?.data ?? never();
      expect(events.map(({ seq }) => seq)).toContain(holds);
      // A run that has ended summed up in its row what it used.
      expect(run.item).toMatchObject({ id, modelCalls: 1, tokens: 3, costUsd: 0 });
      const end: { totals: unknown; lives: unknown } = told.at(-1)?.data ?? never();
      expect(summed?.data).toMatchObject({ id, totals: { modelCalls: 1 }, events: last });
      expect(summed?.data).toMatchObject({ totals: end.totals, lives: end.lives });
      const each = told.flatMap(({ name, data }): readonly EventItem[] =>
        /^events?$/.test(name) ? [data].flat() : [],
      );
      expect(each.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      // What came first comes again as it was.
      expect(each.filter(({ seq }) => events.some((early) => early.seq === seq))).toEqual(events);
    }
    await close();
  });

  test('its first line is shown when the server was asked three things; what it adds up, it adds up once', async () => {
    const { place, id, last } = await longJournal();
    const { page, wrong, journals, server, close } = await look(place);
    const { store } = journals.world;
    const asks: string[] = [];
    await page.goto('about:blank');
    page.on('request', (request) => asks.push(pathBelowPage(request.url())));
    await page.goto(`${server.createLink()}#/runs/${id}`);
    await page.locator(`a.event[href="#/runs/${id}/${last}"]`).waitFor();
    const first = asks.slice(0, asks.indexOf(`/api/v1/runs/${id}/events/${last}`));
    expect(first.filter((path) => path.startsWith('/api/')).toSorted()).toEqual([
      `/api/v1/runs/${id}/stream`,
      '/api/v1/runs/stream',
      '/api/v1/store',
    ]);
    let rows = 0;
    const events: typeof store.events = async (...asked) => {
      const read = await store.events(...asked);
      rows += read.length;
      return read;
    };
    const counted: typeof store = Object.create(store, { events: { value: events } });
    const reader = new Reader(counted);
    const row = (await store.get(id)) ?? never();
    expect((await reader.event(id, last))?.seq).toBe(last);
    expect(await reader.event(id, last + 1)).toBe(undefined);
    expect(rows).toBe(1);
    const head = (await reader.head(row)) ?? never();
    const beginning = await reader.readPrefix(row, head, 9_000);
    expect(rows).toBeLessThan(1_000);
    rows = 0;
    const [summed, item] = await Promise.all([reader.summarize(row, beginning), reader.item(row)]);
    expect(rows).toBe(last);
    expect(summed.item.modelCalls).toBe(item.modelCalls);
    expect(wrong).toEqual([]);
    await close();
  });

  test('who asks after an event is told what comes after it, and no more', async () => {
    const { place, id, last } = await longJournal();
    const { server, close } = await look(place);
    const told = await streamed(server, `runs/${id}/stream?near=9&after=${last - 3}`, last);
    expect(told.map(({ name }) => name)).toEqual(['open', 'event', 'event', 'event', 'run']);
    await close();
  });

  test('the line that is read stays where it is while all that is before it comes', async () => {
    const { place, id, last } = await longJournal();
    const { page, wrong, server, close } = await look(place);
    const href = `#/runs/${id}/9000`;
    // Only what is near is told until the test lets the rest through.
    await page.addInitScript(() => {
      const { addEventListener } = EventSource.prototype;
      const held: (() => void)[] = [];
      EventSource.prototype.addEventListener = function (this: EventSource, name: string, listener: never) {
        const later = (event: never): void => {
          if (held.length > 0 || name === 'events')
            held.push(() => (listener as (event: never) => void)(event));
          else (listener as (event: never) => void)(event);
        };
        addEventListener.call(this, name, later as never);
      } as never;
      Object.assign(globalThis, {
        release: () => {
          for (const tell of held.splice(0)) tell();
        },
      });
    });
    await page.goto(`${server.createLink()}${href}`);
    await page.locator(`a.event.chosen[href="${href}"]`).waitFor();
    await page.locator('.facts', { hasText: `${last.toLocaleString('en-US')} events` }).waitFor();
    await page.locator('.events .rows').evaluate((box) => box.scrollBy(0, 200));
    const before = await placeOf(page, href);
    const height = () => page.locator('.events .rows > div').evaluate((box) => box.clientHeight);
    expect(await height()).toBeLessThan(1_000 * 26);
    await expect
      .poll(async () => {
        await page.evaluate('release()');
        return height();
      })
      .toBeGreaterThan(added * 26);
    await expect.poll(() => placeOf(page, href)).toBe(before);
    expect(wrong).toEqual([]);
    await close();
  });

  test('only what can be seen of it is in the page', async () => {
    const { place, id, last } = await longJournal();
    const { page, wrong, close } = await look(place);
    await page.locator('a.line').click();
    const height = () => page.locator('.events .rows > div').evaluate((box) => box.clientHeight);
    // All of them have come: what comes later would not move what is read.
    await expect.poll(height).toBeGreaterThanOrEqual(added * 26);
    await expect.poll(() => page.locator('a.event').count()).toBeLessThan(120);
    await page.locator('.events .rows').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.locator('a.event', { hasText: `index: ${added - 1}` }).waitFor();
    await page.locator('a.event').last().click();
    await page.waitForURL(`**/#/runs/${id}/${last}`);
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('a first look', () => {
  test('loads less than 60 KB and asks the server two things before a row of 300 runs is there', async () => {
    const place = newPlace();
    const { page, wrong, journals, server, close } = await look(place);
    const { world } = journals;
    for (let index = 0; index < 300; index += 1) {
      const ownership = await world.store.create(
        { id: `run-${index}`, createdAtMs: index, parent: null, summary: {}, owner: world.owner },
        { events: [], blobs: [], durable: false },
      );
      await world.store.release(ownership);
    }
    await page.getByText('polya demo').or(page.locator('a.line')).first().waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(pathBelowPage(request.url())));
    await page.goto(server.createLink());
    await page.locator('a.line[href="#/runs/run-299"]').waitFor();
    const files = [...new Set(requests)].filter((path) => /\.(js|css)$/.test(path));
    const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(join(pageFiles, path))).length, 0);
    expect(bytes).toBeLessThan(60_000);
    expect([...new Set(requests)].filter((path) => path.startsWith('/api/')).toSorted()).toEqual([
      '/api/v1/runs',
      '/api/v1/runs/stream',
      '/api/v1/store',
    ]);
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('a long list', () => {
  test('counts, totals, filters and search are over all runs, and rows come as one scrolls', async () => {
    const place = newPlace();
    const { page, wrong, journals, close } = await look(place);
    await endedRuns(journals.world, 3_000);
    await page.reload();
    const status = page.locator('search [role=status]');
    await expect.poll(() => status.textContent()).toBe('3,000 runs');
    await expect.poll(() => page.locator('.totals').textContent()).toContain('$30.00');
    await expect.poll(() => page.getByRole('button', { name: /^solved/ }).textContent()).toContain('1500');
    await page.getByLabel('Find runs').fill('number-0042');
    await page.locator('a.line[href="#/runs/run-0042"]').waitFor();
    await expect.poll(() => status.textContent()).toBe('1 of 3,000 runs');
    await page.getByLabel('Find runs').fill('');
    await expect.poll(() => status.textContent()).toBe('3,000 runs');
    await page.locator('.rows').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.locator('a.line[href="#/runs/run-0000"]').waitFor();
    expect(await page.locator('a.line').count()).toBeLessThan(200);
    expect(wrong).toEqual([]);
    await close();
  });
});

/** Runs that have ended and summed up what they used, each half solved, half wrong, and a cent dear. */
async function endedRuns({ store, owner }: Journals['world'], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const number = String(index).padStart(4, '0');
    const spent = { modelCalls: 1, tokens: 10, knownTokens: 10, costUsd: 0.01, knownCostUsd: 0.01 };
    const outcome = index % 2 === 0 ? 'solved' : 'wrong';
    const named = { problem: `number-${number}`, family: 'qa', agent: 'chain', models: ['openai/o'] };
    const summary = { ...named, title: 'A sum', outcome, aliveMs: 5, spent };
    const ownership = await store.create(
      { id: `run-${number}`, createdAtMs: index, parent: null, summary: {}, owner },
      { events: [], blobs: [], durable: false },
    );
    await store.append(ownership, { events: [], blobs: [], durable: false, summary, ended: true });
    await store.release(ownership);
  }
}

function never(): never {
  throw new Error('It was not told.');
}
