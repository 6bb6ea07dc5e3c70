/** The small pure files of the room: reply.ts, redact.ts, retry-after.ts, and strict schemas. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/json.ts';
import { redact } from './redact.ts';
import { parseToolArgs } from './reply.ts';
import { retryAfterMs } from './retry-after.ts';
import { isStrict } from './strict-schema.ts';

describe('redact', () => {
  it('leaves no secret, however it is spelled', () => {
    expect(redact('a b+c/d "q" a%20b%2Bc%2Fd%20%22q%22 a b+c/d \\"q\\"', ['a b+c/d "q"'])).toBe(
      '[redacted] [redacted] [redacted]',
    );
    expect(redact('Authorization: Bearer abc.def, then', [])).toBe('Authorization: Bearer [redacted], then');
    expect(redact('at https://me:pw@host/v1', [''])).toBe('at https://[redacted]@host/v1');
    expect(redact('sk-1 and sk-12', ['sk-1', 'sk-12'])).toBe('[redacted] and [redacted]');
  });

  it.each<[string, string]>([
    ['Incorrect API key provided: sk-secretKEY01234567***. ', 'Incorrect API key provided: [redacted]***. '],
    ['Key …0123456789abcdefXYZ is off', 'Key …[redacted] is off'],
    ['sk-s***fXYZ', 'sk-s***fXYZ'],
    [
      'headers=Authorization%3A+Bearer+abc other=sk-otherKEYabcdefghij',
      'headers=Authorization%3A+Bearer+[redacted] other=[redacted]',
    ],
    [
      'GET /v1beta/models?key=AIzaSyA1234567890abcdefghij&alt=sse',
      'GET /v1beta/models?key=[redacted]&alt=sse',
    ],
    ['token=abcdefghij0123456789 max_tokens=4096', 'token=[redacted] max_tokens=4096'],
    ['{"api_key": "abcdefghij0123456789"}', '{"api_key": "[redacted]"}'],
    ['ghp_abcdefghijklmnop0123 and hf_abcdefghijklmnop0123', '[redacted] and [redacted]'],
    [
      'The model risk-assessment-of-everything is unknown',
      'The model risk-assessment-of-everything is unknown',
    ],
    ['unexpected token: identifier_without_quotes', 'unexpected token: identifier_without_quotes'],
  ])('leaves no piece of a key, nor what looks like one: %s', (text, expected) => {
    expect(redact(text, ['sk-secretKEY0123456789abcdefXYZ'])).toBe(expected);
  });

  it.each([0, 1, 2, 3])(
    'leaves none in base64 behind %i letters, in hexadecimal digits or broken over lines',
    (before) => {
      const secret = 'sk-?key>of+some/body-0123';
      const inBase64 = Buffer.from(`${'u'.repeat(before)}${secret}`).toString('base64');
      const hex = Buffer.from(secret).toString('hex');
      const text = redact(`${inBase64} ${hex} ${secret.slice(0, 9)}\n  ${secret.slice(9)}`, [secret]);
      const rests = text.split(/\[redacted\]|\s/);
      expect(Math.max(...rests.map((rest) => rest.length)), text).toBeLessThan(8);
    },
  );

  const spellings: Record<string, (sign: string) => string> = {
    'decimal entities': (sign) => `&#${sign.charCodeAt(0)};`,
    'hexadecimal entities': (sign) => `&#x00${sign.charCodeAt(0).toString(16).toUpperCase()};`,
    'entities of odd signs alone': (sign) => (/\w/.test(sign) ? sign : `&#${sign.charCodeAt(0)};`),
    'percent-encoding': (sign) => `%${sign.charCodeAt(0).toString(16)}`,
    'escapes of JSON': (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  };
  it.each(Object.entries(spellings))('leaves none in %s', (_, spell) => {
    for (const secret of ['sk-key.of_some/body+0123', 'pa-s<1>']) {
      expect(redact(`<b>${[...secret].map(spell).join('')}</b>`, [secret])).toBe('<b>[redacted]</b>');
    }
  });

  it('leaves none in base64 that is broken over lines', () => {
    const secret = 'sk-key.of_some/body+0123';
    const text = Buffer.from(`user:${secret}`)
      .toString('base64')
      .replace(/(.{10})/g, '$1\n');
    expect(redact(text, [secret]).replace(/\s/g, '').length).toBeLessThan(24);
  });

  it('never shows a key, wherever it stands', () => {
    const key = fc.stringMatching(/^sk-[\w-]{8,40}$/);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        expect(redact(before + secret + after, [secret])).not.toContain(secret);
      }),
      { seed: 1 },
    );
  });
});

describe('retryAfterMs', () => {
  const nowMs = Date.parse('Sun, 06 Nov 2031 08:49:37 GMT');
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': 'Sun, 06 Nov 2031 08:49:40 GMT' }, 3000],
    [{ 'retry-after': 'Sun, 06 Nov 2011 08:49:40 GMT' }, undefined],
    [{ 'retry-after-ms': '20.2', 'retry-after': '9' }, 21],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('%j', (headers: Record<string, string>, expected) => {
    expect(retryAfterMs(headers, nowMs)).toBe(expected);
  });
});

describe('parseToolArgs', () => {
  it('parses every object, and keeps all else as it was written', () => {
    expect(parseToolArgs(' \n')).toEqual({ args: {} });
    expect(parseToolArgs('null')).toEqual({ args: null, raw: 'null' });
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(object, (value) => {
        const json = JSON.stringify(value);
        expect(parseToolArgs(json)).toEqual({ args: JSON.parse(json) });
      }),
      { seed: 1 },
    );
  });
});

describe('isStrict', () => {
  const string = { type: 'string' };
  const closed = { type: 'object', properties: { a: string }, required: ['a'], additionalProperties: false };
  const cases: [JsonObject, boolean][] = [
    [closed, true],
    [string, true],
    [{ type: 'array', items: closed }, true],
    [{ ...closed, required: [] }, false],
    [{ ...closed, additionalProperties: true }, false],
    [{ type: 'object' }, false],
    [{ type: 'array', items: { type: 'object', properties: {} } }, false],
    [{ anyOf: [string, { ...closed, required: [] }] }, false],
  ];
  it.each(cases)('%j: %j', (schema, expected) => {
    expect(isStrict(schema)).toBe(expected);
  });
});
