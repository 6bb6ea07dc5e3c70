/** The local AtCoder over real HTTP: its pages have what the real site's have, and its mischief is what was asked for. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as cheerio from 'cheerio';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { filesOf, practiceContest, practiceContestIds } from '../../src/practice/atcoder/contest.ts';
import { type AtCoderOptions, startAtCoder } from '../../src/practice/atcoder/site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  expect(() => practiceContest('ahc001')).toThrow('There are: polya001, polya002, polya003');
});

/** The tools are built with the machine's own cargo here; that they build in the sandbox is tested where that is done. */
describe('the tools', () => {
  const folder = temporaryFolder('contest');

  test.each(practiceContestIds())('%s generate the same inputs, score, and refuse what is invalid', (id) => {
    const contest = practiceContest(id);
    const here = join(folder, id);
    for (const [path, bytes] of Object.entries(filesOf(contest, 'tools'))) {
      const file = join(here, path);
      execFileSync('mkdir', ['-p', dirname(file)]);
      writeFileSync(file, bytes);
    }
    const run = (command: string, ...args: string[]): string =>
      execFileSync(command, args, {
        cwd: here,
        encoding: 'utf8',
        // One case is played: to optimise the tools takes longer than they run.
        env: { PATH: '/usr/bin:/bin', HOME: here, CARGO_PROFILE_RELEASE_OPT_LEVEL: '0' },
      });
    run('/usr/bin/cargo', 'build', '--release', '--offline', '--quiet');
    run('./target/release/gen', 'seeds.txt', '--dir', 'made');
    const kept = filesOf(contest, 'tools')['in/0042.txt'];
    const made = readFileSync(join(here, 'made/0042.txt'));
    if (contest.inputs === 'files') expect(Buffer.from(kept ?? []).equals(made)).toBe(true);
    else expect(kept).toBeUndefined();
    writeFileSync(join(here, 'bad.out'), 'nonsense');
    expect(run('./target/release/vis', 'made/0000.txt', 'bad.out')).toMatch(
      /is (?:no integer|none of)[\s\S]*\nScore = 0\n$/,
    );
    writeFileSync(join(here, 'empty.out'), '');
    const scorer = contest.isInteractive ? 'vis' : 'score';
    expect(run(`./target/release/${scorer}`, 'made/0000.txt', 'empty.out')).toMatch(
      /ends (?:before|without)[\s\S]*\nScore = 0\n$/,
    );
    const scores = ['weak', 'good'].map((solution) => {
      const source = join(contest.folder, 'solutions', `${solution}.cpp`);
      execFileSync('g++', ['-O2', '-std=c++20', '-o', join(here, solution), source]);
      const input = readFileSync(join(here, 'made/0000.txt'));
      // A tester starts the program that it talks to, and writes down what that says.
      const [program, args] = contest.isInteractive
        ? [join(here, 'target/release/tester'), [join(here, solution)]]
        : [join(here, solution), []];
      const output = execFileSync(program, args, { input, stdio: ['pipe', 'pipe', 'ignore'] });
      writeFileSync(join(here, 'out.txt'), output);
      return Number(/^Score = (\d+)\n$/.exec(run('./target/release/vis', 'made/0000.txt', 'out.txt'))?.[1]);
    });
    expect(readFileSync(join(here, 'vis.html'), 'utf8')).toContain('<svg');
    const [weak = 0, good = 0] = scores;
    expect(contest.direction === 'maximise' ? good > 1.5 * weak : good * 1.5 < weak).toBe(true);
  });
});
