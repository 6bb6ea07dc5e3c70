/** The routes of the page over real HTTP, on runs of the practice site. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunItem } from '../../src/notes/page-items.ts';
import type { RunCounts, RunList } from '../../src/notes/run-list.ts';
import { openJournals } from '../../src/open/journals.ts';
import { servePage } from '../../src/server/server.ts';
import { day1, newPlace, type Place, polya, solvingScript } from '../cli/shell.ts';
import { until } from '../support/until.ts';

const opened: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of opened) await close();
});

async function served(place: Place, { isReadOnly = false } = {}) {
  const journals = openJournals({ folder: place.folder, env: place.env, create: true });
  const page = join(place.folder, 'page');
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Polya</title>');
  const { url, token, createLink, close } = await servePage({ polya: journals, page, isReadOnly });
  opened.push(async () => {
    await close();
    await journals.close();
  });
  const call = (path: string, { headers, ...init }: RequestInit = {}) =>
    fetch(`${url}api/v1/${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
  const post = (path: string, body: unknown, headers = {}) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return { url, createLink, token, call, post, close };
}

/** What a browser that opens the link keeps. */
async function cookieOf(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' });
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function withRun(place = newPlace()) {
  const { out } = await polya(place, [...day1, '--model', solvingScript(place), '--json']);
  const { id, events }: { id: string; events: number } = JSON.parse(out);
  return { place, id, events };
}

/** The events of a stream, until one of them is what is waited for. */
async function streamed(
  response: Response,
  isLast: (event: Streamed) => boolean,
): Promise<readonly Streamed[]> {
  const found: Streamed[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const at = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
      const event = { name: at('event'), id: at('id'), data: JSON.parse(at('data') || 'null') };
      found.push(event);
      if (isLast(event)) return found;
    }
  }
  return found;
}
type Streamed = {
  readonly name: string;
  readonly id: string;
  readonly data: { readonly [key: string]: unknown };
};

const hasEnded = (counts: unknown): boolean => {
  const { runs, running, unread } = (counts ?? {}) as Partial<RunCounts>;
  return runs === 1 && running === 0 && unread === 0;
};

