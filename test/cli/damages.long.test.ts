/** 200 damages of one store, each with every command that reads it. */
import { beforeAll, test } from 'vitest';
import { damage, expectToldOf, wholeStore } from './damages.ts';

let whole: Awaited<ReturnType<typeof wholeStore>>;
beforeAll(async () => {
  whole = await wholeStore();
});

test.each(Array.from({ length: 200 }, (_, index) => index + 100))('damage %i is told', async (seed) => {
  await expectToldOf(whole, damage(whole, seed), seed);
});
