/** A person in a model's place: at the terminal, in a folder, over local HTTP; what is written wrong is asked again. */

import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTerminal } from '../../src/cli/process-shell.ts';
import type { Model, ModelRequest } from '../../src/core/model.ts';
import { checkAnswer } from '../../src/models/manual/answer.ts';
import { createManualModels } from '../../src/models/manual/manual.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { callWith, question, succeeded } from './conformance.ts';

const tools: ModelRequest = {
  messages: [
    { role: 'system', content: 'Use the tool.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in this picture?' },
        { type: 'image', mediaType: 'image/png', data: Buffer.from('not really').toString('base64') },
      ],
    },
  ],
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
};
const json: ModelRequest = { ...question, output: { name: 'verdict', schema: { type: 'object' } } };

/** Until it holds; the time is only there to fail. */
describe('at the terminal', () => {
  function terminal() {
    const input = new PassThrough();
    let shown = '';
    const held = { isHeld: false };
    const write = (text: string) => {
      shown += text;
      return true;
    };
    const person = createTerminal(input, { write }, held);
    const staff = createManualModels({ terminal: person, announce: () => undefined });
    return { input, held, shown: () => shown, model: staff.model('manual', '') };
  }

  test('an answer of several lines, pasted at once', async () => {
    const { input, model, shown, held } = terminal();
    const reply = (await model).generate(question, callWith({ run: 'r1' }));
    await until(() => shown().includes('ends it'));
    expect(held.isHeld).toBe(true);
    input.write('It is\n//slash\n42.\n/tokens 7 3\n.\n');
    expect(succeeded(await reply)).toMatchObject({
      message: { content: [{ text: 'It is\n/slash\n42.' }] },
      finish: 'stop',
      usage: { tokens: { input: 7, output: 3, cachedInput: 0, reasoning: 0 }, costUsd: 0 },
    });
    expect(shown()).toContain('=== run r1 · solver · call 1 ===');
    expect(shown()).toContain('What is 6 times 7?');
    expect(held.isHeld).toBe(false);
  });

  test('tool calls; what does not fit is told and asked again', async () => {
    const { input, model, shown } = terminal();
    const reply = (await model).generate(tools, callWith());
    await until(() => shown().includes('ends it'));
    input.write('.\n');
    await until(() => shown().includes('The answer is empty.'));
    input.write('/call fly {}\n.\n');
    await until(() => shown().includes('There is no tool fly. There are: look.'));
    input.write('/call look {"at": 1\n/call look {"at": 1}\n/tokens many\n.\n');
    expect(succeeded(await reply)).toMatchObject({
      message: { content: [{ type: 'tool-call', name: 'look', args: { at: 1 } }] },
      finish: 'tool-calls',
    });
    expect(shown()).toContain('Write /call NAME');
    expect(shown()).toContain('Write /tokens IN OUT');
  });

  test('a program had to be typed as JSON, in one line', async () => {
    const { input, model, shown } = terminal();
    const file = join(temporaryFolder(), 'my program.py');
    writeFileSync(file, '\ufeffprint(1)\nprint(2)\n');
    const reply = (await model).generate(tools, callWith());
    await until(() => shown().includes('ends it'));
    input.write(`/call look code=@${file}.none\n/call look code=@${file}\n/call look at=a = b\n.\n`);
    expect(succeeded(await reply).message.content).toMatchObject([
      { type: 'tool-call', name: 'look', args: { code: 'print(1)\nprint(2)\n' } },
      { type: 'tool-call', name: 'look', args: { at: 'a = b' } },
    ]);
    expect(shown()).toMatch(/The file .*none cannot be read/);
  });

  test('two questions at once come one after the other, and only what is new is shown', async () => {
    const { input, model, shown } = terminal();
    const second: ModelRequest = {
      messages: [
        ...question.messages,
        { role: 'assistant', content: [{ type: 'text', text: '42' }] },
        { role: 'user', content: 'Sure?' },
      ],
    };
    const replies = [
      (await model).generate(question, callWith()),
      (await model).generate(second, callWith({ index: 1 })),
    ];
    await until(() => shown().includes('call 1'));
    expect(shown()).not.toContain('Sure?');
    input.write('42\n.\n');
    await until(() => shown().includes('Sure?'));
    expect(shown().split('What is 6 times 7?')).toHaveLength(2);
    input.write('/all\nYes.\n.\n');
    expect((await Promise.all(replies)).map((reply) => reply.ok)).toEqual([true, true]);
    expect(shown().split('What is 6 times 7?')).toHaveLength(3);
  });

  test('a terminal obeys nothing that a prompt holds', async () => {
    const { input, model, shown } = terminal();
    const reply = (await model).generate(
      { messages: [{ role: 'user', content: 'a\x1b[2Jb\x07' }] },
      callWith(),
    );
    await until(() => shown().includes('ends it'));
    input.write('ok\n.\n');
    await reply;
    expect(shown()).toContain('a␛[2Jb␇');
  });

  test('whoever leaves, and a run that ends', async () => {
    const { input, model, shown } = terminal();
    const stop = new AbortController();
    const broken = (await model).generate(question, callWith({ signal: stop.signal }));
    await until(() => shown().includes('ends it'));
    stop.abort();
    expect(await broken).toMatchObject({ ok: false, error: { kind: 'aborted' } });
    const left = (await model).generate(question, callWith());
    await until(() => shown().split('ends it').length === 3);
    input.end();
    expect(await left).toMatchObject({ ok: false, error: { kind: 'other', retryable: false } });
  });

  test('where there is none, it says what else there is', async () => {
    const staff = createManualModels({ terminal: null, announce: () => undefined });
    await expect(staff.model('manual', '')).rejects.toThrow(coded('session-not-running'));
  });
});

