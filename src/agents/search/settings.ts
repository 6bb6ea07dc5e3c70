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
import { timeMargin } from './points.ts';

const text = z.string().min(1);

const integer = (low: number, high: number, initial: number) => z.int().min(low).max(high).default(initial);
/** Null: decided when the run begins. */
const decidedLater = (high: number) => z.int().min(1).max(high).nullable().default(null);

export const givenStrategy = z.strictObject({
  name: text,
  idea: text,
  reasons: z.string().default(''),
  library: z.array(text).default([]),
  contests: z.array(text).default([]),
});

export const searchCases = z
  .int()
  .min(1)
  .nullable()
  .default(30)
  .describe(
    'Cases of the problem that the search uses, drawn by the seed; null: all. More when scores are noisy, fewer when cases are slow.',
  );
export const heldOutCases = integer(0, 100_000, 50).describe(
  'New cases on which the final choice is made; 0: the search decides, which favours lucky programs.',
);

/** What a session is begun with, and keeps. */
const fixed = {
  islands: decidedLater(64).describe(
    'Separate populations, connected by migration; null: as many as the room allows. Name it to force variety or depth.',
  ),
  linesPerIsland: decidedLater(32).describe(
    'Candidates of an island that are worked on at once; null: by the room. Raise it when calls are slow.',
  ),
  room: z
    .strictObject({
      beginnings: z.int().min(1).max(64).optional(),
      raceAfter: z.array(z.int().min(1).max(100_000)).max(20).optional(),
      raceLevel: z.number().min(0).max(0.5).optional(),
    })
    .nullable()
    .default(null)
    .describe(
      'How the room is used: first programs (`beginnings`), of which the best go on as islands, and after how many cases a candidate may be dropped at which level (`raceAfter`, `raceLevel`). What is left out is decided by the room. More beginnings when first programs differ a lot.',
    ),
  searchCases,
  heldOutCases,
  given: z
    .array(z.strictObject({ name: text, source: text }))
    .max(64)
    .default([])
    .describe(
      'Programs of yours with their file names; the islands begin with them and keep their approach.',
    ),
  analysis: z
    .record(z.string(), z.json())
    .superRefine((value, context) => {
      const read = readAnalysis(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: `is none:\n${read.problems}` });
    })
    .nullable()
    .default(null)
    .describe(
      'Your analysis of the problem; null: a model makes it. Give it to correct what a model misreads.',
    ),
  strategies: z
    .array(givenStrategy)
    .min(1)
    .max(64)
    .nullable()
    .default(null)
    .describe(
      'Your strategies, one for each beginning and some spare ones; null: a model is asked. Give them when you know what wins.',
    ),
  confirm: z
    .boolean()
    .default(false)
    .describe(
      'Whether you confirm analysis, strategies, first programs and start before the search goes on.',
    ),
};

const { maxGenerations, populationSize, timeLimitSeconds, plateauGenerations } = searchSettings;
const { mutationPrompts, crossoverPrompts, temperature } = searchSettings;

export const timeLimit = timeLimitSeconds.schema
  .default(timeLimitSeconds.initial)
  .describe('Seconds of the search, over all its continuations. The room of a search is mostly this.');
export const temperatureOfCalls = temperature.schema
  .nullable()
  .default(null)
  .describe("For the calls that write programs; null: the model's own. Raise it when proposals are alike.");

export const changeable = {
  maxGenerations: maxGenerations.schema
    .default(maxGenerations.initial)
    .describe('Generations after which the search ends; 0: first programs and the final choice alone.'),
  populationSize: populationSize.schema
    .default(populationSize.initial)
    .describe('Candidates in a generation, of all islands together: how often the search takes stock.'),
  timeLimitSeconds: timeLimit,
  plateauGenerations: plateauGenerations.schema
    .default(plateauGenerations.initial)
    .describe(
      'Generations without a better best after which the search ends. 0: never, for a search that is to use all its room.',
    ),
  /** Weights by name; evolution-settings.ts knows the names. */
  operators: z.record(z.string(), z.number()).default({}),
  mutationPrompts: mutationPrompts.schema
    .default([])
    .describe('Your own words for a change, one drawn for each; places: {code_snippet} {function_code}.'),
  crossoverPrompts: crossoverPrompts.schema
    .default([])
    .describe('Your own words for joining two programs; places: {code_A} {code_B}.'),
  proposers: integer(1, proposerRoles.length, 1).describe(
    'How many roles write programs in turn (`solver`, `solver2` …). Raise it when you have several good models.',
  ),
  temperature: temperatureOfCalls,
};

