/**
 * A run whose process is killed with SIGKILL comes out as if nothing had happened: each agent once, at another kind of
 * boundary. Every agent at every boundary is in `kill.long.test.ts`.
 */
import { expect, test } from 'vitest';
import { expectWhole, killAgents, killAt, moments, uninterrupted } from '../support/kills.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const once = killAgents.map((agent, at) => [agent, moments[at % moments.length] ?? 'before-effect'] as const);

test.each(once)('agent %s, killed %s, is resumed to what it would have been', async (agent, moment) => {
  const whole = await uninterrupted(agent);
  const folder = temporaryFolder();
  expect(await killAt({ folder, agent, how: 'start', moment, number: 3 })).toBe('SIGKILL');
  await expectWhole(folder, whole, `${agent} killed at ${moment}`);
});
