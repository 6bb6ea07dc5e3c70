/** Servers of our own, sent more than they take, or a byte now and then; and a provider that trickles. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as netServer, Server } from 'node:net';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openReplyServer } from '../../src/models/manual/server.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startAtCoder } from '../../src/practice/atcoder/site.ts';
import { startPracticeSite } from '../../src/practice/site.ts';
import { servePage } from '../../src/server/server.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typed } from '../support/typed.ts';

type Asked = { readonly url: string; readonly headers?: Record<string, string> };

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});
afterEach(() => void vi.restoreAllMocks());

const never = new AbortController();
const servers: Readonly<Record<string, () => Promise<Asked>>> = {
  'the page of polya view': async () => {
    const journals = openJournals({ ...newPlace(), create: true });
    const { url, token, close } = await servePage({ polya: journals, page: temporaryFolder('page') });
    closers.push(close, () => journals.close());
    return { url: `${url}api/v1/runs/x/tell`, headers: { authorization: `Bearer ${token}` } };
  },
  'the page of a person who answers': async () => {
    const { url, ask, close } = await openReplyServer(0);
    closers.push(() => never.abort(), close);
    const call = { role: 'solver', branch: '', index: 1, attempt: 0, signal: never.signal };
    ask({ request: { messages: [] }, call } as never).catch(() => null);
    const [, id] = /"id":"([^"]+)"/.exec(await (await fetch(`${url}waiting`)).text()) ?? [];
    return { url: `${url}waiting/${id}` };
  },
  'the practice site': async () => {
    const site = await startPracticeSite({ stateFolder: temporaryFolder('site'), cooldownMs: 0 });
    closers.push(site.close);
    const headers = {
      cookie: `session=${site.sessionFor('x')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    return { url: `${site.url}/2000/day/1/answer`, headers };
  },
  'the server of models': async () => {
    const { url, close } = await startModelServer({ model: null as never });
    closers.push(close);
    return { url: `${url}/v1/chat/completions` };
  },
};

/** Sends a body without end until it is answered or broken off: the status, null where none came, and how much was sent. */
async function pour({ url, headers }: Asked, more: Record<string, string>) {
  const asked = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
  });
  const chunk = Buffer.alloc(2 ** 20, ' ');
  let status: number | null = null;
  let sent = 0;
  const ended = new Promise<void>((resolve) => {
    asked.on('response', (response) => {
      status = response.statusCode ?? null;
      response.resume();
      resolve();
    });
    asked.on('error', () => resolve());
    asked.on('close', () => resolve());
  });
  const write = () => {
    while (status === null && !asked.destroyed && sent < 256) {
      sent += 1;
      if (!asked.write(chunk)) return void asked.once('drain', write);
    }
  };
  write();
  await ended;
  asked.destroy();
  return { status, sent };
}

describe.each(Object.entries(servers))('%s', (_name, start) => {
  test('refuses a body that is too large, and does not take it in', async () => {
    const asked = await start();
    const forms: readonly Record<string, string>[] = [
      { 'content-length': String(2 ** 40) },
      { 'transfer-encoding': 'chunked' },
    ];
    for (const more of forms) {
      const before = process.memoryUsage().arrayBuffers;
      const { status, sent } = await pour(asked, more);
      // Whose connection is closed while he still sends may be told of that alone: the answer is lost on its way.
      expect([413, null]).toContain(status);
      expect(sent).toBeLessThan(100);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * 2 ** 20);
    }
  });
});

test.each(Object.entries(servers))(
  '%s: who waits with his body is told that it is too large',
  async (_name, start) => {
    const { url, headers } = await start();
    const asked = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, 'content-length': String(2 ** 40) },
    });
    asked.flushHeaders();
    const [response] = await once(asked, 'response');
    expect(response.statusCode).toBe(413);
    asked.on('error', () => undefined).destroy();
  },
);

test('every server of ours ends a request that comes too slowly', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  for (const start of Object.values(servers)) await start();
  closers.push((await startAtCoder()).close);
  const started = listen.mock.contexts as unknown as { requestTimeout: number; headersTimeout: number }[];
  expect(started.length).toBe(Object.keys(servers).length + 1);
  for (const { requestTimeout, headersTimeout } of started) {
    expect(requestTimeout).toBeGreaterThan(0);
    expect(requestTimeout).toBeLessThanOrEqual(300_000);
    expect(headersTimeout).toBeLessThanOrEqual(60_000);
  }
});

describe('a provider that trickles', () => {
  const trickles: Readonly<Record<string, (number: number) => string>> = {
    'words without end': (number) =>
      `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: `${number} ` } }] })}\n\n`,
    'comments without end': () => ': still there\n\n',
    'one line without end': (number) => (number === 0 ? 'data: {"id":"' : 'x'),
  };

  test.each(Object.entries(trickles))(
    '%s: the limit of time ends the run, and its connection',
    async (_name, piece) => {
      const gone: Promise<unknown>[] = [];
      const server = createServer((asked, response) => {
        asked.resume();
        gone.push(once(response, 'close'));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        let number = 0;
        const timer = setInterval(() => response.write(piece(number++)), 10);
        response.on('close', () => clearInterval(timer));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const { folder, env } = newPlace();
      const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
      const here = {
        folder,
        env: { ...env, OPENAI_COMPATIBLE_BASE_URL: base, OPENAI_COMPATIBLE_API_KEY: 'none' },
      };
      const { code, out } = await polya(
        here,
        typed`ask x --model openai-compatible/any --max-minutes 0.02 --json`,
      );
      expect([code, JSON.parse(out)]).toMatchObject([1, { outcome: 'limit' }]);
      expect(gone.length).toBeGreaterThan(0);
      await Promise.all(gone);
      server.close();
    },
  );

  test('a site that trickles its headers is given up', async () => {
    // Never a whole line: what waits for the end of the head waits for nothing.
    const server = netServer((socket) => {
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const { createHttp } = await import('../../src/io/http.ts');
    const http = createHttp({ identity: { tool: 'x', version: '1' }, spacingMs: () => 0, timeoutMs: 300 });
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    await expect(http.request({ method: 'GET', url })).rejects.toThrow();
    server.close();
  });
});
