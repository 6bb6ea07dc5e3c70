/**
 * Replies of model servers as they were seen in the field, served over real HTTP one after the other; the last one repeats.
 * Some look at the request first: a server that refuses a field, or an order of roles. A call is made as a run makes it.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Model,
  type ModelReply,
  type ModelRequest,
  type ServerQuirk,
  textOf,
} from '../../src/core/model.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { callWith } from './conformance.ts';

const object = z.record(z.string(), z.unknown());

const reply = z.looseObject({
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  json: z.unknown().optional(),
  text: z.string().optional(),
  base64: z.string().optional(),
  sse: z.array(z.unknown()).optional(),
  delayMs: z.number().default(0),
  /** Names of fields, one of which each turn that calls tools must have; where none has it, `else` is sent. */
  check: z.array(z.string()).optional(),
  else: z.unknown().optional(),
  /** The connection breaks behind it. */
  cut: z.boolean().optional(),
  /** The connection stays open behind it. */
  open: z.boolean().optional(),
  refuseField: z.array(z.string()).optional(),
  refuseStatus: z.number().default(400),
  refuse: z.unknown().optional(),
});
type Reply = z.infer<typeof reply>;

export const wireSchema = z.object({ replies: z.array(reply), eol: z.string().default('\n') });
export type WireCase = z.infer<typeof wireSchema>;

export type CaseServer = AsyncDisposable & {
  /** With the path of the chat wire. */
  readonly url: string;
  /** Each request that arrived, the refused ones too. */
  readonly bodies: readonly z.infer<typeof object>[];
};

export async function startCaseServer(wire: WireCase): Promise<CaseServer> {
  const bodies: z.infer<typeof object>[] = [];
  let next = 0;
  const server = createServer(async (message, response) => {
    const text = Buffer.concat(await message.toArray()).toString();
    const body = object.parse(JSON.parse(text));
    bodies.push(body);
    const current = wire.replies[Math.min(next, wire.replies.length - 1)] ?? reply.parse({});
    const refused = current.refuseField?.find((field) => valueAt(body, field) !== undefined);
    if (refused !== undefined) {
      const words = JSON.stringify(current.refuse).replaceAll('$FIELD', refused);
      response.writeHead(current.refuseStatus, { 'content-type': 'application/json' }).end(words);
      return;
    }
    next += 1;
    const isMissed = current.check && !callsHaveThoughts(body, current.check);
    await send(response, isMissed ? reply.parse(current.else) : current, wire.eol);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/v1`, bodies, [Symbol.asyncDispose]: close };
}

export type Served = { readonly reply: ModelReply; readonly requests: number };

/** Asks once, and again where a run would: a reply that may succeed later, and one without what the server refused. */
export async function askCase(
  wire: WireCase,
  request: ModelRequest,
  modelAt: (baseUrl: string) => Model | Promise<Model> = modelNamed('openai-compatible/m'),
): Promise<Served> {
  await using server = await startCaseServer(wire);
  const model = await modelAt(server.url);
  const quirks: ServerQuirk[] = [];
  for (let failures = 0; ; ) {
    const received = await model.generate(request, callWith({ quirks, attempt: failures }));
    const served = { reply: received, requests: server.bodies.length };
    if (received.ok) return served;
    const { quirk, retryable, retryAfterMs = 0 } = received.error;
    if (quirk !== undefined && !quirks.includes(quirk)) quirks.push(quirk);
    else if (!retryable || ++failures > 2) return served;
    else await sleep(Math.min(retryAfterMs, 100));
  }
}

/** As a user reaches it. */
export const modelNamed = (spec: string) => (baseUrl: string) =>
  resolveModel(spec, {
    env: { OPENAI_COMPATIBLE_API_KEY: 'none', GEMINI_API_KEY: 'some-key', OPENAI_API_KEY: 'some-key' },
    baseUrl,
    priceOf: () => null,
  });

const turns = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), tool_calls: z.unknown().optional() })),
});

/** Every turn that calls tools has a thought under one of these names. */
function callsHaveThoughts(body: unknown, names: readonly string[]): boolean {
  return turns
    .parse(body)
    .messages.every((turn) => turn.tool_calls === undefined || names.some((name) => turn[name]));
}

function valueAt(body: z.infer<typeof object>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => object.safeParse(value).data?.[name], body);
}

async function send(response: ServerResponse, current: Reply, eol: string): Promise<void> {
  await sleep(current.delayMs);
  const type = current.sse ? 'text/event-stream' : 'application/json';
  response.writeHead(current.status ?? 200, { 'content-type': type, ...current.headers });
  if (current.json !== undefined) return void response.end(JSON.stringify(current.json));
  if (current.text !== undefined) return void response.end(current.text);
  if (current.base64 !== undefined) return void response.end(Buffer.from(current.base64, 'base64'));
  for (const item of current.sse ?? []) {
    response.write(bytesOf(item, eol));
    await sleep(1);
  }
  if (current.cut) setTimeout(() => response.destroy(), 20);
  else if (!current.open) response.end();
}

function bytesOf(item: unknown, eol: string): string | Buffer {
  if (typeof item !== 'string') return `data: ${JSON.stringify(item)}${eol}${eol}`;
  if (item.startsWith('raw:')) return item.slice(4);
  return item.startsWith('b64:') ? Buffer.from(item.slice(4), 'base64') : `data: ${item}${eol}${eol}`;
}

/** What came of a call, in the words of the tables of cases. */
export function outcomeOf({ reply: received, requests }: Served) {
  if (!received.ok) return { failure: received.error.kind, requests };
  const { tokens } = received.usage;
  const calls = received.message.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, args: part.args }] : [],
  );
  return {
    finish: received.finish,
    text: textOf(received.message).trim(),
    calls,
    tokens: tokens && {
      input: tokens.input,
      output: tokens.output,
      cached: tokens.cachedInput,
      reasoning: tokens.reasoning,
    },
    requests,
    skipped: received.skippedEvents,
  };
}
