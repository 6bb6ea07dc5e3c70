/** Replies that are recorded from real journals and played again as a script. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requireReply } from '../../src/core/cut-off.ts';
import { defineAgent } from '../../src/core/define.ts';
import { type Model, type ModelReply, textOf } from '../../src/core/model.ts';
import { recordScript } from '../../src/models/record-script.ts';
import { parseScript } from '../../src/models/script-file.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { startRun } from '../../src/run/start.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, toyWorld } from '../support/world.ts';

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

function scriptOf(events: Parameters<typeof recordScript>[0]): Model {
  const { text } = recordScript(events, noEnv);
  return scriptedModel({ id: 'scripted:test', script: parseScript(text, 'test') });
}

test('the replies of a run come again in its order, and where they end it says so', async () => {
  const first = await played(talker(word));
  const again = await played(scriptOf(first.events));
  expect(again.text).toBe('word-0 word-1 word-2 word-3 word-4');
  expect(again.text).toBe(first.text);
  const { end } = await played(scriptOf(first.events), 6);
  expect(end).toMatchObject({ outcome: 'error', error: { name: 'script-exhausted' } });
});

test('attempts that failed fail again, and a call that never got an answer fails alone', async () => {
  const failure: ModelReply = {
    ok: false,
    error: { kind: 'rate-limit', message: 'slow down', retryable: true, retryAfterMs: 1 },
    usage: null,
  };
  const first = await played(
    talker((count) => (count === 1 || count === 2 ? failure : word(count))),
    2,
  );
  const again = await played(scriptOf(first.events), 2);
  expect(again.text).toBe(first.text);
  const bodies = again.events.filter(({ kind }) => kind === 'model-response').map(({ body }) => body);
  expect(bodies.map((body) => 'status' in body && body.status)).toEqual(['ok', 'error', 'error', 'ok']);

  const refused = await played(
    talker(() => ({ ...failure, error: { kind: 'auth', message: 'no key', retryable: false } })),
    1,
  );
  const { events } = await played(scriptOf(refused.events), 1);
  expect(events.find(({ kind }) => kind === 'model-response')?.body).toMatchObject({
    error: { model: { kind: 'auth' }, message: 'no key' },
  });
});

test('branches at once: each hears its own replies, whichever comes first', async () => {
  const repliesOf = async (model?: Model) => {
    const world = toyWorld({ folder: temporaryFolder(), ...(model ? { model } : {}) });
    await (await startRun(world, toyRun('archive'))).done;
    const events = await eventsOf(world, 'run');
    await world.store.close();
    return { events, roles: JSON.parse(recordScript(events, noEnv).text).roles };
  };
  const first = await repliesOf();
  const again = await repliesOf(scriptOf(first.events));
  expect(Object.values(Object.assign({}, ...Object.values(first.roles))).flat()).toHaveLength(12);
  expect(again.roles).toEqual(first.roles);
});

describe('secrets', () => {
  const secret = 'correct-horse-battery';

  test('what the environment calls secret is replaced', async () => {
    const { events } = await played(
      talker(() => `I saw ${secret} there.`),
      1,
    );
    const { text } = recordScript(events, { env: { MY_API_KEY: secret, PATH: '/usr/bin' }, hidden: [] });
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
    expect(() => recordScript(events, noEnv)).toThrow(/line \d+ would hold what looks like/);
    try {
      recordScript(events, noEnv);
    } catch (error) {
      expect(String(error)).not.toContain(leaked.slice(8));
    }
  });
});

test('a run without a single answer cannot be recorded', async () => {
  const { events } = await played(talker(word), 0);
  expect(() => recordScript(events, noEnv)).toThrow(coded('nothing-to-record'));
});
