/** A model whose replies a script holds. It keeps no counter, so it answers the same on resume and in any branch. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Conversation } from '../core/conversation.ts';
import { errorOf } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type {
  AssistantMessage,
  FinishReason,
  Message,
  Model,
  ModelCall,
  ModelErrorKind,
  ModelFailure,
  ModelReply,
  ModelRequest,
  ModelSuccess,
} from '../core/model.ts';
import { costOf, type Tokens, type Usage } from '../core/usage.ts';
import { jsonInReply } from '../text/model-json.ts';
import { abortedFailure, emitComplete, failure, freePrice } from './reply.ts';

/** What a script may look at. */
export type ScriptCall = Pick<ModelCall, 'role' | 'branch' | 'index' | 'attempt'> & {
  readonly request: ModelRequest;
};

/** `args: null` with `raw` is a call whose arguments are not JSON. */
export type ScriptToolCall =
  | { readonly name: string; readonly args: JsonObject }
  | { readonly name: string; readonly args: null; readonly raw: string };

/** A reply that was written ahead. */
export type ScriptSuccess = {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptToolCall[];
  /** The structured reply; where `text` is missing it is also the text. */
  readonly object?: Json;
  /** Where missing: `tool-calls` with tool calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly delayMs?: number;
};

/** A failure that was written ahead. */
export type ScriptError = {
  readonly error: {
    readonly kind: ModelErrorKind;
    readonly message?: string;
    /** Where missing: true for `rate-limit`, `overloaded`, `network` and `timeout`. */
    readonly retryable?: boolean;
    readonly retryAfterMs?: number;
    /** The provider charged for the request all the same. */
    readonly billed?: boolean;
  };
  readonly delayMs?: number;
};

/** The script ends before this call; `replies` is how many it has there, null where nobody counts them. */
export type ScriptEnd = { readonly end: true; readonly replies: number | null; readonly detail?: string };

/** A bare string is a reply of that text; undefined is an end without a count. */
export type Script = {
  (call: ScriptCall): ScriptSuccess | ScriptError | ScriptEnd | string | undefined;
  /** Words that a problem must hold. Absent: the script plays for any problem. */
  readonly onlyFor?: string | undefined;
};

/** What `scriptedModel` takes. */
export type ScriptedModelOptions = {
  readonly id: string;
  readonly script: Script;
  /** Simulated latency of every reply that names none itself. */
  readonly delayMs?: number;
  readonly takes?: Model['takes'];
};

/** A model for tests and demonstrations: it answers what its script says, and costs nothing. */
export function scriptedModel(options: ScriptedModelOptions): Model {
  return {
    id: options.id,
    kind: 'script',
    takes: options.takes ?? { images: true, tools: true },
    onlyFor: options.script.onlyFor,
    price: freePrice,
    generate: (request, call) => generate(options, request, call),
  };
}

async function generate(
  options: ScriptedModelOptions,
  request: ModelRequest,
  call: ModelCall,
): Promise<ModelReply> {
  if (call.signal.aborted) return abortedFailure(null);
  const entry = replyFromScript(options, request, call);
  if ('ok' in entry) return entry;
  if (await abortedWithin(entry.delayMs ?? options.delayMs ?? 0, call.signal)) return abortedFailure(null);
  if ('error' in entry) return errorReply(entry, request);
  const reply = replyFrom(entry, request, call);
  emitComplete(reply.message, call);
  return reply;
}

function replyFromScript(
  { id, script }: ScriptedModelOptions,
  request: ModelRequest,
  call: ModelCall,
): ScriptSuccess | ScriptError | ModelFailure {
  const { role, branch, index, attempt } = call;
  try {
    const entry = script({ role, branch, index, attempt, request });
    if (entry === undefined) return scriptExhausted(id, call, { end: true, replies: null });
    if (typeof entry === 'string') return { text: entry };
    return 'end' in entry ? scriptExhausted(id, call, entry) : entry;
  } catch (error) {
    const message = errorOf(error).message;
    return failure('other', `The script ${id} failed: ${message}`, { retryable: false, usage: null });
  }
}

/** What a script or a person says, as a model's reply. Tokens are estimated where they are not told. */
export function replyFrom(
  entry: ScriptSuccess,
  request: ModelRequest,
  call: ModelCall,
  told?: Partial<Tokens>,
): ModelSuccess {
  const text = entry.text ?? (entry.object === undefined ? '' : JSON.stringify(entry.object));
  const toolCalls = (entry.toolCalls ?? []).map((toolCall, position) => ({
    type: 'tool-call' as const,
    id: toolCallId(call, position),
    ...toolCall,
  }));
  const message: AssistantMessage = {
    role: 'assistant',
    content: [
      ...(entry.reasoning ? [{ type: 'reasoning' as const, text: entry.reasoning }] : []),
      ...(text ? [{ type: 'text' as const, text }] : []),
      ...toolCalls,
    ],
  };
  return {
    ok: true,
    message,
    finish: entry.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: freeUsage({ ...estimateTokens(request, message), ...told }),
    object: request.output ? (entry.object ?? jsonInReply(text)) : undefined,
  };
}

/** The same on every resume, unique in a run, and of the letters that every live provider takes in a fork. */
export function toolCallId(call: Pick<ModelCall, 'role' | 'branch' | 'index'>, position: number): string {
  const hash = createHash('sha256').update(`${call.role}\0${call.branch}`).digest('hex').slice(0, 8);
  return `script-${hash}-${call.index}-${position}`;
}

function scriptExhausted(id: string, call: ModelCall, end: ScriptEnd): ModelFailure {
  const where = `role "${call.role}", branch "${call.branch}", index ${call.index}`;
  const have =
    end.replies === null
      ? 'it is a function that returned none'
      : `it has ${end.replies} ${end.replies === 1 ? 'reply' : 'replies'} there`;
  const detail = end.detail ? ` (${end.detail})` : '';
  return failure('script-exhausted', `The script ${id} has no reply for ${where}: ${have}${detail}.`, {
    retryable: false,
    usage: null,
  });
}

const transientKinds = new Set<ModelErrorKind>(['rate-limit', 'overloaded', 'network', 'timeout']);

function errorReply({ error }: ScriptError, request: ModelRequest): ModelReply {
  const tokens = error.billed ? estimateTokens(request, { role: 'assistant', content: [] }) : null;
  return failure(error.kind, error.message ?? `The script says: ${error.kind}.`, {
    retryable: error.retryable ?? transientKinds.has(error.kind),
    retryAfterMs: error.retryAfterMs,
    usage: tokens && freeUsage(tokens),
  });
}

/** Node's timers fire at once for anything longer. */
const longestTimerMs = 2 ** 31 - 1;

/** True as soon as the signal aborts, false when the time is over. */
async function abortedWithin(delayMs: number, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + delayMs;
  for (let leftMs = delayMs; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
    await sleep(Math.min(leftMs, longestTimerMs), undefined, { signal }).catch(() => {});
  }
  return signal.aborted;
}

function freeUsage(tokens: Tokens): Usage {
  return { tokens, costUsd: costOf(tokens, freePrice) };
}

const imageTokens = 256;

const said = new Conversation<number>();

/** Not a tokenizer: a token for four bytes of UTF-8, so that accounting and limits can be tried without a provider. */
function estimateTokens(request: ModelRequest, message: AssistantMessage): Tokens {
  let input = said.last(request.messages, (each, before = 0) => before + messageTokens(each)) ?? 0;
  if (request.tools?.length) input += textTokens(JSON.stringify(request.tools));
  if (request.output) input += textTokens(JSON.stringify(request.output));
  const thoughts = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  return { input, cachedInput: 0, output: messageTokens(message), reasoning: textTokens(thoughts) };
}

function messageTokens(message: Message): number {
  if (typeof message.content === 'string') return textTokens(message.content);
  let tokens = 0;
  for (const part of message.content) {
    if (part.type === 'image') tokens += imageTokens;
    else if (part.type === 'tool-call')
      tokens += textTokens(part.name + (part.raw ?? JSON.stringify(part.args)));
    else tokens += textTokens(part.text);
  }
  return tokens;
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
