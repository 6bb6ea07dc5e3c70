/** What is expected of a model that meets a case of a server's replies, and the check of it through one call and its retries. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Model, ModelReply, ModelRequest } from '../../src/core/model.ts';
import { textOf, toolCallsOf } from '../../src/core/model.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { modelAt } from './asking.ts';
import { startCaseServer, type Wire } from './case-server.ts';
import { callWith, question } from './conformance.ts';

const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
});

export const expectationSchema = z.strictObject({
  text: z.string().optional(),
  finish: z.enum(['stop', 'tool-calls', 'length', 'refusal', 'cut']).optional(),
  failure: z.string().optional(),
  /** Whether the first reply is a failure that may be tried again. */
  retried: z.boolean().optional(),
  tokens: tokensSchema.nullable().optional(),
  calls: z.array(z.object({ name: z.string(), args: z.unknown() })).optional(),
  requests: z.number().optional(),
});

export type Expectation = z.infer<typeof expectationSchema> & { readonly model?: string };

const maxCalls = 3;

/** Calls again after a failure that may be over, as a run does, without its waits. */
export async function checkCase(wire: Wire, expected: Expectation, request: ModelRequest = question) {
  await using server = await startCaseServer(wire);
  const model = await modelFor(server.url, expected.model);
  const replies: ModelReply[] = [];
  for (;;) {
    const reply = await model.generate(request, callWith());
    replies.push(reply);
    if (reply.ok || !reply.error.retryable || replies.length === maxCalls) break;
  }
  expect(seenIn(replies, expected)).toEqual({ requests: 1 + (expected.retried ? 1 : 0), ...expected });
  expect(server.requests).toHaveLength(replies.length);
}

async function modelFor(url: string, id: string | undefined): Promise<Model> {
  if (id === undefined) return modelAt(`${url}/v1`, { silenceTimeoutMs: 5_000 });
  const env = { GEMINI_API_KEY: 'key-0123456789abcdef', GEMINI_BASE_URL: `${url}/v1beta` };
  return resolveModel(id, { env, priceOf: () => null });
}

/** As much of what was seen as is expected. */
function seenIn(replies: readonly ModelReply[], expected: Expectation): Expectation {
  const last = replies.at(-1);
  const first = replies[0];
  if (!last || !first) throw new Error('No call was made.');
  // A refusal of the whole request is a failure of its own kind, and agents see it as a reply.
  const finish = last.ok ? last.finish : last.error.kind === 'refusal' ? 'refusal' : undefined;
  const { tokens } = last.usage ?? { tokens: null };
  const seen: Expectation = {
    text: last.ok ? textOf(last.message) : last.error.partialText,
    finish,
    failure: first.ok ? undefined : first.error.kind,
    retried: !first.ok && first.error.retryable,
    tokens: tokens && {
      input: tokens.input,
      output: tokens.output,
      ...(expected.tokens?.cached === undefined ? {} : { cached: tokens.cachedInput }),
      ...(expected.tokens?.reasoning === undefined ? {} : { reasoning: tokens.reasoning }),
    },
    calls: last.ok ? toolCallsOf(last.message).map(({ name, args }) => ({ name, args })) : [],
  };
  const named = Object.entries(seen).filter(([name]) => name in expected);
  const model = expected.model === undefined ? {} : { model: expected.model };
  return { ...Object.fromEntries(named), ...model, requests: replies.length };
}
