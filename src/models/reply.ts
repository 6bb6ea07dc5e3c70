/**
 * Small builders of replies that every model of this room shares: failures, JSON objects, arguments of tool calls.
 * Pure; knows no provider and no script.
 */
import type { Json, JsonObject } from '../core/json.ts';
import type { ModelErrorKind, ModelFailure } from '../core/model.ts';
import type { Usage } from '../core/usage.ts';

/** What a call costs of which nobody knows whether, and how much, it was billed. */
export const unknownUsage: Usage = { tokens: null, costUsd: null };

export type FailureDetail = {
  readonly retryable: boolean;
  readonly usage: Usage | null;
  readonly retryAfterMs?: number | undefined;
};

export function failure(kind: ModelErrorKind, message: string, detail: FailureDetail): ModelFailure {
  const { retryable, usage, retryAfterMs } = detail;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { ok: false, error: { kind, message, retryable, ...wait }, usage };
}

/** An aborted call may be billed once its request has left. */
export function abortedFailure(usage: Usage | null): ModelFailure {
  return failure('aborted', 'The model call was aborted.', { retryable: false, usage });
}

/** The JSON value in `text`, or undefined where it is none. */
function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The same, also where a server that ignores schemas lets its model put the JSON into one Markdown fence. */
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

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
