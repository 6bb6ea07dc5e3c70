/**
 * A local server that speaks OpenAI's chat completions, streamed and whole, and misbehaves on request.
 * It keeps what it was asked, so that a test can look at the wire. It knows nothing of the models under test.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

type WireToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** What the server's model says. */
export type Completion = {
  readonly content?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly toolCalls?: readonly WireToolCall[];
  readonly finishReason?: string;
  /** Null: the server tells no usage. */
  readonly usage?: object | null;
};

export type Exchange = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** Resolves when the client went away before the reply was complete. */
  readonly abandoned: Promise<void>;
};

export type Respond = (exchange: Exchange) => void | Promise<void>;

export type ChatServer = AsyncDisposable & {
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
};

export const modelName = 'test-model';

export async function startChatServer(respond: Respond): Promise<ChatServer> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return sendJson(response, 404, { error: { message: `no route ${request.method} ${request.url}` } });
    }
    const exchange = await readExchange(request, response);
    exchanges.push(exchange);
    await respond(exchange);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test server has no port.');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, exchanges, [Symbol.asyncDispose]: close };
}

async function readExchange(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const body = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const abandoned = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableEnded) resolve();
    });
  });
  return { body, headers: request.headers, response, abandoned };
}

/** Answers as the request asks: streamed or whole. */
export function say(exchange: Exchange, completion: Completion): void {
  if (exchange.body.stream !== true) return sendJson(exchange.response, 200, wholeReply(completion));
  openStream(exchange);
  for (const chunk of streamChunks(completion, wantsUsage(exchange.body))) sendEvent(exchange, chunk);
  exchange.response.end('data: [DONE]\n\n');
}

/** The beginning of a streamed reply, and then silence. */
export function sayBeginning(exchange: Exchange, content: string): void {
  openStream(exchange);
  sendEvent(exchange, chunkOf({ role: 'assistant', content }));
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function openStream({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

export function sendEvent({ response }: Exchange, data: unknown): void {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

export const someUsage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 30 },
};

function wantsUsage(body: Exchange['body']): boolean {
  return z.object({ stream_options: z.object({ include_usage: z.literal(true) }) }).safeParse(body).success;
}

function finishOf({ finishReason, toolCalls }: Completion): string {
  return finishReason ?? (toolCalls?.length ? 'tool_calls' : 'stop');
}

function wholeReply(completion: Completion): unknown {
  const { content = null, reasoning, refusal, toolCalls, usage = someUsage } = completion;
  const calls = toolCalls?.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const message = { role: 'assistant', content, reasoning_content: reasoning, refusal, tool_calls: calls };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_900_000_000,
    model: `${modelName}-2031-01-01`,
    choices: [{ index: 0, message, finish_reason: finishOf(completion) }],
    ...(usage ? { usage } : {}),
  };
}

function* streamChunks(completion: Completion, withUsage: boolean): Generator<unknown> {
  const { content = '', reasoning = '', refusal = '', toolCalls = [], usage = someUsage } = completion;
  yield chunkOf({ role: 'assistant', content: '' });
  for (const piece of pieces(reasoning)) yield chunkOf({ reasoning_content: piece });
  for (const piece of pieces(content)) yield chunkOf({ content: piece });
  for (const piece of pieces(refusal)) yield chunkOf({ refusal: piece });
  for (const [index, { id, name }] of toolCalls.entries()) {
    yield chunkOf({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
  }
  // Parallel calls arrive interleaved, as providers may send them.
  const longest = Math.max(0, ...toolCalls.map((call) => call.arguments.length));
  for (let at = 0; at < longest; at += 3) {
    for (const [index, call] of toolCalls.entries()) {
      const piece = call.arguments.slice(at, at + 3);
      if (piece) yield chunkOf({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunkOf({}, finishOf(completion));
  if (withUsage && usage) yield { ...chunkOf({}), choices: [], usage };
}

function chunkOf(delta: object, finishReason: string | null = null) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_900_000_000,
    model: `${modelName}-2031-01-01`,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,4}/gu) ?? [];
}
