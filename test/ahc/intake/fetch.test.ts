/** Downloads over real HTTP: busy, cut and strange sites, redirects, and who is shown the cookie. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { allowedUrl, atCoder, fetchFrom, siteAt, type Wanted } from '../../../src/apps/ahc/intake/fetch.ts';
import { fakeClock } from '../../../src/io/clock.ts';
import { openFolder } from '../../../src/io/folder.ts';
import { createHttp } from '../../../src/io/http.ts';
import { coded } from '../../support/coded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const closers: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

type Answer = (request: IncomingMessage, response: ServerResponse, times: number) => void;

async function desk(answer: Answer, { session = null as string | null, twin = false } = {}) {
  const asked: { url: string; cookie: string | undefined; range: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', cookie: request.headers.cookie, range: request.headers.range });
    answer(request, response, asked.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = temporaryFolder('fetch');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const clock = fakeClock(0);
  const progress: string[] = [];
  const cache = openFolder(folder);
  const site = { origin, origins: twin ? [origin, `http://localhost:${port}`] : [origin] };
  const get = fetchFrom(site, {
    http: createHttp({ identity: { tool: 'polya-test', version: '0' }, clock, timeoutMs: 60_000 }),
    clock,
    cache,
    session: () => session,
    sessionFile: '/home/me/atcoder-session',
    onProgress: (line) => progress.push(line),
  });
  const obtain = async (wanted: Partial<Wanted> & { url: string }) => {
    const bytes = await get({ kind: 'file', noun: 'the tools', ...wanted }, new AbortController().signal);
    return bytes && Buffer.from(bytes).toString();
  };
  return { obtain, asked, clock, origin, progress, cache, port };
}

const ok = (response: ServerResponse, body: string) => response.end(body);

describe('a file', () => {
  test('is asked for once, by whoever asks again', async () => {
    const { obtain, asked } = await desk((_, response) => ok(response, 'content'));
    expect(await obtain({ url: '/a.zip' })).toBe('content');
    expect(await obtain({ url: '/a.zip' })).toBe('content');
    expect(asked).toHaveLength(1);
    await obtain({ url: '/a.zip', isFresh: true });
    await obtain({ url: '/b.zip', isKept: () => false });
    await obtain({ url: '/b.zip' });
    expect(asked.map(({ url }) => url)).toEqual(['/a.zip', '/a.zip', '/b.zip', '/b.zip']);
  });

  test('that is not there is null', async () => {
    const { obtain } = await desk((_, response) => response.writeHead(404).end());
    expect(await obtain({ url: '/a.zip' })).toBeNull();
  });

  test('of a busy site is asked for again, when that says', async () => {
    const { obtain, clock } = await desk((_, response, times) => {
      if (times === 1) response.writeHead(503, { 'retry-after': '7' }).end();
      else if (times === 2) response.writeHead(429).end();
      else if (times === 3) response.writeHead(429, { 'retry-after': new Date(20_000).toUTCString() }).end();
      else ok(response, 'at last');
    });
    expect(await obtain({ url: '/a.zip' })).toBe('at last');
    expect(clock.sleptMs).toEqual([7_000, 2_000, 11_000]);
  });

  test('is given up after five tries, with the reason', async () => {
    const { obtain, asked } = await desk((_, response) => response.writeHead(500).end());
    await expect(obtain({ url: '/a.zip' })).rejects.toThrow(
      /could not be fetched .* in 5 tries\. .*is busy \(500\)\..*goes on where it was/,
    );
    expect(asked).toHaveLength(5);
  });

  const content = 'x'.repeat(40_000) + 'y'.repeat(40_000);
  const inPieces: Answer = (request, response, times) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const head = {
      'content-length': content.length - from,
      'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
    };
    response.writeHead(from > 0 ? 206 : 200, head);
    if (times < 4)
      response.write(content.slice(from, from + 20_000), () => setTimeout(() => response.destroy(), 20));
    else response.end(content.slice(from));
  };

  test('that is cut is asked for again', async () => {
    const { obtain, asked } = await desk(inPieces);
    expect(await obtain({ url: '/a.zip' })).toBe(content);
    expect(asked).toHaveLength(4);
  });

  test('whose place a page has taken is asked for again, and never kept', async () => {
    const { obtain, asked } = await desk((_, response, times) => ok(response, times === 1 ? '<html>' : 'PK'));
    const faultOf = (bytes: Uint8Array) => (bytes[0] === 0x50 ? null : 'No archive.');
    expect(await obtain({ url: '/a.zip', faultOf })).toBe('PK');
    expect(asked).toHaveLength(2);
  });

  test('that is refused or too large is no matter of trying again', async () => {
    const refused = await desk((_, response) => response.writeHead(403).end());
    await expect(refused.obtain({ url: '/a.zip' })).rejects.toThrow(coded('download-refused', '403'));
    expect(refused.asked).toHaveLength(1);
    const large = await desk((_, response) => ok(response, 'x'.repeat(9 * 1024 * 1024)));
    await expect(large.obtain({ url: '/a', kind: 'page' })).rejects.toThrow(coded('too-much', '8388608'));
    expect(large.asked).toHaveLength(1);
  });

  test('of nobody is told as what it is', async () => {
    const { obtain } = await desk((request) => request.socket.destroy());
    await expect(obtain({ url: '/a.zip' })).rejects.toThrow(coded('download-failed'));
  });
});

describe('a redirect', () => {
  const to =
    (location: string): Answer =>
    (request, response) =>
      request.url === '/end' ? ok(response, 'end') : response.writeHead(302, { location }).end();

  test('is followed on the site', async () => {
    const { obtain } = await desk(to('/end'));
    expect(await obtain({ url: '/a' })).toBe('end');
  });

  test.each([
    'https://evil.example/x.zip',
    'http://localhost:1/x',
    'file:///etc/passwd',
    'http://me:pw@127.0.0.1/x',
    '',
  ])('to %j is not', async (location) => {
    const { obtain, asked } = await desk(to(location));
    const answer = obtain({ url: '/a' });
    if (location === '') await expect(answer).rejects.toThrow();
    else await expect(answer).rejects.toThrow(coded('other-site'));
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  test('without end has one', async () => {
    const { obtain, asked } = await desk(to('/again'));
    await expect(obtain({ url: '/a' })).rejects.toThrow(coded('too-many-redirects'));
    expect(asked).toHaveLength(6);
  });
});

describe('the cookie', () => {
  const loggingIn: Answer = (request, response) => {
    if (request.headers.cookie === 'REVEL_SESSION=hush') ok(response, 'inside');
    else response.writeHead(302, { location: '/login?continue=x' }).end();
  };

  test('is sent where a page asks for it, and not before', async () => {
    const { obtain, asked } = await desk(loggingIn, { session: 'hush' });
    expect(await obtain({ url: '/page', kind: 'page' })).toBe('inside');
    expect(asked.map(({ cookie }) => cookie)).toEqual([undefined, 'REVEL_SESSION=hush']);
  });

  test('is never sent for a file', async () => {
    const { obtain, asked } = await desk(loggingIn, { session: 'hush' });
    await expect(obtain({ url: '/a.zip' })).rejects.toThrow(coded('login-required'));
    expect(asked.map(({ cookie }) => cookie)).toEqual([undefined]);
  });

  test('stays behind when a page leads to the host of files', async () => {
    const { obtain, asked } = await desk(
      (request, response) => {
        if (request.headers.host?.startsWith('localhost')) return ok(response, 'elsewhere');
        if (!request.headers.cookie) return response.writeHead(302, { location: '/login' }).end();
        return response
          .writeHead(302, { location: `http://localhost:${request.socket.localPort}/file` })
          .end();
      },
      { session: 'hush', twin: true },
    );
    expect(await obtain({ url: '/page', kind: 'page' })).toBe('elsewhere');
    expect(asked.map(({ cookie }) => cookie)).toEqual([undefined, 'REVEL_SESSION=hush', undefined]);
  });

  test.each([
    [null, 'There is no session cookie.'],
    ['stale', 'it may have expired'],
    ['two\nlines', 'characters that no cookie may hold'],
  ])('%j is told without being shown', async (session, why) => {
    const { obtain, progress } = await desk(loggingIn, { session });
    const error = await obtain({ url: '/page', kind: 'page' }).catch((caught: unknown) => caught);
    expect(String(error)).toContain(why);
    expect(String(error) + JSON.stringify(error) + progress.join()).not.toMatch(/stale|two/);
  });
});

describe('a site', () => {
  test('is asked over HTTPS, or is a test on this machine', () => {
    expect(siteAt('https://atcoder.jp/contests')).toBe(atCoder);
    expect(siteAt('http://127.0.0.1:8080').origins).toEqual(['http://127.0.0.1:8080']);
    expect(siteAt('http://[::1]:80/').origin).toBe('http://[::1]');
    expect(siteAt('https://mirror.example').origins).toEqual(['https://mirror.example']);
    for (const plain of ['http://atcoder.jp', 'http://127.0.0.1.evil.example', 'http://10.0.0.1'])
      expect(() => siteAt(plain)).toThrow(coded('plain-http-refused'));
    for (const none of ['', 'atcoder', 'ftp://127.0.0.1', 'http://a@127.0.0.1'])
      expect(() => siteAt(none)).toThrow(coded('address-invalid'));
  });

  test('has files on its own hosts alone', () => {
    const allowed = (url: string) => allowedUrl(atCoder, url)?.href ?? null;
    expect(allowed('//img.atcoder.jp/a.zip')).toBe('https://img.atcoder.jp/a.zip');
    expect(allowed('/contests/x')).toBe('https://atcoder.jp/contests/x');
    for (const other of [
      'http://img.atcoder.jp/a.zip',
      'https://atcoder.jp.evil.example/',
      'https://evil@atcoder.jp/',
      'https://atcoder.jp:8443/',
      'https://x.atcoder.jp/',
    ])
      expect(allowed(other)).toBeNull();
  });
});
