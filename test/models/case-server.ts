/**
 * Cases of replies as model servers give them in the field, and a server that serves one over HTTP on loopback. A case is
 * a list of replies (the last one is repeated); it knows nothing of the models under test.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const replySchema = z.object({
  status: z.number().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  json: z.unknown().optional(),
  text: z.string().optional(),
  base64: z.string().optional(),
  /** An object is the data of an event; `raw:` and `b64:` begin bytes, `{sleep}` is a wait, other text is data. */
  sse: z.array(z.unknown()).optional(),
  /** The connection is broken at the end. */
  cut: z.boolean().default(false),
  delayMs: z.number().default(0),
  /** An assistant's message with calls must have one of these fields, else `else` is the reply. */
  check: z.array(z.string()).optional(),
  else: z.unknown().optional(),
  strictRoles: z.boolean().default(false),
  refuseField: z.array(z.string()).optional(),
  refuseStatus: z.number().default(400),
  refuse: z.unknown().optional(),
});

export const wireSchema = z.object({
  replies: z.array(replySchema).min(1),
  eol: z.string().default('\n'),
});

export type Wire = z.input<typeof wireSchema>;
type Reply = z.infer<typeof replySchema>;
type Body = Readonly<Record<string, unknown>>;

export type CaseServer = AsyncDisposable & { readonly url: string; readonly requests: readonly Body[] };

export async function startCaseServer(wire: Wire): Promise<CaseServer> {
  const { replies, eol } = wireSchema.parse(wire);
  const requests: Body[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    requests.push(body);
    const reply = replies[Math.min(next, replies.length - 1)];
    if (!reply) throw new Error('The case has no reply.');
    const refusal = refusalOf(reply, body);
    // A request that was refused is made again.
    if (!refusal?.isAskedAgain) next += 1;
    await send(response, refusal?.reply ?? reply, eol);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: close };
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text || '{}'));
}

const messagesSchema = z.object({ messages: z.array(z.looseObject({ role: z.string() })).default([]) });

function refusalOf(reply: Reply, body: Body): { reply: Reply; isAskedAgain: boolean } | undefined {
  const { messages } = messagesSchema.parse(body);
  const lacking = messages.some(
    (message) => message.tool_calls && reply.check && !reply.check.some((field) => message[field]),
  );
  if (lacking) return { reply: replySchema.parse(reply.else), isAskedAgain: false };
  if (reply.strictRoles && !hasStrictRoles(messages.map(({ role }) => role))) {
    return refusal(400, { object: 'error', message: 'Conversation roles must alternate', code: 400 });
  }
  const field = reply.refuseField?.find((path) => valueAt(body, path) !== undefined);
  if (field === undefined) return undefined;
  return refusal(reply.refuseStatus, JSON.parse(JSON.stringify(reply.refuse).replaceAll('$FIELD', field)));
}

function refusal(status: number, json: unknown) {
  return { reply: replySchema.parse({ status, json }), isAskedAgain: true };
}

function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split('.')) value = z.record(z.string(), z.unknown()).safeParse(value).data?.[name];
  return value;
}

/** As strict chat templates: one system turn at most, first; then user and assistant in turn. */
function hasStrictRoles(roles: readonly string[]): boolean {
  const turns = roles[0] === 'system' ? roles.slice(1) : roles;
  if (turns.includes('system') || turns[0] !== 'user') return false;
  return turns.every((role, at) => {
    const before = turns[at - 1];
    return (role !== before || role === 'tool') && !(role === 'user' && before === 'tool');
  });
}

async function send(response: ServerResponse, reply: Reply, eol: string): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  const type = reply.sse ? 'text/event-stream' : 'application/json';
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
  if (reply.json !== undefined) response.write(JSON.stringify(reply.json));
  else if (reply.text !== undefined) response.write(reply.text);
  else if (reply.base64 !== undefined) response.write(Buffer.from(reply.base64, 'base64'));
  for (const item of reply.sse ?? []) {
    await sendItem(response, item, eol);
    // Each item is to arrive by itself.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!reply.cut) return void response.end();
  await sleep(20);
  response.destroy();
}

async function sendItem(response: ServerResponse, item: unknown, eol: string): Promise<void> {
  const pause = z.object({ sleep: z.number() }).safeParse(item).data;
  if (pause) await sleep(pause.sleep);
  else if (typeof item !== 'string') response.write(`data: ${JSON.stringify(item)}${eol}${eol}`);
  else if (item.startsWith('raw:')) response.write(item.slice(4));
  else if (item.startsWith('b64:')) response.write(Buffer.from(item.slice(4), 'base64'));
  else response.write(`data: ${item}${eol}${eol}`);
}
