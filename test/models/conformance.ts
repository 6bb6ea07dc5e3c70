/**
 * What any `Model` must do, whatever stands behind it. A subject says how to make a model that will give a certain
 * reply; the suite says what has to come back. Nothing here knows a wire or a script.
 */
import { describe, expect, it } from 'vitest';
import type {
  AssistantMessage,
  FinishReason,
  Model,
  ModelCall,
  ModelErrorKind,
  ModelReply,
  ModelRequest,
  ModelSuccess,
} from '../../src/core/model.ts';
import { textOf, toolCallsOf } from '../../src/core/model.ts';

/** The reply that the model shall give to its next call. */
export type Intent = {
  readonly text?: string;
  readonly reasoning?: string;
  /** `json` is what the model writes as arguments, well formed or not. */
  readonly toolCalls?: readonly { readonly name: string; readonly json: string }[];
  readonly finish?: FinishReason;
  readonly fail?: ModelErrorKind;
  /** Never answer. */
  readonly silent?: boolean;
};

export type Subject = {
  readonly name: string;
  /** The failures that this kind of model can be brought to. */
  readonly failures: readonly ModelErrorKind[];
  /** False where the wire can carry no arguments but objects. */
  readonly writesRawArguments?: boolean;
  prepare(intent: Intent): Promise<AsyncDisposable & { readonly model: Model }>;
};

export const question: ModelRequest = { messages: [{ role: 'user', content: 'What is 6 times 7?' }] };

export function callWith(some: Partial<ModelCall> = {}): ModelCall {
  return {
    role: 'solver',
    branch: '',
    index: 0,
    attempt: 0,
    signal: new AbortController().signal,
    ...some,
  };
}

export function succeeded(reply: ModelReply): ModelSuccess {
  if (!reply.ok) throw new Error(`The call failed: ${reply.error.kind}: ${reply.error.message}`);
  return reply;
}

/** Without what a provider attached for itself, and thoughts that it only sealed. */
function spoken({ content }: AssistantMessage) {
  const bare = content.map(({ provider: _, ...part }) => part);
  return bare.filter((part) => part.type === 'tool-call' || part.text !== '');
}

const wholeConversation: ModelRequest = {
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
        { type: 'reasoning', text: 'I see.' },
        { type: 'text', text: 'Running.' },
        { type: 'tool-call', id: 'call-1', name: 'Run', args: { code: '1' } },
        { type: 'tool-call', id: 'call-2', name: 'Run', args: null, raw: '{"code"' },
      ],
    },
    { role: 'tool', callId: 'call-1', name: 'Run', content: 'stdout:\n1' },
    { role: 'tool', callId: 'call-2', name: 'Run', content: 'Arguments are no JSON object.', isError: true },
  ],
  tools: [
    {
      name: 'Run',
      description: 'Runs code.',
      parameters: { type: 'object', properties: { code: { type: 'string' } } },
    },
  ],
  settings: { temperature: 0.1, maxOutputTokens: 1000, reasoningEffort: 'high', seed: 7 },
};

