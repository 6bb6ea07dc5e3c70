import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../core/model.ts';
import { fillJson, fillText, sectionOf, unknownPlaceholders } from './places.ts';
import type { ScriptCall } from './scripted.ts';

const messages: Message[] = [
  { role: 'user', content: 'first' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'last ' },
      { type: 'image', mediaType: 'image/png', data: 'AA==' },
      { type: 'text', text: 'words' },
    ],
  },
  { role: 'tool', callId: '1', name: 'RunGeneratedCode', content: 'exit 0\nstdout:\n 42 \nstderr:\nnoise\n' },
  { role: 'tool', callId: '2', name: 'SubmitAnswer', content: 'That is right!' },
];

function callWith(list: readonly Message[]): ScriptCall {
  return { role: 'solver', branch: 'a/b', index: 3, attempt: 1, request: { messages: list } };
}

const call = callWith(messages);

describe('fillText', () => {
  it.each([
    ['{{tool}}', 'That is right!'],
    ['{{tool.SubmitAnswer}}', 'That is right!'],
    ['<{{tool.RunGeneratedCode.stdout}}>', '<42>'],
    ['{{ tool.RunGeneratedCode.stderr }}', 'noise'],
    ['{{user}}', 'last words'],
    ['{{role}} {{branch}} {{index}} {{attempt}}', 'solver a/b 3 1'],
    ['vector<pair<int,int>> v{{1, 2}, {3, 4}};', 'vector<pair<int,int>> v{{1, 2}, {3, 4}};'],
    ['\\{{user}} \\\\{{user}}', '{{user}} \\{{user}}'],
  ])('%s', (text, expected) => {
    expect(fillText(text, call)).toBe(expected);
  });

  it('takes the section of the last tool result', () => {
    expect(fillText('{{tool.stdout}}', callWith(messages.slice(0, 3)))).toBe('42');
  });

  it('never reads a filled value again', () => {
    expect(fillText('{{user}}', callWith([{ role: 'user', content: '{{role}} $& $1' }]))).toBe(
      '{{role}} $& $1',
    );
  });

  it('says what is missing', () => {
    expect(() => fillText('{{tool.stdout}}', call)).toThrow(
      'The place {{tool.stdout}} cannot be filled: the request has no stdout in the result of SubmitAnswer.',
    );
    expect(() => fillText('{{tool.X}}', call)).toThrow('no result of the tool X');
    expect(() => fillText('{{tool}}', callWith([]))).toThrow('no tool result');
    expect(() => fillText('{{user}}', callWith([]))).toThrow('no user message');
  });

  it('gives back any text whose places are escaped', () => {
    const parts = fc.constantFrom('{{', '}}', '{', '}', '\\', ' ', 'user', 'tool.x', 'a', '1', '\n');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        const text = list.join('');
        const escaped = text.replace(/\{\{ *[A-Za-z][\w.-]* *\}\}/g, '\\$&');
        expect(unknownPlaceholders(escaped)).toEqual([]);
        expect(fillText(escaped, callWith([]))).toBe(text);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe('fillJson', () => {
  it('fills strings at any depth and leaves the rest', () => {
    const value = { a: ['{{index}}', 1, null], '{{user}}': { b: true } };
    expect(fillJson(value, call)).toEqual({ a: ['3', 1, null], '{{user}}': { b: true } });
  });

  it('leaves any JSON without braces as it is', () => {
    const noBraces = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('{{'));
    fc.assert(
      fc.property(noBraces, (value) => {
        expect(JSON.stringify(fillJson(JSON.parse(JSON.stringify(value)), call))).toBe(JSON.stringify(value));
      }),
      { seed: 1 },
    );
  });
});

describe('unknownPlaces', () => {
  it('finds names that no request could fill', () => {
    expect(
      unknownPlaceholders(['{{foo}} {{tool}}', { a: '{{tool.A.stdin}}' }, '{{user.name}}', '{{tool.}}']),
    ).toEqual(['foo', 'tool.A.stdin', 'user.name', 'tool.']);
    expect(unknownPlaceholders('\\{{foo}} {{1}} {{a b}}')).toEqual([]);
  });
});

describe('sectionOf', () => {
  it.each([
    ['stdout:\na\nb\n', 'a\nb', null],
    ['stdout: a\nstderr: b', 'a', 'b'],
    ['status: ok\nstdout:\n\nstderr:\n', '', ''],
    ['stderr:\nboom', null, 'boom'],
    ['stdout:\na\nstdout:\nb\nstderr:\nc\nstderr:\nd', 'a\nstdout:\nb', 'c\nstderr:\nd'],
    ['stderr: early\nstdout: late', 'late', null],
    ['my stdout: x', null, null],
    ['stdout:\r\n7\r\nstderr:\r\n', '7', ''],
  ])('%j', (text, stdout, stderr) => {
    expect(sectionOf(text, 'stdout')).toBe(stdout);
    expect(sectionOf(text, 'stderr')).toBe(stderr);
  });

  it('returns what a program wrote, as long as no line of it starts with stderr:', () => {
    const output = fc.string().filter((text) => !/^stderr:/m.test(text));
    fc.assert(
      fc.property(output, fc.string(), (out, err) => {
        const text = `status: ok\nstdout:\n${out}\nstderr:\n${err}`;
        expect(sectionOf(text, 'stdout')).toBe(out.trim());
        expect(sectionOf(text, 'stderr')).toBe(err.trim());
      }),
      { seed: 1 },
    );
  });
});
