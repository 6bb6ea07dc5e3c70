/** A thread of bench `evolution-search`: it works through the searches that it is sent, and says what each was worth. */
import { parentPort, workerData } from 'node:worker_threads';
import { bestOfN } from '../src/agents/search/best-of-n.ts';
import { evolution } from '../src/agents/search/evolution.ts';
import type { Agent } from '../src/core/agent.ts';
import { type Budget, searchOn, type Table, tableOf } from './evolution-arms.ts';
import { packingWorld, replierWorld, type SearchWorld, usualReplies, walkWorld } from './evolution-worlds.ts';

/** What is compared. */
export type Arm = 'evolution' | 'itself' | 'best-of-n';

export type Job = {
  readonly world: string;
  readonly budget: Budget;
  readonly arms: readonly Arm[];
  readonly seeds: readonly string[];
};

/** In standard deviations of a drawn program, over what the best of as many drawn programs comes to; by seed. */
export type Worked = {
  readonly job: Job;
  readonly gains: Readonly<Partial<Record<Arm, readonly number[]>>>;
  readonly cases: number;
};

const worlds: Readonly<Record<string, () => SearchWorld>> = {
  walk: walkWorld,
  packing: packingWorld,
  replier: () => replierWorld(),
};

/** `replier 4`: with another headroom. */
function worldOf(id: string): () => SearchWorld {
  const headroom = Number(id.split(' ')[1]);
  return worlds[id] ?? (() => replierWorld({ ...usualReplies, headroom }, id));
}

const agents: Readonly<Record<Arm, Agent>> = {
  evolution,
  itself: evolution,
  'best-of-n': bestOfN,
};

/** A best of 300 rests on the first hundredth of them. */
const drawnForTable = 20_000;
const tables = new Map<string, { readonly world: SearchWorld; readonly table: Table }>();

async function worked(job: Job): Promise<Worked> {
  const make = worldOf(job.world);
  const shared = tables.get(job.world) ?? (await tabled(make));
  tables.set(job.world, shared);
  const best = shared.table.bestOf(job.budget);
  const gains: Partial<Record<Arm, number[]>> = {};
  let cases = 0;
  for (const arm of job.arms) {
    const own: number[] = [];
    for (const each of job.seeds) {
      const seed = arm === 'itself' ? `other ${each}` : each;
      // A replier remembers each program: a new one for each search.
      const world = job.world.startsWith('replier') ? make() : shared.world;
      const found = await searchOn(world, agents[arm], { seed, budget: job.budget, settings: {} });
      own.push((found.worth - best) / shared.table.spread);
      if (arm === 'evolution') cases += found.cases / job.seeds.length;
    }
    gains[arm] = own;
  }
  return { job, gains, cases };
}

async function tabled(make: () => SearchWorld) {
  const world = make();
  return { world, table: await tableOf(make(), drawnForTable) };
}

const jobs: readonly Job[] = workerData;
for (const job of jobs) parentPort?.postMessage(await worked(job));
