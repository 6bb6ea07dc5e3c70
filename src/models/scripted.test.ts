import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Model, ModelCall, ModelRequest } from '../core/model.ts';
import { type Script, scriptedModel, toolCallId } from './scripted.ts';

const request: ModelRequest = { messages: [{ role: 'user', content: '12345678' }] };

function callAt(position: Partial<ModelCall> = {}): ModelCall {
  return {
    role: 'solver',
    branch: '',
    index: 0,
    attempt: 0,
    signal: new AbortController().signal,
    ...position,
  };
}

function modelOf(script: Script, delayMs = 0): Model {
  return scriptedModel({ id: 'scripted/test', script, delayMs });
}

describe('scriptedModel', () => {
  it('says what the script says, and streams it', async () => {
    const deltas: unknown[] = [];
    const model = modelOf(() => ({
      text: 'hello',
      reasoning: 'hm',
      toolCalls: [{ name: 'Run', args: { code: '1' } }],
    }));
    const reply = await model.generate(request, callAt({ onDelta: (delta) => deltas.push(delta) }));
    expect(reply).toMatchObject({ ok: true, finish: 'tool-calls' });
    expect(reply.ok && reply.message.content).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'hello' },
      { type: 'tool-call', id: toolCallId(callAt(), 0), name: 'Run', args: { code: '1' } },
    ]);
    expect(deltas).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'hello' },
    ]);
    expect(model).toMatchObject({ kind: 'script', price: { inputUsdPerMillion: 0 } });
  });

  it('counts tokens from the text alone, and charges nothing', async () => {
    const reply = await modelOf(() => ({ text: 'häh', reasoning: '12345' })).generate(request, callAt());
    expect(reply.usage).toEqual({
      tokens: { input: 2, cachedInput: 0, output: 3, reasoning: 2 },
      costUsd: 0,
    });
  });

  it('gives a structured reply only where one was asked for', async () => {
    const asked = { ...request, output: { name: 'verdict', schema: {} } };
    const model = modelOf(({ index }) =>
      index === 0 ? { object: { yes: true } } : { text: '{"yes":false}' },
    );
    expect(await model.generate(asked, callAt())).toMatchObject({
      object: { yes: true },
      message: { content: [{ type: 'text', text: '{"yes":true}' }] },
    });
    expect(await model.generate(asked, callAt({ index: 1 }))).toMatchObject({ object: { yes: false } });
    expect(await model.generate(request, callAt())).toMatchObject({ ok: true, object: undefined });
    expect(await modelOf(() => 'no JSON').generate(asked, callAt())).toMatchObject({
      ok: true,
      object: undefined,
    });
  });

  it('fails by attempt, not by counting', async () => {
    const model = modelOf(({ attempt }) =>
      attempt < 2 ? { error: { kind: 'rate-limit', retryAfterMs: 5, billed: attempt === 1 } } : 'done',
    );
    const last = await model.generate(request, callAt({ attempt: 2 }));
    const first = await model.generate(request, callAt({ attempt: 0 }));
    const modelReply = await model.generate(request, callAt({ attempt: 1 }));
    expect(last.ok).toBe(true);
    expect(first).toMatchObject({
      error: { kind: 'rate-limit', retryable: true, retryAfterMs: 5 },
      usage: null,
    });
    expect(modelReply).toMatchObject({ usage: { tokens: { input: 2, output: 0 }, costUsd: 0 } });
  });

  it('names role, branch, index and how many replies there are when it ends', async () => {
    const call = callAt({ branch: 'a/b', index: 4 });
    const reply = await modelOf(() => ({ end: true, replies: 1 })).generate(request, call);
    expect(reply).toMatchObject({ ok: false, error: { kind: 'script-exhausted', retryable: false } });
    expect(!reply.ok && reply.error.message).toBe(
      'The script scripted/test has no reply for role "solver", branch "a/b", index 4: it has 1 reply there.',
    );
    const modelReply = await modelOf(() => undefined).generate(request, call);
    expect(modelReply).toMatchObject({ error: { kind: 'script-exhausted' } });
  });

  it('turns a script that throws into a failure', async () => {
    const reply = await modelOf(() => {
      throw new Error('boom');
    }).generate(request, callAt());
    expect(reply).toMatchObject({
      error: { kind: 'other', retryable: false, message: 'The script scripted/test failed: boom' },
    });
  });

  it('obeys an abort before and during its latency', async () => {
    const controller = new AbortController();
    const slow = modelOf(() => 'late', 60_000).generate(request, callAt({ signal: controller.signal }));
    controller.abort();
    expect(await slow).toMatchObject({ ok: false, error: { kind: 'aborted' }, usage: null });
    const missing = modelOf(() => 'never').generate(request, callAt({ signal: AbortSignal.abort() }));
    expect(await missing).toMatchObject({ error: { kind: 'aborted' } });
  });

  it('waits through a latency that is longer than a timer of Node', async () => {
    const controller = new AbortController();
    const pending = modelOf(() => 'at once', 1e12).generate(request, callAt({ signal: controller.signal }));
    const first = await Promise.race([pending, sleep(50, 'still waiting')]);
    expect(first).toBe('still waiting');
    controller.abort();
    expect(await pending).toMatchObject({ ok: false, error: { kind: 'aborted' } });
  });

  it('answers the same in any order and under concurrency', async () => {
    const model = modelOf(({ role, branch, index, attempt }) => `${role}|${branch}|${index}|${attempt}`);
    const position = fc.record({
      role: fc.string(),
      branch: fc.string(),
      index: fc.nat(9),
      attempt: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(position, { maxLength: 8 }), async (positions) => {
        const together = await Promise.all(positions.map((each) => model.generate(request, callAt(each))));
        const backwards = [];
        for (const each of positions.toReversed())
          backwards.unshift(await model.generate(request, callAt(each)));
        expect(backwards).toEqual(together);
      }),
      { seed: 1 },
    );
  });
});

describe('toolCallId', () => {
  it('depends on role, branch, index and position, and on nothing else', () => {
    const ids = [
      toolCallId(callAt(), 0),
      toolCallId(callAt(), 1),
      toolCallId(callAt({ index: 1 }), 0),
      toolCallId(callAt({ branch: 'a' }), 0),
      toolCallId(callAt({ role: 'grader' }), 0),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(toolCallId(callAt({ attempt: 3 }), 0)).toBe(ids[0]);
    expect(ids.every((id) => /^[\w-]{1,40}$/.test(id))).toBe(true);
  });
});
