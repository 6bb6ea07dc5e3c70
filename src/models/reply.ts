/** Builders of replies for every model of this room: failures, JSON objects, arguments of tool calls. Pure. */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type {
  AssistantMessage,
  FinishReason,
  ModelCall,
  ModelErrorKind,
  ModelFailure,
} from '../core/model.ts';
import type { Price, Usage } from '../core/usage.ts';
import { jsonInReply, modelJson, plainJson } from '../text/model-json.ts';

export const finishReason = z.enum([
  'stop',
  'tool-calls',
  'length',
  'refusal',
  'cut',
]) satisfies z.ZodType<FinishReason>;

/** A reply that does not end is no reply: reading goes on as far as this, and no further. */
export class ReplyTooLong extends Error {
  constructor(most: string) {
    super(
      `The reply is longer than ${most}. What was read of it was thrown away; ask for less, or for fewer tokens.`,
    );
  }
}

/** What scripts and persons cost. */
export const freePrice: Price = {
  inputUsdPerMillion: 0,
  cachedInputUsdPerMillion: 0,
  outputUsdPerMillion: 0,
};

/** The usage of a call that may have been billed. */
export const unknownUsage: Usage = { tokens: null, costUsd: null };

export function failure(
  kind: ModelErrorKind,
  message: string,
  { usage, ...detail }: Omit<ModelFailure['error'], 'kind' | 'message'> & Pick<ModelFailure, 'usage'>,
): ModelFailure {
  return { ok: false, error: { kind, message, ...detail }, usage };
}

/** An aborted call may be billed once its request has left. */
export function abortedFailure(usage: Usage | null): ModelFailure {
  return failure('aborted', 'The model call was aborted.', { retryable: false, usage });
}

/** Shows a reply that came whole as if it had been spoken. */
export function emitComplete({ content }: AssistantMessage, { onDelta }: Pick<ModelCall, 'onDelta'>): void {
  for (const part of content) {
    if (part.type !== 'tool-call') onDelta?.({ type: part.type, text: part.text });
  }
}

/** Blank arguments are `{}`, as many servers send them; what is no JSON object is kept, so that the model can be told. */
export function parseToolArgs(raw: string): { args: JsonObject } | { args: null; raw: string } {
  if (raw.trim() === '') return { args: {} };
  // Arguments are programs more often than words: what is JSON is left as it is.
  const read = plainJson(raw) ?? modelJson(raw) ?? (/[`~]{3}/.test(raw) ? jsonInReply(raw) : undefined);
  // Some write them as JSON in a string, or as the call in which they stand.
  const value = typeof read === 'string' ? plainJson(read) : read;
  if (!isJsonObject(value)) return { args: null, raw };
  const inner = Object.keys(value).every((key) => /^(?:name|arguments)$/.test(key)) ? value.arguments : null;
  return { args: isJsonObject(inner) ? inner : value };
}
