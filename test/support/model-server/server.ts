/** A local server of models over real HTTP, in the protocols of OpenAI, Anthropic and Gemini. It can misbehave. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from '../../../src/core/model.ts';
import { type ListeningServer, listenHere } from '../../../src/practice/listen.ts';
import { anthropicMessages } from './anthropic.ts';
import type { Conduct } from './conduct.ts';
import { gemini } from './gemini.ts';
import wireHeaders from './headers.json' with { type: 'json' };
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import type { Body, Told, Wire, WireRequest } from './wire.ts';
import { createdAtSeconds, Refusal, saidOf } from './wire.ts';

const wires: readonly Wire[] = [openAiResponses, openAiChat, anthropicMessages, gemini];

/** One request, as an observer sees it. */
export type Exchange = {
  /** 1, 2, 3 … */
  readonly number: number;
  readonly wire: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came, byte for byte. */
  readonly text: string;
  readonly body: Body;
  /** Resolves when the client went away before the reply was complete. */
  readonly abandoned: Promise<void>;
};

export type ModelServerOptions = {
  /** Answers on every wire; the role it is asked in is `role`, the branch the root. */
  readonly model: Model;
  readonly role?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly conduct?: (exchange: Exchange) => Conduct;
  readonly onExchange?: (exchange: Exchange) => void;
  /** The models that it lists. It answers for any other name too. */
  readonly models?: readonly LocalModel[];
};

/** `/v1` and `/v1beta` below the `url` are the usual base URLs. */
export type ModelServer = ListeningServer;

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  let number = 0;
  const server = createServer((request, response) => {
    number += 1;
    void answer(request, response, options, number).catch(() => response.destroy());
  });
  return listenHere(server, { port: options.port, name: 'The server of models' });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions,
  number: number,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { method = 'GET', headers } = request;
  const path = url.pathname;
  const text = await textOf(request);
  if (text === null) {
    response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
    return void response.end(JSON.stringify({ error: { message: 'The request is too large.' } }));
  }
  const json = objectIn(text);
  const body = json ?? {};
  const wire = method === 'POST' ? wires.find((each) => each.path.test(path)) : undefined;
  if (!wire) {
    const found = localReply(method, path, options.models ?? [], body);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: `${method} ${path}: there is no such thing here` }));
    return;
  }
  const abandoned = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableEnded) resolve();
    });
  });
  const exchange = { number, wire: wire.name, path, headers, text, body, abandoned };
  options.onExchange?.(exchange);
  const conduct = options.conduct?.(exchange) ?? {};
  const gone = new AbortController();
  void abandoned.then(() => gone.abort());
  await reply({ wire, response, exchange, conduct, options, gone: gone.signal }, json !== null, url);
}

/** A long conversation with pictures. */
const mostBodyBytes = 64 * 2 ** 20;

/** Null where it is larger than any request; the rest is not read. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > mostBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectIn(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

type Asked = {
  readonly wire: Wire;
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  readonly conduct: Conduct;
  readonly options: ModelServerOptions;
  /** The client went away. */
  readonly gone: AbortSignal;
};

async function reply(asked: Asked, isJson: boolean, url: URL): Promise<void> {
  const { wire, exchange, conduct, response, gone } = asked;
  if (conduct.firstByteMs) await sleep(conduct.firstByteMs, undefined, { signal: gone }).catch(() => {});
  if (gone.aborted || conduct.hangsAfter === 0) return;
  if (conduct.fails) return fail(asked, conduct.fails);
  if (wire.key && !exchange.headers[wire.key] && !url.searchParams.has('key'))
    return fail(asked, { kind: 'auth', message: "You didn't provide an API key." });
  if (conduct.garbage) return send(asked, 'application/json', '{"cho');
  if (conduct.empty) return send(asked, 'text/event-stream', '');
  if (conduct.page)
    return send(asked, 'text/html', '<!doctype html><p>Please <b>log in</b> to this network.</p>');
  if (conduct.cutAfter === 0) return void response.destroy();
  try {
    if (!isJson) throw new Refusal('We could not parse the JSON body of your request.');
    await ask(asked, wire.read(exchange.body, url));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    fail(asked, error.told);
  }
}

