/** Servers on this machine: found where they are and by what only they say; Ollama asked before the first call. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { resolveModel } from '../../src/models/catalogue.ts';
import { describeProviders, findLocalServers } from '../../src/models/describe.ts';
import { coded } from '../support/coded.ts';

type Answers = Readonly<Record<string, readonly [status: number, body: string]>>;

/** By route; what is not there is a 404 without a word. `slowMs` is how long it thinks before its first answer. */
async function serve(answers: Answers, slowMs = 0) {
  let left = slowMs;
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, ''];
    const waitMs = left;
    left = 0;
    request.resume().on('end', () => setTimeout(() => response.writeHead(status).end(body), waitMs));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/v1`, [Symbol.asyncDispose]: close };
}

test.each([
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:8000', 'http://127.0.0.1:8000/v1'],
  ['box', 'http://box:11434/v1'],
  ['http://box', 'http://box:11434/v1'],
  ['http://box:1/v1/', 'http://box:1/v1'],
  ['https://ollama.example', 'https://ollama.example/v1'],
  ['box/at/all/', 'http://box:11434/at/all/v1'],
])('OLLAMA_HOST=%s is %s', (host, url) => {
  const found = describeProviders({ OLLAMA_HOST: host }).find(({ name }) => name === 'ollama');
  expect(found?.baseUrl).toBe(url);
});

it('what OLLAMA_HOST holds and is no host is told', async () => {
  for (const host of ['http://', 'ftp://box', 'me:secret@box', 'box?x=1']) {
    const error = await resolveModel('ollama/m', { env: { OLLAMA_HOST: host }, priceOf: () => null }).catch(
      ({ message }) => message,
    );
    expect(error, host).toContain('The variable OLLAMA_HOST is no usable address');
    expect(error).not.toContain('secret');
  }
});

describe('Ollama says of a model', () => {
  const sees = async (answers: Answers) => {
    await using server = await serve(answers);
    const model = await resolveModel('ollama/m', { env: { OLLAMA_HOST: server.host }, priceOf: () => null });
    return model.takes.images;
  };
  it.each<[string, readonly [number, string], boolean]>([
    ['that it sees', [200, '{"capabilities":["completion","vision"]}'], true],
    ['that it does not', [200, '{"capabilities":["completion"]}'], false],
    ['nothing, as older ones do: its server will', [200, '{}'], true],
    ['what nobody can read', [200, 'not json'], true],
    ['of another form', [200, '{"capabilities":"vision"}'], true],
    ['that it is in trouble', [500, '{"error":"no memory"}'], true],
  ])('%s', async (_name, answer, images) => {
    expect(await sees({ '/api/show': answer })).toBe(images);
  });

  it.each<[string, Answers]>([
    ['a gateway that passes /v1 alone', {}],
    ['one whose list cannot be read', { '/api/tags': [200, 'what?'] }],
    ['one that has it all the same', { '/api/tags': [200, '{"models":[{"name":"m:latest"}]}'] }],
  ])('nothing behind %s: its server will', async (_name, answers) => {
    expect(await sees({ ...answers, '/api/show': [404, ''] })).toBe(true);
  });

  it.each<[string, Answers, RegExp]>([
    [
      'and has others',
      { '/api/tags': [200, '{"models":[{"name":"a:7b"},{"name":"b"}]}'] },
      /It has a:7b, b\./,
    ],
    ['and has none', { '/api/tags': [200, '{"models":[]}'] }, /It has none yet\./],
  ])('that it does not have it %s', async (_name, answers, message) => {
    await expect(sees({ ...answers, '/api/show': [404, ''] })).rejects.toThrow(message);
    await expect(sees({ ...answers, '/api/show': [404, ''] })).rejects.toThrow(coded('no-such-model'));
  });
});

describe('a server is found', () => {
  const found = async (answers: Answers, slowMs = 0) => {
    await using server = await serve(answers, slowMs);
    const env = {
      OLLAMA_HOST: server.host,
      VLLM_BASE_URL: 'http://127.0.0.1:9/v1',
      LM_STUDIO_BASE_URL: 'http://127.0.0.1:9/v1',
      LLAMA_CPP_BASE_URL: 'http://127.0.0.1:9/v1',
    };
    const servers = await findLocalServers(env);
    return servers.map(({ provider, url, models }) => ({ provider, isThere: url === server.url, models }));
  };
  const itself = { '/api/version': [200, '{"version":"0.13"}'] } as const;

  it('with its models', async () => {
    const models = [200, '{"data":[{"id":"a"},{"id":"b"}]}'] as const;
    expect(await found({ ...itself, '/v1/models': models })).toEqual([
      { provider: 'ollama', isThere: true, models: ['a', 'b'] },
    ]);
  });

  it.each<[string, readonly [number, string]]>([
    ['no list', [404, '']],
    ['a list of another form', [200, '{"data":{"a":1}}']],
    ['no JSON', [200, '<html>']],
  ])('also where it gives %s of them', async (_name, answer) => {
    expect(await found({ ...itself, '/v1/models': answer })).toEqual([
      { provider: 'ollama', isThere: true, models: [] },
    ]);
  });

  it('of no known kind, at the loopback address that its user has set', async () => {
    await using server = await serve({ '/v1/models': [200, '{"data":[{"id":"small"}]}'] });
    const servers = await findLocalServers({ OPENAI_COMPATIBLE_BASE_URL: server.url });
    expect(servers).toContainEqual({ provider: 'openai-compatible', url: server.url, models: ['small'] });
  });

  it('that is busy with a model, and was not there for who waited a second and a half', async () => {
    expect(await found(itself, 1_700)).toMatchObject([{ provider: 'ollama', isThere: true }]);
  });

  it.each<[string, readonly [number, string]]>([
    ['says something else there', [200, '{"name":"a printer"}']],
    ['says no JSON', [200, '<html>']],
    ['says a list', [200, '[1]']],
    ['refuses', [403, '{"version":"1"}']],
  ])('and not one that %s', async (_name, answer) => {
    expect(await found({ '/api/version': answer })).toEqual([]);
  });
});
