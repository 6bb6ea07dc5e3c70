/** The chat-completions wire: what is sent, and what is read from a reply that is well. */
import { describe, expect, it } from 'vitest';
import { describeModelRefusal } from '../../src/core/cut-off.ts';
import type { OpenAiCompatibleOptions } from '../../src/models/openai-compatible.ts';
import { apiKey, ask, modelAt, ok, unknown } from './asking.ts';
import {
  type Completion,
  modelName,
  openStream,
  type Respond,
  say,
  sendEvent,
  sendJson,
  startChatServer,
} from './chat-server.ts';
import { callWith, question, succeeded } from './conformance.ts';

const saying =
  (completion: Completion): Respond =>
  (exchange) =>
    say(exchange, completion);

describe.each([{ stream: true }, { stream: false }])('the request, %o', ({ stream }) => {
  it('carries the whole conversation', async () => {
    const { exchange } = await ask(
      ok,
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look:' },
              { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'Hm.' },
              { type: 'text', text: 'Run.' },
              { type: 'tool-call', id: 'c1', name: 'Run', args: { code: '1' } },
              { type: 'tool-call', id: 'c2', name: 'Run', args: null, raw: '{"co' },
            ],
          },
          { role: 'tool', callId: 'c1', name: 'Run', content: 'stdout:\n1' },
          { role: 'tool', callId: 'c2', name: 'Run', content: 'no JSON', isError: true },
        ],
      },
      { stream },
    );
    expect(exchange?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'Run.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'Run', arguments: '{"code":"1"}' } },
          { id: 'c2', type: 'function', function: { name: 'Run', arguments: '{"unparsed":"{\\"co"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'stdout:\n1' },
      { role: 'tool', tool_call_id: 'c2', content: 'no JSON' },
    ]);
    expect(exchange?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it('carries tools, settings and the schema of a structured reply', async () => {
    const parameters = { type: 'object', properties: { code: { type: 'string' } } };
    const closed = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const { exchange } = await ask(
      ok,
      {
        ...question,
        tools: [{ name: 'Run', description: 'Runs code.', parameters }],
        output: { name: 'verdict', schema: closed },
        settings: { temperature: 0.1, maxOutputTokens: 99, reasoningEffort: 'low', seed: 7 },
      },
      { stream },
    );
    expect(exchange?.body).toMatchObject({
      model: modelName,
      temperature: 0.1,
      max_tokens: 99,
      reasoning_effort: 'low',
      seed: 7,
      tools: [{ type: 'function', function: { name: 'Run', description: 'Runs code.', parameters } }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', schema: closed, strict: true },
      },
    });
    expect(exchange?.body.stream_options).toEqual(stream ? { include_usage: true } : undefined);
  });

  it('says strict only of schemas that are', async () => {
    const open = { type: 'object', properties: { ok: { type: 'boolean' } } };
    const { exchange } = await ask(
      ok,
      { ...question, output: { name: 'verdict', schema: open } },
      { stream },
    );
    expect(exchange?.body.response_format).toMatchObject({ json_schema: { strict: false } });
  });

  it('gives a tool call back what its provider attached to it', async () => {
    const signed = { id: 'c1', type: 'function', function: { name: 'Run', arguments: '{}' } };
    const extra = { google: { thought_signature: 'abc' } };
    const call = { ...signed, index: 0, extra_content: extra };
    await using server = await startChatServer((exchange) => {
      const choice = { index: 0, finish_reason: 'tool_calls' };
      if (!stream)
        return sendJson(exchange.response, 200, {
          choices: [{ ...choice, message: { tool_calls: [call] } }],
        });
      openStream(exchange);
      sendEvent(exchange, { choices: [{ ...choice, delta: { tool_calls: [call] } }] });
      exchange.response.end();
    });
    const model = modelAt(server.baseUrl, { stream });
    const { message } = succeeded(await model.generate(question, callWith()));
    await model.generate({ messages: [...question.messages, message] }, callWith());
    expect(server.exchanges[1]?.body.messages).toMatchObject([
      {},
      { tool_calls: [{ ...signed, extra_content: extra }] },
    ]);
  });
});

