/**
 * The settings of the search with their defaults, and what is decided where they leave it open.
 * `evolution.max_generations` of the configuration is `maxGenerations`. All but the first block may be changed while a
 * session goes on.
 */
import { z } from 'zod';
import type { Decision, Limits } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';
import { readAnalysis } from '../../notes/problem-analysis.ts';
import { searchSettings } from '../../notes/search-settings.ts';
import { described } from '../kit/described.ts';
import { proposerRoles } from './asking.ts';
import texts from './settings.json' with { type: 'json' };

const text = z.string().min(1);
const weight = z.number().min(0).max(100);

const whole = (low: number, high: number, initial: number) => z.int().min(low).max(high).default(initial);
const real = (low: number, high: number, initial: number) => z.number().min(low).max(high).default(initial);
/** Null: decided when the run begins. */
const decidedLater = (high: number) => z.int().min(1).max(high).nullable().default(null);
const prompts = z.array(text).max(100).default([]);

export const givenStrategy = z.strictObject({
  name: text,
  idea: text,
  reasons: z.string().default(''),
  library: z.array(text).default([]),
  contests: z.array(text).default([]),
});

/** What a session is begun with, and keeps. */
const fixed = {
  islands: decidedLater(64),
  linesPerIsland: decidedLater(32),
  beginnings: decidedLater(64),
  searchCases: z.int().min(1).nullable().default(30),
  heldOutCases: whole(0, 100_000, 50),
  given: z
    .array(z.strictObject({ name: text, source: text }))
    .max(64)
    .default([]),
  /** The analysis, as its user has it; null: a model is asked. */
  analysis: z
    .record(z.string(), z.json())
    .superRefine((value, context) => {
      const read = readAnalysis(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: `is none:\n${read.problems}` });
    })
    .nullable()
    .default(null),
  strategies: z.array(givenStrategy).min(1).max(64).nullable().default(null),
  confirm: z.boolean().default(false),
};

const { maxGenerations, populationSize, timeLimitSeconds, plateauGenerations } = searchSettings;

const changeable = {
  maxGenerations: maxGenerations.schema.default(maxGenerations.initial),
  populationSize: populationSize.schema.default(populationSize.initial),
  timeLimitSeconds: timeLimitSeconds.schema.default(timeLimitSeconds.initial),
  /** Generations without a better best: first the course is changed, then the search ends. 0: never. */
  plateauGenerations: plateauGenerations.schema.default(plateauGenerations.initial),
  /** How often each operator is chosen; repair is no choice, it follows what failed. */
  operators: z
    .strictObject({
      change: weight.default(0.6),
      rewrite: weight.default(0.25),
      tune: weight.default(0.15),
      crossover: weight.default(0),
      simplify: weight.default(0),
    })
    .refine((weights) => Object.values(weights).some((each) => each > 0), 'at least one must be above 0')
    .prefault({}),
  raceAfter: z.array(z.int().min(1).max(100_000)).max(20).default([5, 12]),
  raceLevel: real(0, 0.5, 0.05),
  timeMargin: real(0.1, 1, 0.9),
  onFailure: z.enum(['all', 'case']).default('all'),
  repairs: whole(0, 20, 2),
  noveltyThreshold: real(0.5, 1, 0.9),
  islandSize: whole(2, 1_000, 16),
  migrationEvery: whole(0, 1_000_000, 5),
  reevaluateEvery: whole(0, 1_000_000, 3),
  reevaluateCases: whole(1, 10_000, 10),
  finalists: whole(1, 64, 3),
  tuneEvaluations: whole(1, 10_000, 24),
  mutationPrompts: prompts,
  crossoverPrompts: prompts,
  // What follows, up to `knowledge`, is off unless a bench showed that it pays at equal budget (docs/evolution.md).
  archiveShare: real(0, 1, 0),
  simplifyLevel: real(0.01, 0.5, 0.2),
  operatorChoice: z.enum(['weights', 'bandit']).default('weights'),
  proposers: whole(1, proposerRoles.length, 1),
  wordingChoice: z.enum(['even', 'bandit']).default('even'),
  insightsEvery: whole(0, 100_000, 0),
  tabooIdeas: whole(0, 200, 0),
  children: whole(1, 16, 1),
  knowledge: z.boolean().default(false),
  /** For the calls that write programs; null: the model's own. */
  temperature: searchSettings.temperature.schema.nullable().default(null),
  maxOutputTokens: z.int().positive().nullable().default(null),
  reasoningEffort: z.enum(['low', 'medium', 'high']).nullable().default(null),
};

