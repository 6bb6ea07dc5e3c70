/** What each provider is sent, what comes back with it, and what is given back with the next request. */
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/json.ts';
import type { AssistantMessage, Message, ModelRequest, ModelSettings } from '../../src/core/model.ts';
import { callWith, question, succeeded } from './conformance.ts';
import { type Contact, contacts, meet, someTokens, wires } from './mock.ts';

const tools: NonNullable<ModelRequest['tools']> = [
  {
    name: 'Run',
    description: 'Runs code.',
    parameters: { type: 'object', properties: { code: { type: 'string' } } },
  },
];
const system: Message = { role: 'system', content: 'Be brief.' };
const thinking = {
  reasoning: 'First I look, then I leap; there is a lot to think about.',
  text: 'Running.',
  toolCalls: [
    { name: 'Run', json: '{"code":"1"}' },
    { name: 'Run', json: '{"code":"2"}' },
  ],
};

/** As it comes back from a journal. */
function journaled(message: AssistantMessage): AssistantMessage {
  return JSON.parse(canonicalJson(message));
}

function withResults(message: AssistantMessage): Message[] {
  const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return [
    message,
    ...calls.map(({ id, name }) => ({ role: 'tool' as const, callId: id, name, content: `result of ${id}` })),
  ];
}

async function sent(contact: Contact, request: ModelRequest, id = contact.id) {
  await using met = await meet(contact, { id });
  succeeded(await met.model.generate(request, callWith()));
  return met.exchanges[0]?.body ?? {};
}

describe.each(wires)('$wire', (contact) => {
  it.each([{ stream: true }, { stream: false }])(
    'a conversation goes on with its thoughts, through a journal, %o',
    async ({ stream }) => {
      await using met = await meet(contact, { intent: thinking, stream });
      const first: ModelRequest = { messages: [system, ...question.messages], tools };
      const { message } = succeeded(await met.model.generate(first, callWith()));
      const messages = [...first.messages, ...withResults(journaled(message))];
      // The server refuses thoughts that are not as it said them, and results that do not fit its calls.
      succeeded(await met.model.generate({ ...first, messages }, callWith()));
      expect(JSON.stringify(met.exchanges[1]?.body)).toContain('result of');
    },
  );

  it('a thought that was changed on its way is refused: the server looks', async () => {
    if (contact.wire === 'openai-chat') return;
    await using met = await meet(contact, { intent: thinking });
    const { message } = succeeded(await met.model.generate({ ...question, tools }, callWith()));
    const changed = JSON.parse(
      JSON.stringify(message).replaceAll(
        /"(signature|reasoningEncryptedContent|thoughtSignature)":"[^"]*"/g,
        '"$1":"other"',
      ),
    );
    const messages = [...question.messages, ...withResults(changed)];
    const reply = await met.model.generate({ messages, tools }, callWith());
    expect(reply).toMatchObject({ ok: false, error: { kind: 'bad-request', retryable: false } });
  });

  it('the beginning of a request stays the same, byte for byte, as a conversation grows', async () => {
    await using met = await meet(contact, { intent: thinking });
    const messages: Message[] = [system, ...question.messages];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = succeeded(await met.model.generate({ messages: [...messages], tools }, callWith()));
      messages.push(...withResults(journaled(message)));
    }
    const texts = met.exchanges.map(({ text }) => prefixOf(text));
    expect(texts[1]?.startsWith(texts[0] ?? '-')).toBe(true);
    expect(texts[2]?.startsWith(texts[1] ?? '-')).toBe(true);
    const rests = met.exchanges.map(({ text }) => restOf(text));
    expect(new Set(rests).size).toBe(1);
  });

  it('usage has one shape, with what was read from a cache and what was thought', async () => {
    for (const stream of [true, false]) {
      await using met = await meet(contact, { stream });
      const { usage } = succeeded(await met.model.generate(question, callWith()));
      expect(usage.tokens).toEqual(someTokens);
      expect(usage.costUsd).toBeCloseTo((40 * 1 + 60 * 0.1 + 50 * 10) / 1e6, 12);
    }
  });

  it('usage that is not told is unknown, not nothing', async () => {
    if (contact.wire === 'anthropic-messages') return;
    await using met = await meet(contact, { tokens: null });
    expect(succeeded(await met.model.generate(question, callWith())).usage).toEqual({
      tokens: null,
      costUsd: null,
    });
  });

  it('a reply that does not fit its schema has its usage all the same', async () => {
    await using met = await meet(contact, { intent: { text: 'Yes, it is.' } });
    const output = { name: 'verdict', schema: { type: 'object', properties: {} } };
    const reply = succeeded(await met.model.generate({ ...question, output }, callWith()));
    expect(reply.object).toBeUndefined();
    expect(reply.usage.tokens).toEqual(someTokens);
  });

  it('a reply beside its tools may be a structured one', async () => {
    await using met = await meet(contact, { intent: { text: '{"correct":true}' } });
    const schema = {
      type: 'object',
      properties: { correct: { type: 'boolean' } },
      required: ['correct'],
      additionalProperties: false,
    };
    const reply = succeeded(
      await met.model.generate({ ...question, output: { name: 'verdict', schema } }, callWith()),
    );
    expect(reply.object).toEqual({ correct: true });
    expect(JSON.stringify(met.exchanges[0]?.body)).toContain('"correct"');
  });
});