describe('who may look', () => {
  test('only those who have the token, which becomes a cookie and leaves the address', async () => {
    const { url, createLink, token, call } = await served(newPlace());
    expect((await fetch(`${url}api/v1/runs`)).status).toBe(401);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}?token=wrong`)).status).toBe(401);
    // The token of scripts is no link.
    expect((await fetch(`${url}?token=${token}`)).status).toBe(401);
    const first = await fetch(createLink(), { redirect: 'manual' });
    expect(first.status).toBe(302);
    const own = first.headers.get('location') ?? '';
    expect(own).toBe(new URL(url).pathname);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    // Cookies know no ports: at any other path, the browser would send it to every server of this machine.
    expect(cookie).toContain(`Path=${own}`);
    const away = await fetch(`${new URL(url).origin}//evil.example/${new URL(createLink()).search}`, {
      redirect: 'manual',
    });
    expect(away.headers.get('location')?.startsWith(own)).toBe(true);
    const shown = await fetch(new URL(own, url), { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await call('runs')).status).toBe(200);
  });

  test('a link opens one browser, whose cookie is a secret of its own', async () => {
    const { url, createLink, token } = await served(newPlace());
    const link = createLink();
    // What is loaded ahead, or asked for without a body, uses nothing up.
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(401);
    for (const ahead of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
    ])
      expect((await fetch(link, { headers: ahead })).status).toBe(503);
    const cookie = await cookieOf(link);
    expect(cookie).toMatch(/^polya-\d+=[0-9a-f]{32}$/);
    expect(cookie).not.toContain(token);
    expect(cookie).not.toContain(new URL(link).searchParams.get('token'));
    const again = await fetch(link, { headers: { accept: 'text/html' } });
    expect(again.status).toBe(401);
    expect(await again.text()).toBe(
      'This link was used already, or is not of this page: each link works once. `polya view` in the same folder prints a new one.',
    );
    // The browser that has been there opens it again, and reloads.
    for (const address of [link, url])
      expect((await fetch(address, { headers: { cookie } })).status).toBe(200);
    const [, secret = ''] = cookie.split('=');
    expect((await fetch(`${url}?token=${secret}`)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401);
    expect((await fetch(url, { headers: { cookie: cookie.replace(secret, token) } })).status).toBe(401);
  });

  test('of browsers and of links not yet used, the newest hundred', async () => {
    const { url, createLink } = await served(newPlace());
    const forgotten = createLink();
    const cookies: string[] = [];
    for (let count = 0; count < 101; count += 1) cookies.push(await cookieOf(createLink()));
    for (let count = 0; count < 100; count += 1) createLink();
    expect((await fetch(forgotten)).status).toBe(401);
    const statusOf = async (cookie = '') => (await fetch(url, { headers: { cookie } })).status;
    expect([await statusOf(cookies[0]), await statusOf(cookies[1])]).toEqual([401, 200]);
  });

  test('no other host, origin or method, and no form of another site', async () => {
    const { url, call, post, token } = await served(newPlace());
    const { port } = new URL(url);
    expect((await call('runs', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await call('runs', { headers: { origin: `http://127.0.0.1:${port}` } })).status).toBe(200);
    // Of fetch, the host cannot be chosen.
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', authorization: `Bearer ${token}` };
      const asked = request({ port, path: '/api/v1/runs', headers }, (answer) => resolve(answer.statusCode));
      asked.on('error', reject).end();
    });
    expect(status).toBe(403);
    expect((await call('runs', { method: 'DELETE' })).status).toBe(405);
    expect((await post('runs/x/stop', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('no file outside of the page', async () => {
    const { url, token } = await served(newPlace());
    for (const path of ['..%2f..%2fpolya.db', '..', '%2e%2e/x', 'index.html/../../x', '.%00']) {
      const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect([200, 404]).toContain(response.status);
      if (response.status === 200) expect(await response.text()).toContain('<title>Polya</title>');
    }
  });
});

describe('what is told', () => {
  test('runs, their totals and their events, and one of these whole', async () => {
    const { place, id, events } = await withRun();
    const { call } = await served(place);
    const { runs } = (await (await call('runs')).json()) as { runs: readonly RunItem[] };
    expect(runs).toMatchObject([{ id, state: 'ended', outcome: 'solved', free: 'free (script)' }]);
    const run = await (await call(`runs/${id}`)).json();
    expect(run).toMatchObject({ id, outcome: 'solved', item: { id, modelCalls: expect.any(Number) } });
    const lines = (await (await call(`runs/${id}/events?after=3&limit=4`)).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([4, 5, 6, 7]);
    const all = (await (await call(`runs/${id}/events`)).text()).trim().split('\n');
    expect(all).toHaveLength(events);
    const request = all.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'model-request');
    const whole = await (await call(`runs/${id}/events/${request.seq}`)).json();
    expect(whole).toMatchObject({
      kind: 'model-request',
      body: { role: 'solver', messages: expect.any(Array) },
    });
    for (const path of ['runs/none', 'runs/none/events', `runs/${id}/events/99999`, 'runs/none/stream'])
      expect((await call(path)).status).toBe(404);
  });

  test('a stream goes on after the event that its reader has, nothing lost and nothing twice', async () => {
    const { place, id, events } = await withRun();
    const { call } = await served(place);
    const isRun = ({ name }: Streamed) => name === 'run';
    const first = await streamed(await call(`runs/${id}/stream`), isRun);
    const numbers = first.filter(({ name }) => name === 'event').map((event) => Number(event.id));
    expect(numbers).toEqual(Array.from({ length: events }, (_, index) => index + 1));
    const later = await call(`runs/${id}/stream`, { headers: { 'last-event-id': String(events - 3) } });
    const rest = (await streamed(later, isRun)).filter(({ name }) => name === 'event');
    expect(rest.map((event) => Number(event.id))).toEqual([events - 2, events - 1, events]);
  });

  test('a fork streams its shared beginning and goes on after it', async () => {
    const { place, id } = await withRun();
    const { out } = await polya(place, ['runs', 'fork', id, '--at', '5', '--json']);
    const fork: { id: string; events: number } = JSON.parse(out);
    const { call } = await served(place);
    const isRun = ({ name }: Streamed) => name === 'run';
    const all = (await streamed(await call(`runs/${fork.id}/stream`), isRun)).filter(
      ({ name }) => name === 'event',
    );
    expect(all.map((event) => Number(event.id))).toEqual(all.map((_, index) => index + 1));
    const late = await call(`runs/${fork.id}/stream?after=${all.length - 1}`);
    expect((await streamed(late, isRun)).filter(({ name }) => name === 'event')).toHaveLength(1);
  });

  test('the list tells a run that begins while somebody looks', async () => {
    const place = newPlace();
    const { call } = await served(place);
    const seen = streamed(await call('runs/stream'), ({ data }) => hasEnded(data?.counts));
    const { id } = await withRun(place);
    await seen;
    const { counts, totals, runs }: RunList = JSON.parse(await (await call('runs')).text());
    expect(counts).toEqual({ runs: 1, running: 0, waiting: 0, unread: 0 });
    expect(totals).toMatchObject({ runs: 1, unread: 0, states: { solved: 1 } });
    expect(runs).toMatchObject([{ id, state: 'ended', outcome: 'solved', now: expect.stringMatching(/./) }]);
    // A run sums up at its end what its journal adds up to.
    const { totals: spent } = JSON.parse(await (await call(`runs/${id}`)).text());
    expect(runs[0]).toMatchObject({
      modelCalls: spent.modelCalls,
      tokens: spent.tokens,
      costUsd: spent.costUsd,
    });
  });

  test('of a damaged journal, what is whole', async () => {
    const { place, id } = await withRun();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
    database.exec('UPDATE events SET body = substr(body, 1, 9) WHERE seq = 9');
    database.close();
    const { call } = await served(place);
    expect(await (await call(`runs/${id}`)).json()).toMatchObject({ damage: { seq: 9 } });
    expect((await (await call(`runs/${id}/events`)).text()).trim().split('\n')).toHaveLength(8);
  });

  test('looking changes nothing', async () => {
    const { place, id } = await withRun();
    const before = (await polya(place, ['runs', 'show', id, '--json', '--full'])).out;
    const { call } = await served(place);
    await (await call('runs')).text();
    await (await call(`runs/${id}/events`)).text();
    expect((await polya(place, ['runs', 'show', id, '--json', '--full'])).out).toBe(before);
  });
});

describe('what can be done', () => {
  test('a run that has ended is told nothing, and not stopped', async () => {
    const { place, id } = await withRun();
    const { post } = await served(place);
    for (const [act, text] of [
      ['stop', ''],
      ['tell', 'Mind the edges.'],
      ['answer', '5'],
      ['tell', ' '],
    ] as const) {
      const response = await post(`runs/${id}/${act}`, { text });
      expect(response.status).toBe(409);
      expect(await response.json()).toEqual({ error: expect.stringMatching(/\.$/) });
    }
    expect((await post(`runs/${id}/delete`, {})).status).toBe(404);
    expect((await post('runs/none/stop', {})).status).toBe(404);
  });

  test('nothing, where the server was told to show only', async () => {
    const { place, id } = await withRun();
    const { post } = await served(place, { isReadOnly: true });
    expect((await post(`runs/${id}/tell`, { text: 'x' })).status).toBe(403);
  });
});

describe('polya view', () => {
  test('prints a link that works, and a second one prints another to the same page', async () => {
    const { place, id } = await withRun();
    let address = '';
    let stop = (): void => undefined;
    const ended = polya(place, ['view', 'last', '--no-open', '--json'], {
      onWrite: (text, interrupt) => {
        stop = interrupt;
        const [, found] = /"address": "([^"]+)"/.exec(text) ?? [];
        address ||= found ?? '';
      },
    });
    await until(() => address);
    expect(address).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{12}/\\?token=[0-9a-f]{32}#/runs/${id}$`),
    );
    const kept = join(place.folder, '.polya', 'view.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const second = await polya(place, ['view', 'last', '--json']);
    expect(second).toMatchObject({ code: 0 });
    const { origin, port } = new URL(address);
    const third = await polya(place, ['view', 'last', '--port', port, '--json']);
    const links = [address, ...[second, third].map(({ out }) => JSON.parse(out).address)];
    expect(new Set(links).size).toBe(3);
    for (const link of links) {
      const cookie = await cookieOf(link);
      for (const file of ['', 'page.js', 'page.css'])
        expect((await fetch(`${origin}/${file}`, { headers: { cookie } })).status).toBe(200);
    }
    expect(readFileSync(kept, 'utf8')).toContain(origin);
    stop();
    expect(await ended).toMatchObject({ code: 0 });
    expect(existsSync(kept)).toBe(false);
  });

  test('of a run that is not there begins nothing', async () => {
    const { place } = await withRun();
    expect(await polya(place, ['view', 'nosuch'])).toMatchObject({ code: 2 });
  });
});