describe.each([{ stream: true }, { stream: false }])('the reply, %o', ({ stream }) => {
  const usageOf = async (completion: Completion, options: Partial<OpenAiCompatibleOptions> = {}) =>
    (await ask(saying(completion), question, { stream, ...options })).reply.usage;

  it('is unknown where the counts are none, and never more of a part than of the whole', async () => {
    const counted = (prompt: number, completion: number, cached = 0, reasoning = 0) =>
      usageOf({
        content: 'a',
        usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          prompt_tokens_details: { cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: reasoning },
        },
      });
    expect(await counted(-10, 5)).toEqual(unknown);
    expect(await counted(10, -5)).toEqual(unknown);
    expect((await counted(10, 5, 999, 7))?.tokens).toEqual({
      input: 10,
      cachedInput: 10,
      output: 12,
      reasoning: 7,
    });
    expect((await counted(10.5, 5, -3, -7))?.tokens).toEqual({
      input: 11,
      cachedInput: 0,
      output: 5,
      reasoning: 0,
    });
  });

  it.each<[string, Respond, string]>([
    ['the model', saying({ refusal: 'I cannot.' }), 'The model refused.'],
    [
      'the filter, behind some words',
      saying({ content: 'Some', finishReason: 'content_filter' }),
      "The provider's content filter ended the reply (content_filter).",
    ],
    [
      'the filter, in its own word',
      saying({ content: 'Some', finishReason: 'SAFETY' }),
      "The provider's content filter ended the reply (SAFETY).",
    ],
  ])('says who refused: %s', async (_, respond, words) => {
    const { reply, count } = await ask(respond, question, { stream });
    expect(reply.ok && describeModelRefusal(reply)).toBe(words);
    expect(count).toBe(1);
  });

  it('says that its server ignores the limit on a reply', async () => {
    const settings = { maxOutputTokens: 16 };
    const { reply } = await ask(ok, { ...question, settings });
    expect(reply).toMatchObject({ notices: [expect.stringContaining('ignores the limit')] });
    const near = { ...question, settings: { maxOutputTokens: 40 } };
    expect((await ask(ok, near)).reply).toMatchObject({ ok: true, notices: undefined });
  });

  it('tells thoughts that stand in its details alone', async () => {
    const details = [{ type: 'reasoning.text', index: 0, text: 'Six sevens.' }];
    const message = { content: '42', reasoning_details: details };
    const { reply } = await ask(({ response }) =>
      sendJson(response, 200, { choices: [{ message, finish_reason: 'stop' }] }),
    );
    expect(succeeded(reply).message.content).toMatchObject([
      { type: 'reasoning', text: 'Six sevens.' },
      { type: 'text', text: '42' },
    ]);
  });

  it('says who answered, and that a refusal is one', async () => {
    const { reply } = await ask(saying({ refusal: 'I cannot.' }), question, { stream });
    expect(reply).toMatchObject({
      ok: true,
      finish: 'refusal',
      servedBy: `${modelName}-2031-01-01`,
      message: { content: [{ type: 'text', text: 'I cannot.' }] },
    });
  });

  it('calls tools even where the server says stop, and takes blank arguments for none', async () => {
    const toolCalls = [{ id: 'c1', name: 'Submit', arguments: '' }];
    const { reply } = await ask(saying({ toolCalls, finishReason: 'stop' }), question, { stream });
    expect(reply).toMatchObject({
      finish: 'tool-calls',
      message: { content: [{ type: 'tool-call', id: 'c1', name: 'Submit', args: {} }] },
    });
  });

  it('never holds the key that a server repeats', async () => {
    const json = JSON.stringify({ list: [{ [apiKey]: `k=${apiKey}` }], n: 1 });
    const completion = {
      content: `The key is ${apiKey}.`,
      reasoning: `I know ${apiKey}.`,
      toolCalls: [
        { id: 'c1', name: 'Submit', arguments: json },
        { id: 'c2', name: 'Submit', arguments: `{"key": ${apiKey}` },
      ],
    };
    const { reply } = await ask(saying(completion), question, { stream });
    expect(JSON.stringify(reply)).not.toContain(apiKey);
    expect(succeeded(reply).message.content).toMatchObject([
      { type: 'reasoning', text: 'I know [redacted].' },
      { type: 'text', text: 'The key is [redacted].' },
      { args: { list: [{ '[redacted]': 'k=[redacted]' }], n: 1 } },
      { args: null, raw: '{"key": [redacted]' },
    ]);
    const asked = { ...question, output: { name: 'verdict', schema: {} } };
    const structured = await ask(saying({ content: json }), asked, { stream });
    expect(succeeded(structured.reply).object).toEqual({ list: [{ '[redacted]': 'k=[redacted]' }], n: 1 });
  });

  it('never shows a key that comes in one piece while it streams', async () => {
    await using server = await startChatServer((exchange) => {
      if (!stream) return say(exchange, { content: `It is ${apiKey}.` });
      openStream(exchange);
      const choice = { index: 0, finish_reason: 'stop', delta: { content: `It is ${apiKey}.` } };
      sendEvent(exchange, { choices: [choice] });
      exchange.response.end();
    });
    const deltas: string[] = [];
    const call = callWith({ onDelta: ({ text }) => deltas.push(text) });
    succeeded(await modelAt(server.baseUrl, { stream }).generate(question, call));
    expect(deltas).toEqual(['It is [redacted].']);
  });

  it.each(['none', 'EMPTY', 'placeholder', '12345678'])(
    'keeps the words of a model, also where the key is one: %s',
    async (word) => {
      const { reply } = await ask(saying({ content: `a ${word} b` }), question, { stream, apiKey: word });
      expect(succeeded(reply).message.content).toEqual([{ type: 'text', text: `a ${word} b` }]);
    },
  );

  it('is read where its stream begins with a comment, a name or a blank line, in pieces', async () => {
    if (!stream) return;
    for (const beginning of [': keep-alive\n\n', 'event: message\n', '\n\n', 'da']) {
      const inPieces: Respond = async (exchange) => {
        openStream(exchange);
        exchange.response.write(beginning);
        await new Promise((resolve) => setTimeout(resolve, 20));
        const chunk = { choices: [{ index: 0, finish_reason: 'stop', delta: { content: 'ok' } }] };
        exchange.response.end(`${beginning === 'da' ? 'ta' : 'data'}: ${JSON.stringify(chunk)}\n\n`);
      };
      expect(succeeded((await ask(inPieces)).reply).message.content).toEqual([{ type: 'text', text: 'ok' }]);
    }
  });
});
