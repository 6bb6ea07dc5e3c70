/**
 * The page of `polya view` in a real Chromium, its server a process of its own: what the first look loads, 1,000 runs in the
 * list, a journal of 100,000 events from its beginning and at an event in it, an event's way from the store to the screen while another process writes
 * 100 a second, and the server's memory while 20 look on. Times of the wall: a busy machine lengthens them.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { EventRow } from '../src/core/store.ts';
import { cacheFolder } from '../src/io/home.ts';
import { pageFolder } from '../src/server/server.ts';
import { thisProcess } from '../src/store/owner.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { chromiumPath } from '../test/support/chromium.ts';
import { callingAgent, instantModel } from './calling.ts';
import { longParts } from './long.ts';
import { type Aim, type Bench, median, type Row } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type BenchWorld, openWorld, runToEnd } from './world.ts';

const runs = 1_000;
const rounds = 5;
const watchers = 20;
const appended = 1_000;
const everyMs = 10;
const lastSeq = 100_002;

export const view: Bench = {
  name: 'view',
  async run() {
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      chromiumSandbox: process.getuid?.() !== 0,
    });
    try {
      return [...(await many(browser)), ...(await long(browser)), ...(await growing(browser))];
    } finally {
      await browser.close();
    }
  },
};

async function many(browser: Browser): Promise<Row[]> {
  await using world = openWorld({ agent: callingAgent, model: instantModel });
  for (let run = 1; run <= runs; run += 1) await runToEnd(world, `run-${run}`, { steps: 1 });
  await using served = await serve(world);
  const loaded = new Set<string>();
  const first: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const link = await served.createLink();
    await using look = await opened(browser);
    look.page.on('response', (response) => loaded.add(new URL(response.url()).pathname.slice(1)));
    const start = performance.now();
    await look.page.goto(link);
    await look.page.locator('a.line').first().waitFor();
    first.push(performance.now() - start);
    await look.page
      .getByText(`${runs.toLocaleString('en')} runs`)
      .or(look.page.getByText(`${runs} runs`))
      .first()
      .waitFor();
    all.push(performance.now() - start);
  }
  return [
    ...bytes(loaded),
    rowOf(`first row of ${runs} runs`, 'ms', median(first), { of: 'measured', atMost: 1_000 }),
    rowOf('… all of them', 'ms', median(all)),
  ];
}

/** The first load by file, and all other parts together. */
function bytes(loaded: ReadonlySet<string>): Row[] {
  const folder = pageFolder(cacheFolder(process.env));
  const sizes = readdirSync(folder)
    .filter((name) => /\.(js|css)$/.test(name) && name !== 'whole.js')
    .map((name) => {
      const content = readFileSync(join(folder, name));
      return { name, raw: content.length / 1000, packed: gzipSync(content).length / 1000 };
    });
  const first = sizes.filter(({ name }) => loaded.has(name));
  const sum = (parts: typeof sizes, of: 'raw' | 'packed'): number =>
    parts.reduce((total, part) => total + part[of], 0);
  return [
    rowOf('first load, gzipped', 'KB', sum(first, 'packed'), { of: 'measured', atMost: 60 }),
    rowOf('first load, raw', 'KB', sum(first, 'raw')),
    ...sizes
      .toSorted((a, b) => Number(loaded.has(b.name)) - Number(loaded.has(a.name)) || b.packed - a.packed)
      .map(({ name, packed }) =>
        rowOf(`${loaded.has(name) ? 'first' : 'later'}: ${name}, gzipped`, 'KB', packed),
      ),
  ];
}

async function long(browser: Browser): Promise<Row[]> {
  const { settings, ...parts } = longParts('effects');
  await using world = openWorld(parts);
  await runToEnd(world, 'long', settings);
  const places = [
    ['its end', '', '', lastSeq],
    ['an event in it', '/50000', '', 50_000],
    ['its beginning', '/1', '', 1],
  ] as const;
  const rows: Row[] = [];
  for (const [what, place, , seq] of places) {
    // Each in a server that has read nothing yet.
    await using served = await serve(world);
    const link = await served.createLink();
    await using look = await opened(browser);
    const start = performance.now();
    await look.page.goto(`${link}#/runs/long${place}`);
    await look.page.locator(`a.event[href="#/runs/long/${seq}"]`).waitFor();
    rows.push(
      rowOf(`first lines of 100,000 events, at ${what}`, 'ms', performance.now() - start, {
        of: 'measured',
        atMost: 1_000,
      }),
    );
    await look.page.locator('.facts', { hasText: '50000 model calls' }).waitFor();
    rows.push(rowOf('… their totals', 'ms', performance.now() - start, { of: 'measured', atMost: 3_000 }));
    await wholeList(look.page);
    rows.push(rowOf('… all lines', 'ms', performance.now() - start));
  }
  await using served = await serve(world);
  const before = memoryMb(served.pid);
  const closing = new AbortController();
  await Promise.all(Array.from({ length: watchers }, () => watched(served.page, closing.signal)));
  rows.push(rowOf('memory of the server before', 'MB', before));
  rows.push(rowOf(`… while ${watchers} look at 100,000 events`, 'MB', memoryMb(served.pid)));
  closing.abort();
  return rows;
}

