/**
 * A chat server that is as unreliable as the field's, by seed: it sends what is no part of a reply, leaves usage out or fills
 * it with zeros, refuses parameters, breaks replies off, and fails. It keeps an account of what it sent: each reply holds a
 * number of its own, and the account says whether the reply with that number was complete.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FinishInfo, finishReasons } from '../../src/models/finish-reasons.ts';
import { type ChatServer, type Exchange, sendJson, startChatServer } from './chat-server.ts';

/** What the model behind the server says to one request. */
export type Said = {
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
};

export type UnreliableOptions = {
  readonly seed: number;
  /** `mark` must stand in the text or in an argument: by it a reply is found again in the journals. */
  answer(body: Exchange['body'], mark: string, isComplete: boolean): Said;
};

export type Account = {
  /** By the mark of each reply: how it was sent. */
  readonly sent: ReadonlyMap<string, 'complete' | 'broken'>;
  /** Tokens that a provider would have charged, at one a byte of each request and reply. */
  readonly chargedTokens: number;
  readonly requests: number;
};

export type UnreliableServer = ChatServer & { readonly account: Account };

const completeForms = [
  'plain',
  'noise',
  'zeros',
  'no-usage',
  'usage-in-choice',
  'unterminated',
  'crlf',
  'one-json',
  'reset-after-end',
] as const;
const brokenForms = ['bad-finish', 'bad-finish', 'no-finish', 'reset', 'error-event'] as const;
/** Every reason that is no good end, and two that nobody knows. */
const badFinishes: readonly string[] = [
  ...[...finishReasons].flatMap(([reason, reading]) => (isGoodEnd(reading) ? [] : reason)),
  '',
  'halted-by-moon',
];

function isGoodEnd(reading: FinishInfo): boolean {
  return reading.kind === 'ended' && (reading.finish === 'stop' || reading.finish === 'tool-calls');
}

const failures = [
  [429, 'Rate limit reached. Please try again in 5ms.'],
  [500, 'Internal server error'],
  [503, 'Loading model'],
  [529, '<html><body>Overloaded</body></html>'],
] as const;

export async function startUnreliableServer({ seed, answer }: UnreliableOptions): Promise<UnreliableServer> {
  const sent = new Map<string, 'complete' | 'broken'>();
  const account = { sent, chargedTokens: 0, requests: 0 };
  const times = new Map<string, number>();
  const server = await startChatServer(async (exchange) => {
    account.requests += 1;
    const text = JSON.stringify(exchange.body);
    const nth = times.get(text) ?? 0;
    times.set(text, nth + 1);
    const draw = drawFrom(`${seed} ${nth} ${text}`);
    const refused = refusedField(exchange.body);
    if (refused) return refuse(exchange, refused);
    const kind = draw(100);
    if (kind < 8) return fail(exchange, failures[draw(failures.length)] ?? failures[0]);
    const isComplete = kind < 78;
    const mark = `m${account.requests}x${draw(1e6)}`;
    const said = answer(exchange.body, mark, isComplete);
    sent.set(mark, isComplete ? 'complete' : 'broken');
    account.chargedTokens += Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(said));
    const forms = isComplete ? completeForms : brokenForms;
    const form = forms[draw(forms.length)] ?? 'plain';
    await send(exchange, said, { form, badFinish: badFinishes[draw(badFinishes.length)] ?? '' });
  });
  return { ...server, account };
}

/** This server knows neither of these, and says so in the words of two servers of the field. */
function refusedField(body: Exchange['body']): string | undefined {
  return ['stream_options', 'response_format'].find((name) => {
    const isSchema = JSON.stringify(body.response_format ?? {}).includes('json_schema');
    return name in body && (name !== 'response_format' || isSchema);
  });
}

function refuse({ response }: Exchange, field: string): void {
  if (field === 'response_format')
    return sendJson(response, 400, {
      error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error' },
    });
  sendJson(response, 422, {
    detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
  });
}

function fail({ response }: Exchange, [status, message]: readonly [number, string]): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'retry-after-ms': '5' });
  response.end(message.startsWith('<') ? message : JSON.stringify({ error: { message } }));
}

type Form = (typeof completeForms)[number] | (typeof brokenForms)[number];
type Sending = { readonly form: Form; readonly badFinish: string };

const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 };
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

async function send({ body, response }: Exchange, said: Said, { form, badFinish }: Sending): Promise<void> {
  const calls = said.calls?.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const good = calls ? 'tool_calls' : 'stop';
  const finish = form === 'bad-finish' ? badFinish : good;
  if (form === 'one-json' || body.stream !== true) {
    const message = { role: 'assistant', content: said.text, tool_calls: calls };
    const reason = form === 'no-finish' ? null : finish;
    const failed = form === 'error-event' || form === 'reset';
    return sendJson(response, 200, {
      choices: failed ? [] : [{ index: 0, message, finish_reason: reason }],
      ...(failed ? { error: { code: 502, message: 'Upstream broke off' } } : { usage: usageOf(form) }),
    });
  }
  const end = form === 'crlf' ? '\r\n' : '\n';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (data: unknown): void => {
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}${end}${end}`);
  };
  const chunk = (delta: object, finish: string | null = null, more: object = {}): void =>
    event({ choices: [{ index: 0, delta, finish_reason: finish, ...more }] });
  chunk({ role: 'assistant', content: '' });
  const middle = Math.ceil(said.text.length / 2);
  chunk({ content: said.text.slice(0, middle) });
  if (form === 'noise') {
    response.write(`: keep-alive${end}${end}event: ping${end}data: {"type":"ping"}${end}${end}`);
    for (const noise of ['null', { choices: null }, { object: 'x', choices: [] }, '[]']) event(noise);
  }
  chunk({ content: said.text.slice(middle) });
  if (calls) chunk({ tool_calls: calls });
  if (form === 'reset') return destroyAfterFlush(response);
  if (form === 'error-event') event({ error: { code: 502, message: 'Upstream broke off' }, choices: [] });
  else if (form === 'unterminated') {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: good }], usage };
    return void response.end(`data: ${JSON.stringify(last)}`);
  } else if (form !== 'no-finish') {
    const inChoice = form === 'usage-in-choice' ? { usage } : {};
    chunk({}, finish, inChoice);
    if (form !== 'usage-in-choice' && form !== 'no-usage') event({ choices: [], usage: usageOf(form) });
  }
  if (form === 'reset-after-end') return destroyAfterFlush(response);
  if (form !== 'no-finish' && form !== 'error-event') event('[DONE]');
  response.end();
}

function usageOf(form: Form): object | undefined {
  if (form === 'no-usage') return undefined;
  return form === 'zeros' ? zeros : usage;
}

/** What was written has to arrive before the connection is gone. */
async function destroyAfterFlush(response: Exchange['response']): Promise<void> {
  await new Promise<void>((resolve) => response.write(': \n\n', () => resolve()));
  await sleep(20);
  response.destroy();
}

/** Numbers below a bound, the same for the same key. */
function drawFrom(key: string): (below: number) => number {
  let count = 0;
  return (below) => {
    count += 1;
    const bytes = createHash('sha256').update(`${count} ${key}`).digest();
    return bytes.readUInt32BE(0) % below;
  };
}
