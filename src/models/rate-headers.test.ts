import { describe, expect, test } from 'vitest';
import { paceOf } from './rate-headers.ts';
import { retryAfterMs, waitInFields } from './retry-after.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

describe('what a provider still takes', () => {
  test('in the dialect of OpenAI and Groq', () => {
    const headers = {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '6m0.5s',
    };
    expect(paceOf(headers, nowMs)).toEqual({
      requests: { remaining: 59, limit: 60, resetMs: 1_000 },
      tokens: { remaining: 149_984, limit: 150_000, resetMs: 360_500 },
    });
  });

  test('in the dialect of Anthropic, by the kind of token of which least is left', () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:07Z',
      'anthropic-ratelimit-input-tokens-remaining': '8000',
      'anthropic-ratelimit-output-tokens-remaining': '500',
      'anthropic-ratelimit-output-tokens-reset': '2026-03-01T11:59:00Z',
    };
    expect(paceOf(headers, nowMs)).toEqual({
      requests: { remaining: 0, resetMs: 7_000 },
      tokens: { remaining: 500, resetMs: 0 },
    });
    expect(retryAfterMs(headers, nowMs)).toBe(7_000);
  });

  test.each([
    [`${nowMs + 2_500}`, 2_500],
    [`${nowMs / 1_000 + 3}`, 3_000],
    ['0.25', 250],
    ['120ms', 120],
    ['1h1m', 3_660_000],
    ['soon', undefined],
    ['-1', undefined],
  ])('given back at %s', (reset, resetMs) => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    expect(paceOf(headers, nowMs)?.requests?.resetMs).toBe(resetMs);
    expect(retryAfterMs(headers, nowMs)).toBe(resetMs);
  });

  test('is not known where the headers say nothing', () => {
    expect(paceOf({ 'content-type': 'text/html', 'x-ratelimit-remaining': 'some' }, nowMs)).toBeNull();
  });
});

test('what is left is nothing to wait for, and the own word of a provider goes first', () => {
  const left = { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '9s' };
  expect(retryAfterMs(left, nowMs)).toBeUndefined();
  const none = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '9s' };
  expect(retryAfterMs({ ...none, 'retry-after': '2' }, nowMs)).toBe(2_000);
});

test('now, or a time that has passed, is no time to wait: our own patience holds', () => {
  const before = new Date(nowMs - 30_000).toUTCString();
  for (const value of ['0', '0.0', before])
    expect(retryAfterMs({ 'retry-after': value }, nowMs)).toBeUndefined();
  expect(retryAfterMs({ 'retry-after-ms': '0', 'retry-after': '3' }, nowMs)).toBeUndefined();
  expect(waitInFields({ error: { details: [{ retryDelay: '0s' }] } }, nowMs)).toBeUndefined();
});

test('Google writes how long to wait into the error itself', () => {
  const details = [{ '@type': 'x/RetryInfo', retryDelay: '34.07s' }];
  expect(waitInFields({ error: { details } }, nowMs)).toBe(34_070);
  expect(waitInFields({ error: {} }, nowMs)).toBeUndefined();
});
