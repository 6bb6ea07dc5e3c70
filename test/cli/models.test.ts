/** `polya models` and `polya models mock`: what people are told, and a server that any client can be pointed at. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { echoModel } from '../../src/practice/models/echo.ts';
import { startModelServer } from '../../src/practice/models/server.ts';
import { newPlace, type Place, polya, solvingScript } from './shell.ts';

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

describe('polya models mock', () => {
  /** Starts it, does something with it, and interrupts it. */
  async function mocking(argv: readonly string[], work: (url: string) => Promise<void>, place = newPlace()) {
    let doing: Promise<void> | undefined;
    const answer = await polya(place, ['models', 'mock', '--json', ...argv], {
      onWrite: (text, interrupt) => {
        const url = /"url": "([^"]+)"/.exec(text)?.[1];
        if (url) doing = work(url).finally(interrupt);
      },
    });
    await doing;
    return answer;
  }

  const post = (url: string, path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const hello = [{ role: 'user', content: 'Hello' }];

  test('answers every client on its wire', async () => {
    const { code, err } = await mocking([], async (url) => {
      const chat = await post(url, '/v1/chat/completions', { model: 'any', messages: hello });
      expect(await chat.json()).toMatchObject({ choices: [{ message: { content: 'You said: Hello' } }] });
      const question = { model: 'any', max_tokens: 9, messages: hello };
      const claude = await post(url, '/v1/messages', question, { 'x-api-key': 'k' });
      expect(await claude.json()).toMatchObject({ content: [{ type: 'text', text: 'You said: Hello' }] });
      const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
      const gemini = await post(url, '/v1beta/models/any:generateContent?key=k', { contents });
      const candidates = [{ content: { parts: [{ text: 'You said: Hello' }] } }];
      expect(await gemini.json()).toMatchObject({ candidates });
      const keyless = await post(url, '/v1/responses', { model: 'any', input: hello });
      expect(keyless.status).toBe(401);
      expect(await keyless.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
      expect((await post(url, '/v1/nothing', {})).status).toBe(404);
      expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'mock' }] });
    });
    expect(code).toBe(0);
    expect(err).toContain('1 openai-chat\n2 anthropic-messages\n3 gemini\n4 openai-responses\n');
  });

  test('answers from a script, by how far a conversation has come', async () => {
    const place = newPlace();
    const script = solvingScript(place).slice('scripted:'.length);
    await mocking(
      ['--script', script],
      async (url) => {
        const reply = await post(url, '/v1/chat/completions', { model: 'any', messages: hello });
        const call = { function: { name: 'DownloadProblemStatement' } };
        expect(await reply.json()).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
      },
      place,
    );
  });

  test('misbehaves at every Nth request', async () => {
    const { err } = await mocking(['--fault', 'rate-limit', '--every', '2'], async (url) => {
      const ask = () => post(url, '/v1/chat/completions', { model: 'any', messages: hello });
      expect((await ask()).status).toBe(200);
      const limited = await ask();
      expect(limited.status).toBe(429);
      expect(limited.headers.get('retry-after')).toBe('1');
      expect((await ask()).status).toBe(200);
    });
    expect(err).toContain('2 openai-chat (rate-limit)\n');
  });

  test('says what is wrong with how it is called', async () => {
    expect(await polya(newPlace(), ['models', 'mock', '--fault', 'rudeness'])).toMatchObject({ code: 2 });
    expect(await polya(newPlace(), ['models', 'mock', '--port', '99999'])).toMatchObject({ code: 2 });
    const missing = await polya(newPlace(), ['models', 'mock', '--script', 'nowhere.yaml']);
    expect(missing.err).toContain('nowhere.yaml');
  });
});