describe('--view', () => {
  test('shows a run while it goes and afterwards, until its user ends it; its exit code stays', async () => {
    const place = newPlace();
    let told = '';
    let stop = (): void => undefined;
    const ended = polya(place, [...day1, '--model', solvingScript(place), '--json', '--view'], {
      onWrite: (text, interrupt) => {
        told += text;
        stop = interrupt;
      },
    });
    await until(() => told.includes('The page stays at its address'));
    const [, address = ''] = /The page is at (\S+)/.exec(told) ?? [];
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(302);
    // A second command beside it names the same page, and ends with its run.
    const script = join(place.folder, 'said.yaml');
    writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '4' }] } } }));
    const second = await polya(place, ['ask', 'Two and two?', '--model', `scripted:${script}`, '--view']);
    expect(second.err).toContain(new URL(address).origin);
    expect(second.code).toBe(0);
    stop();
    expect(await ended).toMatchObject({ code: 0 });
    expect(JSON.parse((await ended).out)).toMatchObject({ outcome: 'solved' });
    await expect(fetch(address)).rejects.toThrow();
  });

  test.each([
    ...['ask', 'run', 'run-set run', 'run-set resume', 'runs resume', 'runs fork', 'demo'],
    ...['aoc run', 'ahc solve', 'arc run', 'qa run', 'qa ask', 'proof solve'],
  ])('%s takes it', async (command) => {
    expect((await polya(newPlace(), [...command.split(' '), '--help'])).out).toContain('--view, ');
  });
});

