/**
 * OpenAI's Chat Completions, which OpenRouter, Ollama, vLLM, LM Studio, llama.cpp and many others speak: what they
 * answer, streamed and whole, and their errors.
 */
import { readChatRequest } from './openai-chat-request.ts';
import { errorOf } from './openai-responses.ts';
import { createdAtSeconds, pieces, type Said, signatureOf, sse } from './said.ts';
import { retryAfter, statuses, type Wire } from './wire.ts';

export const openAiChat: Wire = {
  name: 'openai-chat',
  path: /\/chat\/completions$/,
  key: null,
  headers: { 'x-request-id': 'req_1' },

  read: readChatRequest,

  whole(said, body) {
    const { text, reasoning, calls } = said;
    const message = {
      role: 'assistant',
      content: said.finish === 'refusal' || !text ? null : text,
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(body.reasoning ? { reasoning_details: [thoughtOf(said)] } : {}),
      ...(said.finish === 'refusal' ? { refusal: text } : {}),
      ...(calls.length > 0
        ? { tool_calls: calls.map((each) => ({ ...callOf(each), type: 'function' })) }
        : {}),
    };
    return {
      ...headOf(said, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(said) }],
      ...usageOf(said, body),
    };
  },

  *events(said, body) {
    const chunk = (delta: object, reason: string | null = null) =>
      sse({
        ...headOf(said, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      });
    yield chunk({ role: 'assistant', content: '' });
    for (const piece of pieces(said.reasoning)) yield chunk({ reasoning_content: piece });
    if (body.reasoning) {
      const { signature, text: _, ...head } = thoughtOf(said);
      for (const text of pieces(said.reasoning)) yield chunk({ reasoning_details: [{ ...head, text }] });
      yield chunk({ reasoning_details: [{ ...head, signature }] });
    }
    const name = said.finish === 'refusal' ? 'refusal' : 'content';
    for (const piece of pieces(said.text)) yield chunk({ [name]: piece });
    for (const delta of callDeltas(said)) yield chunk(delta);
    yield chunk({}, reasonOf(said));
    const wantsUsage = JSON.stringify(body.stream_options ?? {}).includes('"include_usage":true');
    if (wantsUsage)
      yield sse({ ...headOf(said, 'chat.completion.chunk'), choices: [], ...usageOf(said, body) });
    yield 'data: [DONE]\n\n';
  },

  error: (told) => ({
    status: statuses[told.kind],
    body: { error: errorOf(told) },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ error: errorOf(told) }),
};

/** What OpenRouter's providers sign of their thoughts, where a client asks for thinking in OpenRouter's way. */
function thoughtOf({ reasoning }: Said) {
  return { type: 'reasoning.text', index: 0, text: reasoning, signature: signatureOf(reasoning) };
}

function headOf({ id, model }: Said, object: string) {
  return { id: `chatcmpl-${id}`, object, created: createdAtSeconds, model: `${model}-2031-01-01` };
}

function reasonOf({ finish, calls }: Said): string {
  if (finish === 'length') return 'length';
  if (calls.length > 0) return 'tool_calls';
  return 'stop';
}

function callOf({ id, name, json }: Said['calls'][number]) {
  return { id: `call_${id}`, function: { name, arguments: json } };
}

/** Parallel calls arrive interleaved, as providers may send them. */
function* callDeltas({ calls }: Said): Iterable<object> {
  for (const [index, each] of calls.entries()) {
    const { id, function: called } = callOf(each);
    yield { tool_calls: [{ index, id, type: 'function', function: { ...called, arguments: '' } }] };
  }
  const split = calls.map(({ json }) => pieces(json));
  const longest = Math.max(0, ...split.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const [index, parts] of split.entries()) {
      const piece = parts[at];
      if (piece) yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

/** What OpenRouter adds where it is asked to. */
const openRouterCost = { cost: 0.0125, cost_details: { upstream_inference_cost: null } };

function usageOf({ tokens }: Said, body: Readonly<Record<string, unknown>>) {
  if (!tokens) return {};
  const { cacheWriteInput: written } = tokens;
  return {
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
      prompt_tokens_details: {
        cached_tokens: tokens.cachedInput,
        ...(written ? { cache_write_tokens: written } : {}),
      },
      completion_tokens_details: { reasoning_tokens: tokens.reasoning },
      ...(body.usage ? openRouterCost : {}),
    },
  };
}
