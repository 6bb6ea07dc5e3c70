import { APICallError, JSONParseError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { failureOf } from './ai-sdk-failure.ts';

const unknown = { tokens: null, costUsd: null };

function coded(code: string, cause?: Error): Error {
  return Object.assign(new Error(`it was ${code}`, { cause }), { code });
}

function connecting(cause: Error): APICallError {
  return new APICallError({
    message: 'Cannot connect to API',
    url: 'http://x',
    requestBodyValues: {},
    cause,
  });
}

describe('failureOf', () => {
  it.each([
    ['ECONNREFUSED', { kind: 'network', retryable: true }, null],
    ['ENOTFOUND', { kind: 'network', retryable: true }, null],
    ['ECONNRESET', { kind: 'network', retryable: true }, unknown],
    ['UND_ERR_SOCKET', { kind: 'network', retryable: true }, unknown],
    ['UND_ERR_CONNECT_TIMEOUT', { kind: 'timeout', retryable: true }, null],
    ['UND_ERR_BODY_TIMEOUT', { kind: 'timeout', retryable: true }, unknown],
    ['ETIMEDOUT', { kind: 'timeout', retryable: true }, unknown],
    ['SELF_SIGNED_CERT_IN_CHAIN', { kind: 'network', retryable: false }, null],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { kind: 'network', retryable: false }, null],
  ])('of the network: %s', (code, error, usage) => {
    expect(failureOf(connecting(coded(code)), 0)).toMatchObject({ error, usage });
    const deep = new Error('outer', { cause: new TypeError('terminated', { cause: coded(code) }) });
    expect(failureOf(deep, 0)).toMatchObject({ error, usage });
  });

  it('of TLS that its server does not speak blames no certificate', () => {
    const { message } = failureOf(connecting(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 0).error;
    expect(message).toMatch(/http:\/\//);
    expect(message).not.toContain('POLYA_CA');
  });

  it('of a body that breaks off for whatever reason says which', () => {
    const cause = new Error('Invalid character in chunk size');
    expect(failureOf(new TypeError('terminated', { cause }), 0)).toMatchObject({
      error: { kind: 'network', retryable: true, message: expect.stringMatching(/broke off.*chunk size/) },
      usage: unknown,
    });
  });

  it('of our own making is not blamed on the network', () => {
    expect(failureOf(coded('ERR_INVALID_URL'), 0)).toMatchObject({
      error: { kind: 'other', retryable: false },
    });
    expect(failureOf('a string', 0)).toMatchObject({ error: { kind: 'other', message: 'a string' } });
  });

  it('of a request that the provider cannot express', () => {
    const error = new UnsupportedFunctionalityError({ functionality: 'file part media type x/y' });
    expect(failureOf(error, 0)).toMatchObject({ error: { kind: 'bad-request' }, usage: null });
  });

  it('of a reply that is no JSON', () => {
    const error = new JSONParseError({ text: '{', cause: new Error('end') });
    expect(failureOf(error, 0)).toMatchObject({
      error: { kind: 'malformed', retryable: true },
      usage: unknown,
    });
  });

  it('of Google, which says 400 to a key that is none and to a conversation that is too long', () => {
    const failed = (message: string, details: object[] = []) => {
      const data = { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } };
      const at = { url: 'http://x', requestBodyValues: {}, statusCode: 400, data };
      return failureOf(new APICallError({ message, ...at, responseBody: JSON.stringify(data) }), 0);
    };
    expect(failed('API key not valid.', [{ reason: 'API_KEY_INVALID' }])).toMatchObject({
      error: { kind: 'auth', retryable: false },
      usage: null,
    });
    const long = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).';
    expect(failed(long)).toMatchObject({ error: { kind: 'context-overflow', retryable: false } });
    expect(failed('Something else.')).toMatchObject({ error: { kind: 'bad-request' } });
  });
});