describe('what goes wrong in the server', () => {
  test('is JSON without a stack, for any address, method and size', async () => {
    const { place, id } = await withRun();
    const { call, post, url, token } = await served(place);
    expect((await post(`runs/${id}/tell`, { text: 'x'.repeat(2 ** 21) })).status).toBe(413);
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
    database.exec("INSERT INTO run_sets (id, created_at, plan, epoch) VALUES ('broken', 1, '{}', 1)");
    database.close();
    const nowhere = await fetch(`${url}api/v1/nowhere/at/all`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(nowhere.status).toBe(404);
    const broken = await call('sets');
    expect(broken.status).toBe(500);
    for (const response of [nowhere, broken]) {
      const { error, ...more }: { error: string } = JSON.parse(await response.text());
      expect(error).toMatch(/\.$/);
      expect(error).not.toMatch(/ at .*\.ts|node_modules|SQLITE/);
      expect(more).toEqual({});
    }
  });

  test('its end is told to those who listen', async () => {
    const { place } = await withRun();
    const { call, close } = await served(place);
    const told = streamed(await call('runs/stream'), ({ name }) => name === 'end');
    const list = streamed(await call('runs/stream'), ({ name }) => name === 'changed');
    await list;
    await close();
    expect((await told).at(-1)).toMatchObject({ name: 'end' });
  });
});