describe('a conversation that goes on with another provider, as in a fork', () => {
  const pairs = wires.flatMap((from) => wires.filter((to) => to !== from).map((to) => ({ from, to })));
  it.each(pairs)('$from.wire, then $to.wire', async ({ from, to }) => {
    await using before = await meet(from, { intent: thinking });
    const first: ModelRequest = { messages: [system, ...question.messages], tools };
    const { message } = succeeded(await before.model.generate(first, callWith()));
    const messages = [...first.messages, ...withResults(journaled(message))];
    await using after = await meet(to);
    const reply = succeeded(await after.model.generate({ ...first, messages }, callWith()));
    expect(reply.finish).toBe('stop');
    const text = after.exchanges[0]?.text ?? '';
    expect(text).toContain('result of');
    // What one provider sealed or signed is nothing for another one.
    expect(text).not.toMatch(/encrypted_content":"|"signature":"[^"]/);
  });
});

it('Anthropic does not begin to think in a turn that another model began, and says so', async () => {
  const [openai, , anthropic] = wires as [Contact, Contact, Contact];
  const settings = { thinkingBudgetTokens: 2000, maxOutputTokens: 10_000 };
  const first: ModelRequest = { ...question, tools, settings };
  const goOn = async (from: Contact) => {
    await using before = await meet(from, { intent: thinking });
    const { message } = succeeded(await before.model.generate(first, callWith()));
    await using after = await meet(anthropic);
    const messages = [...first.messages, ...withResults(journaled(message))];
    const { notices } = succeeded(await after.model.generate({ ...first, messages }, callWith()));
    return { notices, thinking: after.exchanges[0]?.body.thinking };
  };
  const foreign = await goOn(openai);
  expect(foreign.thinking).toBeUndefined();
  expect(foreign.notices).toContain(
    'It cannot begin to think between a call and its result (thinking is left out of this call).',
  );
  const own = await goOn(anthropic);
  expect(own).toEqual({ notices: undefined, thinking: { type: 'enabled', budget_tokens: 2000 } });
});

/** Up to the end of the conversation. */
function prefixOf(text: string): string {
  const { start, end } = conversationIn(text);
  return text.slice(start, end);
}

/** All that is not the conversation. */
function restOf(text: string): string {
  const { start, end } = conversationIn(text);
  return text.slice(0, start) + text.slice(end);
}

function conversationIn(text: string): { start: number; end: number } {
  const body: Record<string, unknown> = JSON.parse(text);
  const list = JSON.stringify(body.messages ?? body.input ?? body.contents);
  const start = text.indexOf(list);
  if (start < 0) throw new Error('The conversation is not in the text as it is.');
  return { start, end: start + list.length - 1 };
}

