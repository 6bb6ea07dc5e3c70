import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, toJson } from './json.ts';

describe('canonical JSON', () => {
  test('says equal values alike, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(toJson(value));
      }),
      { seed: 1 },
    );
  });

  test('keeps a key that an assignment would lose', () => {
    const value: unknown = JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2,"z":1},"b":1}');
  });

  test('says null where there is nothing to say', () => {
    expect(canonicalJson(undefined)).toBe('null');
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });
});

describe('a value as a journal gives it back', () => {
  test('has lost what JSON cannot say', () => {
    expect(toJson({ at: new Date(0), none: undefined, nan: Number.NaN })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      nan: null,
    });
    expect(toJson(undefined)).toBeNull();
    expect(JSON.stringify(toJson({ b: [{ d: 1, c: 2 }], a: 3 }))).toBe('{"a":3,"b":[{"c":2,"d":1}]}');
  });

  test('is refused where it has no JSON', () => {
    expect(() => toJson({ big: 1n })).toThrow(TypeError);
  });
});
