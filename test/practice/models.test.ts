/** The server of models by itself, asked with plain HTTP: what it refuses, as the real servers do, and what it lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveModel } from '../../src/models/catalogue.ts';
import { findLocalServers } from '../../src/models/describe.ts';
import { callWith, question, succeeded } from '../models/conformance.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { type ModelServer, startModelServer } from '../support/model-server/server.ts';

const names = ['any', 'gpt-5.1-codex'];
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ model: echoModel, models: names.map((name) => ({ name, sees: true })) });
});
afterAll(() => server.close());

const keys = { authorization: 'Bearer k', 'x-api-key': 'k', 'x-goog-api-key': 'k' };

async function post(path: string, body: object | string): Promise<{ status: number; said: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(server.url + path, { method: 'POST', body: text, headers: keys });
  return { status: response.status, said: await response.text() };
}

const user = (content: unknown = 'Hello') => ({ role: 'user', content });

describe('OpenAI’s Responses API refuses', () => {
  const model = 'gpt-5.1-codex';
  const call = { type: 'function_call', call_id: 'c1', name: 'Run', arguments: '{' };
  const output = {
    type: 'function_call_output',
    call_id: 'c1',
    output: [{ type: 'input_text', text: 'ok' }],
  };
  it.each([
    ['an unknown parameter', { model, input: [user()], seed: 1 }, "Unknown parameter: 'seed'"],
    [
      'a temperature',
      { model, input: [user()], temperature: 1 },
      "'temperature' is not supported with this model",
    ],
    ['a top_p', { model, input: [user()], top_p: 1 }, "'top_p' is not supported"],
    ['an effort', { model: 'gpt-4o', input: [user()], reasoning: { effort: 'low' } }, "'reasoning.effort'"],
    ['an answer to no call', { model, input: [user(), output] }, 'No tool call found'],
    [
      'an item by reference',
      { model, input: [{ type: 'item_reference', id: 'rs_1' }] },
      'Items are not persisted',
    ],
    [
      'an open thought',
      { model, input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] },
      'Items are not persisted',
    ],
    [
      'another’s thought',
      { model, input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }] },
      'could not be verified',
    ],
    [
      'a schema that is not strict',
      { model, input: [user()], tools: [{ type: 'function', name: 'Run', strict: true, parameters: {} }] },
      "Invalid schema for function 'Run'",
    ],
    ['too short a reply', { model, input: [user()], max_output_tokens: 3 }, 'max_output_tokens'],
    ['what is no JSON', '{', 'could not parse the JSON body'],
  ])('%s', async (_, body, message) => {
    const { status, said } = await post('/v1/responses', body);
    expect(status).toBe(400);
    expect(JSON.parse(said).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining(message),
    });
  });

  it('nothing that is well: also broken arguments and texts in parts', async () => {
    const content = [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
    ];
    const { status, said } = await post('/v1/responses', { model, input: [user(content), call, output] });
    expect(status).toBe(200);
    expect(JSON.parse(said).output).toMatchObject([{ content: [{ text: 'You said: ok' }] }]);
    const picture = await post('/v1/responses', { model, input: [user(content)] });
    expect(picture.said).toContain('You said: Look [image]');
    const elsewhere = [{ type: 'input_image', image_url: 'https://example.org/cat.png' }];
    expect((await post('/v1/responses', { model, input: [user(elsewhere)] })).said).toContain(
      'fetches nothing',
    );
  });
});

describe('Anthropic’s Messages API refuses', () => {
  const base = { model: 'any', max_tokens: 2000, messages: [user()] };
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Run', input: {} }] };
  const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'ok' }] };
  const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'forged' };
  it.each([
    ['no bound on the reply', { ...base, max_tokens: undefined }, 'max_tokens'],
    [
      'thinking without room',
      { ...base, thinking: { type: 'enabled', budget_tokens: 2000 } },
      'must be greater than',
    ],
    [
      'a temperature while thinking',
      { ...base, temperature: 0.1, thinking: { type: 'enabled', budget_tokens: 1024 } },
      'may only be set to 1',
    ],
    ['five cache markers', { ...base, messages: [user(['a', 'b', 'c', 'd', 'e'].map(marked))] }, 'Found 5'],
    ['a use without a result', { ...base, messages: [user(), use, user()] }, 'without `tool_result`'],
    [
      'thinking that begins late',
      {
        ...base,
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: [user(), use, user([result])],
      },
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    ],
    [
      'a forged thought',
      { ...base, messages: [user(), { role: 'assistant', content: [thought] }] },
      'Invalid `signature`',
    ],
    [
      'a result in the wrong turn',
      { ...base, messages: [user(), { role: 'assistant', content: [result] }] },
      'cannot hold',
    ],
  ])('%s', async (_, body, message) => {
    const { status, said } = await post('/v1/messages', body);
    expect(status).toBe(400);
    expect(JSON.parse(said)).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
    });
  });

  it('nothing that is well', async () => {
    const redacted = {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', text: 'a' },
      ],
    };
    const messages = [
      user(),
      redacted,
      user(),
      use,
      user([{ ...result, is_error: true }, marked('and now?')]),
    ];
    const { said } = await post('/v1/messages', { ...base, system: [marked('Be brief.')], messages });
    expect(JSON.parse(said).content).toEqual([{ type: 'text', text: 'You said: and now?' }]);
  });
});

describe('Gemini refuses', () => {
  const path = '/v1beta/models/gemini-3-pro-preview:generateContent';
  const asked = { role: 'user', parts: [{ text: 'Hello' }] };
  const call = {
    role: 'model',
    parts: [
      { functionCall: { name: 'Run', args: {} }, thoughtSignature: 'skip_thought_signature_validator' },
    ],
  };
  const answer = { role: 'user', parts: [{ functionResponse: { name: 'Run', response: { other: 1 } } }] };
  it.each([
    [
      'two ways to think',
      {
        contents: [asked],
        generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'low' } },
      },
      'only one of thinking budget and thinking level',
    ],
    ['a call without an answer', { contents: [asked, call, asked] }, 'number of function response parts'],
    [
      'a call without its signature',
      { contents: [asked, { role: 'model', parts: [{ functionCall: { name: 'Run' } }] }, answer] },
      'missing a thought_signature',
    ],
    ['nothing at all', { contents: [] }, 'contents'],
  ])('%s', async (_, body, message) => {
    const { status, said } = await post(path, body);
    expect(status).toBe(400);
    expect(JSON.parse(said).error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  it('nothing that is well', async () => {
    const { said } = await post(path, { contents: [asked, call, answer] });
    expect(JSON.parse(said).candidates[0]).toMatchObject({
      content: { parts: [{ text: 'You said: {"other":1}' }] },
      finishReason: 'STOP',
    });
  });
});

describe('chat completions', () => {
  it('refuse a result of a call that nobody made', async () => {
    const tool = { role: 'tool', tool_call_id: 'c1', content: 'x' };
    const { status, said } = await post('/v1/chat/completions', { model: 'any', messages: [user(), tool] });
    expect([status, said]).toEqual([
      400,
      expect.stringContaining('must be a response to a preceeding message'),
    ]);
  });
});

describe('an echo', () => {
  it('fits the schema that was asked for', async () => {
    const schema = {
      type: 'object',
      properties: {
        correct: { type: 'boolean' },
        grade: { type: 'integer', minimum: 1 },
        kind: { enum: ['a', 'b'] },
        list: { type: 'array' },
        text: { type: ['string', 'null'] },
        either: { anyOf: [{ type: 'null' }, { type: 'string' }] },
        fixed: { const: 7 },
        inner: { properties: { x: { type: 'number' } } },
      },
    };
    const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`, OPENAI_COMPATIBLE_API_KEY: 'k' };
    const model = await resolveModel('openai-compatible/any', { env, priceOf: () => null });
    const reply = await model.generate({ ...question, output: { name: 'verdict', schema } }, callWith());
    expect(succeeded(reply).object).toEqual({
      correct: false,
      grade: 1,
      kind: 'a',
      list: [],
      text: '',
      either: null,
      fixed: 7,
      inner: { x: 0 },
    });
  });
});

describe('local servers', () => {
  it('are known by a route of their own, each where its variable says', async () => {
    const env = {
      OLLAMA_HOST: server.url,
      VLLM_BASE_URL: `${server.url}/v1`,
      LM_STUDIO_BASE_URL: `${server.url}/v1/`,
      LLAMA_CPP_BASE_URL: `${server.url}/v1`,
    };
    const found = await findLocalServers(env);
    expect(found.map(({ provider }) => provider)).toEqual(['ollama', 'vllm', 'lm-studio', 'llama.cpp']);
    for (const { models } of found) expect(models).toEqual(names);
  });
});

it('a port that is taken is told', async () => {
  const port = Number(new URL(server.url).port);
  await expect(startModelServer({ model: echoModel, port })).rejects.toThrow(
    `The server of models could not be started on port ${port}. listen EADDRINUSE`,
  );
});

it('a model that fails is a failure on the wire', async () => {
  const failing = {
    ...echoModel,
    generate: async () =>
      ({
        ok: false,
        error: { kind: 'script-exhausted', message: 'No more.', retryable: false },
        usage: null,
      }) as const,
  };
  const exhausted = await startModelServer({ model: failing });
  const response = await fetch(`${exhausted.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', messages: [user()] }),
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { message: 'No more.', type: 'server_error' } });
  await exhausted.close();
});
