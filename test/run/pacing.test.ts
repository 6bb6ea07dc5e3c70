/** Turns to call a model: how many at once, how many a minute, to whom next, and what a provider's trouble changes. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CallEnd, PaceLimits } from '../../src/run/pacing/lane.ts';
import { Pacer } from '../../src/run/pacing/pacer.ts';
import type { Turn } from '../../src/run/pacing/turn.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock();
});

const ok: CallEnd = { kind: 'ok', tokens: null };
const signal = new AbortController().signal;

function pacerWith(limits: PaceLimits, fits: (model: string) => boolean = () => true): Pacer {
  return new Pacer({ clock, lines: [{ name: 'm/*', limits, fits }] });
}

/** The turns in the order in which they were given, by the names that asked for them. */
function queue(pacer: Pacer) {
  const given: { name: string; turn: Turn }[] = [];
  const waits: string[] = [];
  const ask = (name: string, more: Partial<Parameters<Pacer['turn']>[0]> = {}): Promise<void> =>
    pacer
      .turn({
        model: 'm/a',
        run: name.slice(0, 1),
        tokens: 10,
        signal,
        onWait: (reason) => waits.push(`${name}: ${reason}`),
        ...more,
      })
      .then((turn) => {
        given.push({ name, turn });
      });
  const names = async (): Promise<string[]> => {
    await clock.advance(0);
    return given.map(({ name }) => name);
  };
  const end = async (index: number, end: CallEnd = ok): Promise<void> => {
    given[index]?.turn.end(end);
    await clock.advance(0);
  };
  return { ask, given, names, end, waits };
}