export const searchFields = { ...fixed, ...changeable };
export type EvolutionSettings = z.infer<z.ZodObject<typeof searchFields, z.core.$strict>>;

/** As a search has them, and a journal's header: nothing is left open. */
export type SearchSettings = EvolutionSettings & {
  readonly [name in 'islands' | 'linesPerIsland']: number;
} & { readonly room: { beginnings: number; raceAfter: number[]; raceLevel: number } };

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
type SearchCapacity = { readonly candidates: number; readonly by: string; readonly isTime?: boolean };

type CapacitySettings = Pick<
  EvolutionSettings,
  'maxGenerations' | 'populationSize' | 'timeLimitSeconds' | 'searchCases'
>;

export function searchCapacity(settings: CapacitySettings, task: Task, limits: Limits): SearchCapacity {
  const { maxGenerations, populationSize, timeLimitSeconds, searchCases } = settings;
  const { cases, timeLimitMs, casesAtOnce } = task;
  const { modelCalls, wallMs = Number.POSITIVE_INFINITY } = limits;
  const rooms: SearchCapacity[] = [{ candidates: maxGenerations * populationSize, by: 'its generations' }];
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
  return rooms.reduce((minimum, capacity) => (capacity.candidates < minimum.candidates ? capacity : minimum));
}

/** What its user named is kept as it is. */
export function decideSettings(
  settings: EvolutionSettings,
  task: Task,
  limits: Limits,
): Decision<SearchSettings> {
  const capacity = searchCapacity(settings, task, limits);
  const islands = settings.islands ?? (capacity.candidates < leastApart ? 1 : mostIslands);
  // The second half of a generation should know the results of the first.
  const most = Math.min(lines.most, Math.max(1, settings.populationSize / 2));
  const inAll = between(Math.round(capacity.candidates / lines.candidatesEach), lines.least, most);
  const linesPerIsland = settings.linesPerIsland ?? Math.ceil(inAll / islands);
  const named = settings.room?.beginnings ?? startsPerIsland(islands, settings, capacity);
  const prefixCount = Math.max(islands, named);
  const race = {
    ...(capacity.isTime ? racing.byCases : racing.byCalls),
    ...settings.room,
    beginnings: prefixCount,
  };
  return {
    settings: { ...settings, islands, linesPerIsland, room: race },
    told:
      settings.islands === null
        ? describeDecision({ islands, beginnings: prefixCount, lines: linesPerIsland }, capacity)
        : '',
  };
}

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** If only the islands are named, there are as many strategies. */
function startsPerIsland(
  islands: number,
  { islands: named, given }: EvolutionSettings,
  capacity: SearchCapacity,
): number {
  if (named !== null) return islands;
  if (given.length > 0) return Math.min(mostIslands, given.length);
  return between(Math.round(Math.sqrt(capacity.candidates)), firstPrograms.least, firstPrograms.most);
}

function describeDecision(
  { islands, beginnings, lines }: { islands: number; beginnings: number; lines: number },
  { candidates, by }: SearchCapacity,
): string {
  const many = `${islands} ${islands === 1 ? 'island' : 'islands'}`;
  const compete = beginnings > islands ? ` for the best of ${beginnings} beginnings` : '';
  const each = `${lines} ${lines === 1 ? 'candidate' : 'candidates'} of each at once`;
  return `${many}${compete}, ${each}: ${by} ${by.endsWith('s') ? 'have' : 'has'} room for ${candidates} ${candidates === 1 ? 'candidate' : 'candidates'}, and islands apart want ${leastApart}`;
}
