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
import { proposerRoles } from './asking.ts';

const text = z.string().min(1);

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
  offered: z.strictObject({ name: text, source: text }).nullable().default(null),
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

export const changeable = {
  maxGenerations: maxGenerations.schema.default(maxGenerations.initial),
  populationSize: populationSize.schema.default(populationSize.initial),
  timeLimitSeconds: timeLimitSeconds.schema.default(timeLimitSeconds.initial),
  plateauGenerations: plateauGenerations.schema.default(plateauGenerations.initial),
  /** Weights by name; evolution-settings.ts knows the names. */
  operators: z.record(z.string(), z.number()).default({}),
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
  proposers: whole(1, proposerRoles.length, 1),
  knowledge: z.boolean().default(false),
  /** For the calls that write programs; null: the model's own. */
  temperature: searchSettings.temperature.schema.nullable().default(null),
  maxOutputTokens: z.int().positive().nullable().default(null),
  reasoningEffort: z.enum(['low', 'medium', 'high']).nullable().default(null),
};

/** How early a candidate is dropped is decided with the rest when the run begins, and may be changed later. */
const raced = {
  raceAfter: changeable.raceAfter.unwrap().nullable().default(null),
  raceLevel: changeable.raceLevel.unwrap().nullable().default(null),
};

export const searchFields = { ...fixed, ...changeable, ...raced };
export type EvolutionSettings = z.infer<z.ZodObject<typeof searchFields, z.core.$strict>>;

/** As a search has them, and a journal's header: nothing is left open. */
export type SearchSettings = Omit<EvolutionSettings, keyof typeof raced> & {
  readonly [name in 'islands' | 'linesPerIsland' | 'beginnings' | 'raceLevel']: number;
} & { readonly raceAfter: number[] };

// What a session can feed. Lines that are apart divide what there is room for: where that is little, each has a handful of
// programs and none builds on another for long. Bench `evolution-search` tells what each of these numbers is worth.

/** Different strategies become rarer with each, and a best program needs one of them. */
const mostIslands = 3;
/** With fewer candidates islands are too small for selection: one has them all. */
export const leastApart = 96;
/** The first programs are drawn, not built on one another: so many of them find a good place to climb from. */
const firstPrograms = { least: 4, most: 16 };
/** In all. Many keep the cores busy while their models answer; but no line knows what the others are about to learn. */
const lines = { least: 2, most: 6, candidatesEach: 20 };
/** Where cases cost what there is too little of, what seems worse is dropped sooner. */
const racing = {
  byCases: { raceAfter: [3, 8, 16], raceLevel: 0.2 },
  byCalls: { raceAfter: [5, 12], raceLevel: 0.15 },
};
/** Repairs and second attempts included. */
export const callsOfCandidate = 1.25;

export const candidatesFor = (calls: number): number => Math.floor(calls / callsOfCandidate);

type Task = Pick<ProgramTask, 'cases' | 'timeLimitMs' | 'casesAtOnce'>;

/** How many candidates there is room for, and what bounds them. */
type Room = { readonly candidates: number; readonly by: string; readonly isTime?: boolean };

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
    rooms.push({ candidates: candidatesFor(modelCalls), by: 'its model calls' });
  }
  if (timeLimitMs !== null && casesAtOnce !== undefined) {
    // Good programs use the time that they may: as if each did, and none were dropped early.
    const many = Math.min(searchCases ?? cases.length, cases.length);
    const evaluationMs = (many / casesAtOnce) * timeLimitMs * timeMargin;
    const candidates = Math.floor(Math.min(timeLimitSeconds * 1000, wallMs) / evaluationMs);
    rooms.push({ candidates, by: 'its time, if each case takes all of its own,', isTime: true });
  }
  return rooms.reduce((least, room) => (room.candidates < least.candidates ? room : least));
}

/** What its user named is kept as it is. */
export function decided(settings: EvolutionSettings, task: Task, limits: Limits): Decision<SearchSettings> {
  const room = roomOf(settings, task, limits);
  const islands = settings.islands ?? (room.candidates < leastApart ? 1 : mostIslands);
  // The second half of a generation should know the results of the first.
  const most = Math.min(lines.most, Math.max(1, settings.populationSize / 2));
  const inAll = between(Math.round(room.candidates / lines.candidatesEach), lines.least, most);
  const linesPerIsland = settings.linesPerIsland ?? Math.ceil(inAll / islands);
  const beginnings = Math.max(islands, settings.beginnings ?? beginningsFor(islands, settings, room));
  const race = room.isTime ? racing.byCases : racing.byCalls;
  const raceAfter = settings.raceAfter ?? race.raceAfter;
  const raceLevel = settings.raceLevel ?? race.raceLevel;
  return {
    settings: { ...settings, islands, linesPerIsland, beginnings, raceAfter, raceLevel },
    told: settings.islands === null ? toldOf({ islands, beginnings, lines: linesPerIsland }, room) : '',
  };
}

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** If only the islands are named, there are as many strategies. */
function beginningsFor(islands: number, { islands: named, given }: EvolutionSettings, room: Room): number {
  if (named !== null) return islands;
  if (given.length > 0) return Math.min(mostIslands, given.length);
  return between(Math.round(Math.sqrt(room.candidates)), firstPrograms.least, firstPrograms.most);
}

function toldOf(
  { islands, beginnings, lines }: { islands: number; beginnings: number; lines: number },
  { candidates, by }: Room,
): string {
  const many = `${islands} ${islands === 1 ? 'island' : 'islands'}`;
  const compete = beginnings > islands ? ` for the best of ${beginnings} beginnings` : '';
  const each = `${lines} ${lines === 1 ? 'candidate' : 'candidates'} of each at once`;
  return `${many}${compete}, ${each}: ${by} ${by.endsWith('s') ? 'have' : 'has'} room for ${candidates} ${candidates === 1 ? 'candidate' : 'candidates'}, and islands apart want ${leastApart}`;
}