describe('turns', () => {
  test('are given at once where nothing is in the way', async () => {
    const { ask, names, waits } = queue(new Pacer({ clock }));
    for (let n = 0; n < 500; n += 1) void ask(`a${n}`);
    expect(await names()).toHaveLength(500);
    expect(waits).toEqual([]);
  });

  test('are so many at once, for all models of a line together', async () => {
    const { ask, names, end, waits } = queue(pacerWith({ callsAtOnce: 2 }));
    for (const [name, model] of [
      ['a1', 'm/a'],
      ['a2', 'm/b'],
      ['a3', 'm/c'],
    ] as const)
      void ask(name, { model });
    expect(await names()).toEqual(['a1', 'a2']);
    expect(waits).toEqual(['a3: m/* takes 2 calls at once']);
    await end(0);
    expect(await names()).toEqual(['a1', 'a2', 'a3']);
  });

  test('go to the runs in rotation', async () => {
    const { ask, names, end } = queue(pacerWith({ callsAtOnce: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name);
    for (let index = 0; index < 6; index += 1) {
      await names();
      await end(index);
    }
    expect(await names()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('two models of one line starve nobody', async () => {
    const { ask, names, end } = queue(pacerWith({ callsAtOnce: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, { model: 'm/a' });
    for (const name of ['b1', 'b2', 'b3', 'b4']) void ask(name, { model: 'm/b' });
    for (let index = 0; index < 8; index += 1) {
      await names();
      await end(index);
    }
    expect(await names()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4']);
  });

  test('are given back by who is broken off while it waits, and by who never calls', async () => {
    const { ask, names, end, given } = queue(pacerWith({ callsAtOnce: 1 }));
    const leaving = new AbortController();
    void ask('a1');
    const left = ask('a2', { signal: leaving.signal });
    void ask('b1');
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    given[0]?.turn.end();
    expect(await names()).toEqual(['a1', 'b1']);
    await end(1);
    await expect(ask('c1', { signal: leaving.signal })).rejects.toThrow('gone');
  });

  test('are so many a minute, a few of them at once', async () => {
    const { ask, names, end, given } = queue(pacerWith({ requestsPerMinute: 60 }));
    for (let n = 0; n < 20; n += 1) void ask(`a${n}`);
    expect(await names()).toHaveLength(10);
    for (const [index] of given.entries()) await end(index);
    await clock.advance(1_000);
    expect(await names()).toHaveLength(11);
    await clock.advance(60_000);
    expect(await names()).toHaveLength(20);
  });

  test('hold so many tokens a minute; what was not used comes back', async () => {
    const { ask, names, end } = queue(pacerWith({ tokensPerMinute: 6_000 }));
    void ask('a1', { tokens: 5_000 });
    void ask('a2', { tokens: 2_000 });
    expect(await names()).toEqual(['a1']);
    await clock.advance(9_000);
    expect(await names()).toEqual(['a1']);
    await clock.advance(1_000);
    expect(await names()).toEqual(['a1', 'a2']);
    void ask('a3', { tokens: 4_000 });
    expect(await names()).toHaveLength(2);
    await end(0, { kind: 'ok', tokens: 1_000 });
    expect(await names(), 'of 5,000 only 1,000 were used').toHaveLength(3);
  });

  test('a call of more than a minute holds is made when the minute is full', async () => {
    const { ask, names } = queue(pacerWith({ tokensPerMinute: 600 }));
    void ask('a1', { tokens: 10 });
    void ask('a2', { tokens: 9_999 });
    expect(await names()).toEqual(['a1']);
    await clock.advance(1_000);
    expect(await names()).toEqual(['a1', 'a2']);
  });
});

describe('what a provider says', () => {
  test('holds all runs when one is told to wait', async () => {
    const { ask, names, end, waits } = queue(new Pacer({ clock }));
    void ask('a1');
    await names();
    await end(0, { kind: 'rate-limit', retryAfterMs: 3_000 });
    void ask('b1');
    expect(await names()).toEqual(['a1']);
    expect(waits).toEqual(['b1: m/a asks to wait']);
    await clock.advance(3_000);
    expect(await names()).toEqual(['a1', 'b1']);
  });

  test('in its headers is waited for as long as it takes to come back', async () => {
    const { ask, names, given } = queue(new Pacer({ clock }));
    void ask('a1');
    await names();
    given[0]?.turn.hear({ requests: { remaining: 1, limit: 61, resetMs: 60_000 } });
    for (const name of ['a2', 'a3']) void ask(name);
    expect(await names(), 'one is left').toEqual(['a1', 'a2']);
    await clock.advance(1_000);
    expect(await names(), 'one a second comes back').toEqual(['a1', 'a2', 'a3']);
    given[1]?.turn.hear({ tokens: { remaining: 5, resetMs: 9_000 } });
    void ask('a4');
    await clock.advance(8_999);
    expect(await names()).toHaveLength(3);
    await clock.advance(1);
    expect(await names()).toHaveLength(4);
  });

  test('of half a day is no reason to wait for half a day', async () => {
    const { ask, names, given } = queue(new Pacer({ clock }));
    void ask('a1');
    await names();
    given[0]?.turn.hear({ requests: { remaining: 0, limit: 50, resetMs: 12 * 3_600_000 } });
    void ask('a2');
    await clock.advance(14 * 60_000);
    expect(await names()).toEqual(['a1']);
    await clock.advance(60_000);
    expect(await names(), 'the provider will say so itself').toEqual(['a1', 'a2']);
  });

  test('by complaining halves what is sent at once, and success brings it back', async () => {
    const { ask, names, end, given } = queue(new Pacer({ clock }));
    for (let n = 0; n < 8; n += 1) void ask(`a${n}`);
    await names();
    for (let n = 0; n < 8; n += 1) await end(n, { kind: 'rate-limit' });
    for (let n = 0; n < 40; n += 1) void ask(`b${n}`);
    expect(await names(), 'all eight complained of the same').toHaveLength(8 + 4);
    for (let n = 8; n < 44; n += 1) {
      await names();
      await end(n);
    }
    const inFlight = given.length - 44;
    expect(inFlight).toBeGreaterThan(3);
    expect(given.length).toBe(48);
  });
});

describe('a provider that fails again and again', () => {
  const trouble: CallEnd = { kind: 'overloaded' };

  async function broken() {
    const held = queue(new Pacer({ clock }));
    for (let n = 0; n < 5; n += 1) {
      void held.ask(`a${n}`);
      await held.names();
      await held.end(n, trouble);
    }
    for (const name of ['b1', 'b2', 'c1']) void held.ask(name);
    return held;
  }

  test('is left alone for a while, then tried by one', async () => {
    const { names, end, waits } = await broken();
    expect(await names()).toHaveLength(5);
    expect(waits).toContain('b1: m/a has failed again and again');
    await clock.advance(5_000);
    expect(await names(), 'one tries').toHaveLength(6);
    await clock.advance(60_000);
    expect(await names()).toHaveLength(6);
    await end(5);
    expect(await names(), 'it is back, two at once at first').toHaveLength(8);
  });

  test('is given up after some tries in vain, and tried anew later', async () => {
    const { ask, names, end, given } = await broken();
    for (let n = 0; n < 20; n += 1) void ask(`d${n}`);
    for (let attempt = 5; attempt < 10; attempt += 1) {
      await clock.advance(120_000);
      expect(await names()).toHaveLength(attempt + 1);
      expect(given[attempt]?.turn.refused).toBeNull();
      await end(attempt, trouble);
    }
    expect(await names()).toHaveLength(5 + 3 + 20);
    expect(given.at(-1)?.turn.refused).toMatch(/m\/a is out of service/);
    await clock.advance(120_000);
    void ask('e1');
    await names();
    expect(given.at(-1)).toMatchObject({ name: 'e1', turn: { refused: null } });
  });

  test('what was broken off, or refused as wrong, says nothing against it', async () => {
    const { ask, names, end } = queue(new Pacer({ clock }));
    for (let n = 0; n < 12; n += 1) {
      void ask(`a${n}`);
      await names();
      await end(n, { kind: n % 3 === 2 ? 'bad-request' : n % 3 === 1 ? 'aborted' : 'network' });
    }
    void ask('b1');
    expect(await names()).toHaveLength(13);
  });
});

test('one server of a line that fails, or asks to wait, does not keep calls from the others', async () => {
  const { ask, names, end } = queue(pacerWith({ callsAtOnce: 2 }));
  for (let n = 0; n < 5; n += 1) {
    void ask(`a${n}`, { model: 'm/a' });
    await names();
    await end(n, n === 4 ? { kind: 'overloaded', retryAfterMs: 60_000 } : { kind: 'network' });
  }
  void ask('a5', { model: 'm/a' });
  void ask('b1', { model: 'm/b' });
  expect((await names()).slice(5)).toEqual(['b1']);
});

test('one name at two addresses is two servers', async () => {
  const { ask, names, end, given, waits } = queue(new Pacer({ clock }));
  const there = { model: 'm/a', address: 'http://there/v1' };
  for (let n = 0; n < 10; n += 1) {
    void ask(`a${n}`, there);
    await clock.advance(200_000);
    await names();
    await end(n, { kind: 'network' });
  }
  void ask('b1', { ...there, address: 'http://here/v1' });
  void ask('b2');
  expect((await names()).slice(10)).toEqual(['b1', 'b2']);
  expect(given.slice(10).map(({ turn }) => turn.refused)).toEqual([null, null]);
  void ask('a10', there);
  await names();
  expect(given.at(-1)?.turn.refused).toBe(
    'm/a at http://there/v1 is out of service: it has been tried again and again.',
  );
  expect(waits).toContain('a6: m/a at http://there/v1 has failed again and again');
});

test('whatever comes and ends in whatever order, no more are at once than may be, and everybody is served', async () => {
  const call = fc.record({ run: fc.constantFrom('a', 'b', 'c'), lasts: fc.integer({ min: 0, max: 30 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      async (calls, most) => {
        clock = manualClock();
        const pacer = pacerWith({ callsAtOnce: most, requestsPerMinute: 600 });
        let atOnce = 0;
        let served = 0;
        for (const { run, lasts } of calls) {
          void pacer
            .turn({ model: 'm/a', run, tokens: 1, signal, onWait: () => undefined })
            .then(async (turn) => {
              atOnce += 1;
              expect(atOnce).toBeLessThanOrEqual(most);
              await clock.sleep(lasts);
              atOnce -= 1;
              served += 1;
              turn.end(ok);
            });
        }
        await clock.advance(60_000);
        expect(served).toBe(calls.length);
        expect(clock.sleepers).toBe(0);
      },
    ),
    { numRuns: 40, seed: 7 },
  );
});
