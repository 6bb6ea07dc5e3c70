/** Conversations that are recorded from real journals and played again: by order, by request, over a kill. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../src/core/define.ts';
import { requireReply } from '../../src/core/errors.ts';
import { type Model, type ModelReply, textOf } from '../../src/core/model.ts';
import { parseCassette } from '../../src/models/cassette/format.ts';
import { recordCassette } from '../../src/models/cassette/record.ts';
import { replayModel } from '../../src/models/cassette/replay.ts';
import { requestKey } from '../../src/models/cassette/request-key.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, toyWorld } from '../support/world.ts';
import { callWith, question } from './conformance.ts';

/** Asks the same five times, as a vote does, and hands in all that it heard. */
const sampler = defineAgent({
  name: 'sampler',
  needs: [],
  roles: ['solver'],
  prompts: {},
  settings: z.object({ rounds: z.number().default(5) }),
  async solve(_problem, run, { rounds }) {
    const heard: string[] = [];
    for (let n = 0; n < rounds; n += 1) {
      const reply = await run.generate('solver', { messages: [{ role: 'user', content: 'Again?' }] });
      heard.push(textOf(requireReply(reply).message));
    }
    return { end: 'answered', answer: { type: 'text', text: heard.join(' ') } };
  },
});
const agents = [sampler];

/** Says another word each time, as a live model does; `says` may fail or leak. */
function talker(says: (count: number) => string | ModelReply): Model & { calls: number } {
  const model = {
    id: 'test/talker',
    kind: 'live' as const,
    takes: { images: false, tools: true },
    price: { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 1 },
    calls: 0,
    async generate(): Promise<ModelReply> {
      const said = says(model.calls++);
      if (typeof said !== 'string') return said;
      const tokens = { input: 10, cachedInput: 0, output: 5, reasoning: 0 };
      const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: said }] };
      return { ok: true, message, finish: 'stop', usage: { tokens, costUsd: null } };
    },
  };
  return model;
}

const word = (count: number) => `word-${count}`;
const noEnv = { env: {}, hidden: [] };

async function played(model: Model, rounds = 5, agent = 'sampler') {
  const world = toyWorld({ folder: temporaryFolder(), model, agents });
  const { done } = await startRun(world, { ...toyRun(agent), settings: { rounds } });
  const end = await done;
  const events = await eventsOf(world, 'run');
  await world.store.close();
  const { answer } = end.solution ?? {};
  return { end, events, text: answer?.type === 'text' ? answer.text : null };
}

function cassetteOf(events: Parameters<typeof recordCassette>[0], options = noEnv) {
  return parseCassette(recordCassette(events, options), 'test');
}

describe.each(['order', 'request'] as const)('by %s', (match) => {
  test('questions that are alike keep answers that are not', async () => {
    const first = await played(talker(word));
    const cassette = cassetteOf(first.events);
    const again = await played(replayModel({ id: 'replay:test', cassette, match }));
    expect(again.text).toBe('word-0 word-1 word-2 word-3 word-4');
    expect(again.text).toBe(first.text);
    expect(again.events.find(({ kind }) => kind === 'run-start')?.body).toMatchObject({
      models: { default: { kind: 'recording', price: { outputUsdPerMillion: 0 } } },
    });
  });

  test('a reply that is not there is an error, and says where', async () => {
    const cassette = cassetteOf((await played(talker(word), 2)).events);
    const { end } = await played(replayModel({ id: 'replay:test', cassette, match }));
    expect(end).toMatchObject({ outcome: 'error', error: { name: 'script-exhausted' } });
    expect(end.error?.message).toContain('role "solver", branch "", index 2');
  });

  test('a run that was stopped goes on with the next answer, not with the first', async () => {
    const cassette = cassetteOf((await played(talker(word))).events);
    const recorded = replayModel({ id: 'replay:test', cassette, match });
    const folder = temporaryFolder();
    let calls = 0;
    const interrupted: Model = {
      ...recorded,
      generate: async (request, call) => {
        calls += 1;
        if (calls === 3) handle.stop();
        return recorded.generate(request, call);
      },
    };
    const world = toyWorld({ folder, model: interrupted, agents });
    const handle = await startRun(world, toyRun('sampler'));
    expect((await handle.done).outcome).toBe('cancelled');
    const end = await (await resumeRun(world, 'run')).done;
    expect(end.solution?.answer).toMatchObject({ text: 'word-0 word-1 word-2 word-3 word-4' });
    await world.store.close();
  });

  test('attempts that failed fail again, and nobody waits for a server that is not there', async () => {
    const failure: ModelReply = {
      ok: false,
      error: { kind: 'rate-limit', message: 'slow down', retryable: true, retryAfterMs: 1 },
      usage: null,
    };
    const first = await played(
      talker((count) => (count === 1 ? failure : word(count))),
      2,
    );
    const again = await played(replayModel({ id: 'r', cassette: cassetteOf(first.events), match }), 2);
    expect(again.text).toBe(first.text);
    const kinds = again.events.filter(({ kind }) => kind === 'model-response').map(({ body }) => body);
    expect(kinds.map((body) => 'status' in body && body.status)).toEqual(['ok', 'error', 'ok']);
    expect(kinds).toMatchObject([{ usage: { costUsd: 0 } }, {}, { usage: { costUsd: 0 } }]);
  });
});