async function wholeList(page: Page): Promise<void> {
  const isWhole = `document.querySelector('.events .rows > div').clientHeight > ${90_000 * 26}`;
  while (!(await page.evaluate<boolean>(isWhole))) await page.waitForTimeout(20);
}

type ServedPage = { readonly url: string; readonly token: string };

/** Resolves when it has been told all that there is. */
async function watched({ url, token }: ServedPage, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}api/v1/runs/long/stream`, { headers, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let last = '';
  while (reader && !/^id: 100002$/m.test(last))
    last = last.slice(-40) + ((await reader.read()).value ?? 'id: 100002');
}

async function growing(browser: Browser): Promise<Row[]> {
  await using world = openWorld({ agent: callingAgent, model: instantModel });
  await runToEnd(world, 'live', { steps: 50 });
  await using served = await serve(world);
  await using look = await opened(browser);
  await look.page.goto(`${await served.createLink()}#/runs/live`);
  await look.page.locator('a.event').first().waitFor();
  await look.page.evaluate(noteLines);
  const writer = spawn(process.execPath, [import.meta.filename, 'write', served.file], { stdio: 'inherit' });
  await new Promise((resolve) => writer.on('exit', resolve));
  await look.page.waitForTimeout(1_000);
  const delays = await look.page.evaluate<number[]>('[...seen].map(([sent, atMs]) => atMs - Number(sent))');
  const sorted = delays.toSorted((a, b) => a - b);
  return [
    rowOf(`from append to the screen, ${1000 / everyMs} events a second`, 'ms', median(delays), {
      of: 'measured',
      atMost: 100,
    }),
    rowOf('… 95 of 100 in', 'ms', sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN),
    rowOf('… seen one by one, of 1,000', 'lines', delays.length),
  ];
}

/** The moment in which a line is in the page, by the clock that its writer looks at too. */
const noteLines = `
  window.seen = new Map();
  const note = () => {
    for (const line of document.querySelectorAll('a.event')) {
      const [, at] = /sentAtMs\\W+([0-9.]+)/.exec(line.textContent) ?? [];
      if (at && !seen.has(at)) seen.set(at, performance.timeOrigin + performance.now());
    }
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

/** In a process of its own, as a run is: a note each 10 ms. */
async function write(file: string): Promise<void> {
  const store = openSqliteStore({ file, now: Date.now });
  const ownership = await store.acquire('live', thisProcess());
  const from = (await store.get('live'))?.lastSeq ?? 0;
  const start = performance.now();
  for (let index = 0; index < appended; index += 1) {
    const wait = start + index * everyMs - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const sentAtMs = performance.timeOrigin + performance.now();
    const event: EventRow = {
      seq: from + index + 1,
      atMs: Math.round(sentAtMs),
      branch: '',
      ordinal: null,
      attempt: 0,
      kind: 'note',
      body: JSON.stringify({ kind: 'step', data: { sentAtMs }, index }),
    };
    await store.append(ownership, { events: [event], blobs: [], durable: false, ended: false });
  }
  await store.close();
}

/** A server in a process of its own over a copy of the world's store. */
async function serve(world: BenchWorld) {
  const folder = temporaryFolder();
  const home = join(folder.path, '.polya');
  mkdirSync(home);
  const file = join(home, 'polya.db');
  world.checkpoint();
  copyFileSync(world.file, file);
  const main = join(import.meta.dirname, '..', 'src', 'main.ts');
  const child = spawn(process.execPath, [main, 'view', '--no-open', '--json'], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"address":')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const page: ServedPage = JSON.parse(readFileSync(join(home, 'view.json'), 'utf8'));
  const headers = { authorization: `Bearer ${page.token}`, 'content-type': 'application/json' };
  return {
    page,
    createLink: async (): Promise<string> => {
      const response = await fetch(`${page.url}api/v1/links`, { method: 'POST', headers });
      return JSON.parse(await response.text()).link;
    },
    file,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      folder[Symbol.dispose]();
    },
  };
}

async function opened(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(300_000);
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

function memoryMb(pid: number): number {
  const [, kilobytes = Number.NaN] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function rowOf(what: string, unit: string, measured: number, aim: Aim | null = null): Row {
  return { what, unit, against: '', measured, floor: null, ratio: null, aim };
}

if (import.meta.main) {
  const [, file = ''] = process.argv.slice(2);
  await write(file);
}
