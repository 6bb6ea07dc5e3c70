/**
 * Whether words that pay are asked in more often, and whether a later session profits from what an earlier one learned. The
 * script in the place of a model does what it is hoped to do where it is asked in one of three wordings, and nothing of use
 * in the others and in the search's own: so this shows the choice at work, and nothing of which words real models like.
 */

import { knowledgeDocument } from '../src/apps/ahc/knowledge.ts';
import { foldSession } from '../src/apps/ahc/session/fold.ts';
import type { Event } from '../src/core/event.ts';
import type { JsonObject } from '../src/core/json.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { bootstrapMean, mean } from '../src/core/statistics/bootstrap.ts';
import type { Knowledge } from '../src/families/ahc/knowledge/knowledge.ts';
import { knowledgeTools } from '../src/families/ahc/problem/tools.ts';
import { evolutionNoteOf } from '../src/notes/evolution.ts';
import type { Bench, Row } from './measure.ts';
import { openContest, type SearchContest, searchContestIds } from './search-contests.ts';
import { budget, pointsOf, searched } from './searching.ts';
import { temporaryFolder } from './temporary-folder.ts';

const seeds = Array.from({ length: 8 }, (_, at) => `seed ${at + 1}`);

const good = 'One careful step. {code_snippet}';
const mutationPrompts = ['Tidy it. {code_snippet}', good, 'Think again. {code_snippet}'];
const isIdle = (prompt: string): boolean => !prompt.includes('One careful step.');

type Variant = { readonly settings: JsonObject; readonly isLater?: true };

const bandit = { wordingChoice: 'bandit' };
const variants: Readonly<Record<string, Variant>> = {
  'three wordings, drawn alike': { settings: { mutationPrompts } },
  'three wordings, by bandit': { settings: { mutationPrompts, ...bandit } },
  'the same after an earlier session': {
    settings: { mutationPrompts, ...bandit, knowledge: true },
    isLater: true,
  },
  'no wordings of its own': { settings: {} },
  'none, after an earlier session': { settings: { ...bandit, knowledge: true }, isLater: true },
};

export const evolutionWordingsBench: Bench = {
  name: 'evolution-wordings',
  note: `polya001, 002 and 003, ${seeds.length} seeds each, ${budget} cases a search, changes alone; one of three wordings pays, the search's own does not. Part of the way from the first program to the best that any search found, on 8 unseen cases; gains against the first line are paired by contest and seed, 95 %.`,
  run: async () => {
    using folder = temporaryFolder();
    const found: Found[] = [];
    for (const id of searchContestIds) found.push(...(await onContest(await openContest(id, folder.path))));
    return rowsOf(found);
  },
};

type Found = {
  readonly variant: string;
  readonly pair: string;
  readonly worth: number;
  /** Of its changes, the part that was asked for in the good words. */
  readonly share: number;
};

async function onContest(contest: SearchContest): Promise<readonly Found[]> {
  const all: (Omit<Found, 'worth'> & { readonly source: string })[] = [];
  for (const seed of seeds) {
    const earlier = await learnedBefore(contest, seed);
    for (const [variant, { settings, isLater }] of Object.entries(variants)) {
      const tools = isLater ? knowledgeTools(async () => [earlier], contest.id) : [];
      const { source, events } = await searched(contest, seed, {
        settings: ofChanges(settings),
        tools,
        isIdle,
      });
      all.push({ variant, pair: `${contest.id} ${seed}`, source, share: shareOfGood(events) });
    }
  }
  const first = await pointsOf(contest, contest.program);
  const points: number[] = [];
  for (const { source } of all) points.push(await pointsOf(contest, source));
  const most = Math.max(...points) - first;
  return all.map(({ source: _, ...each }, at) => ({
    ...each,
    worth: (100 * ((points[at] ?? first) - first)) / Math.max(1e-9, most),
  }));
}

const ofChanges = (settings: JsonObject): JsonObject => ({
  ...settings,
  // As its figures were measured: it is about words.
  islands: 2,
  operators: { change: 1, rewrite: 0, tune: 0 },
});

/** Of another seed, with its words drawn alike: what it leaves is what `knowledge.json` would hold. */
async function learnedBefore(contest: SearchContest, seed: string): Promise<Knowledge> {
  const { events } = await searched(contest, `${seed}, earlier`, {
    settings: ofChanges({ mutationPrompts }),
    isIdle,
  });
  const { direction, scoring } = contest.task;
  return knowledgeDocument(foldSession(events), {
    ...{ id: 'earlier', name: 'earlier', contest: contest.id, createdAtMs: 0, scoring, direction },
    ...{ workspacePath: '', base: '', problemFile: '', configuration: {}, runs: [] },
  });
}

function shareOfGood(events: readonly Event[]): number {
  const changes = events.flatMap((event) => {
    const note = evolutionNoteOf(event);
    return note?.kind === 'candidate' && note.data.operator === 'change' ? [note.data] : [];
  });
  return changes.filter(({ parameters }) => parameters.wording === good).length / Math.max(1, changes.length);
}

function rowsOf(found: readonly Found[]): readonly Row[] {
  const [plain = ''] = Object.keys(variants);
  const worthOf = new Map(found.map(({ variant, pair, worth }) => [`${variant} ${pair}`, worth]));
  return Object.keys(variants).map((variant) => {
    const own = found.filter((each) => each.variant === variant);
    const gains = own.map((each) => each.worth - (worthOf.get(`${plain} ${each.pair}`) ?? 0));
    const interval = bootstrapMean(gains, { random: seededChance(variant).next });
    const between = interval ? `${interval.low.toFixed(1)} to ${interval.high.toFixed(1)}` : '';
    const share = (100 * (mean(own.map((each) => each.share)) ?? 0)).toFixed(0);
    return {
      ...{ what: variant, unit: '% of the way', measured: mean(own.map(({ worth }) => worth)) ?? 0 },
      against: `${(mean(gains) ?? 0).toFixed(1)} (${between}); ${share} % in the words that pay`,
      ...{ floor: null, ratio: null, aim: null },
    };
  });
}