test('branches at once: each hears its own replies, whichever comes first', async () => {
  const repliesOf = async (model?: Model) => {
    const world = toyWorld({ folder: temporaryFolder(), ...(model ? { model } : {}) });
    await (await startRun(world, toyRun('archive'))).done;
    const events = await eventsOf(world, 'run');
    await world.store.close();
    const { entries } = cassetteOf(events);
    const said = entries.map(({ branch, index, reply }) => [
      `${branch}#${index}`,
      JSON.stringify(reply?.content),
    ]);
    return { events, said: Object.fromEntries(said) };
  };
  const first = await repliesOf();
  const cassette = cassetteOf(first.events);
  const again = await repliesOf(replayModel({ id: 'r', cassette, match: 'order' }));
  expect(Object.keys(again.said)).toHaveLength(12);
  expect(again.said).toEqual(first.said);
});

test('by order the question does not matter, by request nothing else does', async () => {
  const cassette = cassetteOf((await played(talker(word), 2)).events);
  const ask = (match: 'order' | 'request', index: number, content: string) =>
    replayModel({ id: 'r', cassette, match }).generate(
      { messages: [{ role: 'user', content }] },
      callWith({ index, occurrence: 0 }),
    );
  expect(await ask('order', 1, 'Something else?')).toMatchObject({ ok: true });
  expect(await ask('request', 7, 'Again?')).toMatchObject({
    ok: true,
    message: { content: [{ text: 'word-0' }] },
  });
  const other = await ask('request', 1, 'Something else?');
  expect(other).toMatchObject({ ok: false, error: { kind: 'script-exhausted' } });
  expect(JSON.stringify(other)).toContain('its reply at this place was to another question');
});

test('a script stays a script, and a person a person', async () => {
  for (const kind of ['script', 'person'] as const) {
    const { events } = await played({ ...talker(word), kind });
    const cassette = cassetteOf(events);
    expect(replayModel({ id: 'r', cassette, match: 'order' }).kind).toBe(kind);
    const again = await played(replayModel({ id: 'r', cassette, match: 'order' }));
    expect(replayModel({ id: 'r', cassette: cassetteOf(again.events), match: 'order' }).kind).toBe(kind);
  }
});

test('an aborted call is not answered', async () => {
  const cassette = cassetteOf((await played(talker(word), 1)).events);
  const model = replayModel({ id: 'r', cassette, match: 'order' });
  expect(await model.generate(question, callWith({ signal: AbortSignal.abort() }))).toMatchObject({
    ok: false,
    error: { kind: 'aborted' },
  });
});

describe('secrets', () => {
  const secret = 'correct-horse-battery';

  test('what the environment calls secret is replaced', async () => {
    const { events } = await played(
      talker(() => `I saw ${secret} there.`),
      1,
    );
    const text = recordCassette(events, { env: { MY_API_KEY: secret, PATH: '/usr/bin' }, hidden: [] });
    expect(text).not.toContain(secret);
    expect(text).toContain('I saw [redacted] there.');
  });

  test.each([
    ['sk-proj-0123456789abcdefghijABCDEFGHIJ'],
    ['AIzaSyA0123456789abcdefghijklmnopqrstuv'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345'],
    ['session=53616c7465645f5f0123456789abcdef0123456789abcdef0123456789abcdef'],
    ['Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123'],
    ['53616c7465645f5f0123456789abcdef0123456789abcdef0123456789abcdef'],
    ['Set-Cookie: sid=abcdef0123456789; Path=/'],
    ['cookie: theme=1; sid=abcdef0123456789'],
    ['x-api-key: 0123456789abcdef0123'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA=='],
    ['hf_0123456789abcdefghijABCDEFGH'],
    ['sk_live_0123456789abcdefgh'],
    ['-----BEGIN RSA PRIVATE KEY-----'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'],
  ])('what only looks like one is refused, and not repeated: %s', async (leaked) => {
    const { events } = await played(
      talker(() => `Here: ${leaked}`),
      1,
    );
    expect(() => recordCassette(events, noEnv)).toThrow(/line 2 would hold what looks like/);
    try {
      recordCassette(events, noEnv);
    } catch (error) {
      expect(String(error)).not.toContain(leaked.slice(8));
    }
  });
});

test('a run without a single answer cannot be recorded', async () => {
  const { events } = await played(talker(word), 0);
  expect(() => recordCassette(events, noEnv)).toThrow(coded('nothing-to-record'));
});

describe('a file that is none', () => {
  test.each([
    ['', 'the whole of it'],
    ['{"polyaCassette":2}', 'polyaCassette'],
    ['not json', 'Line 1 is no JSON'],
    [
      '{"polyaCassette":1,"run":"r","agent":"a","problem":"p","polya":"0","withPuzzle":true}\n{"role":1}',
      'Line 2',
    ],
  ])('%j', (text, why) => {
    expect(() => parseCassette(text, 'x.jsonl')).toThrow(why);
  });

  test('whatever it holds, it is refused in words', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => parseCassette(text, 'x.jsonl')).toThrow(coded('no-cassette', 'x.jsonl'));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

test('ids of tool calls, thoughts and measured times do not make another question', () => {
  const conversation = (id: string, ms: string, thought: string) =>
    requestKey({
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: thought, provider: { openai: { item: id } } },
            { type: 'tool-call', id, name: 'run', args: { code: '1' } },
          ],
        },
        { role: 'tool', callId: id, name: 'run', content: `Exit 0 after ${ms} ms, 9.1 MiB.` },
      ],
    });
  expect(conversation('a', '12', 'hm')).toBe(conversation('b', '9.5', 'aha'));
  expect(requestKey(question)).not.toBe(requestKey({ messages: [{ role: 'user', content: 'Go.' }] }));
});
