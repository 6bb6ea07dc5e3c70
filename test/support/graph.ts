/** An agent with turns of its own between its effects, as a graph engine has them; and branches of such agents. */
import type { Agent, Run } from '../../src/core/agent.ts';
import { agentOf, answered, say } from './odd.ts';

/** Some turns of the event loop; how many, the agent alone decides. */
async function think(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  if (turns % 3 === 0) await new Promise((resolve) => setTimeout(resolve, turns));
}

async function walk(run: Run, shared: string[], steps: number): Promise<string> {
  for (let step = 0; step < steps; step += 1) {
    await think(1 + Math.floor(run.random() * 9));
    shared.push(await say(run, `${run.path} ${step} of ${shared.length}: ${shared.at(-1) ?? ''}`));
    await think(1 + Math.floor(run.random() * 9));
    if (step % 2 === 1) await run.now();
  }
  await think(4);
  return shared.at(-1) ?? '';
}

export const graphAgent: Agent = agentOf(async (run) => answered(await walk(run, [], 6)), { name: 'graph' });

/** Hypotheses that share what they found, and a vote that ends early. */
export const graphsAgent: Agent = agentOf(
  async (run) => {
    const shared: string[] = [];
    const branch = (here: Run): Promise<string> => walk(here, shared, 2 + Math.floor(here.random() * 3));
    const results = await run.until(
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, branch])),
      (ended) => ended.length === 3,
    );
    await think(5);
    return answered(`${results.map(({ name }) => name).join()} ${await say(run, shared.join())}`);
  },
  { name: 'graphs' },
);
