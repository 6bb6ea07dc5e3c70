/** Forty processes at once on a fresh store and cache, three times; as often as POLYA_KILLS says, where it does. */
import { test } from 'vitest';
import { expectOneFiller } from './endings.ts';

test.each(Array.from({ length: Number(process.env.POLYA_KILLS ?? 3) }, (_, round) => round + 1))(
  'round %i: one of forty writes the cache',
  async () => {
    await expectOneFiller(40);
  },
);
