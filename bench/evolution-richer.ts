/**
 * What each richer part of the search is worth at equal budget, on the contests that come with Polya: so many cases are
 * run, then the best program by then is judged on cases that no search saw. In the place of a model stands a script that
 * responds to what it is shown (search-script.ts), so this tells whether a part does what it is for, and little of what it
 * is worth with a real model.
 */
import type { JsonObject } from '../src/core/json.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { bootstrapMean, mean } from '../src/core/statistics/bootstrap.ts';
import type { Bench, Row } from './measure.ts';
import { openContest, searchContestIds } from './search-contests.ts';
import { base, budget, pointsOf, searched } from './searching.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The first eight were looked at before the number of islands was left to the search. */
const seeds = Array.from({ length: 8 }, (_, at) => `seed ${at + 9}`);
const variants: Readonly<Record<string, JsonObject>> = {
  'none of them': {},
  // So few candidates are one island's by default: several have few programs each.
  'two islands': { islands: 2 },
  'three islands': { islands: 3 },
  'whole programs alone': { operators: { ...base, change: 0, rewrite: 1 } },
  'crossover 0.2': { operators: { ...base, crossover: 0.2 } },
  'simplify 0.2': { operators: { ...base, simplify: 0.2 } },
  'archive 0.3': { archiveShare: 0.3 },
  'crossover 0.2, archive 0.3': { archiveShare: 0.3, operators: { ...base, crossover: 0.2 } },
  'operators by bandit': { operatorChoice: 'bandit', operators: { ...base, crossover: 0.2, simplify: 0.2 } },
  'two proposers by bandit': { proposers: 2 },
  'insights every 5': { insightsEvery: 5 },
  'taboo of 10': { tabooIdeas: 10 },
  'best of 3 children': { children: 3 },
  'all of them': {
    ...{ operatorChoice: 'bandit', operators: { ...base, crossover: 0.2, simplify: 0.2 } },
    ...{ archiveShare: 0.3, proposers: 2, insightsEvery: 5, tabooIdeas: 10, children: 3 },
  },
};

const compared: readonly string[] = Object.keys(variants);

export const evolutionRicherBench: Bench = {
  name: 'evolution-richer',
  note: `polya001, 002 and 003, ${seeds.length} seeds each, ${budget} cases a search; the model is a script. Part of the way from the first program to the best that any search found, on 8 unseen cases; gains are paired by contest and seed, 95 %.`,
  run: async () => {
    using folder = temporaryFolder();
    const found = await Promise.all(searchContestIds.map((id) => onContest(id, folder.path)));
    return rowsOf(found.flat());
  },
};

type Found = {
  readonly variant: string;
  readonly pair: string;
  readonly worth: number;
  readonly calls: number;
};

async function onContest(id: (typeof searchContestIds)[number], folder: string): Promise<readonly Found[]> {
  const contest = await openContest(id, folder);
  const all: (Omit<Found, 'worth'> & { readonly source: string })[] = [];
  for (const seed of seeds) {
    for (const variant of compared) {
      const made = await searched(contest, seed, { settings: variants[variant] ?? {} });
      const { source, calls } = made;
      all.push({ variant, pair: `${id} ${seed}`, source, calls });
    }
  }
  const first = await pointsOf(contest, contest.program);
  const reached = new Map<string, number>();
  for (const { source } of all) reached.set(source, await pointsOf(contest, source));
  const most = Math.max(...reached.values()) - first;
  return all.map(({ source, ...each }) => ({
    ...each,
    worth: (100 * ((reached.get(source) ?? first) - first)) / Math.max(1e-9, most),
  }));
}

function rowsOf(found: readonly Found[]): readonly Row[] {
  const [plain = ''] = Object.keys(variants);
  const worthOf = new Map(found.map(({ variant, pair, worth }) => [`${variant} ${pair}`, worth]));
  return compared.map((variant) => {
    const own = found.filter((each) => each.variant === variant);
    const worth = mean(own.map((each) => each.worth)) ?? 0;
    const gains = own.map((each) => each.worth - (worthOf.get(`${plain} ${each.pair}`) ?? 0));
    const interval = bootstrapMean(gains, { random: seededChance(variant).next });
    const between = interval ? `${interval.low.toFixed(1)} to ${interval.high.toFixed(1)}` : '';
    const calls = (mean(own.map((each) => each.calls)) ?? 0).toFixed(0);
    return {
      what: variant,
      unit: '% of the way',
      measured: worth,
      floor: null,
      against: `${(mean(gains) ?? 0).toFixed(1)} (${between}), ${calls} calls`,
      ratio: null,
      aim: null,
    };
  });
}
