import { describe, expect, test } from 'vitest';
import { requireReply } from './cut-off.ts';
import {
  Cancelled,
  DivergenceError,
  describeError,
  EffectFailed,
  exitCodes,
  JournalError,
  LimitReached,
  UnavailableError,
  UserError,
} from './errors.ts';

describe('an error that is told to a person', () => {
  test('has what, why and what to do in one message, and an exit code', () => {
    const error = new UserError({ code: 'some-code', what: 'A.', why: 'B.', fix: 'C.' });
    expect(error.message).toBe('A. B. C.');
    expect([error.name, error.exitCode]).toEqual(['UserError', exitCodes.usage]);
    expect(new UnavailableError({ code: 'some-code', what: 'A.' }).exitCode).toBe(exitCodes.unavailable);
    expect(new JournalError({ code: 'some-code', what: 'A.' }).exitCode).toBe(exitCodes.journal);
  });

  test('names the position and the event of a divergence, and both versions', () => {
    const parting = { at: 7, expected: 'x', actual: 'y' };
    const error = new DivergenceError('a/b#3', parting, { journaled: '1', now: '2' });
    expect(error.position).toBe('a/b#3');
    expect(error.message).toContain('at a/b#3, event 7: the journal holds x, the agent now asks for y');
    expect(error.message).toContain('by Polya 1, and this is Polya 2');
  });

  test('of a limit names it', () => {
    expect(new LimitReached('tokens', 5)).toMatchObject({ limit: 'tokens', max: 5 });
    expect(new Cancelled('why').message).toBe('Cancelled: why.');
  });
});

describe('an error in a journal', () => {
  test('keeps a stack, or what there is of one, unless it explains itself', () => {
    expect(describeError(new UnavailableError({ code: 'some-code', what: 'A.' }))).toEqual({
      name: 'UnavailableError',
      message: 'A.',
      unavailable: true,
    });
    expect(describeError(new UserError({ code: 'some-code', what: 'A.' }))).toEqual({
      name: 'UserError',
      message: 'A.',
    });
    expect(describeError(new TypeError('x')).stack).toContain('TypeError: x');
    const bare = new Error('x');
    delete bare.stack;
    expect(describeError(bare)).toEqual({ name: 'Error', message: 'x', stack: 'x' });
    expect(describeError('thrown')).toEqual({ name: 'Error', message: 'thrown', stack: 'Error: thrown' });
  });
});

describe('a reply that is required', () => {
  const failure = (kind: 'network' | 'bad-request') =>
    ({ ok: false, error: { kind, message: 'no', retryable: false }, usage: null }) as const;

  test('is given where there is one', () => {
    const reply = {
      ok: true,
      message: { role: 'assistant', content: [] },
      finish: 'stop',
      usage: { tokens: null, costUsd: null },
    } as const;
    expect(requireReply(reply)).toBe(reply);
  });

  test('is an outage where a later try may succeed, and else not', () => {
    expect(() => requireReply(failure('network'))).toThrow(EffectFailed);
    expect(thrownBy(() => requireReply(failure('network')))).toMatchObject({
      effectError: { name: 'network', unavailable: true, model: { kind: 'network' } },
    });
    expect(thrownBy(() => requireReply(failure('bad-request')))).not.toMatchObject({
      effectError: { unavailable: true },
    });
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
