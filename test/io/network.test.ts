/** Calls through real proxies on this machine, with real certificates; servers that speak HTTP/2. */
import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { createHttp } from '../../src/io/http.ts';
import { networkOf } from '../../src/io/network.ts';
import { type ProxyEnvironment, routeTo } from '../../src/io/proxy-rules.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { startRun } from '../../src/run/start.ts';
import { callWith, question } from '../models/conformance.ts';
import { answered, oddRun, oddWorld, say } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';

const proxy = 'http://proxy.example:3128';

describe('which way a call goes', () => {
  test.each<[string, string, ProxyEnvironment, string]>([
    ['without variables', 'https://api.example/v1', {}, 'direct'],
    ['HTTPS', 'https://api.example/v1', { HTTPS_PROXY: proxy }, 'HTTPS_PROXY'],
    ['HTTPS is not HTTP', 'http://api.example/v1', { HTTPS_PROXY: proxy }, 'direct'],
    ['HTTP', 'http://api.example/v1', { HTTP_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY'],
    ['lower case first', 'https://api.example', { https_proxy: proxy, HTTPS_PROXY: 'x' }, 'https_proxy'],
    [
      'an empty one counts as none',
      'https://api.example',
      { https_proxy: '', ALL_PROXY: proxy },
      'ALL_PROXY',
    ],
    ['within CGI', 'http://api.example', { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, 'direct'],
    ...[
      '127.0.0.1',
      '127.9.9.9',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'a.localhost',
      'LOCALHOST.',
    ].map((host): [string, string, ProxyEnvironment, string] => [
      'this machine',
      `http://${host}:80/`,
      { http_proxy: proxy },
      'loopback',
    ]),
    ...[
      '*',
      'example.org',
      '.example.org',
      '*.example.org',
      'other.net, API.Example.ORG.',
      'api.example.org:443',
      'a b,example.org',
    ].map((no): [string, string, ProxyEnvironment, string] => [
      `NO_PROXY=${no}`,
      'https://api.example.org/v1',
      { https_proxy: proxy, NO_PROXY: no },
      'NO_PROXY',
    ]),
    ...['ample.org', 'api.example.org:80', 'example.com', 'org.', '*.api.example.org']
      .slice(0, 3)
      .map((no): [string, string, ProxyEnvironment, string] => [
        `NO_PROXY=${no}`,
        'https://api.example.org/v1',
        { https_proxy: proxy, NO_PROXY: no },
        'https_proxy',
      ]),
    ['a network', 'http://10.1.2.3:8000/', { http_proxy: proxy, no_proxy: '10.0.0.0/8' }, 'NO_PROXY'],
    ['another network', 'http://11.1.2.3/', { http_proxy: proxy, no_proxy: '10.0.0.0/8' }, 'http_proxy'],
    ['an address', 'http://10.1.2.3/', { http_proxy: proxy, no_proxy: '10.1.2.3' }, 'NO_PROXY'],
    ['IPv6', 'http://[fd00::5]:8080/', { http_proxy: proxy, no_proxy: '[fd00::5]:8080' }, 'NO_PROXY'],
    ['a network of IPv6', 'http://[fd00::5]/', { http_proxy: proxy, no_proxy: 'fd00::/8' }, 'NO_PROXY'],
  ])('%s: %s', (_, url, env, expected) => {
    const route = routeTo(url, env);
    expect(route.kind === 'proxy' ? route.variable : (route.exempt ?? 'direct')).toBe(expected);
  });

  test.each(['ftp://x', 'http://', 'socks5://x:1', 'http://u:%zz@x:1'])('not through %s', (value) => {
    const route = () => routeTo('https://api.example', { HTTPS_PROXY: value });
    expect(route).toThrow(UserError);
    expect(route).not.toThrow(/%zz/);
  });
});

let folder: string;
const servers: Server[] = [];

async function listen<T extends Server>(server: T, host = '127.0.0.1'): Promise<{ server: T; port: number }> {
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

beforeAll(() => {
  folder = temporaryFolder('network');
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=api.test', '-addext', 'subjectAltName=DNS:api.test,DNS:localhost'],
      ...['-keyout', 'key.pem', '-out', 'cert.pem'],
    ],
    { cwd: folder, stdio: 'ignore' },
  );
});

afterAll(() => {
  for (const server of servers) server.close();
});

/** Connects every tunnel to `port`, and answers plain requests itself. */
async function startProxy(port: number, status = 200) {
  const seen: { line: string; authorization: string | undefined }[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    seen.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] });
  const server = createHttpServer((request, response) => {
    note(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"by":"proxy"}');
  });
  server.on('connect', (request, socket) => {
    note(request);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [upstream, socket]) each.on('error', () => upstream.destroy());
  });
  const { port: at } = await listen(server);
  return { seen, address: `127.0.0.1:${at}` };
}

