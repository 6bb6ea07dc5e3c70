/** The local AtCoder over real HTTP: its pages have what the real site's have, and its mischief is what was asked for. */

import * as cheerio from 'cheerio';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { practiceContest, practiceContestIds } from '../../src/practice/atcoder/contest.ts';
import { type AtCoderOptions, startAtCoder } from '../../src/practice/atcoder/site.ts';
import { coded } from '../support/coded.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const site of open) await site.close();
});

async function siteWith(options: AtCoderOptions = {}) {
  const site = await startAtCoder(options);
  open.push(site);
  return site;
}

const taskOf = (url: string, id: string, lang = 'en'): string =>
  `${url}/contests/${id}/tasks/${id}_a?lang=${lang}`;

describe('a task page', () => {
  test.each(practiceContestIds())('%s has both languages, limits, links and images', async (id) => {
    const { url } = await siteWith();
    const $ = cheerio.load(await (await fetch(taskOf(url, id))).text());
    expect($('span.h2').text()).toContain('A - ');
    expect($('#main-container').text()).toMatch(/Time Limit: \d+ sec \/ Memory Limit: \d+ MiB/);
    for (const lang of ['ja', 'en']) {
      expect(
        $(`#task-statement > span.lang > span.lang-${lang} > div.part > section > h3`).length,
      ).toBeGreaterThan(4);
      expect($(`.lang-${lang} var`).length).toBeGreaterThan(10);
    }
    const links = $('.lang-en a')
      .toArray()
      .map((link) => $(link).attr('href') ?? '');
    expect(links.some((link) => link.endsWith('_windows.zip'))).toBe(true);
    const zip = links.find((link) => /\/[0-9a-f]+\.zip$/.test(link)) ?? '';
    const files = unzipSync(new Uint8Array(await (await fetch(url + zip)).arrayBuffer()));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['tools/Cargo.toml', 'tools/seeds.txt', 'tools/src/bin/vis.rs']),
    );
    for (const image of $('.lang-en img').toArray()) {
      const { status, headers } = await fetch(url + ($(image).attr('src') ?? ''));
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });

  test('in the old layout has headings beside their sections, and doubled a statement inside another', async () => {
    const old = cheerio.load(
      await (await fetch(taskOf((await siteWith({ layout: 'old' })).url, 'polya001'))).text(),
    );
    expect(old('.part').length).toBe(0);
    expect(old('.lang-ja > h3 + section').length).toBeGreaterThan(4);
    const doubled = cheerio.load(
      await (await fetch(taskOf((await siteWith({ layout: 'doubled' })).url, 'polya001'))).text(),
    );
    expect(doubled('div#task-statement div#task-statement').length).toBe(1);
  });
});

test('the front page says when the contest is, in the time of Tokyo', async () => {
  const { url } = await siteWith();
  const $ = cheerio.load(await (await fetch(`${url}/contests/polya001`)).text());
  const times = $('.contest-duration time')
    .toArray()
    .map((time) => $(time).text());
  expect(times).toEqual(['2026-03-14 19:00:00+0900', '2026-03-14 23:00:00+0900']);
});

test('unknown contests, tasks and files are 404, and a contest that asks for a session leads to the login', async () => {
  const { url } = await siteWith({ session: 'secret' });
  for (const path of ['/', '/contests/ahc999', '/img/polya001/x.zip', '/img/polya001/ja.html']) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  const path = '/contests/polya001/tasks/polya001_a';
  const away = await fetch(url + path, { redirect: 'manual' });
  expect([away.status, away.headers.get('location')]).toEqual([
    302,
    `/login?continue=${encodeURIComponent(path)}`,
  ]);
  const inside = await fetch(url + path, { headers: { cookie: 'REVEL_SESSION=secret' } });
  expect(inside.status).toBe(200);
});

test('a download can be cut, and gone on with from where it was', async () => {
  const site = await siteWith({ mischief: [{ path: '.zip', times: 1, does: 'cut' }] });
  const $ = cheerio.load(await (await fetch(taskOf(site.url, 'polya002'))).text());
  const zip = site.url + ($('.lang-en a[href$=".zip"]').first().attr('href') ?? '');
  await expect(fetch(zip).then((reply) => reply.arrayBuffer())).rejects.toThrow();
  const whole = new Uint8Array(await (await fetch(zip)).arrayBuffer());
  const rest = await fetch(zip, { headers: { range: 'bytes=1000-' } });
  expect(rest.status).toBe(206);
  expect(rest.headers.get('content-range')).toBe(`bytes 1000-${whole.length - 1}/${whole.length}`);
  expect(new Uint8Array(await rest.arrayBuffer())).toEqual(whole.subarray(1000));
  expect(site.asked.filter(({ path }) => path.endsWith('.zip')).length).toBe(3);
});

test('it fails as often as it was told to', async () => {
  const busy = { status: 503, headers: { 'retry-after': '1' } };
  const { url } = await siteWith({
    mischief: [
      { path: '/contests/', times: 2, does: busy },
      { path: '/img/', times: 1, does: 'html' },
    ],
  });
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await fetch(`${url}/contests/polya001`)).status);
  expect(statuses).toEqual([503, 503, 200]);
  const page = await fetch(`${url}/img/polya001/garden.png`);
  expect(page.headers.get('content-type')).toContain('text/html');
});

test('without tools, and with none of the contests', async () => {
  const { url } = await siteWith({ withoutTools: true });
  const $ = cheerio.load(await (await fetch(taskOf(url, 'polya002', 'ja'))).text());
  expect($('a[href$=".zip"]').length).toBe(0);
  expect($('#main-container').text()).toContain('実行時間制限: 1 sec / メモリ制限: 512 MiB');
  expect(() => practiceContest('ahc001')).toThrow(coded('no-such-contest', 'polya001'));
});