describe('settings on the wire', () => {
  const ask = (settings: ModelSettings): ModelRequest => ({ ...question, settings });
  const [openai, google, anthropic] = wires as [Contact, Contact, Contact];

  it('OpenAI: stateless, sealed thoughts, effort and summary, a key for the cache', async () => {
    const body = await sent(openai, ask({ reasoningEffort: 'high', maxOutputTokens: 1000 }));
    expect(body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
      max_output_tokens: 1000,
      prompt_cache_key: expect.stringMatching(/^polya-[0-9a-f]{24}$/),
    });
    const plain = await sent(openai, ask({ temperature: 0.1, topP: 0.5 }), 'openai/gpt-4o');
    expect(plain).toMatchObject({ store: false, temperature: 0.1, top_p: 0.5 });
    expect(plain).not.toHaveProperty('reasoning');
    expect(
      await sent(openai, ask({ temperature: 0.1, reasoningEffort: 'none' }), 'openai/gpt-5.1'),
    ).toMatchObject({
      temperature: 0.1,
      reasoning: { effort: 'none' },
    });
  });

  it('OpenAI: a summary is not asked for where the account may not see one', async () => {
    const quiet = {
      ...openai,
      env: (url: string) => ({ ...openai.env(url), OPENAI_REASONING_SUMMARY: 'none' }),
    };
    expect((await sent(quiet, ask({ reasoningEffort: 'low' }))).reasoning).toEqual({ effort: 'low' });
  });

  it('Gemini: a level from the third generation on, a budget before', async () => {
    const level = await sent(google, ask({ reasoningEffort: 'high', seed: 7, temperature: 0.1 }));
    expect(level.generationConfig).toMatchObject({
      seed: 7,
      temperature: 0.1,
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
    });
    const budget = await sent(google, ask({ thinkingBudgetTokens: 32_768 }), 'google/gemini-2.5-pro');
    expect(budget.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 32_768 } });
    const old = await sent(google, ask({ temperature: 1 }), 'google/gemini-2.0-flash');
    expect(old.generationConfig).not.toHaveProperty('thinkingConfig');
  });

  it('Anthropic: a budget within the output, or an effort; cache markers after the instructions and at the end', async () => {
    const settings = { thinkingBudgetTokens: 2000, maxOutputTokens: 10_000 };
    const messages = [system, ...question.messages];
    const body = await sent(anthropic, { ...ask(settings), messages, tools });
    expect(body).toMatchObject({
      max_tokens: 10_000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      cache_control: { type: 'ephemeral' },
    });
    const adaptive = await sent(anthropic, ask({ reasoningEffort: 'high' }), 'anthropic/claude-opus-4-6');
    expect(adaptive).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
  });

  it('Anthropic: no thinking where none is wanted, and what thinks anyhow is asked to tell of it', async () => {
    const resting = await sent(anthropic, ask({ reasoningEffort: 'none' }), 'anthropic/claude-opus-4-6');
    expect(resting.thinking).toEqual({ type: 'disabled' });
    expect(await sent(anthropic, ask({}), 'anthropic/claude-opus-4-6')).not.toHaveProperty('thinking');
    const always = await sent(anthropic, ask({}), 'anthropic/claude-fable-5');
    expect(always.thinking).toEqual({ type: 'adaptive', display: 'summarized' });
  });

  it('Anthropic: what was written to the cache is counted apart', async () => {
    const tokens = { input: 100, cachedInput: 20, cacheWriteInput: 70, output: 5, reasoning: 0 };
    await using met = await meet(anthropic, { tokens });
    expect(succeeded(await met.model.generate(question, callWith())).usage.tokens).toEqual(tokens);
  });

  it.each([{ stream: true }, { stream: false }])(
    'OpenRouter: what its providers sign goes back with the turn it came with, %o',
    async ({ stream }) => {
      const openrouter = contacts.find(({ id }) => id.startsWith('openrouter/')) as Contact;
      const settings = { reasoningEffort: 'high' } as const;
      for (const intent of [thinking, { ...thinking, reasoning: '' }]) {
        await using met = await meet(openrouter, { intent, stream });
        const first: ModelRequest = { ...question, tools, settings };
        const { message } = succeeded(await met.model.generate(first, callWith()));
        const messages = [...first.messages, ...withResults(journaled(message))];
        succeeded(await met.model.generate({ ...first, messages }, callWith()));
        expect(JSON.stringify(met.exchanges[1]?.body)).toContain('"reasoning_details":[{');
        const stripped = JSON.parse(JSON.stringify(message).replaceAll('"signature"', '"other"'));
        const changed = [...first.messages, ...withResults(stripped)];
        expect(await met.model.generate({ ...first, messages: changed }, callWith())).toMatchObject({
          ok: false,
        });
      }
    },
  );

  it('OpenRouter: what it says that a call cost counts, and what it wrote to a cache', async () => {
    const openrouter = contacts.find(({ id }) => id.startsWith('openrouter/')) as Contact;
    const tokens = { ...someTokens, cacheWriteInput: 10 };
    for (const stream of [true, false]) {
      await using met = await meet(openrouter, { tokens, stream });
      const { usage } = succeeded(await met.model.generate(question, callWith()));
      expect(usage).toEqual({ tokens, costUsd: 0.0125 });
      expect(met.exchanges[0]?.body.usage).toEqual({ include: true });
    }
  });

  it('OpenRouter: effort or budget in a field of its own', async () => {
    const openrouter = contacts.find(({ id }) => id.startsWith('openrouter/')) as Contact;
    const effort = await sent(openrouter, ask({ reasoningEffort: 'high' }));
    expect(effort).toMatchObject({ reasoning: { effort: 'high' } });
    expect(effort).not.toHaveProperty('reasoning_effort');
    const budget = await sent(openrouter, ask({ thinkingBudgetTokens: 2000 }));
    expect(budget).toMatchObject({ reasoning: { max_tokens: 2000 } });
    expect(budget).not.toHaveProperty('thinking_budget');
  });
});

