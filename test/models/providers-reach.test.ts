/** How a provider is reached: keys, addresses, other tools' names, and what is known of a model before it is asked. */

import { describe, expect, it } from 'vitest';
import { UnavailableError, UserError } from '../../src/core/errors.ts';
import { modelNameOf, resolveModel } from '../../src/models/catalogue.ts';
import { providers } from '../../src/models/providers/index.ts';
import { coded } from '../support/coded.ts';
import { faults } from '../support/model-server/conduct.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { callWith, question, succeeded } from './conformance.ts';
import { contacts, meet, secret, wires } from './mock.ts';

const reach = (id: string, env: Record<string, string>) => resolveModel(id, { env, priceOf: () => null });

async function mistake(id: string, env: Record<string, string> = {}): Promise<string> {
  const error = await reach(id, env).catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new Error(`No UserError, but ${String(error)}`);
  expect(error.message).not.toContain(secret);
  return error.message;
}

describe('keys', () => {
  it.each(providers.filter(({ keyIsOptional }) => !keyIsOptional))(
    '$name: a missing one is told',
    async (provider) => {
      const there = { [provider.baseUrlVariable]: 'https://models.example/v1' };
      const said = await mistake(`${provider.name}/any`, there);
      expect(said).toContain(
        `The model ${provider.name}/any needs the environment variable ${provider.keys[0]}`,
      );
      expect(
        await mistake(`${provider.name}/any`, { ...there, [provider.keys[0] ?? '']: `${secret}\nx` }),
      ).toContain('is no usable key');
    },
  );

  it('a server of this machine needs none and is free, unless its user gave a price', async () => {
    const there = { OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:9/v1' };
    const id = 'openai-compatible/any';
    expect((await reach(id, there)).price).toMatchObject({ inputUsdPerMillion: 0, outputUsdPerMillion: 0 });
    const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 2 };
    expect((await resolveModel(id, { env: there, priceOf: () => price })).price).toEqual(price);
    for (const elsewhere of [
      'http://10.0.0.1:9/v1',
      'http://127.0.0.1.models.example/v1',
      'http://localhost.example/v1',
    ])
      expect(await mistake(id, { OPENAI_COMPATIBLE_BASE_URL: elsewhere })).toContain(
        'OPENAI_COMPATIBLE_API_KEY',
      );
  });

  it('the first of several variables counts, and any of them does', async () => {
    expect(await mistake('google/gemini-2.5-pro')).toContain(
      'GEMINI_API_KEY (or GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY)',
    );
    const model = await reach('gemini/gemini-2.5-pro', { GOOGLE_GENERATIVE_AI_API_KEY: secret });
    expect(model).toMatchObject({ id: 'gemini/gemini-2.5-pro', kind: 'live' });
  });

  it('the key is sent where the provider wants it', async () => {
    for (const contact of contacts) {
      await using met = await meet(contact);
      succeeded(await met.model.generate(question, callWith()));
      const headers = JSON.stringify(met.exchanges[0]?.headers);
      expect(headers.includes(secret)).toBe(Object.values(contact.env('x')).includes(secret));
    }
  });
});

it('who is refused for a key is told which variable holds it, and never the key', async () => {
  for (const contact of wires) {
    await using met = await meet(contact, { conduct: () => faults.auth ?? {} });
    const reply = await met.model.generate(question, callWith());
    const variable = Object.keys(contact.env('x')).find((name) => name.endsWith('_KEY'));
    expect(!reply.ok && reply.error.message).toContain(`(The key is the one in ${variable}.)`);
    expect(JSON.stringify(reply)).not.toContain(secret);
  }
});

describe('addresses', () => {
  it.each(providers)('$name: one that is none is told, without a password', async (provider) => {
    const key = provider.keys[0] ?? '';
    const there = (url: string) => ({ [key]: secret, [provider.baseUrlVariable]: url });
    const said = await mistake(`${provider.name}/any`, there('https://me:hunter2@host/v1'));
    expect(said).toContain(`The variable ${provider.baseUrlVariable} is no usable address`);
    expect(said).not.toContain('hunter2');
    // A path behind a query would never be asked.
    const queried = await mistake(`${provider.name}/any`, there('https://host/v1?api-version=1&key=hunter2'));
    expect(queried).toContain('is no usable address');
    expect(queried).not.toContain('hunter2');
  });

  it('Ollama’s own variable may leave out scheme and port, and name all addresses', async () => {
    const server = await startModelServer({ model: echoModel, models: [{ name: 'm' }] });
    const port = new URL(server.url).port;
    for (const host of [`127.0.0.1:${port}`, `0.0.0.0:${port}`, `${server.url}/`, `${server.url}/v1`]) {
      const model = await reach('ollama/m', { OLLAMA_HOST: host });
      expect(succeeded(await model.generate(question, callWith())).finish).toBe('stop');
    }
    await server.close();
  });

  it('how long silence may last is one variable for all, and any nonsense in it is told', async () => {
    const env = { OPENAI_API_KEY: secret, POLYA_SILENCE_SECONDS: 'long' };
    expect(await mistake('openai/gpt-5', env)).toContain('POLYA_SILENCE_SECONDS is no usable time: "long"');
    expect(
      await mistake('openai/gpt-5', { OPENAI_API_KEY: secret, OPENAI_REASONING_SUMMARY: 'much' }),
    ).toContain('OPENAI_REASONING_SUMMARY says "much"');
  });
});

