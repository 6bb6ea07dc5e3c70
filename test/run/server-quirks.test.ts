/** What a server refuses, over real HTTP: asked for once, remembered, and the same in every later process of the run. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import type { Model, ModelRequest } from '../../src/core/model.ts';
import { openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import { forkRun } from '../../src/run/fork.ts';
import { LearnedQuirks } from '../../src/run/learned-quirks.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { type ChatServer, say, sendJson, startChatServer } from '../models/chat-server.ts';
import { answered, oddRun, oddWorld } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.5, outputUsdPerMillion: 2 };

/** Refuses these fields; of `response_format`, each type that is named. */
function serverRefusing(...refused: readonly string[]): Promise<ChatServer> {
  return startChatServer((exchange) => {
    const { body, response } = exchange;
    const format = JSON.stringify(body.response_format ?? null);
    const field = refused.find((name) => body[name] !== undefined || format.includes(`"type":"${name}"`));
    if (field === undefined) return say(exchange, { content: '{"n": 1}' });
    const message = /^json_/.test(field)
      ? 'This response_format type is unavailable now'
      : `Unsupported parameter: '${field}' is not supported with this model.`;
    return sendJson(response, 400, { error: { message } });
  });
}

const modelAt = ({ baseUrl }: ChatServer, more: Partial<Model> = {}): Model => ({
  ...openAiCompatibleModel({ id: 'test/odd', name: 'test-model', baseUrl, apiKey: 'a-key-of-no-use', price }),
  ...more,
});

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'x' }],
  output: { name: 'n', schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
  settings: { temperature: 0.2, maxOutputTokens: 50 },
};

const ask = async (run: Run, times: number) => {
  for (let n = 0; n < times; n += 1) {
    const reply = await run.generate('solver', question);
    if (!reply.ok) return answered(reply.error.message);
  }
  return answered('done');
};

const fieldsOf = ({ exchanges }: ChatServer) =>
  exchanges.map(({ body }) =>
    ['response_format', 'max_tokens', 'max_completion_tokens', 'temperature', 'stream_options'].filter(
      (name) => body[name] !== undefined,
    ),
  );

const quirksIn = async (world: ReturnType<typeof oddWorld>, run: string) =>
  (await eventsOf(world, run)).flatMap(({ kind, body }) =>
    kind === 'model-request' ? [body.quirks ?? []] : [],
  );

