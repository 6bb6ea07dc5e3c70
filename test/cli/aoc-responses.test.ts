/** A whole day of the practice site with a Codex model: the four tools over OpenAI's Responses API, on real HTTP. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Model } from '../../src/core/model.ts';
import { loadScript } from '../../src/models/script-file.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { type Exchange, startModelServer } from '../support/model-server/server.ts';
import { dryRunShape, runShape } from './schemas.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

async function codex(place: Place, exchanges: Exchange[]) {
  const name = solvingScript(place).slice('scripted:'.length);
  const script = JSON.parse(readFileSync(name, 'utf8'));
  const [first, ...rest] = script.roles.solver[''];
  // Thoughts, and two calls at once: the input beside the statement.
  const fetchBoth = {
    ...first,
    reasoning: 'I read before I write.',
    toolCalls: [...first.toolCalls, { name: 'DownloadInput', args: { year: 2000, day: 1 } }],
  };
  const file = join(place.folder, 'codex.json');
  writeFileSync(file, JSON.stringify({ roles: { solver: { '': [fetchBoth, ...rest] } } }));
  const scripted = scriptedModel({ id: 'scripted/codex', script: await loadScript(file) });
  const tokens = { input: 1000, cachedInput: 600, output: 100, reasoning: 40 };
  const model: Model = {
    ...scripted,
    async generate(request, call) {
      const reply = await scripted.generate(request, call);
      return reply.ok ? { ...reply, usage: { tokens, costUsd: null } } : reply;
    },
  };
  const server = await startModelServer({ model, onExchange: (exchange) => exchanges.push(exchange) });
  const key = 'sk-test-0123456789abcdef';
  const env = {
    ...place.env,
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: key,
    GEMINI_BASE_URL: `${server.url}/v1beta`,
    GEMINI_API_KEY: key,
  };
  return { place: { ...place, env }, [Symbol.asyncDispose]: () => server.close() };
}

const codexModel = ['--model', 'openai/gpt-5.1-codex'];

test('is solved with the four tools, stateless, and replayed without a server', async () => {
  const exchanges: Exchange[] = [];
  const there = newPlace();
  {
    await using met = await codex(there, exchanges);
    const { code, out, err } = await polya(met.place, [
      ...day1,
      ...codexModel,
      '--setting',
      'effort=high',
      '--json',
    ]);
    expect(err).not.toContain('failed');
    const run = runShape.parse(JSON.parse(out));
    expect(run).toMatchObject({
      outcome: 'solved',
      models: [{ model: 'openai/gpt-5.1-codex', label: null }],
    });
    expect(run.totals.toolCallsByName).toEqual({
      DownloadProblemStatement: 1,
      DownloadInput: 1,
      RunGeneratedCode: 2,
      SubmitAnswer: 2,
    });
    expect(run.totals).toMatchObject({ knownTokens: { input: 5000, cachedInput: 3000 }, cacheHitRate: 0.6 });
    expect(run.models).toMatchObject([{ settings: { reasoningEffort: 'high' } }]);
    expect(code).toBe(0);
  }
  expect(exchanges).toHaveLength(5);
  for (const { wire, path, body } of exchanges) {
    expect({ wire, path }).toEqual({ wire: 'openai-responses', path: '/v1/responses' });
    expect(body).toMatchObject({
      store: false,
      reasoning: { effort: 'high', summary: 'auto' },
      stream: true,
    });
    expect(JSON.stringify(body)).not.toContain('item_reference');
  }
  const inputs = exchanges.map(({ body }) => JSON.stringify(body.input).slice(0, -1));
  for (const [index, input] of inputs.slice(1).entries())
    expect(input.startsWith(inputs[index] ?? '-')).toBe(true);
  const items = z.array(z.looseObject({ type: z.string().optional(), role: z.string().optional() }));
  const types = items.parse(exchanges[1]?.body.input).map(({ type, role }) => type ?? role);
  expect(types).toEqual([
    'developer',
    'user',
    'reasoning',
    'assistant',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
  ]);
  const replayed = await polya(there, ['runs', 'replay', 'last']);
  expect(replayed.code).toBe(0);
  expect(replayed.out + replayed.err).toMatch(/same/);
  expect(exchanges).toHaveLength(5);
  const shown = await polya(there, ['runs', 'show', 'last']);
  expect(shown.out).toContain('openai/gpt-5.1-codex');
  expect(shown.out).toMatch(/setting +default: reasoningEffort=high\n/);
  expect(shown.out).toContain("60 % of the input (3,000 of 5,000 tokens) came from the provider's cache");
});

test.each(['openai/gpt-5.1-codex', 'google/gemini-3-pro-preview', 'anthropic/claude-sonnet-4-5'])(
  'goes on after it was stopped, with its thoughts from the journal: %s',
  async (model) => {
    const exchanges: Exchange[] = [];
    await using met = await codex(newPlace(), exchanges);
    let stops = 0;
    const stopped = await polya(met.place, [...day1, '--model', model, '--setting', 'effort=high'], {
      onWrite: (text, interrupt) => {
        if (text.includes('part1 is solved') && stops++ === 0) interrupt();
      },
    });
    expect(stopped.code).toBe(130);
    const asked = exchanges.length;
    const { code, err } = await polya(met.place, ['runs', 'resume', 'last']);
    expect(err).not.toContain('failed');
    expect(code).toBe(0);
    expect(exchanges.length).toBeGreaterThan(asked);
    expect(exchanges.length).toBeLessThanOrEqual(6);
  },
);

test('is shown and not called with --dry-run, with its settings', async () => {
  const exchanges: Exchange[] = [];
  await using met = await codex(newPlace(), exchanges);
  const settings = ['--setting', 'solver.effort=high', '--setting', 'max_output_tokens=5000'];
  const { out } = await polya(met.place, [...day1, ...codexModel, ...settings, '--dry-run', '--json']);
  const dryRun = dryRunShape.parse(JSON.parse(out));
  expect(dryRun.models).toMatchObject([
    { role: 'default', settings: { maxOutputTokens: 5000 } },
    { role: 'solver', settings: { maxOutputTokens: 5000, reasoningEffort: 'high' } },
  ]);
  expect(dryRun.firstRequest).toMatchObject({ settings: { maxOutputTokens: 5000, reasoningEffort: 'high' } });
  expect(exchanges).toEqual([]);
});

test("refuses the user's own settings that the model does not take, a missing key, an unknown provider", async () => {
  const exchanges: Exchange[] = [];
  await using met = await codex(newPlace(), exchanges);
  const warm = await polya(met.place, [...day1, ...codexModel, '--setting', 'temperature=0.1']);
  expect(warm.code).toBe(2);
  expect(warm.err).toContain('The model openai/gpt-5.1-codex does not take these settings.');
  expect(warm.err).toContain('It takes no temperature while it reasons');
  const keyless = { ...met.place, env: { ...met.place.env, OPENAI_API_KEY: '' } };
  const missing = await polya(keyless, [...day1, '--provider', 'OpenAI', '--model', 'gpt-5.1-codex']);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.err).toContain(
    'The model openai/gpt-5.1-codex needs the environment variable OPENAI_API_KEY.',
  );
  const nowhere = await polya(met.place, [...day1, '--provider', 'acme', '--model', 'x']);
  expect(nowhere.err).toMatch(/There is no provider "acme"\.\s+There are: openai, google, anthropic/);
  expect(exchanges).toEqual([]);
});

test('a picture for a model that cannot see is refused before anything is paid', async () => {
  const place = newPlace();
  const exchanges: Exchange[] = [];
  const models = [{ name: 'blind' }, { name: 'seeing', sees: true }];
  const server = await startModelServer({
    model: echoModel,
    models,
    onExchange: (each) => exchanges.push(each),
  });
  const there = { ...place, env: { ...place.env, OLLAMA_HOST: server.url } };
  writeFileSync(join(place.folder, 'dot.png'), Buffer.from(dot, 'base64'));
  const ask = (name: string) =>
    polya(there, ['ask', 'What is this?', '--image', 'dot.png', '--model', `ollama/${name}`]);
  const blind = await ask('blind');
  expect(blind.code).toBe(2);
  expect(blind.err).toContain('the model ollama/blind cannot see');
  expect(exchanges).toEqual([]);
  expect((await ask('seeing')).code).toBe(0);
  await server.close();
});

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
