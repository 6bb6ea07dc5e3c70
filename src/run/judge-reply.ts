/**
 * What a model's reply is worth, before it is journaled: an empty one has failed and was paid for, one that does not fit
 * its schema says why, a refusal in the form of an error is an outcome like a refusal in words. It retries nothing.
 */
import { z } from 'zod';
import type { EffectError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import {
  type AssistantMessage,
  isOutage,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSuccess,
} from '../core/model.ts';
import { costOf, type Price, type Usage } from '../core/usage.ts';
import { type Performed, PerformFailed } from './settling.ts';

/** Throws `PerformFailed` where the call has failed, with what it cost. */
export function judgeReply(reply: ModelReply, request: ModelRequest, price: Price | null): Performed {
  const usage = pricedUsage(reply.usage, price);
  if (reply.ok) return judgeSuccess(reply, request, usage);
  if (reply.error.kind === 'refusal') return performed({ message: noWords, finish: 'refusal' }, usage);
  throw new PerformFailed(errorOf(reply.error), usage);
}

const noWords: AssistantMessage = { role: 'assistant', content: [] };

function judgeSuccess(reply: ModelSuccess, request: ModelRequest, usage: Usage | null): Performed {
  if (isEmpty(reply)) {
    const message = 'The reply is empty: it has neither words nor tool calls.';
    throw new PerformFailed(errorOf({ kind: 'malformed', message, retryable: true }), usage);
  }
  const { ok: _, usage: __, ...result } = reply;
  const misfit = misfitOf(reply, request);
  return performed(misfit === null ? result : { ...result, misfit }, usage);
}

/** A reply that was cut off while its model was thinking, or that refuses, is none of these. */
function isEmpty({ message, finish }: ModelSuccess): boolean {
  if (finish === 'length' || finish === 'refusal') return false;
  return message.content.every(
    (part) => part.type === 'reasoning' || (part.type === 'text' && !part.text.trim()),
  );
}

function performed(result: Omit<ModelSuccess, 'ok' | 'usage'>, usage: Usage | null): Performed {
  return { result: result as unknown as Json, ...(usage ? { usage } : {}) };
}

function pricedUsage(usage: Usage | null, price: Price | null): Usage | null {
  return usage && { tokens: usage.tokens, costUsd: usage.costUsd ?? costOf(usage.tokens, price) };
}

function errorOf({ kind, message, retryable, retryAfterMs }: ModelFailure['error']): EffectError {
  return {
    name: kind,
    message,
    ...(isOutage(kind) ? { unavailable: true } : {}),
    model: { kind, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  };
}

/** Why a reply is not what `output` asked for; null where it is, or where it is not what answers this turn. */
function misfitOf(reply: ModelSuccess, { output }: ModelRequest): string | null {
  if (!output || reply.finish === 'refusal' || reply.finish === 'tool-calls') return null;
  if (reply.object === undefined) return 'it is no JSON.';
  const parsed = schemaOf(output.schema)?.safeParse(reply.object);
  return parsed && !parsed.success ? z.prettifyError(parsed.error) : null;
}

/** By the schema itself: a run says the same one again and again. */
const schemas = new WeakMap<JsonObject, z.ZodType | null>();

/** Null for a schema that nobody can read: its replies are the caller's to judge. */
function schemaOf(schema: JsonObject): z.ZodType | null {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  let read: z.ZodType | null;
  try {
    read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    read = null;
  }
  schemas.set(schema, read);
  return read;
}
