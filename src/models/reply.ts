/** Builders of replies for every model of this room: failures, JSON objects, arguments of tool calls. Pure. */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type {
  AssistantMessage,
  FinishReason,
  ModelCall,
  ModelErrorKind,
  ModelFailure,
} from '../core/model.ts';
import type { Price, Usage } from '../core/usage.ts';

export const finishReason = z.enum([
  'stop',
  'tool-calls',
  'length',
  'refusal',
  'other',
]) satisfies z.ZodType<FinishReason>;

/** What scripts, cassettes and persons cost. */
export const freePrice: Price = {
  inputUsdPerMillion: 0,
  cachedInputUsdPerMillion: 0,
  outputUsdPerMillion: 0,
};

/** Of a call that may have been billed. */
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
export function tellWhole({ content }: AssistantMessage, { onDelta }: Pick<ModelCall, 'onDelta'>): void {
  for (const part of content) {
    if (part.type !== 'tool-call') onDelta?.({ type: part.type, text: part.text });
  }
}

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The JSON value in `text`, if any; some servers that ignore schemas send it in one Markdown fence. */
export function parseJsonReply(text: string): Json | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  return parseJson(fenced?.[1] ?? text);
}

/**
 * The arguments of a tool call as a model wrote them. Blank is what many servers send for a tool without parameters;
 * anything else that is no JSON object is kept as it was written, for the model to be told.
 */
export function parseToolArgs(raw: string): { args: JsonObject } | { args: null; raw: string } {
  if (raw.trim() === '') return { args: {} };
  const value = parseJson(raw);
  return isJsonObject(value) ? { args: value } : { args: null, raw };
}

/** The same where words stand around it: the object in the last fenced block that holds one, else in the outermost braces. */
export function findJsonReply(text: string): Json | undefined {
  const fenced = [...text.matchAll(/```\w*\s*([\s\S]*?)```/g)].map(([, inside = '']) => inside);
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return parseJsonReply(text) ?? [...fenced.reverse(), braces].map(parseJsonReply).find(isJsonObject);
}
