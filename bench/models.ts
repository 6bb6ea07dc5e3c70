/**
 * What the layer of models costs over real HTTP: one call against a bare fetch of the same bytes from the same server,
 * 500 calls at once, and the first import of each provider. The server of models is a process of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Model } from '../src/core/model.ts';
import { resolveModel } from '../src/models/catalogue.ts';
import { echoModel } from '../test/support/model-server/echo.ts';
import { type ModelServer, startModelServer } from '../test/support/model-server/server.ts';
import { questionOf } from './calling.ts';
import { type Bench, contest, median, type Row, timed, timedEach } from './measure.ts';

const callsAtOnce = 500;
const callsARound = 100;
const rounds = 7;

const wires = [
  { id: 'openai/gpt-5.1-codex', path: '/v1/responses' },
  {
    id: 'google/gemini-3-pro-preview',
    path: '/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
  },
  { id: 'anthropic/claude-sonnet-4-5', path: '/v1/messages' },
  { id: 'openai-compatible/any', path: '/v1/chat/completions' },
] as const;

export const models: Bench = {
  name: 'models',
  async run() {
    const server = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [told] = await once(server.stdout.setEncoding('utf8'), 'data');
      const url = String(told).trim();
      const rows: Row[] = [];
      for (const wire of wires) rows.push(await oneCall(url, wire));
      rows.push(...(await manyCalls(url)));
      for (const file of ['openai', 'google', 'anthropic', 'openai-compatible'])
        rows.push(await firstImport(file));
      return rows;
    } finally {
      server.kill();
    }
  },
};

async function oneCall(url: string, { id, path }: (typeof wires)[number]): Promise<Row> {
  const model = await modelAt(url, id);
  const body = await bodyOf(id);
  const result = await contest({
    rounds,
    ours: () => timedEach(callsARound, () => inTurn(() => call(model))),
    floor: () => timedEach(callsARound, () => inTurn(() => bareFetch(`${url}${path}`, body))),
  });
  return {
    what: `one call, ${id.split('/')[0]}`,
    unit: 'µs',
    against: 'a bare fetch of the same bytes',
    aim: null,
    ...result,
  };
}

/** The same requests at once: how long all take, how far the last is behind the middle, and what they keep. */
async function manyCalls(url: string): Promise<readonly Row[]> {
  const [wire] = wires;
  const model = await modelAt(url, wire.id);
  const body = await bodyOf(wire.id);
  const ends: number[] = [];
  let resident = 0;
  const atOnce = async (work: () => Promise<unknown>, isOurs: boolean): Promise<void> => {
    const begun = performance.now();
    const before = process.memoryUsage().rss;
    const calls = Array.from({ length: callsAtOnce }, async () => {
      await work();
      if (isOurs) ends.push(performance.now() - begun);
    });
    await Promise.all(calls);
    if (isOurs) resident = Math.max(resident, process.memoryUsage().rss - before);
  };
  const result = await contest({
    rounds: 3,
    ours: () => timed(() => atOnce(() => call(model), true)),
    floor: () => timed(() => atOnce(() => bareFetch(`${url}${wire.path}`, body), false)),
  });
  const nothing = { against: '', floor: null, ratio: null, aim: null };
  return [
    {
      what: `${callsAtOnce} calls at once, openai`,
      unit: 'ms',
      against: 'as many bare fetches',
      aim: null,
      ...result,
    },
    {
      ...nothing,
      what: '… the last against the median',
      unit: '×',
      measured: Math.max(...ends) / median(ends),
    },
    {
      ...nothing,
      what: '… resident set for each, at most',
      unit: 'KB',
      measured: resident / callsAtOnce / 1000,
    },
  ];
}

async function firstImport(file: string): Promise<Row> {
  const path = join(import.meta.dirname, '..', 'src', 'models', `${file}.ts`);
  const start = (script: string) => () =>
    timed(() => spawnSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  const result = await contest({
    rounds: 5,
    ours: start(`import(${JSON.stringify(path)})`),
    floor: start('0'),
  });
  return { what: `first import, ${file}`, unit: 'ms', against: 'node -e 0', aim: null, ...result };
}

function modelAt(url: string, id: string): Promise<Model> {
  const env = {
    OPENAI_BASE_URL: `${url}/v1`,
    GEMINI_BASE_URL: `${url}/v1beta`,
    ANTHROPIC_BASE_URL: `${url}/v1`,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'k',
    GEMINI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    OPENAI_COMPATIBLE_API_KEY: 'k',
  };
  return resolveModel(id, { env, priceOf: () => null });
}

/** What our own call sends. */
async function bodyOf(id: string): Promise<string> {
  let text = '';
  const server = await startModelServer({
    model: echoModel,
    onExchange: (exchange) => (text = exchange.text),
  });
  await call(await modelAt(server.url, id));
  await server.close();
  return text;
}

async function inTurn(work: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < callsARound; count += 1) await work();
}

async function call(model: Model): Promise<void> {
  const { signal } = new AbortController();
  const reply = await model.generate(questionOf(1), {
    role: 'solver',
    branch: '',
    index: 0,
    attempt: 0,
    signal,
  });
  if (!reply.ok) throw new Error(`The call failed: ${reply.error.message}`);
}

async function bareFetch(url: string, body: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer k',
    'x-api-key': 'k',
    'x-goog-api-key': 'k',
  };
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.text();
  if (!response.ok) throw new Error(`The fetch failed with ${response.status}.`);
}

if (import.meta.main) {
  const server: ModelServer = await startModelServer({ model: echoModel });
  process.stdout.write(`${server.url}\n`);
}
