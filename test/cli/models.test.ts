/** `polya models`: what people are told of the models that they may name. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { echoModel } from '../support/model-server/echo.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { newPlace, type Place, polya } from './shell.ts';

const key = 'sk-very-secret-0123456789';
const listShape = z.strictObject({
  providers: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      form: z.string(),
      keyVariables: z.array(z.string()),
      keyVariable: z.string().nullable(),
      needsKey: z.boolean(),
      baseUrlVariable: z.string(),
      baseUrl: z.string().nullable(),
      isReady: z.boolean(),
      isConfigured: z.boolean(),
      settings: z.string(),
    }),
  ),
  servers: z.array(z.strictObject({ provider: z.string(), url: z.string(), models: z.array(z.string()) })),
  own: z.array(z.strictObject({ name: z.string(), file: z.string() })),
});

/** A place in which nothing runs but what a test starts. */
function quietPlace(env: Record<string, string> = {}): Place {
  const nowhere = 'http://127.0.0.1:9/v1';
  const place = newPlace();
  const quiet = {
    OLLAMA_HOST: nowhere,
    VLLM_BASE_URL: nowhere,
    LM_STUDIO_BASE_URL: nowhere,
    LLAMA_CPP_BASE_URL: nowhere,
  };
  return { ...place, env: { ...place.env, ...quiet, ...env } };
}

describe('polya models', () => {
  test('lists providers, which key is set, and never the key', async () => {
    const { code, out, err } = await polya(quietPlace({ GEMINI_API_KEY: key }), ['models']);
    expect(code).toBe(0);
    expect(out).toMatch(/openai\/NAME +set OPENAI_API_KEY +effort, max output tokens/);
    expect(out).toMatch(/google\/NAME +GEMINI_API_KEY is set/);
    expect(out).toMatch(/ollama\/NAME +needs none/);
    expect(out).toMatch(/No server of models was found/);
    expect(out + err).not.toContain(key);
  });

  test('as JSON, with the servers that run here and their models', async () => {
    const models = [{ name: 'llama3:8b' }, { name: 'qwen3' }];
    const server = await startModelServer({ model: echoModel, models });
    const place = quietPlace({
      OLLAMA_HOST: server.url.slice('http://'.length),
      LM_STUDIO_BASE_URL: `${server.url}/v1`,
    });
    const { out } = await polya(place, ['models', '--json']);
    await server.close();
    const { providers, servers } = listShape.parse(JSON.parse(out));
    const url = `${server.url}/v1`;
    expect(servers).toEqual([
      { provider: 'ollama', url, models: ['llama3:8b', 'qwen3'] },
      { provider: 'lm-studio', url, models: ['llama3:8b', 'qwen3'] },
    ]);
    expect(providers.find(({ name }) => name === 'openai')).toMatchObject({
      isReady: false,
      keyVariable: null,
    });
    expect(providers.find(({ name }) => name === 'ollama')).toMatchObject({ isReady: true, baseUrl: url });
    expect(providers.find(({ name }) => name === 'openai-compatible')).toMatchObject({ isReady: false });
  });

  test('tells what one model takes', async () => {
    const codex = await polya(newPlace(), ['models', 'openai/gpt-5.1-codex']);
    expect(codex.out).toMatch(/temperature +no\n/);
    expect(codex.out).toMatch(/effort +low, medium, high\n/);
    expect(codex.out).toMatch(/seed +no\n/);
    const claude = await polya(newPlace(), ['models', 'claude/claude-opus-4-6']);
    expect(claude.out).toMatch(/top_p +without thinking; 0 to 1; without a temperature\n/);
    const { settings } = JSON.parse(
      (await polya(newPlace(), ['models', 'gemini/gemini-2.5-pro', '--json'])).out,
    );
    expect(settings).toMatchObject({ thinkingBudgetTokens: '128 to 32768', temperature: '0 to 2' });
    const none = await polya(newPlace(), ['models', 'acme/x']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('"acme/x" is no model of a provider.');
  });
});