type Listed = {
  readonly id: string;
  readonly run: string;
  readonly messages: readonly unknown[];
  readonly images: readonly { readonly url: string }[];
};

test('a folder to answer in is refused with what to use instead', async () => {
  const staff = createManualModels({ terminal: null, announce: () => undefined });
  await expect(staff.model('manual:asked', ':asked')).rejects.toThrow(coded('no-such-model', 'manual:http'));
});

describe('over local HTTP', () => {
  async function desk() {
    const told: string[] = [];
    const staff = createManualModels({ terminal: null, announce: (line) => told.push(line) });
    onTestFinished(() => staff.close());
    const model = await staff.model('manual:http', ':http');
    const [url = ''] = /http:\S+/.exec(told[0] ?? '') ?? [];
    const list = async () => ((await (await fetch(`${url}waiting`)).json()) as { waiting: Listed[] }).waiting;
    const post = (id: string, body: unknown, headers = {}) =>
      fetch(`${url}waiting/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    return { model, url, list, post, staff, told };
  }

  test('what waits is listed with its pictures, and answered with tool calls and tokens', async () => {
    const { model, url, list, post } = await desk();
    const reply = model.generate(tools, callWith({ run: 'r1' }));
    const waiting = await until(async () => (await list())[0]);
    expect(waiting).toMatchObject({ run: 'r1', role: 'solver', index: 0, tools: [{ name: 'look' }] });
    expect(JSON.stringify(waiting.messages)).not.toContain('data');
    const image = await fetch(new URL(waiting.images[0]?.url ?? '', url));
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(await image.text()).toBe('not really');
    expect(await (await fetch(url)).text()).toContain('<title>Polya');
    const answer = { toolCalls: [{ name: 'look', args: { at: 'it' } }], tokens: { input: 9, output: 2 } };
    expect((await post(waiting.id, answer)).status).toBe(200);
    expect(succeeded(await reply)).toMatchObject({
      message: { content: [{ type: 'tool-call', name: 'look', args: { at: 'it' } }] },
      usage: { tokens: { input: 9, output: 2 } },
    });
    expect(await list()).toEqual([]);
    expect((await post(waiting.id, answer)).status).toBe(404);
  });

  test('many at once, of several models, at one desk', async () => {
    const { model, list, post, staff, told } = await desk();
    const same = await staff.model('manual:http', ':http');
    const models: readonly Model[] = [model, same];
    const replies = Array.from({ length: 20 }, (_, index) =>
      models[index % 2]?.generate(question, callWith({ run: `r${index}` })),
    );
    const waiting = await until(async () => {
      const found = await list();
      return found.length === 20 ? found : null;
    });
    await Promise.all(waiting.map(({ id, run }) => post(id, { text: run })));
    const said = (await Promise.all(replies)).map((reply) => reply?.ok && reply.message.content);
    expect(said).toEqual(Array.from({ length: 20 }, (_, index) => [{ type: 'text', text: `r${index}` }]));
    expect(told).toHaveLength(1);
  });

  test.each([
    ['JSON alone', { text: '{"pass": true, "why": "It holds."}' }],
    ['a fence alone', { text: '```json\n{"pass": true, "why": "It holds."}\n```' }],
    [
      'prose and a fence',
      {
        text: 'I looked at each step.\n\n```json\n{"pass": true, "why": "It holds."}\n```\n\nShall I go on?',
      },
    ],
    [
      'a fence that is glued to its text',
      { text: 'Here it is:```JSON {"pass": true, "why": "It holds."}```Done.' },
    ],
    [
      'JSON in a sentence',
      { text: 'My verdict is {"pass": true, "why": "It holds."}, as far as I can see.' },
    ],
    [
      'a draft, then the verdict',
      { text: '```json\n{"pass": false}\n```\nNo:\n```json\n{"pass": true, "why": "It holds."}\n```' },
    ],
    [
      'a fence in a value',
      { text: 'Bitte sehr: {"pass": true, "why": "It holds.", "code": "```py\\nprint(1)\\n```"} – fertig.' },
    ],
    ['a value', { object: { pass: true, why: 'It holds.' } }],
  ])('prose and a fenced JSON block got 400, though providers may say so: %s', async (_, answer) => {
    const { model, list, post } = await desk();
    const reply = model.generate(json, callWith({ run: 'r1' }));
    const { id } = await until(async () => (await list())[0]);
    expect((await post(id, answer)).status).toBe(200);
    expect(succeeded(await reply).object).toMatchObject({ pass: true, why: 'It holds.' });
  });

  test('a person may refuse, be cut off, or say it in the words that an agent reads itself', async () => {
    const { model, list, post } = await desk();
    const ownReading: ModelRequest = { ...question, output: { name: 'plan', schema: {}, repair: false } };
    for (const [request, answer, finish] of [
      [json, { text: 'I would rather not.', finish: 'refusal' }, 'refusal'],
      [json, { text: '{"pass": tr', finish: 'length' }, 'length'],
      [json, { text: '{"pass": tr', finish: 'cut' }, 'cut'],
      [question, { text: '', finish: 'cut' }, 'cut'],
      [json, { finish: 'refusal' }, 'refusal'],
      [ownReading, { text: 'PLAN: add, then halve' }, 'stop'],
    ] as const) {
      const reply = model.generate(request, callWith());
      const { id } = await until(async () => (await list())[0]);
      expect((await post(id, answer)).status).toBe(200);
      expect(await reply).toMatchObject({ ok: true, finish, object: undefined });
    }
    const reply = model.generate(json, callWith());
    const { id } = await until(async () => (await list())[0]);
    for (const text of ['It holds.', 'It is in {1, 2}.', '```json\n{"pass": \n```'])
      expect((await post(id, { text })).status).toBe(400);
    await post(id, { object: {} });
    await reply;
  });

  test('what does not fit is refused with its reason, and the question goes on waiting', async () => {
    const { model, list, post, url } = await desk();
    const stop = new AbortController();
    const reply = model.generate(tools, callWith({ signal: stop.signal }));
    const { id } = await until(async () => (await list())[0]);
    for (const [body, why] of [
      ['{', 'no JSON'],
      [{}, 'The answer is empty.'],
      [{ toolCalls: [{ name: 'fly' }] }, 'There is no tool fly.'],
      [{ txet: 'a' }, 'txet'],
    ] as const) {
      const refused = await post(id, body);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(why);
    }
    expect((await post(id, { text: 'x' }, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(id, { text: 'x' }, { origin: 'http://evil.example' })).status).toBe(403);
    expect(await statusWithHost(`${url}waiting`, 'evil.example')).toBe(403);
    expect((await fetch(`${url}waiting/${id}`)).status).toBe(200);
    expect((await fetch(`${url}waiting/nobody`)).status).toBe(404);
    expect((await fetch(`${url}waiting/${id}/images/9`)).status).toBe(404);
    expect(await list()).toHaveLength(1);
    stop.abort();
    expect(await reply).toMatchObject({ ok: false, error: { kind: 'aborted' } });
    expect(await list()).toEqual([]);
  });

  test('a port that is taken, and one that is none', async () => {
    const { url, staff } = await desk();
    const { port } = new URL(url);
    const others = createManualModels({ terminal: null, announce: () => undefined });
    await expect(others.model('m', `:http:${port}`)).rejects.toThrow(coded('port-taken'));
    await expect(staff.model('manual:http:x', ':http:x')).rejects.toThrow(coded('port-invalid'));
    await expect(staff.model('manual:http:70000', ':http:70000')).rejects.toThrow(coded('port-invalid'));
  });
});

/** `fetch` does not let anybody choose it. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('whatever a person sends, it is taken or refused in words', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const checked = checkAnswer(value, tools);
      expect(checked.ok || checked.problem.length > 0).toBe(true);
    }),
    { seed: 1, numRuns: 300 },
  );
});