export const evolutionSettings = z.strictObject(described({ ...fixed, ...changeable }, texts.evolution));
export type EvolutionSettings = z.infer<typeof evolutionSettings>;

/** As a search has them, and a journal's header: nothing is left open. */
export type SearchSettings = EvolutionSettings & {
  readonly [name in 'islands' | 'linesPerIsland' | 'beginnings']: number;
};

/** What may be sent to a session that runs. A name that is left out stays as it is. */
export const changedSettings = z.strictObject(changeable).partial();

// How many lines of search a session can feed. Lines that are apart divide what there is room for: where that is little,
// each has a handful of programs and none builds on another for long. So there are several only where each gets its share;
// where there is one, several strategies still begin, and the best goes on.

/** Different strategies become rarer with each, and a best program needs one of them. */
const mostIslands = 3;
/** Twice the default size of an island: with fewer candidates there is hardly any selection. */
const leastCandidates = 32;
/** In all: so many keep the cores busy while most of them wait for their models. */
const mostLines = 6;
/** Repairs and second attempts included. */
const callsOfCandidate = 1.25;

type Task = Pick<ProgramTask, 'cases' | 'timeLimitMs' | 'casesAtOnce'>;

/** How many candidates there is room for, and what bounds them. */
type Room = { readonly candidates: number; readonly by: string };

type Given = Pick<
  EvolutionSettings,
  'maxGenerations' | 'populationSize' | 'timeLimitSeconds' | 'searchCases' | 'timeMargin'
>;

export function roomOf(settings: Given, task: Task, limits: Limits): Room {
  const { maxGenerations, populationSize, timeLimitSeconds, searchCases, timeMargin } = settings;
  const { cases, timeLimitMs, casesAtOnce } = task;
  const { modelCalls, wallMs = Number.POSITIVE_INFINITY } = limits;
  const rooms: Room[] = [{ candidates: maxGenerations * populationSize, by: 'its generations' }];
  if (modelCalls !== undefined) {
    rooms.push({ candidates: Math.floor(modelCalls / callsOfCandidate), by: 'its model calls' });
  }
  if (timeLimitMs !== null && casesAtOnce !== undefined) {
    // Good programs use the time that they may: as if each did, and none were dropped early.
    const many = Math.min(searchCases ?? cases.length, cases.length);
    const evaluationMs = (many / casesAtOnce) * timeLimitMs * timeMargin;
    const candidates = Math.floor(Math.min(timeLimitSeconds * 1000, wallMs) / evaluationMs);
    rooms.push({ candidates, by: 'its time, if each case takes all of its own,' });
  }
  return rooms.reduce((least, room) => (room.candidates < least.candidates ? room : least));
}

/** What its user named is kept as it is. */
export function decided(settings: EvolutionSettings, task: Task, limits: Limits): Decision<SearchSettings> {
  const room = roomOf(settings, task, limits);
  const fed = Math.min(mostIslands, Math.max(1, Math.floor(room.candidates / leastCandidates)));
  const islands = settings.islands ?? fed;
  // The second half of a generation should know what came of the first.
  const lines = Math.min(mostLines, Math.max(1, settings.populationSize / 2));
  const linesPerIsland = settings.linesPerIsland ?? Math.ceil(lines / islands);
  const beginnings = Math.max(islands, settings.beginnings ?? beginningsFor(islands, settings));
  return {
    settings: { ...settings, islands, linesPerIsland, beginnings },
    told: settings.islands === null ? toldOf(islands, beginnings, room) : '',
  };
}

/** If only the islands are named, there are as many strategies. */
function beginningsFor(islands: number, { islands: named, given }: EvolutionSettings): number {
  if (named !== null) return islands;
  return given.length === 0 ? mostIslands : Math.min(mostIslands, given.length);
}

function toldOf(islands: number, beginnings: number, { candidates, by }: Room): string {
  const many = `${islands} ${islands === 1 ? 'island' : 'islands'}`;
  const compete = beginnings > islands ? ` for the best of ${beginnings} beginnings` : '';
  return `${many}${compete}: ${by} ${by.endsWith('s') ? 'have' : 'has'} room for ${candidates} candidates, and an island wants ${leastCandidates}`;
}
