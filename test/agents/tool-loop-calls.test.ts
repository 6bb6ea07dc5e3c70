/** Calls that a model writes into its text, and conversations that grow beyond its context, in the tool loop. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolLoop } from '../../src/agents/tool-loop/tool-loop.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelReply, ModelRequest } from '../../src/core/model.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { containsWrittenCall, parseWrittenCalls } from '../../src/text/written-calls.ts';
import { failure } from '../support/ensemble.ts';
import { familyOf, modelOf, oddRun, oddWorld, said, toolOf } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';

const run = { name: 'Run', parameters: ['code', 'n'], required: ['code'] };
const args = { code: 'print("}")\n', n: 1 };
const json = JSON.stringify(args);
const call = JSON.stringify({ name: 'Run', arguments: args });

describe('calls in text', () => {
  test.each([
    ['Hermes, Qwen', `I run it.\n<tool_call>\n${call}\n</tool_call>`],
    ['one that is not closed', `<tool_call>${call}`],
    ['Mistral', `[TOOL_CALLS] [${call}]`],
    ['newer Mistral', `[TOOL_CALLS]Run[ARGS]${json}`],
    ['Llama, custom', `<function=Run>${json}</function>`],
    ['Llama', `<|python_tag|>${JSON.stringify({ name: 'Run', parameters: args })}`],
    [
      'DeepSeek V3',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Run\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      'DeepSeek V3.1',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Run<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`,
    ],
    [
      'Kimi',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.Run:0<|tool_call_argument_begin|>${json}<|tool_call_end|>`,
    ],
    ['Gemma 4', '<|tool_call>call:Run{code:<|"|>print("}")\n<|"|>,n:1}<tool_call|>'],
    ['Granite', `<|tool_call|>[${call}]`],
    ['gpt-oss', `<|channel|>commentary to=functions.Run <|constrain|>json<|message|>${json}<|call|>`],
    ['JSON in a fence', `Now:\n\`\`\`json\n${call}\n\`\`\``],
    ['JSON alone', call],
    ['as asked for', `\`\`\`json\n${JSON.stringify({ tool: 'Run', arguments: args })}\n\`\`\``],
    ['arguments as a string', JSON.stringify({ name: 'Run', arguments: json })],
    [
      'as the API has it',
      JSON.stringify({ tool_calls: [{ type: 'function', function: { name: 'Run', arguments: json } }] }),
    ],
    ['behind thoughts', `<think><tool_call>{"name": "No", "arguments": {}}</tool_call></think>${call}`],
  ])('%s', (_form, text) => {
    expect(parseWrittenCalls(text)).toMatchObject([{ name: 'Run', args }]);
  });

  test.each([
    [
      'Qwen coder',
      '<tool_call>\n<function=Run>\n<parameter=code>\nprint("</x>")\n</parameter>\n</function>\n</tool_call>',
    ],
    ['GLM', '<tool_call>Run\n<arg_key>code</arg_key>\n<arg_value>print("</x>")</arg_value>\n</tool_call>'],
    [
      'tags of others',
      '<function_calls><invoke name="Run"><parameter name="code">print("</x>")</parameter></invoke>',
    ],
  ])('%s, whose arguments stand in tags', (_form, text) => {
    expect(parseWrittenCalls(text)).toMatchObject([{ name: 'Run', args: { code: 'print("</x>")' } }]);
  });

  test('a list of calls as Python has them is read (Llama 4)', () => {
    expect(parseWrittenCalls('[Run(code="1", n=2)]', [run])).toMatchObject([
      { name: 'Run', args: { code: '1', n: 2 } },
    ]);
    expect(parseWrittenCalls('[Run(code="1"), Run(code="2")]', [run])).toHaveLength(2);
    expect(parseWrittenCalls('Run(code="1"), and then more', [run])).toEqual([]);
  });

  test('one in the middle of a sentence is read where it calls a known tool', () => {
    const prose = `I am sure, so I send ${call} and wait for the result of {"x": 1}.`;
    expect(parseWrittenCalls(prose, [run])).toMatchObject([{ name: 'Run', args }]);
    expect(parseWrittenCalls(`Either ${call} or ${call}.`, [run])).toHaveLength(2);
    for (const text of [prose.replaceAll('Run', 'Rest'), 'It is {"name": "Ann"}, {"tool": "NAME"}.'])
      expect(parseWrittenCalls(text, [run])).toEqual([]);
  });

  test('two are two, a broken one is one, and an example, an answer or a program is none', () => {
    expect(parseWrittenCalls(`${call}\n${call}`)).toHaveLength(2);
    expect(parseWrittenCalls(`<tool_call>${call}</tool_call>\n<tool_call>${call}</tool_call>`)).toHaveLength(
      2,
    );
    expect(parseWrittenCalls('<tool_call>{"name": "Run", "arguments": {"code": "x')).toMatchObject([
      { name: 'Run', args: null },
    ]);
    for (const text of [
      '```json\n{"answer": 6}\n```',
      'It is {"x": 1}.',
      '```python\nd = {"name": 1}\n```',
      '',
    ])
      expect(parseWrittenCalls(text)).toEqual([]);
    expect(containsWrittenCall('{"name": "Ann", "arguments": {}}', [run])).toBe(false);
  });

  test('a fence within an argument stays', () => {
    const code = 'print("""\n```json\n{}\n```\n""")';
    for (const written of [JSON.stringify(code), `"${code.replaceAll('"', '\\"')}"`]) {
      const text = `\`\`\`json\n{"tool": "Run", "arguments": {"code": ${written}}}\n\`\`\``;
      expect(parseWrittenCalls(text)).toMatchObject([{ name: 'Run', args: { code } }]);
    }
  });

  test.each([
    '<tool_call>{"a":',
    '{"',
    '\n{"name": "x',
    '<function=a><parameter=b>',
    '<tool_call>a\n<arg_key>',
    '`',
    '``` ',
    '\n> ',
    '[TOOL_CALLS][',
    '<tool_call>{"name": "a", "arguments": {}}',
    ' ',
    '\\"',
    '[{"a": 1},',
    '<Run>',
    '<Run><code>',
    '\nRun(',
    '\nRun("',
    'a {"name": ',
    'a {"a": {"b": 1}} ',
    '\nRun([',
    '\nRun("""',
    '\nAction: Run',
    '\nAction: Run\nAction Input: {"',
    '# ',
  ])('many of %j take no time', (piece) => {
    const text = piece.repeat(Math.ceil(65_536 / piece.length));
    const began = performance.now();
    for (const each of [text, `<tool_call>${text}`, `\n\`\`\`${text}`, `<tool_call>a${text}`])
      parseWrittenCalls(each, [run]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

const requests: ModelRequest[] = [];
const results: string[] = [];

function world(replies: readonly (string | ModelReply)[], folder = temporaryFolder()) {
  const tool = toolOf(
    'Run',
    async ({ code }) => {
      results.push(String(code));
      if (code === 'end') return { text: 'right', advance: { to: null, statement: '' } };
      const next = { to: '2', statement: 'Now part 2.' };
      return { text: `${code}: ${'x'.repeat(5_000)}`, advance: code === 'next' ? next : undefined };
    },
    {
      parameters: z.object({ code: z.string() }),
      program: { parameter: 'code', accepts: (language: string) => language === 'python' },
    },
  );
  const family = familyOf({
    spec: { stages: ['1', '2'], statement: [{ type: 'text', text: 'Part 1.' }] },
    tools: [tool],
    grade: async ({ stagesDone }) => ({ correct: stagesDone.length === 2, explanation: 'stages' }),
  });
  requests.length = 0;
  results.length = 0;
  const model = modelOf((request, { index }) => {
    requests.push(request);
    return replies[index] ?? said('I am done.');
  });
  return oddWorld({ agent: toolLoop, family, model, folder });
}

async function played(replies: readonly (string | ModelReply)[], settings: JsonObject = {}) {
  const here = world(replies);
  const end = await (
    await startRun(here, oddRun({ agent: 'tool-loop', settings, limits: { toolCalls: 20 } }))
  ).done;
  const events = await eventsOf(here, 'run');
  expect(await replayRun(here, 'run')).toMatchObject({ complete: true, isSame: true });
  return {
    end,
    lines: events.map((event) => describeEvent(event, { agent: { name: 'tool-loop', settings: {} } }).text),
  };
}

const inText = (code: string): string =>
  `\`\`\`json\n${JSON.stringify({ tool: 'Run', arguments: { code } })}\n\`\`\``;
const onWire = (code: string): ModelReply => ({
  ...(said('') as Extract<ModelReply, { ok: true }>),
  message: { role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'Run', args: { code } }] },
});

describe('the tool loop', () => {
  test('that meets a call as text says what the server lacks, in its reminder and at its end', async () => {
    const written = `<tool_call>\n${JSON.stringify({ name: 'Run', arguments: { code: 'end' } })}\n</tool_call>`;
    const { end, lines } = await played([written, written, written]);
    expect(end).toMatchObject({ outcome: 'stopped' });
    for (const text of [
      end.solution?.detail ?? '',
      lines.find((line) => line.startsWith('reminded')) ?? '',
    ]) {
      expect(text).toMatch(
        /no parser for tool calls.*--enable-auto-tool-choice.*SGLang.*--jinja.*calls=text/,
      );
    }
    expect(results).toEqual([]);
    const plain = await played(['I think.']);
    expect(plain.end.solution?.detail).toBe('The model called no tool any more.');
  });

  test('with calls=text sends no tools, and carries out what stands in the text', async () => {
    const { end } = await played([inText('next'), inText('end')], { calls: 'text' });
    expect(end.outcome).toBe('solved');
    expect(results).toEqual(['next', 'end']);
    expect(requests.map(({ tools }) => tools)).toEqual([undefined, undefined]);
    const [system, , , result] = requests[1]?.messages ?? [];
    expect(system?.content).toMatch(/### Run\nRun\nArguments, as a JSON schema: .*"code"/);
    expect(result?.role).toBe('user');
    expect(JSON.stringify(result?.content)).toMatch(/Result of Run:.*Now part 2/);
  });

  test('with calls=text a block of code alone is run, and its model is told what was run', async () => {
    await played(['```python\nnext\n```', inText('end')], { calls: 'text' });
    expect(results).toEqual(['next', 'end']);
    expect(JSON.stringify(requests[1]?.messages.at(-1)?.content)).toContain('it was run by Run');
  });

  test('with calls=text corrects no call, two calls and a broken one, as often as it reminds', async () => {
    const wrong = [
      'Hm.',
      `${inText('a')}\n${inText('b')}`,
      '```json\n{"tool": "Run", "arguments": {"code": "x\n```',
    ];
    const { end, lines } = await played([...wrong, 'Hm.'], { calls: 'text', reminders: 3 });
    expect(end.outcome).toBe('stopped');
    expect(requests.slice(1).map(({ messages }) => String(messages.at(-1)?.content).slice(0, 40))).toEqual([
      'Your reply holds no tool call. The probl',
      'Your reply holds more than one tool call',
      'The tool call in your reply was not carr',
    ]);
    const reminders = lines.filter((line) => line.startsWith('reminded'));
    expect(reminders).toEqual([
      'reminded to call a tool',
      'reminded to send one call a reply',
      expect.stringMatching(/^reminded to send a call that can be read/),
    ]);
    expect(results).toEqual([]);
  });

  test('carries out no call of a cut reply, says so, and goes on', async () => {
    for (const [cut, settings] of [
      [onWire('end'), {}],
      [said(inText('end')), { calls: 'text' }],
    ] as const) {
      const whole = 'calls' in settings ? [inText('next'), inText('end')] : [onWire('next'), onWire('end')];
      const { end } = await played([{ ...cut, finish: 'length' } as ModelReply, ...whole], settings);
      expect(end.outcome).toBe('solved');
      expect(results).toEqual(['next', 'end']);
      expect(String(requests[1]?.messages.at(-1)?.content)).toMatch(
        /was cut off.*(?:Reply again, completely|Send it again, complete)/,
      );
    }
  });

  test('counts replies without a call anew behind each call that was carried out', async () => {
    const slips = [
      'Hm.',
      inText('next'),
      'Hm.',
      'Hm.',
      inText('1'),
      said(inText('end')),
      'Hm.',
      inText('end'),
    ];
    const cut = { ...(slips[5] as Extract<ModelReply, { ok: true }>), finish: 'length' } as const;
    const { end } = await played(
      slips.map((slip, index) => (index === 5 ? cut : slip)),
      { calls: 'text' },
    );
    expect(end.outcome).toBe('solved');
    expect(results).toEqual(['next', '1', 'end']);
  });

  test('that ends for calls which cannot be read says so, and what was wrong with the last', async () => {
    const broken = '```json\n{"tool": "Run", "arguments": {"code": "end"}\n```';
    const { end } = await played(['Hm.', 'Hm.', broken], { calls: 'text' });
    expect(end.solution?.detail).toMatch(
      /^Three replies in a row held no call that could be read; the last: ./,
    );
  });

  test('carries out no call behind one that solved a part, and says so', async () => {
    const [first, second] = ['next', 'end'].map((code) => onWire(code) as Extract<ModelReply, { ok: true }>);
    const content = [first, second].flatMap((reply) => reply?.message.content ?? []);
    const both = { ...first, message: { role: 'assistant', content } } as ModelReply;
    const { end, lines } = await played([both, onWire('end')]);
    expect(end.outcome).toBe('solved');
    expect(results).toEqual(['next', 'end']);
    const [refused, statement] = requests[1]?.messages.slice(-2) ?? [];
    expect(refused).toMatchObject({ role: 'tool', isError: true });
    expect(String(refused?.content)).toMatch(
      /^This call was not carried out, because a call before it solved/,
    );
    expect(statement).toEqual({ role: 'user', content: 'Now part 2.' });
    expect(lines.join('\n')).toMatch(/not carried out, because a call before it solved/);
  });

  test('says of a call on the wire that was cut that it was cut, not that its arguments are no JSON', async () => {
    const part = { type: 'tool-call', id: 'c', name: 'Run', args: null, raw: '{"code": "pri' } as const;
    const cut = { ...said(''), finish: 'length', message: { role: 'assistant', content: [part] } };
    const { end, lines } = await played([cut as ModelReply, onWire('next'), onWire('end')]);
    expect(end.outcome).toBe('solved');
    expect(lines.join('\n')).toMatch(/cut off in the middle of its calls, at its limit of tokens/);
    expect(lines.join('\n')).not.toContain('JSON');
  });

  const many = ['1', '2', '3', '4', '5'];
  test.each(['wire', 'text'] as const)(
    'whose context is full shortens old results once (calls=%s)',
    async (calls) => {
      const write = calls === 'wire' ? onWire : inText;
      const full = failure('context-overflow', 'too long');
      const { end, lines } = await played([...many.map((code) => write(code)), full, write('6'), full], {
        calls,
      });
      expect(end).toMatchObject({ outcome: 'limit', limit: 'context' });
      const lengths = requests[6]?.messages
        .filter(({ content }) => JSON.stringify(content).includes('xxx'))
        .map(({ content }) => JSON.stringify(content).length > 4_000);
      expect(lengths).toEqual([false, false, true, true, true]);
      expect(JSON.stringify(requests[6]?.messages)).toContain('characters of this old result are left out');
      expect(lines.filter((line) => line.includes('of 2 old results are left out'))).toHaveLength(1);
    },
  );

  test.each([
    ['in the middle of calls in text', [inText('next'), inText('1'), inText('end')], { calls: 'text' }],
    [
      'behind results that were shortened',
      [...many.map(onWire), failure('context-overflow'), onWire('next'), onWire('end')],
      {},
    ],
  ] as const)('that is interrupted %s is resumed to the same end', async (_when, replies, settings) => {
    const folder = temporaryFolder();
    const spec = oddRun({ agent: 'tool-loop', settings, limits: { toolCalls: 20 } });
    const first = world([...replies.slice(0, -1), failure('network')], folder);
    expect((await (await startRun(first, spec)).done).outcome).toBe('error');
    const asked = requests.at(-1);
    await first.store.close();
    const second = world(replies, folder);
    expect((await (await resumeRun(second, 'run')).done).outcome).toBe('solved');
    expect(requests).toEqual([asked]);
    expect(results).toEqual(['end']);
    expect(await replayRun(second, 'run')).toMatchObject({ complete: true, isSame: true });
    await second.store.close();
  });
});
