/**
 * Whether the search beats the best of as many programs that build on nothing, at equal calls and at equal cases: on three
 * cheap worlds (evolution-worlds.ts), with the agents as they are and scripts in the place of models. Seeds for tuning and
 * seeds for the figure are apart. What a figure of scripts says of a real model depends on its headroom: see
 * `polya ahc calibrate`.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { seededChance } from '../src/core/seeded-chance.ts';
import { bootstrapMean, mean } from '../src/core/statistics/bootstrap.ts';
import type { Budget } from './evolution-arms.ts';
import type { Arm, Job, Worked } from './evolution-search-jobs.ts';
import type { Bench, Row } from './measure.ts';

const worlds = ['walk', 'packing', 'replier'];
const headrooms = ['replier 0.5', 'replier 1', 'replier 4'];
const engines: readonly Arm[] = ['evolution', 'itself', 'best-of-n'];

/** Few searches are enough where candidates are many: what each comes to varies less than its gain. */
const sizes: readonly { readonly programs: number; readonly seeds: number; readonly arms: readonly Arm[] }[] =
  [
    { programs: 16, seeds: 30, arms: engines },
    { programs: 60, seeds: 20, arms: engines },
    { programs: 300, seeds: 6, arms: ['evolution'] },
  ];

const note =
  'Worlds: a walk on a grid and a packing, of twelve interacting pieces each, and a replier without a task, whose rates `usualReplies` names. Standard deviations of a drawn program over the exact best of N; 95 % over seeds, the worlds being what they are. 15 % of replies are broken, 60 % of repairs mend them.';

export const evolutionSearchBench: Bench = {
  name: 'evolution-search',
  note: `Seeds that no setting was chosen by. ${note}`,
  run: () => rows('figure', 1),
};

/** A look at a change, in some minutes; never a figure. */
export const evolutionTuningBench: Bench = {
  name: 'evolution-tuning',
  note: `Seeds for tuning. ${note}`,
  run: () => rows('tune', 0.25),
};

async function rows(kind: string, part: number): Promise<readonly Row[]> {
  const jobs = sizes.flatMap(({ programs, seeds, arms }) => {
    const names = Array.from({ length: Math.ceil(seeds * part) }, (_, at) => `${kind} ${at}`);
    const job = (world: string, of: Budget['of'], compared: readonly Arm[]): Job => {
      return { world, budget: { of, programs }, arms: compared, seeds: names };
    };
    const some: readonly Arm[] = ['evolution'];
    const more = programs > 100 ? [] : headrooms.map((world) => job(world, 'calls', some));
    return [
      ...(['calls', 'cases'] as const).flatMap((of) => worlds.map((world) => job(world, of, arms))),
      ...more,
    ];
  });
  const found = await onTwoThreads(jobs);
  return sizes.flatMap(({ programs, arms }) => [
    ...(['calls', 'cases'] as const).flatMap((of) => rowsOf(found, { of, programs }, arms)),
    ...headrooms.flatMap((world) => rowsOf(found, { of: 'calls', programs }, ['evolution'], [world])),
  ]);
}

/** The same world stays with a thread, which has its table then. */
async function onTwoThreads(jobs: readonly Job[]): Promise<readonly Worked[]> {
  const found: Worked[] = [];
  const all = [...worlds, ...headrooms];
  const shares = [0, 1].map((half) => jobs.filter(({ world }) => all.indexOf(world) % 2 === half));
  await Promise.all(
    shares.map(async (share) => {
      const worker = new Worker(new URL('./evolution-search-jobs.ts', import.meta.url), {
        workerData: share,
      });
      worker.on('message', (each: Worked) => {
        found.push(each);
        if (process.env.POLYA_BENCH_PROGRESS) console.error(JSON.stringify(each));
      });
      await once(worker, 'exit');
    }),
  );
  return found;
}

function rowsOf(
  found: readonly Worked[],
  budget: Budget,
  arms: readonly Arm[],
  of: readonly string[] = worlds,
): readonly Row[] {
  const own = found.filter(
    ({ job }) =>
      of.includes(job.world) && job.budget.of === budget.of && job.budget.programs === budget.programs,
  );
  if (own.length === 0) return [];
  const where = of === worlds ? '' : `, ${of.join()}`;
  const name = `${budget.programs} candidates, equal ${budget.of}${where}`;
  const row = (what: string, arm: Arm, less?: Arm): Row => {
    const gains = own.map(({ gains: by }) =>
      (by[arm] ?? []).map((gain, at) => gain - (less ? (by[less]?.[at] ?? 0) : 0)),
    );
    const bySeed = (gains[0] ?? []).map((_, at) => mean(gains.map((each) => each[at] ?? 0)) ?? 0);
    const interval = bootstrapMean(bySeed, { random: seededChance(name + what).next });
    const each = own
      .map(({ job }, at) => `${job.world} ${(mean(gains[at] ?? []) ?? 0).toFixed(2)}`)
      .join(', ');
    const between = interval ? `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}` : '';
    const cases = less
      ? ''
      : `; ${Math.round(mean(own.map((all) => all.cases)) ?? 0)} cases a search of evolution`;
    return {
      what: `${name}: ${what}`,
      unit: 'sd',
      measured: mean(bySeed) ?? 0,
      floor: null,
      against: `(${between}) ${each}${cases}`,
      ratio: null,
      aim: null,
    };
  };
  const has = (arm: Arm) => arms.includes(arm);
  return [
    ...arms.filter((arm) => arm !== 'itself').map((arm) => row(`${arm} less the best of N`, arm)),
    ...(has('itself') ? [row('evolution less itself, other seeds', 'evolution', 'itself')] : []),
  ];
}