describe("OpenRouter: cache markers where Anthropic's models need them", () => {
  const openrouter = contacts.find(({ id }) => id.startsWith('openrouter/')) as Contact;
  const claude = 'openrouter/anthropic/claude-sonnet-4.5';
  const marker = { type: 'ephemeral' };

  it('after the instructions and at the end; the beginning stays the same, byte for byte', async () => {
    await using met = await meet(openrouter, { id: claude, intent: thinking });
    const messages: Message[] = [system, ...question.messages];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = succeeded(await met.model.generate({ messages: [...messages], tools }, callWith()));
      messages.push(...withResults(journaled(message)));
    }
    for (const { body } of met.exchanges) {
      expect(body.cache_control).toEqual(marker);
      const [first, ...others] = body.messages as unknown[];
      expect(first).toEqual({
        role: 'system',
        content: [{ type: 'text', text: 'Be brief.', cache_control: marker }],
      });
      expect(JSON.stringify(others)).not.toContain('cache_control');
    }
    const texts = met.exchanges.map(({ text }) => prefixOf(text));
    expect(texts[1]?.startsWith(texts[0] ?? '-')).toBe(true);
    expect(texts[2]?.startsWith(texts[1] ?? '-')).toBe(true);
  });

  it('also without instructions, and of no other model', async () => {
    expect(await sent(openrouter, question, claude)).toMatchObject({ cache_control: marker });
    const other = await sent(openrouter, { messages: [system, ...question.messages] });
    expect(JSON.stringify(other)).not.toContain('cache_control');
  });
});

describe('models without a role for instructions', () => {
  it('get them in the first turn of the user', async () => {
    const chat = wires.find(({ wire }) => wire === 'openai-chat') as Contact;
    const request = { messages: [system, ...question.messages] };
    const { messages } = await sent(chat, request, 'openai-compatible/gemma-3-27b-it');
    const text = 'Be brief.';
    expect(messages).toMatchObject([{ role: 'user', content: `${text}\n\nWhat is 6 times 7?` }]);
    const { input } = await sent(wires[0] as Contact, request, 'openai/o1-mini');
    expect(input).toMatchObject([{ role: 'user', content: [{ text }, { text: 'What is 6 times 7?' }] }]);
  });
});