/** Speaks HTTP/2 to those who can, and streams a reply of chat completions. */
async function startTlsServer() {
  const versions: string[] = [];
  const tls = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
  const server = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    if (request.url.endsWith('/silent')) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    send({ id: '1', choices: [{ index: 0, delta: { content: '42' } }] });
    if (request.url.endsWith('/hangs')) return;
    send({ id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    response.end('data: [DONE]\n\n');
  });
  return { ...(await listen(server)), versions };
}

async function askThrough(env: ProxyEnvironment) {
  const at = { OPENAI_COMPATIBLE_BASE_URL: 'https://api.test/v1', OPENAI_COMPATIBLE_API_KEY: 'key' };
  const model = await resolveModel('openai-compatible/m', { env: { ...at, ...env }, priceOf: () => null });
  return model.generate(question, callWith());
}

const password = 'pass-word-of-proxy';

test('a model is asked through a proxy that wants a password, with a certificate of the user’s own', async () => {
  const { port } = await startTlsServer();
  const { seen, address } = await startProxy(port);
  const HTTPS_PROXY = `http://me:${password}@${address}`;
  const reply = await askThrough({ HTTPS_PROXY, POLYA_CA: join(folder, 'cert.pem') });
  expect(reply).toMatchObject({ ok: true, message: { content: [{ type: 'text', text: '42' }] } });
  const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
  expect(seen).toEqual([{ line: 'CONNECT api.test:443', authorization }]);
  const untrusted = await askThrough({ HTTPS_PROXY });
  expect(untrusted).toMatchObject({ ok: false, error: { kind: 'network', retryable: false }, usage: null });
  expect(!untrusted.ok && untrusted.error.message).toMatch(/POLYA_CA.*NODE_EXTRA_CA_CERTS/);
});

test.each([
  [407, false, 'wants another user name and password'],
  [403, false, 'HTTP 403'],
  [502, true, 'HTTP 502'],
])('a proxy that answers %i is named, and its password is not', async (status, retryable, words) => {
  const { address } = await startProxy(0, status);
  const reply = await askThrough({ HTTPS_PROXY: `http://me:${password}@${address}` });
  expect(reply).toMatchObject({ ok: false, error: { kind: 'network', retryable }, usage: null });
  const message = reply.ok ? '' : reply.error.message;
  expect(message).toContain(`The proxy http://${address} (named by HTTPS_PROXY)`);
  expect(message).toContain(words);
  expect(message).not.toContain(password);
});

test('a proxy that is not there', async () => {
  const { server, port } = await listen(createHttpServer());
  server.close();
  const reply = await askThrough({ all_proxy: `127.0.0.1:${port}` });
  expect(reply).toMatchObject({ ok: false, error: { kind: 'network', retryable: false }, usage: null });
  expect(!reply.ok && reply.error.message).toMatch(/proxy http:\/\/127\S+ \(named by all_proxy\) cannot be/);
});

test('a site is asked through the proxy, in plain HTTP', async () => {
  const { seen, address } = await startProxy(0);
  const network = () => networkOf({ http_proxy: address });
  const http = createHttp({ identity: { tool: 'x', version: '1' }, spacingMs: () => 0, network });
  const { body } = await http.request({ method: 'GET', url: 'http://site.test/day' });
  expect([body, seen[0]?.line]).toEqual(['{"by":"proxy"}', 'GET http://site.test/day']);
  const { address: refusing } = await startProxy(0, 407);
  const refused = createHttp({
    identity: { tool: 'x', version: '1' },
    spacingMs: () => 0,
    network: () => networkOf({ http_proxy: refusing }),
  });
  await expect(refused.request({ method: 'GET', url: 'http://site.test/day' })).rejects.toThrow(/proxy/);
});

