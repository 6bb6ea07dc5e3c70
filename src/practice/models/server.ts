/**
 * A server of language models on this machine, over real HTTP: it speaks the protocols of OpenAI, Anthropic, Gemini and
 * all that is compatible, and lets one model of ours answer on every one of them. It can misbehave as they do.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Model } from '../../core/model.ts';
import { listenHere } from '../listen.ts';
import { anthropicMessages } from './anthropic.ts';
import type { Conduct } from './conduct.ts';
import type { Exchange } from './exchange.ts';
import { gemini } from './gemini.ts';
import { type LocalModel, localRoute } from './local-routes.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import { Replier } from './replier.ts';
import type { Wire } from './wire.ts';

const wires: readonly Wire[] = [openAiResponses, openAiChat, anthropicMessages, gemini];

export type ModelServerOptions = {
  /** Answers on every wire; the role it is asked in is `role`, the branch the root. */
  readonly model: Model;
  readonly role?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly conduct?: (exchange: Exchange) => Conduct;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Those that it lists. It answers for any other name too. */
  readonly models?: readonly LocalModel[];
};

export type ModelServer = {
  /** Without a slash at the end; `/v1` and `/v1beta` below it are the usual base URLs. */
  readonly url: string;
  close(): Promise<void>;
};

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  let number = 0;
  const server = createServer((request, response) => {
    number += 1;
    void answer({ request, response, options, number }).catch(() => response.destroy());
  });
  return listenHere(server, { port: options.port, name: 'The server of models' });
}

type Asked = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ModelServerOptions;
  readonly number: number;
};

async function answer({ request, response, options, number }: Asked): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method ?? 'GET';
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const body = objectIn(text);
  const wire = method === 'POST' ? wires.find(({ path }) => path.test(url.pathname)) : undefined;
  if (wire) {
    const exchange: Exchange = {
      number,
      wire: wire.name,
      path: url.pathname,
      headers: request.headers,
      text,
      body: body ?? {},
      abandoned: abandonedBy(response),
    };
    options.onExchange?.(exchange);
    const conduct = options.conduct?.(exchange) ?? {};
    await new Replier({ wire, response, exchange, conduct, options }).reply(body !== null, url);
    return;
  }
  const found = localRoute(method, url.pathname)?.(options.models ?? [], body ?? {});
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? { error: `${method} ${url.pathname}: there is no such thing here` }));
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function abandonedBy(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', () => {
      if (!response.writableEnded) resolve();
    });
  });
}