export function modelConformance(subject: Subject): void {
  const ask = async (intent: Intent, request = question, call = callWith()): Promise<ModelReply> => {
    await using prepared = await subject.prepare(intent);
    return await prepared.model.generate(request, call);
  };

  describe(`${subject.name}: replies`, () => {
    it('text, with usage', async () => {
      const reply = succeeded(await ask({ text: 'Grüße: 42 🎄' }));
      expect(textOf(reply.message)).toBe('Grüße: 42 🎄');
      expect(reply.finish).toBe('stop');
      expect(reply.usage.tokens?.input).toBeGreaterThan(0);
      expect(reply.usage.tokens?.output).toBeGreaterThan(0);
      expect(reply.usage.costUsd).not.toBeNull();
      expect(reply.object).toBeUndefined();
    });

    it('to a conversation with an image, tools and settings', async () => {
      const reply = succeeded(await ask({ text: 'Done.' }, wholeConversation));
      expect(spoken(reply.message)).toEqual([{ type: 'text', text: 'Done.' }]);
    });

    it('reasoning before text, as parts of their own', async () => {
      const { message } = succeeded(await ask({ reasoning: 'Six sevens.', text: '42' }));
      expect(spoken(message)).toEqual([
        { type: 'reasoning', text: 'Six sevens.' },
        { type: 'text', text: '42' },
      ]);
    });

    it('one tool call', async () => {
      const reply = succeeded(
        await ask({ text: 'Now:', toolCalls: [{ name: 'Run', json: '{"code":"a b"}' }] }, wholeConversation),
      );
      expect(reply.finish).toBe('tool-calls');
      expect(toolCallsOf(reply.message)).toMatchObject([{ name: 'Run', args: { code: 'a b' } }]);
    });

    it('parallel tool calls, in order, each with an id of its own', async () => {
      const codes = ['first', 'second one', '3'];
      const toolCalls = codes.map((code) => ({ name: 'Run', json: JSON.stringify({ code }) }));
      const calls = toolCallsOf(succeeded(await ask({ toolCalls }, wholeConversation)).message);
      expect(calls.map((call) => call.args?.code)).toEqual(codes);
      expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    });

    const raw = subject.writesRawArguments === false ? [] : ['{"code": ', '[1]', 'print(1)', '"text"'];
    it.each(raw)('arguments that are no object: %s', async (json) => {
      const [call] = toolCallsOf(
        succeeded(await ask({ toolCalls: [{ name: 'Run', json }] }, wholeConversation)).message,
      );
      expect(call).toMatchObject({ name: 'Run', args: null, raw: json });
    });

    it('a structured value where one was asked for', async () => {
      const request = { ...question, output: { name: 'verdict', schema: { type: 'object' } } };
      const text = '{"correct":true,"bugs":[]}';
      expect(succeeded(await ask({ text }, request)).object).toEqual({ correct: true, bugs: [] });
      expect(succeeded(await ask({ text: 'Yes, it is.' }, request)).object).toBeUndefined();
    });

    it.each(['length', 'refusal'] as const)('finish %s', async (finish) => {
      expect(succeeded(await ask({ text: 'I', finish })).finish).toBe(finish);
    });

    it('as deltas that add up', async () => {
      const heard = { text: '', reasoning: '' };
      const onDelta: ModelCall['onDelta'] = ({ type, text }) => {
        heard[type] += text;
      };
      await ask({ reasoning: 'Let me think.', text: 'It is 42.' }, question, callWith({ onDelta }));
      expect(heard).toEqual({ reasoning: 'Let me think.', text: 'It is 42.' });
    });

    it('to many calls at once', async () => {
      await using prepared = await subject.prepare({ text: 'same' });
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => prepared.model.generate(question, callWith())),
      );
      expect(new Set(replies.map((reply) => textOf(succeeded(reply).message)))).toEqual(new Set(['same']));
    });
  });

  describe(`${subject.name}: failures`, () => {
    it.each(subject.failures)('%s is a value, not an exception', async (fail) => {
      const reply = await ask({ fail });
      expect(reply).toMatchObject({ ok: false, error: { kind: fail } });
      expect(!reply.ok && reply.error.message).not.toBe('');
    });

    it('an abort ends a call that waits', async () => {
      await using prepared = await subject.prepare({ silent: true });
      const controller = new AbortController();
      const pending = prepared.model.generate(question, callWith({ signal: controller.signal }));
      setTimeout(() => controller.abort(), 30);
      expect(await pending).toMatchObject({ ok: false, error: { kind: 'aborted', retryable: false } });
    });

    it('a call that is aborted already costs nothing', async () => {
      const reply = await ask({ text: 'late' }, question, callWith({ signal: AbortSignal.abort() }));
      expect(reply).toMatchObject({ ok: false, error: { kind: 'aborted' }, usage: null });
    });
  });
}