async function ask(asked: Asked, { request, model: name, streams }: WireRequest): Promise<void> {
  const { wire, exchange, options, response, gone } = asked;
  const given = await options.model.generate(request, {
    role: options.role ?? 'solver',
    branch: '',
    index: request.messages.filter(({ role }) => role === 'assistant').length,
    attempt: 0,
    signal: gone,
  });
  if (gone.aborted) return;
  if (!given.ok) {
    if (given.error.kind === 'network') return void response.destroy();
    if (given.error.kind === 'malformed') return send(asked, 'application/json', '{"cho');
    return fail(asked, given.error);
  }
  const said = saidOf(given, String(exchange.number), name);
  if (streams) stream(asked, wire.events(said, exchange.body));
  else whole(asked, JSON.stringify(wire.whole(said, exchange.body)));
}

function stream(asked: Asked, events: Iterable<string>): void {
  const { wire, conduct, response } = asked;
  head(asked, 200, 'text/event-stream; charset=utf-8');
  let sent = 0;
  for (const event of events) {
    // What was written before has to arrive before the connection is gone.
    if (sent === conduct.cutAfter)
      return void response.write(': \n\n', () => setTimeout(() => response.destroy(), 20));
    if (sent === conduct.hangsAfter) return;
    if (sent === conduct.endsAfter) break;
    if (sent === conduct.failsAfter?.events) {
      response.write(wire.errorEvent(conduct.failsAfter.told));
      break;
    }
    response.write(event);
    sent += 1;
  }
  response.end();
}

function whole(asked: Asked, text: string): void {
  const { response, conduct } = asked;
  const { cutAfter, hangsAfter, endsAfter } = conduct;
  head(asked, 200, 'application/json');
  if ([cutAfter, hangsAfter, endsAfter].every((each) => each === undefined)) return void response.end(text);
  response.write(text.slice(0, text.length / 2));
  if (endsAfter !== undefined) response.end();
  if (cutAfter !== undefined) setTimeout(() => response.destroy(), 20);
}

function fail(asked: Asked, told: Told): void {
  const { status, body, headers } = asked.wire.error(told);
  head(asked, status, 'application/json', headers);
  asked.response.end(JSON.stringify(body));
}

function send(asked: Asked, type: string, text: string): void {
  head(asked, 200, type);
  asked.response.end(text);
}

function head({ wire, conduct, response }: Asked, status: number, type: string, more = {}): void {
  const usual = { 'content-type': type, ...wireHeaders[wire.name] };
  response.writeHead(status, { ...usual, ...more, ...conduct.headers });
}

export type LocalModel = { readonly name: string; readonly sees?: boolean };

/** The routes by which Ollama, LM Studio, llama.cpp, vLLM and others are known, as JSON; undefined for any other. */
function localReply(method: string, path: string, models: readonly LocalModel[], body: Body): unknown {
  const route = `${method} ${path}`;
  return Object.hasOwn(routes, route) ? routes[route]?.(models, body) : undefined;
}

const details = { family: 'llama', parameter_size: '8B' };

const routes: Readonly<Record<string, (models: readonly LocalModel[], body: Body) => unknown>> = {
  'GET /api/version': () => ({ version: '0.30.0' }),
  'GET /api/tags': (models) => ({
    models: models.map(({ name }) => ({
      name,
      model: name,
      modified_at: '2031-01-01T00:00:00Z',
      size: 4_700_000_000,
      details: { ...details, quantization_level: 'Q4_K_M' },
    })),
  }),
  'POST /api/show': (models, { model }) => {
    const found = models.find(({ name }) => name === model || name === `${model}:latest`);
    return found && { details, capabilities: ['completion', 'tools', ...(found.sees ? ['vision'] : [])] };
  },
  'GET /api/v0/models': (models) => ({
    object: 'list',
    data: models.map(({ name, sees }) => ({
      id: name,
      object: 'model',
      type: sees ? 'vlm' : 'llm',
      state: 'loaded',
    })),
  }),
  'GET /props': ([first]) => ({
    model_path: first?.name ?? '',
    modalities: { vision: first?.sees ?? false, audio: false },
  }),
  'GET /version': () => ({ version: '0.20.0' }),
  'GET /v1/models': (models) => ({
    object: 'list',
    data: models.map(({ name }) => ({
      id: name,
      object: 'model',
      created: createdAtSeconds,
      owned_by: 'polya',
    })),
  }),
};
