/** What a process does after its last run. Forty processes and more rounds are in `endings.long.test.ts`. */
import { test } from 'vitest';
import { expectOneFiller } from './endings.ts';

test('of four that begin at once on a fresh store, one writes the cache of compiled code', async () => {
  await expectOneFiller(4);
});