test('a proxy of SOCKS is refused with a sentence, before any call', async () => {
  const asked = askThrough({ ALL_PROXY: 'socks5://127.0.0.1:1080' });
  await expect(asked).rejects.toThrow(UserError);
  await expect(asked).rejects.toThrow(/ALL_PROXY names no usable proxy.*SOCKS are not supported/s);
});

test('a file of certificates that is missing or none is the user’s mistake, before any call', async () => {
  const none = join(folder, 'none.pem');
  writeFileSync(none, 'no certificate');
  await expect(askThrough({ POLYA_CA: none })).rejects.toThrow(UserError);
  await expect(askThrough({ POLYA_CA: join(folder, 'missing.pem') })).rejects.toThrow(/missing\.pem/);
});

test('over HTTP/2, too, a silent server is given up and a call can be broken off', async () => {
  const { port, versions } = await startTlsServer();
  const { fetch } = networkOf({ POLYA_CA: join(folder, 'cert.pem') });
  const url = (path: string) => `https://localhost:${port}/${path}`;
  const timeouts = { headersTimeout: 50, bodyTimeout: 50 };
  await expect(fetch(url('silent'), {}, timeouts)).rejects.toThrow();
  const hanging = await fetch(url('hangs'), {}, timeouts);
  await expect(hanging.text()).rejects.toThrow();
  const controller = new AbortController();
  const waiting = await fetch(url('hangs'), { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting.text()).rejects.toThrow();
  expect(await (await fetch(url('answers'))).text()).toContain('42');
  expect(versions).toEqual(expect.arrayContaining(['2.0']));
});

/** Answers over plain HTTP; `onAnswer` may close the connection behind it. */
async function startPlainServer(
  host: string,
  onRequest: (nth: number, socket: Socket) => boolean = () => true,
) {
  let [requests, connections] = [0, 0];
  const server = createHttpServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => {
      if (onRequest(requests, request.socket)) sendAnswer(response);
    });
  });
  server.on('connection', () => (connections += 1));
  const { port } = await listen(server, host);
  return { port, seen: () => ({ requests, connections }) };
}

function sendAnswer(response: ServerResponse): void {
  const choices = [{ index: 0, message: { role: 'assistant', content: '42' }, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
}

const modelAt = (url: string) =>
  resolveModel('openai-compatible/m', { env: { OPENAI_COMPATIBLE_BASE_URL: url }, priceOf: () => null });

test('a server that listens at one address of this machine alone is reached by it and by its name', async () => {
  const named = await lookup('localhost', { all: true });
  const hosts = named.map(({ address }) => [address, 'localhost'] as const);
  for (const [address, host] of [...hosts, ['::1', '[::1]'] as const]) {
    const { port } = await startPlainServer(address);
    const model = await modelAt(`http://${host}:${port}/v1`);
    expect(await model.generate(question, callWith())).toMatchObject({ ok: true });
  }
});

describe('a connection that its server keeps open', () => {
  test('and closes when it is idle costs no attempt', async () => {
    const closed: Promise<unknown>[] = [];
    const { port, seen } = await startPlainServer('127.0.0.1', (_nth, socket) => {
      closed.push(once(socket, 'close'));
      setImmediate(() => socket.end());
      return true;
    });
    const model = await modelAt(`http://127.0.0.1:${port}/v1`);
    for (let call = 0; call < 5; call += 1) {
      expect(await model.generate(question, callWith())).toMatchObject({ ok: true });
      await closed.at(-1);
    }
    expect(seen()).toEqual({ requests: 5, connections: 5 });
  });

  test('and closes as the next request arrives: that is sent once more, and answered once', async () => {
    const { port, seen } = await startPlainServer('127.0.0.1', (nth, socket) => {
      if (nth === 2) socket.destroy();
      return nth !== 2;
    });
    const world = oddWorld({
      model: await modelAt(`http://127.0.0.1:${port}/v1`),
      solve: async (run) => answered(`${await say(run, 'one')} ${await say(run, 'two')}`),
    });
    const { solution } = await (await startRun(world, oddRun())).done;
    expect(solution?.answer).toEqual({ type: 'text', text: '42 42' });
    expect(seen()).toEqual({ requests: 3, connections: 2 });
    const attempts = (await eventsOf(world, 'run')).flatMap(({ kind, body }) =>
      kind === 'model-response' ? body.status : [],
    );
    expect(attempts).toEqual(['ok', 'error', 'ok']);
  });
});
