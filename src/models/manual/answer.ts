/**
 * What a person writes in a model's place, checked against what was asked, and as the reply that a model would have
 * given. Pure; how it was written (terminal, file, HTTP) is not known here.
 */
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { ModelCall, ModelRequest, ModelSuccess } from '../../core/model.ts';
import { costOf } from '../../core/usage.ts';
import { estimateTokens } from '../estimate.ts';
import { freePrice } from '../free.ts';
import { parseJsonReply } from '../reply.ts';
import { toolCallId } from '../scripted.ts';

const count = z.number().int().nonnegative();

export const answerSchema = z.strictObject({
  text: z.string().exactOptional(),
  reasoning: z.string().exactOptional(),
  toolCalls: z
    .array(z.strictObject({ name: z.string().min(1), args: z.record(z.string(), z.json()).default({}) }))
    .exactOptional(),
  /** The value that was asked for as JSON; a text that is JSON will do as well. */
  object: z.json().exactOptional(),
  finish: z.enum(['stop', 'tool-calls', 'length', 'refusal', 'other']).exactOptional(),
  /** As a chat window counted them; estimated where missing. */
  tokens: z.strictObject({ input: count, output: count }).exactOptional(),
});

export type PersonAnswer = z.infer<typeof answerSchema>;

export type CheckedAnswer =
  | { readonly ok: true; readonly answer: PersonAnswer }
  /** For whoever wrote it: what to change. */
  | { readonly ok: false; readonly problem: string };

export function checkAnswer(value: unknown, request: ModelRequest): CheckedAnswer {
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) };
  const problem = misfit(parsed.data, request);
  return problem === null ? { ok: true, answer: parsed.data } : { ok: false, problem };
}

function misfit({ text, toolCalls = [], object }: PersonAnswer, { tools = [], output }: ModelRequest) {
  const known = tools.map(({ name }) => name);
  const unknown = toolCalls.find(({ name }) => !known.includes(name));
  if (unknown) {
    const there = known.length ? `There are: ${known.join(', ')}.` : 'None is offered here.';
    return `There is no tool ${unknown.name}. ${there}`;
  }
  if (output && object === undefined && parseJsonReply(text ?? '') === undefined) {
    return `A JSON value is asked for (${output.name}), and this is none.`;
  }
  const isEmpty = !text?.trim() && toolCalls.length === 0 && object === undefined;
  return isEmpty ? 'The answer is empty.' : null;
}

export function replyOf(answer: PersonAnswer, request: ModelRequest, call: ModelCall): ModelSuccess {
  const text = answer.text ?? (answer.object === undefined ? '' : JSON.stringify(answer.object));
  const calls = (answer.toolCalls ?? []).map(({ name, args }, position) => ({
    type: 'tool-call' as const,
    id: toolCallId(call, position),
    name,
    args: args as JsonObject,
  }));
  const message = {
    role: 'assistant' as const,
    content: [
      ...(answer.reasoning ? [{ type: 'reasoning' as const, text: answer.reasoning }] : []),
      ...(text ? [{ type: 'text' as const, text }] : []),
      ...calls,
    ],
  };
  const tokens = answer.tokens
    ? { ...estimateTokens(request, message), cachedInput: 0, reasoning: 0, ...answer.tokens }
    : estimateTokens(request, message);
  const object = request.output ? (answer.object ?? parseJsonReply(text)) : undefined;
  return {
    ok: true,
    message,
    finish: answer.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    usage: { tokens, costUsd: costOf(tokens, freePrice) },
    ...(object === undefined ? {} : { object }),
  };
}
