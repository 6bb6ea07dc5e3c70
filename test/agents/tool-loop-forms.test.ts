/** The forms in which models write calls into their text, with tools like those of the puzzles: which are read, and as what. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callInText, callsOnWire } from '../../src/agents/tool-loop/calls.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelSuccess, ToolCallPart } from '../../src/core/model.ts';
import { said, toolOf } from '../support/odd.ts';

const nothing = async () => ({ text: '' });
const text = z.string();
const tools = [
  toolOf('DownloadInput', nothing, { parameters: z.object({ from: z.int(), length: z.int() }).partial() }),
  toolOf('RunGeneratedCode', nothing, {
    parameters: z.object({ code: text, inputs: z.array(text).optional() }),
    program: { parameter: 'code', accepts: (language) => /^(?:py|python3?)$/.test(language) },
  }),
  toolOf('SubmitAnswer', nothing, { parameters: z.object({ answer: text }) }),
];

const success = (reply: ReturnType<typeof said>) => reply as ModelSuccess;
const read = (reply: string) => callInText(success(said(reply)), tools);
const fence = (code: string, language = '') => `\`\`\`${language}\n${code}\n\`\`\``;

const code = 'print("a {", 1)';
const submitted: readonly [string, JsonObject] = ['SubmitAnswer', { answer: '42' }];
const ran: readonly [string, JsonObject] = ['RunGeneratedCode', { code }];
const json = JSON.stringify;

const forms: Readonly<Record<string, readonly [reply: string, call: readonly [string, JsonObject]]>> = {
  'an argument beside the name': ['{"tool":"DownloadInput","length":5}', ['DownloadInput', { length: 5 }]],
  'a program beside the name': [fence(json({ tool: 'RunGeneratedCode', code }), 'json'), ran],
  'an answer beside `name`': ['{"name":"SubmitAnswer","answer":"42"}', submitted],
  'with thoughts beside it': ['{"thought":"It is 42.","tool":"SubmitAnswer","answer":"42"}', submitted],
  'some arguments inside, one beside': [
    '{"tool":"DownloadInput","arguments":{"from":1},"length":5}',
    ['DownloadInput', { from: 1, length: 5 }],
  ],
  'null for no arguments': ['{"tool":"DownloadInput","arguments":null}', ['DownloadInput', {}]],
  'a lone block of Python': [`I run it.\n${fence(code, 'python')}`, ran],
  'a call without code beside a block': [
    `${fence(code, 'python')}\n${fence('{"tool":"RunGeneratedCode","arguments":{}}', 'json')}`,
    ran,
  ],
  'a call of Python': [fence('SubmitAnswer(answer="42")', 'python'), submitted],
  'one of a module, printed': [
    fence('print(default_api.submit_answer(answer="42"))', 'tool_code'),
    submitted,
  ],
  'one without a name of its argument': ["SubmitAnswer('42')", submitted],
  'one with a program of several lines': [
    fence(
      'RunGeneratedCode(\n    code="""\nfor n in (1, 2):\n    print(n)\n""",\n    inputs=["1", \'2\'],\n)',
      'python',
    ),
    ['RunGeneratedCode', { code: '\nfor n in (1, 2):\n    print(n)\n', inputs: ['1', '2'] }],
  ],
  tags: ['So:\n<SubmitAnswer><answer>42</answer></SubmitAnswer>', submitted],
  'a tag without arguments': ['<DownloadInput/>', ['DownloadInput', {}]],
  'a tag around JSON': ['<SubmitAnswer>\n{"answer": "42"}\n</SubmitAnswer>', submitted],
  'a tag around a program': [`<RunGeneratedCode>\n${fence(code, 'python')}\n</RunGeneratedCode>`, ran],
  'single quotes': [`{'tool': 'RunGeneratedCode', 'arguments': {'code': '${code}'}}`, ran],
  'curly quotes': ['{“tool”: “SubmitAnswer”, “arguments”: {“answer”: “42”}}', submitted],
  'the name as key': ['{"SubmitAnswer":{"answer":"42"}}', submitted],
  'an object as tool': ['{"tool":{"name":"SubmitAnswer","arguments":{"answer":"42"}}}', submitted],
  'tool_name and tool_args': ['{"tool_name":"SubmitAnswer","tool_args":{"answer":"42"}}', submitted],
  'action and action_input': ['{"action":"SubmitAnswer","action_input":{"answer":"42"}}', submitted],
  'a text as action_input': ['{"action":"SubmitAnswer","action_input":"42"}', submitted],
  'Action and Action Input': [
    'Thought: done.\nAction: SubmitAnswer\nAction Input: {"answer": "42"}',
    submitted,
  ],
  'Action Input as text': ['**Action:** SubmitAnswer\n**Action Input:** 42', submitted],
  'another spelling of the name': ['{"tool":"submit_answer","arguments":{"answer":"42"}}', submitted],
  'a name with a prefix': ['{"tool":"functions.SubmitAnswer","arguments":{"answer":"42"}}', submitted],
};

describe('a call in text', () => {
  test.each(Object.entries(forms))('%s', (_form, [reply, [name, args]]) => {
    expect(read(reply)).toMatchObject({ calls: [{ tool: name, args }] });
  });

  const call = (name: string, args: string) => fence(`{"tool": "${name}", "arguments": ${args}}`, 'json');
  test.each([
    [
      'a brace is missing',
      fence('{"tool": "SubmitAnswer", "arguments": {"answer": "42"}', 'json'),
      /closing brace is missing/,
    ],
    [
      'quotation marks are not escaped',
      call('RunGeneratedCode', '{"code": "print("{")"}'),
      /a quotation mark is not escaped/,
    ],
    [
      'a string does not end',
      fence('{"tool": "SubmitAnswer", "arguments": {"answer": "42}}', 'json'),
      /does not end/,
    ],
    ['arguments are null', call('SubmitAnswer', 'null'), /`arguments` is null/],
    ['a tag does not end', '<SubmitAnswer><answer>42</answer>', /`<\/SubmitAnswer>` is missing/],
    ['an argument is calculated', fence('x = 1\nSubmitAnswer(answer=str(x))', 'python'), /is calculated/],
    ['a block does not end', '```python\nprint(1)', /does not end/],
    [
      'there are two programs',
      `${fence(code, 'python')}\n${fence('print(2)', 'python')}`,
      /2 blocks of code/,
    ],
  ])('that cannot be read, because %s', (_why, reply, why) => {
    expect(read(reply)).toMatchObject({
      calls: null,
      miss: { reason: 'broken', why: expect.stringMatching(why) },
    });
  });

  test.each([
    ['a word on a tool', 'I shall use SubmitAnswer(answer) as soon as I know it.'],
    ['a block of another language', fence('int main() {}', 'cpp')],
    ['a block without a language', fence(code)],
    ['an object of data', fence('{"answer": 6}', 'json')],
  ])('that is none: %s', (_what, reply) => {
    expect(read(reply)).toMatchObject({ calls: null, miss: { reason: 'none' } });
  });

  test('the same one twice is one, two others are several', () => {
    const [one, other] = [call('SubmitAnswer', '{"answer": "42"}'), call('SubmitAnswer', '{"answer": "7"}')];
    expect(read(`${one}\n${one}`)).toMatchObject({ calls: [{ args: { answer: '42' } }], duplicates: 1 });
    expect(read(`${one}\n${other}`)).toMatchObject({ calls: null, miss: { reason: 'several' } });
  });
});

test('a call on the wire in another spelling, and one whose program stands beside it', () => {
  const part = (name: string, args: JsonObject): ToolCallPart => ({ type: 'tool-call', id: 'c', name, args });
  const reply = success(said(fence(code, 'python')));
  const content = [
    ...reply.message.content,
    part('functions.submit_answer', { answer: '42' }),
    part('RunGeneratedCode', {}),
  ];
  expect(callsOnWire({ ...reply, message: { ...reply.message, content } }, tools)).toMatchObject({
    calls: [
      { name: 'functions.submit_answer', tool: 'SubmitAnswer', args: { answer: '42' } },
      { tool: 'RunGeneratedCode', args: { code } },
    ],
  });
});