describe('what a server refuses', () => {
  test.each([
    [['json_schema'], ['json-object'], 1],
    [['json_schema', 'json_object'], ['json-object', 'json-in-prompt'], 2],
    [['max_tokens'], ['max-completion-tokens'], 1],
    [['max_tokens', 'max_completion_tokens'], ['max-completion-tokens', 'no-output-limit'], 2],
    [['stream_options', 'temperature'], ['no-stream-options', 'no-temperature'], 2],
  ])('%j is asked for once, and said once', async (refused, quirks, extra) => {
    await using server = await serverRefusing(...refused);
    const notices: string[] = [];
    const world = oddWorld({ model: modelAt(server), solve: (run) => ask(run, 3) });
    const end = await (await startRun(world, oddRun(), { onNotice: (notice) => notices.push(notice) })).done;
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'done' });
    expect(server.exchanges).toHaveLength(3 + extra);
    const recorded = await quirksIn(world, 'run');
    expect(
      recorded
        .slice(0, 1 + extra)
        .at(-1)
        ?.toString()
        .split(',')
        .toSorted(),
    ).toEqual(quirks.toSorted());
    expect(new Set(notices).size).toBe(notices.length);
    expect(notices.every((notice) => /^test\/\S+: It refuses /.test(notice))).toBe(true);
    expect(notices.length).toBeGreaterThan(0);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test('is known to a fork with the same model, and to none with another', async () => {
    await using server = await serverRefusing('json_schema', 'max_tokens');
    await using other = await serverRefusing();
    const world = oddWorld({
      model: modelAt(server),
      models: { 'test/other': modelAt(other, { id: 'test/other' }) },
      solve: (run, { times = 2 }) => ask(run, Number(times)),
    });
    await (await startRun(world, oddRun())).done;
    const before = server.exchanges.length;
    await (await forkRun(world, 'run', { id: 'same', settings: { times: 3 } })).done;
    expect(fieldsOf(server).slice(before)).toEqual([
      ['response_format', 'max_completion_tokens', 'temperature', 'stream_options'],
    ]);
    await (
      await forkRun(world, 'run', { id: 'other', settings: { times: 3 }, models: { default: 'test/other' } })
    ).done;
    expect(fieldsOf(other)).toEqual([['response_format', 'max_tokens', 'temperature', 'stream_options']]);
    for (const run of ['same', 'other'])
      expect(await replayRun(world, run)).toMatchObject({ complete: true, isSame: true });
  });

  test('is known after a resume, whichever attempt the run was stopped at', async () => {
    for (let stopAt = 1; stopAt <= 5; stopAt += 1) {
      await using server = await serverRefusing('json_schema', 'max_tokens');
      const model = modelAt(server);
      const hold = { calls: 0, isOff: false };
      const held: Model = {
        ...model,
        generate: async (request, call) => {
          hold.calls += 1;
          if (hold.calls !== stopAt || hold.isOff) return model.generate(request, call);
          handle.stop();
          return model.generate(request, { ...call, signal: AbortSignal.abort() });
        },
      };
      const world = oddWorld({ model: held, solve: (run) => ask(run, 3) });
      const handle = await startRun(world, oddRun());
      expect((await handle.done).outcome).toBe('cancelled');
      hold.isOff = true;
      expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
      // One call for each refusal, and one for each question.
      expect(server.exchanges, `stopped at ${stopAt}`).toHaveLength(5);
      expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
    }
  });

  test('is asked for at most once by each branch in flight', async () => {
    await using server = await serverRefusing('json_schema');
    const world = oddWorld({
      model: modelAt(server),
      solve: async (run) => {
        await Promise.all(['a', 'b', 'c'].map((name) => run.branch(name, (branch) => ask(branch, 2))));
        return ask(run, 1);
      },
    });
    await (await startRun(world, oddRun())).done;
    expect(server.exchanges).toHaveLength(3 + 6 + 1);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test('is known to the runs of a process, and each of them keeps it: in its journal, its forks and its replay', async () => {
    await using server = await serverRefusing('json_schema', 'max_tokens');
    const rows = Array.from({ length: 30 }, (_, row) => `row-${row}`);
    const notices: string[] = [];
    const observer = { onNotice: (notice: string) => notices.push(notice) };
    const alone = oddWorld({
      model: modelAt(server),
      solve: (run, { times = 1 }) => ask(run, Number(times)),
    });
    const world = { ...alone, quirks: new LearnedQuirks() };
    for (let at = 0; at < rows.length; at += 3)
      await Promise.all(
        rows.slice(at, at + 3).map(async (id) => (await startRun(world, oddRun({ id }), observer)).done),
      );
    // Those that ran at the same time were refused, and none after them.
    expect(server.exchanges).toHaveLength(rows.length + 2 * 3);
    expect(notices).toHaveLength(2 * 3);
    expect(await quirksIn(world, 'row-29')).toEqual([['json-object', 'max-completion-tokens']]);
    for (const id of ['row-0', 'row-29']) {
      const before = server.exchanges.length;
      expect(await replayRun(alone, id)).toMatchObject({ complete: true, isSame: true });
      await (await forkRun(alone, id, { id: `${id}-fork`, settings: { times: 2 } })).done;
      expect(server.exchanges).toHaveLength(before + 1);
      expect(await replayRun(alone, `${id}-fork`)).toMatchObject({ complete: true, isSame: true });
    }
  });

  test.each<[string, (max: number) => string, RegExp]>([
    [
      'of its own',
      () => 'max_tokens is too large: This model supports at most 4096 completion tokens',
      /at most 4096 tokens/,
    ],
    [
      'of what its context leaves',
      (max) =>
        `'max_tokens' is too large: ${max}. This model's maximum context length is 4156 tokens and your request has 60 input tokens (${max} > 4156 - 60).`,
      /context has 4156 tokens/,
    ],
  ])('a limit on the reply %s is asked for once, and said once', async (_, message, notice) => {
    await using server = await startChatServer((exchange) => {
      const max = Number(exchange.body.max_tokens);
      if (max <= 4096) return say(exchange, { content: 'ok' });
      return sendJson(exchange.response, 400, { error: { message: message(max) } });
    });
    const notices: string[] = [];
    const world = oddWorld({
      model: modelAt(server),
      async solve(run) {
        for (let n = 0; n < 3; n += 1) {
          const reply = await run.generate('solver', { messages: question.messages });
          if (!reply.ok) return answered(reply.error.message);
        }
        return answered('done');
      },
    });
    const observer = { onNotice: (text: string) => notices.push(text) };
    const end = await (await startRun(world, oddRun({ limits: { tokens: 1_000_000 } }), observer)).done;
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'done' });
    const maxima = server.exchanges.map(({ body }) => Number(body.max_tokens));
    expect(maxima).toHaveLength(4);
    expect(maxima.map((each) => each > 4096)).toEqual([true, false, false, false]);
    expect(notices.filter((text) => notice.test(text))).toHaveLength(1);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test('of what is configured nothing is asked for', async () => {
    await using server = await serverRefusing('json_schema', 'max_tokens');
    const model = modelAt(server, { quirks: ['json-object', 'max-completion-tokens'] });
    const world = oddWorld({ model, solve: (run) => ask(run, 1) });
    await (await startRun(world, oddRun())).done;
    expect(server.exchanges).toHaveLength(1);
  });

  test.each([[{ costUsd: 1 }], [{ tokens: 100_000 }]])(
    'that accepts no limit on a reply is not called under the limit %j',
    async (limits) => {
      await using server = await serverRefusing('max_tokens', 'max_completion_tokens');
      const world = oddWorld({ model: modelAt(server), solve: (run) => ask(run, 1) });
      const end = await (await startRun(world, oddRun({ limits }))).done;
      expect(end.solution?.answer).toMatchObject({
        text: expect.stringMatching(/was not made: .*no limit.*--budget/),
      });
      expect(fieldsOf(server).map((fields) => fields.filter((name) => name.startsWith('max')))).toEqual([
        ['max_tokens'],
        ['max_completion_tokens'],
      ]);
      expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
    },
  );
});
