/** Runs the commands that it is sent, one beside the other, until nobody sends any more. */
import { polya } from './shell.ts';
import type { Asked, Told } from './warm.ts';

process.on('message', async ({ id, place, argv }: Asked) => {
  const told: Told = { id, answer: await polya(place, argv) };
  process.send?.(told);
});
process.on('disconnect', () => process.exit());