describe('Ollama', () => {
  it('a model that it does not have is told before the first call, with those it has', async () => {
    const server = await startModelServer({ model: echoModel, models: [{ name: 'llama3:8b' }] });
    const said = await mistake('ollama/qwen3', { OLLAMA_HOST: server.url });
    expect(said).toContain('Ollama has no model qwen3. It has llama3:8b.');
    expect(said).toContain('ollama pull qwen3');
    await server.close();
  });

  it('is told to be started where nothing answers', async () => {
    const gone = reach('ollama/m', { OLLAMA_HOST: '127.0.0.1:9' });
    await expect(gone).rejects.toThrow(UnavailableError);
    await expect(gone).rejects.toThrow(coded('server-not-found', '`ollama'));
  });

  it('says whether a model sees; what cannot is never sent a picture', async () => {
    const models = [{ name: 'blind' }, { name: 'seeing', sees: true }];
    let asked = 0;
    const server = await startModelServer({ model: echoModel, models, onExchange: () => (asked += 1) });
    const env = { OLLAMA_HOST: server.url };
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const picture = { messages: [{ role: 'user', content: [image] }] } as const;
    const blind = await reach('ollama/blind', env);
    expect(blind.takes.images).toBe(false);
    expect(await blind.generate(picture, callWith())).toMatchObject({
      error: { kind: 'bad-request' },
      usage: null,
    });
    expect(asked).toBe(0);
    const seeing = await reach('ollama/seeing', env);
    expect(succeeded(await seeing.generate(picture, callWith())).message.content).toMatchObject([
      { text: 'You said: [image]' },
    ]);
    await server.close();
  });

  it('costs nothing on this machine, but its cloud does', async () => {
    const models = [{ name: 'm' }, { name: 'big:cloud' }];
    const server = await startModelServer({ model: echoModel, models });
    const env = { OLLAMA_HOST: server.url, VLLM_BASE_URL: 'https://gpu.example/v1' };
    expect((await reach('ollama/m', env)).price).toMatchObject({
      inputUsdPerMillion: 0,
      outputUsdPerMillion: 0,
    });
    expect((await reach('ollama/big:cloud', env)).price).toBeNull();
    expect((await reach('vllm/m', env)).price).toBeNull();
    await server.close();
  });
});

describe('names', () => {
  it.each([
    ['gemini', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['OpenAI', 'gpt-5', 'openai/gpt-5'],
    ['openai', 'openai/gpt-5', 'openai/gpt-5'],
    ['openrouter', 'openai/gpt-5', 'openrouter/openai/gpt-5'],
    ['ollama', 'llama3:8b', 'ollama/llama3:8b'],
    ['lm_studio', 'any', 'lm-studio/any'],
  ])('provider %s and model %s are %s', (provider, model, whole) => {
    expect(modelNameOf({ provider, model })).toBe(whole);
  });

  it('of providers that are not known are told', () => {
    expect(() => modelNameOf({ provider: 'acme', model: 'x' })).toThrow(coded('no-such-provider', '"acme"'));
  });
});

it('an ordinary request gives no cause for notices', async () => {
  const tools = [{ name: 'Run', description: 'Runs code.', parameters: { type: 'object', properties: {} } }];
  const messages = [{ role: 'system', content: 'Be brief.' } as const, ...question.messages];
  for (const contact of contacts) {
    await using met = await meet(contact);
    const settings = { maxOutputTokens: 2000 };
    const reply = await met.model.generate({ messages, tools, settings }, callWith());
    expect([contact.id, succeeded(reply).notices]).toEqual([contact.id, undefined]);
  }
});

it('an empty reply is none: it may be asked for again, and is charged', async () => {
  for (const contact of contacts) {
    await using met = await meet(contact, { intent: { text: '', reasoning: 'Hm.' } });
    const reply = await met.model.generate(question, callWith());
    expect(reply).toMatchObject({
      ok: false,
      error: {
        kind: 'malformed',
        retryable: true,
        message: expect.stringContaining('neither words nor tool calls'),
      },
      usage: { tokens: { input: 100 } },
    });
  }
});

it.each(wires)(
  '$wire: a port that no HTTP client calls costs nothing, and is tried once',
  async (contact) => {
    const env = { ...contact.env('http://127.0.0.1:1'), OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1' };
    const model = await reach(contact.id, env);
    expect(await model.generate(question, callWith())).toMatchObject({
      ok: false,
      error: { kind: 'network', retryable: false, message: expect.stringContaining('port') },
      usage: null,
    });
  },
);
