import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settlement } from './event.ts';
import { type Capacity, Ledger, type Reservation, reservationFor } from './limits.ts';
import type { Usage } from './usage.ts';

describe('a reservation', () => {
  const spec = 'some/model';
  const price = { inputUsdPerMillion: 1e6, cachedInputUsdPerMillion: 1e6, outputUsdPerMillion: 1e6 };
  const messages = [{ role: 'user', content: 'x'.repeat(300) }] as const;

  test('counts all that is sent and all that may come back', () => {
    const bare = reservationFor({ request: { messages, settings: { maxOutputTokens: 50 } }, spec, price });
    expect(bare.tokens).toBeGreaterThanOrEqual(350);
    expect(bare.costUsd).toBe(bare.tokens);
    const tools = [{ name: 't', description: 'x'.repeat(300), parameters: {} }];
    const output = { name: 'o', schema: { description: 'x'.repeat(300) } };
    const image = { type: 'image', mediaType: 'image/png', data: '' } as const;
    const more = [
      { messages, tools },
      { messages, output },
      { messages: [...messages, { role: 'user', content: [image] } as const] },
    ];
    for (const request of more) {
      const asked = { ...request, settings: { maxOutputTokens: 50 } };
      const { tokens } = reservationFor({ request: asked, spec, price });
      expect(tokens).toBeGreaterThanOrEqual(bare.tokens + 100);
    }
    expect(reservationFor({ request: { messages }, spec, price: null }).costUsd).toBeNull();
  });

  test('gives a reply that names no room half of what is left, and says so', () => {
    const request = { messages: [] };
    const cheap = { ...price, inputUsdPerMillion: 1, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 10 };
    const ask = (capacity: Partial<Capacity>) =>
      reservationFor({ request, spec, price: cheap }, { tokens: null, costUsd: null, ...capacity })
        .outputTokens;
    expect(ask({})).toBeUndefined();
    expect(ask({ costUsd: 100 })).toBe(32_768);
    expect(ask({ costUsd: 0.1 })).toBe(4_996);
    expect(ask({ costUsd: 0 }), 'so little is left that it will be refused').toBe(1_024);
    expect(ask({ tokens: 20_064 })).toBe(10_000);
    const named = { request: { messages: [], settings: { maxOutputTokens: 9 } }, spec, price: cheap };
    expect(reservationFor(named, { tokens: 10, costUsd: 1 })).not.toHaveProperty('outputTokens');
  });

  test('is at the highest rates that the call may come to: cache writes, thoughts, long input', () => {
    const dear = {
      inputUsdPerMillion: 1,
      cachedInputUsdPerMillion: 0.1,
      cacheWriteInputUsdPerMillion: 1.25,
      outputUsdPerMillion: 2,
      reasoningUsdPerMillion: 3,
      tiers: [
        {
          aboveInputTokens: 1_000,
          inputUsdPerMillion: 2,
          cachedInputUsdPerMillion: 0.2,
          outputUsdPerMillion: 4,
        },
      ],
    };
    const cost = (inputTokens: number) =>
      reservationFor({
        request: { messages: [], settings: { maxOutputTokens: 1_000 } },
        spec,
        price: dear,
        inputTokens,
      }).costUsd;
    expect(cost(1_000)).toBeCloseTo((1_000 * 1.25 + 1_000 * 3) / 1e6, 12);
    expect(cost(1_001)).toBeCloseTo((1_001 * 2 + 1_000 * 4) / 1e6, 12);
  });
});

describe('the ledger', () => {
  test('has room for what the limit names exactly, although sums of dollars are not exact', () => {
    const ledger = new Ledger({ costUsd: 0.3 });
    const reservation = { tokens: 1, costUsd: 0.1 };
    for (let n = 0; n < 3; n += 1) {
      expect(ledger.rejection('model', reservation)).toBeNull();
      ledger.begin('model', reservation);
    }
    expect(ledger.rejection('model', { tokens: 0, costUsd: 0.001 })).toEqual({ limit: 'costUsd', max: 0.3 });
  });

  test('keeps a reservation where nobody knows what was used', () => {
    const settlements: Settlement[] = [
      { status: 'cancelled', by: 'branch' },
      { status: 'error', error: { name: 'x', message: '' }, usage: { tokens: null, costUsd: null } },
    ];
    for (const settlement of settlements) {
      const ledger = new Ledger({ tokens: 10 });
      ledger.begin('model', { tokens: 6, costUsd: null });
      ledger.settle({ tokens: 6, costUsd: null }, settlement);
      expect(ledger.rejection('model', { tokens: 5, costUsd: null })).toEqual({ limit: 'tokens', max: 10 });
    }
  });

  test.each<Settlement>([
    { status: 'refused', limit: 'tokens', max: 1 },
    { status: 'cancelled', by: 'limit', limit: 'wallMs', max: 1 },
  ])('remembers what an earlier life came up against: $status', (settlement) => {
    const ledger = new Ledger({});
    ledger.settle(null, settlement);
    expect(ledger.rejection('tool', null)).toMatchObject({ max: 1 });
  });

  test('never lets what is used and reserved grow over a limit, whatever is asked and settled in which order', () => {
    const amount = fc.record({
      reserved: fc.integer({ min: 1, max: 40 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.constantFrom('ok', 'error', 'unknown', 'cancelled', 'open'),
      settleLast: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (asked, max) => {
        const ledger = new Ledger({ tokens: max, costUsd: max / 100 });
        const [inFlight, counts]: [(() => void)[], Map<object, number>] = [[], new Map()];
        for (const each of asked) {
          const reservation: Reservation = { tokens: each.reserved, costUsd: each.reserved / 100 };
          if (ledger.rejection('model', reservation)) continue;
          ledger.begin('model', reservation);
          counts.set(each, each.reserved);
          const settle = (): void => {
            if (each.end === 'open') return;
            const used = Math.floor(each.reserved * each.share);
            ledger.settle(reservation, settlementOf(each.end, used));
            if (each.end === 'ok') counts.set(each, used);
            if (each.end === 'error') counts.set(each, 0);
          };
          if (each.settleLast) inFlight.push(settle);
          else settle();
          const sum = [...counts.values()].reduce((total, tokens) => total + tokens, 0);
          expect(sum).toBeLessThanOrEqual(max);
        }
        for (const settle of inFlight) settle();
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

function settlementOf(end: string, used: number): Settlement {
  const tokens = { input: used, cachedInput: 0, output: 0, reasoning: 0 };
  const usage: Usage = { tokens, costUsd: used / 100 };
  const error = { name: 'x', message: '' };
  if (end === 'ok') return { status: 'ok', result: null, usage };
  if (end === 'error') return { status: 'error', error };
  if (end === 'unknown') return { status: 'error', error, usage: { tokens: null, costUsd: null } };
  return { status: 'cancelled', by: 'branch' };
}
