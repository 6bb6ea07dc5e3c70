/**
 * A run whose process is killed with SIGKILL after a random while, perhaps several times, comes out as if nothing had
 * happened. `POLYA_KILLS` says how often; a seed that failed is in the message, and `POLYA_SEED` begins with it.
 */
import { describe, expect, test } from 'vitest';
import { randomFromKey } from '../../src/run/hash.ts';
import { expectWhole, killAfter, killAgents, uninterrupted } from '../support/kills.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const kills = Number(process.env.POLYA_KILLS ?? 15);
const firstSeed = Number(process.env.POLYA_SEED ?? 1);
const slowMs = 3;

describe.each(killAgents)('agent %s', (agent) => {
  test(`survives ${kills} kills at random moments`, { timeout: 600_000 }, async () => {
    const whole = await uninterrupted(agent);
    const wholeMs = whole.effects * (slowMs + 2);
    let made = 0;
    for (let seed = firstSeed; made < kills; seed += 1) {
      const folder = temporaryFolder();
      const times = 1 + Math.floor(randomFromKey(`${agent} ${seed} times`) * 2);
      for (let time = 0; time < times; time += 1) {
        const delayMs = randomFromKey(`${agent} ${seed} ${time}`) * wholeMs;
        const how = time === 0 ? 'start' : 'resume';
        const end = await killAfter({ folder, agent, how, slowMs, delayMs });
        made += 1;
        // The kill may come when the run has ended and its process has not: then there is nothing to go on with.
        if (end === 0 || (how === 'resume' && end === 1)) break;
        expect(end).toBe('SIGKILL');
      }
      await expectWhole(folder, whole, `${agent}, seed ${seed}`);
    }
  });
});
