import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { coded } from '../../test/support/coded.ts';
import { UnavailableError } from '../core/errors.ts';
import { fakeClock } from './clock.ts';
import { createHttp, userAgentOf } from './http.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

async function startServer(
  answer: (received: Heard) => { status?: number; location?: string; body?: string } | null,
) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    heard.push(entry);
    const reply = answer(entry);
    if (!reply) return; // never answers
    response.writeHead(reply.status ?? 200, reply.location ? { location: reply.location } : {});
    response.end(reply.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard };
}

const identity = { tool: 'polya', version: '0.1.0', contact: 'me@example.org' };

describe('http', () => {
  test('tells who asks, sends forms and passes cookies on', async () => {
    const { url, heard } = await startServer(() => ({ body: 'hello' }));
    const http = createHttp({ identity });
    const response = await http.request({
      method: 'POST',
      url: `${url}/answer`,
      headers: { cookie: 'session=secret' },
      form: { level: '1', answer: 'ä & b' },
    });
    expect(response).toMatchObject({ status: 200, url: `${url}/answer`, body: 'hello' });
    expect(heard[0]).toMatchObject({ method: 'POST', body: 'level=1&answer=%C3%A4+%26+b' });
    expect(heard[0]?.headers['user-agent']).toBe('polya/0.1.0 (me@example.org)');
    expect(heard[0]?.headers.cookie).toBe('session=secret');
  });

  test('a redirect is a response, not a step', async () => {
    const { url, heard } = await startServer(() => ({ status: 302, location: '/login' }));
    const response = await createHttp({ identity }).request({ method: 'GET', url });
    expect(response.status).toBe(302);
    expect(response.headers.location).toBe('/login');
    expect(heard).toHaveLength(1);
  });

  test('an error status is a response', async () => {
    const { url } = await startServer(() => ({ status: 500, body: 'oh' }));
    expect(await createHttp({ identity }).request({ method: 'GET', url })).toMatchObject({
      status: 500,
      body: 'oh',
    });
  });

  test('nobody there is an UnavailableError without the cookie in it', async () => {
    const { url } = await startServer(() => ({}));
    for (const close of closers.splice(0)) close();
    const asked = createHttp({ identity }).request({
      method: 'GET',
      url,
      headers: { cookie: 'session=secret' },
    });
    const error = await asked.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(String(error)).toContain('Nothing listens there');
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });

  test('a header that cannot be sent is the caller’s defect, and is not shown', async () => {
    const { url, heard } = await startServer(() => ({}));
    const headers = { cookie: 'session=sec\nret' };
    const error = await createHttp({ identity })
      .request({ method: 'GET', url, headers })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(UnavailableError);
    expect(String(error)).not.toContain('ret');
    expect(heard).toEqual([]);
  });

  test('silence and too much are unavailable too', async () => {
    const silent = await startServer(() => null);
    const patient = createHttp({ identity, timeoutMs: 80 });
    await expect(patient.request({ method: 'GET', url: silent.url })).rejects.toThrow(
      coded('unreachable', '0.08'),
    );

    const loud = await startServer(() => ({ body: 'x'.repeat(5_000) }));
    const small = createHttp({ identity, bodyBytes: 1_000 });
    await expect(small.request({ method: 'GET', url: loud.url })).rejects.toThrow(
      coded('unreachable', '1000'),
    );
  });

  test('an abort is thrown as it was given', async () => {
    const { url } = await startServer(() => null);
    const controller = new AbortController();
    const asked = createHttp({ identity }).request({ method: 'GET', url, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
  });

  test('requests to one host are spaced, those to another are not held up', async () => {
    const { url } = await startServer(() => ({}));
    const clock = fakeClock(0);
    const http = createHttp({ identity, clock, spacingMs: (host) => (host === '127.0.0.1' ? 2_000 : 0) });
    await http.request({ method: 'GET', url });
    await http.request({ method: 'GET', url: url.replace('127.0.0.1', 'localhost') });
    expect(clock.sleptMs).toEqual([]);
    await http.request({ method: 'GET', url });
    clock.advance(500);
    await http.request({ method: 'GET', url });
    expect(clock.sleptMs).toEqual([2_000, 1_500]);
  });

  test('a name with an accent does not break the header', () => {
    expect(userAgentOf({ tool: 'polya', version: '1', contact: 'Zoé' })).toBe('polya/1 (Zo?)');
    expect(userAgentOf({ tool: 'polya', version: '1' })).toBe('polya/1');
    const home = 'https://polya.example';
    expect(userAgentOf({ tool: 'polya', version: '1', home, contact: 'me' })).toBe(
      'polya/1 (+https://polya.example; me)',
    );
  });
});
