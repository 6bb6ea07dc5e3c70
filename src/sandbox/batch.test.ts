/** The order of things in a batch, over a runner that only says what it was given. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Case, CaseResult } from '../core/sandbox.ts';
import { type CaseRunner, runCases } from './batch.ts';
import { emptyStep } from './protocol.ts';

const never = new AbortController().signal;
const casesOf = (count: number): Case[] => Array.from({ length: count }, (_, n) => ({ name: `${n}` }));

/** As many turns of the event loop as it is told to. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}

function echo(delayOf: (name: string) => number, watch: { open: number } = { open: 0 }): () => CaseRunner {
  return () => {
    watch.open++;
    return {
      run: async ({ name }) => {
        await turns(delayOf(name));
        return { step: emptyStep('ok') };
      },
      close: async () => {
        watch.open--;
      },
    };
  };
}

describe('a batch', () => {
  test('hands every case over once, whatever the workers and their pace', async () => {
    const property = fc.asyncProperty(
      fc.nat(30),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(4), { minLength: 1 }),
      async (count, workers, delays) => {
        const watch = { open: 0 };
        const seen: CaseResult[] = [];
        const delayOf = (name: string) => delays[Number(name) % delays.length] ?? 0;
        const plan = { cases: casesOf(count), workers, openWorker: echo(delayOf, watch) };
        const ended = await runCases(plan, (result) => seen.push(result), never);
        expect(ended).toEqual({ finished: count, stopped: false });
        expect(
          seen.map(({ index, name }) => [index, name]).sort(([a], [b]) => Number(a) - Number(b)),
        ).toEqual(casesOf(count).map(({ name }, index) => [index, name]));
        expect(seen.every(({ worker }) => worker < workers)).toBe(true);
        expect(watch.open).toBe(0);
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 1 });
  });

  test('that is stopped hands nothing over any more, and closes its workers and cases', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (last, workers) => {
        const watch = { open: 0, closed: 0 };
        const cases = (function* () {
          try {
            for (let n = 0; ; n++) yield { name: `${n}` };
          } finally {
            watch.closed++;
          }
        })();
        let seen = 0;
        const plan = { cases, workers, openWorker: echo(() => 1, watch) };
        const ended = await runCases(plan, async () => (++seen === last ? 'stop' : turns(1)), never);
        expect(ended).toEqual({ finished: last, stopped: true });
        expect(seen).toBe(last);
        expect(watch).toEqual({ open: 0, closed: 1 });
      },
    );
    await fc.assert(property, { numRuns: 40, seed: 1 });
  });

  test('that was stopped before it began asks for nothing', async () => {
    let requested = 0;
    const cases = (function* () {
      requested++;
      yield { name: 'one' };
    })();
    const plan = { cases, workers: 2, openWorker: echo(() => 0) };
    expect(await runCases(plan, () => {}, AbortSignal.abort())).toEqual({ finished: 0, stopped: true });
    expect(requested).toBe(0);
  });

  test('whose worker fails throws that, after the others have ended', async () => {
    const watch = { open: 0 };
    const openWorker = (): CaseRunner => {
      const { run, close } = echo(() => 2, watch)();
      return {
        close,
        run: async (each) => {
          if (each.name === '3') throw new Error('the cell is lost');
          return run(each);
        },
      };
    };
    const running = runCases({ cases: casesOf(50), workers: 3, openWorker }, () => {}, never);
    await expect(running).rejects.toThrow('the cell is lost');
    expect(watch.open).toBe(0);
  });
});
