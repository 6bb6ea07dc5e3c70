/**
 * The settings of the search, each with its default, and what is decided where they leave it open. Names are those of
 * the configuration (`evolution.max_generations` is `maxGenerations`). All but the first block may be changed while a
 * session goes on.
 */
import { z } from 'zod';
import type { Decision, Limits } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';
import { readAnalysis } from '../../notes/problem-analysis.ts';
import { searchSettings } from '../../notes/search-settings.ts';
import { proposerRoles } from './asking.ts';

const text = z.string().min(1);
const weight = z.number().min(0).max(100);

const whole = (low: number, high: number, initial: number) => z.int().min(low).max(high).default(initial);
const real = (low: number, high: number, initial: number) => z.number().min(low).max(high).default(initial);
/** Null: decided when the run begins. */
const decidedLater = (high: number) => z.int().min(1).max(high).nullable().default(null);
const texts = z.array(text).max(100).default([]);

export const givenStrategy = z.strictObject({
  name: text,
  idea: text,
  reasons: z.string().default(''),
  library: z.array(text).default([]),
  contests: z.array(text).default([]),
});

/** What a session is begun with, and keeps. */
const fixed = {
  islands: decidedLater(64).describe(
    'Lines of search that know nothing of one another but for what migrates; null: as many as there is room for.',
  ),
  linesPerIsland: decidedLater(32).describe(
    'Candidates of one island that are worked on at once: while one waits for its model, others are evaluated. Null: so.',
  ),
  beginnings: decidedLater(64).describe(
    'Strategies that begin with a program each; where that is more than there are islands, the best go on. Null: so.',
  ),
  searchCases: z
    .int()
    .min(1)
    .nullable()
    .default(30)
    .describe("So many of the problem's cases are searched on, chosen by the run's seed; null: all of them."),
  heldOutCases: whole(0, 100_000, 50).describe(
    'Cases that are kept for the final choice; 0: the choice is made on those of the search.',
  ),
  given: z
    .array(z.strictObject({ name: text, source: text }))
    .max(64)
    .default([])
    .describe(
      "Programs of the user's, by the names of their files: what the islands begin with in the place of a model's.",
    ),
  /** The analysis, as its user has it; null: a model is asked. */
  analysis: z
    .record(z.string(), z.json())
    .superRefine((value, context) => {
      const read = readAnalysis(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: `is none:\n${read.problems}` });
    })
    .nullable()
    .default(null),
  strategies: z
    .array(givenStrategy)
    .min(1)
    .max(64)
    .nullable()
    .default(null)
    .describe(
      'The strategies, one an island and some to spare, as their user has them; null: a model is asked.',
    ),
  confirm: z
    .boolean()
    .default(false)
    .describe('Whether its user confirms analysis, strategies, first programs and start.'),
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
  raceAfter: z
    .array(z.int().min(1).max(100_000))
    .max(20)
    .default([5, 12])
    .describe('After how many cases a candidate may be dropped; behind the last one it is run on all.'),
  raceLevel: real(0, 0.5, 0.05).describe(
    'It is dropped where a paired test finds it worse than the best of its island at this level; 0: never.',
  ),
  timeMargin: real(0.1, 1, 0.9).describe(
    "What part of the time limit a case may take here, for the judge's machine may be slower.",
  ),
  onFailure: z
    .enum(['all', 'case'])
    .default('all')
    .describe('`all`: one case that is not AC makes a program worthless. `case`: that case counts nothing.'),
  repairs: whole(0, 20, 2).describe(
    'How often in a row what does not compile, or fails, is given back to be repaired.',
  ),
  noveltyThreshold: real(0.5, 1, 0.9).describe(
    'A candidate whose change is at least so much like one that was made before is not evaluated. 1: only the very same.',
  ),
  islandSize: whole(2, 1_000, 16).describe('Programs that an island keeps as parents.'),
  migrationEvery: whole(0, 1_000_000, 5).describe('In generations; 0: never.'),
  reevaluateEvery: whole(0, 1_000_000, 3).describe(
    'Leaders are run on fresh cases every so many generations, so that luck does not pin the search; 0: never.',
  ),
  reevaluateCases: whole(1, 10_000, 10),
  finalists: whole(1, 64, 3).describe('Programs that the final choice is made among.'),
  tuneEvaluations: whole(1, 10_000, 24).describe(
    'Evaluations of a few cases that one tuning of constants may take.',
  ),
  mutationPrompts: texts.describe(
    "The user's own words for a change; places: {code_snippet} {function_code}.",
  ),
  crossoverPrompts: texts.describe(
    "The user's own words for joining two programs; places: {code_A} {code_B}.",
  ),
  // What follows, up to `knowledge`, is off unless a bench showed that it pays at equal budget (docs/evolution.md).
  archiveShare: real(0, 1, 0).describe(
    'How often a parent, or the second one, comes from the archive over behaviour, of all islands; 0: never.',
  ),
  simplifyLevel: real(0.01, 0.5, 0.2).describe(
    'What shortens a program takes its place, unless a paired test finds it worse at this level: more is stricter.',
  ),
  operatorChoice: z
    .enum(['weights', 'bandit'])
    .default('weights')
    .describe(
      '`bandit`: operators whose weight is above 0 are chosen by what they gained for what they cost.',
    ),
  proposers: whole(1, proposerRoles.length, 1).describe(
    'So many roles write programs (`solver`, `solver2` …), each with a model of its own, chosen by gain per cost.',
  ),
  wordingChoice: z
    .enum(['even', 'bandit'])
    .default('even')
    .describe(
      "`bandit`: the user's words for a change are chosen by what they gained for what they cost, and none of them too.",
    ),
  insightsEvery: whole(0, 100_000, 0).describe(
    'After so many candidates the adviser says what worked and what to try; 0: never.',
  ),
  tabooIdeas: whole(0, 200, 0).describe(
    'So many ideas that were tried are shown, and one that is proposed again is not evaluated; 0: none.',
  ),
  children: whole(1, 16, 1).describe(
    'So many proposals are asked for at once, and compared on the first cases: the best of them is the candidate.',
  ),
  knowledge: z
    .boolean()
    .default(false)
    .describe('What earlier sessions learned is looked up, where the problem offers it, and shown.'),
  /** Of the calls that write programs; null: what the model does by itself. */
  temperature: searchSettings.temperature.schema.nullable().default(null),
  maxOutputTokens: z.int().positive().nullable().default(null),
  reasoningEffort: z.enum(['low', 'medium', 'high']).nullable().default(null),
};

export const evolutionSettings = z.strictObject({ ...fixed, ...changeable });
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
/** Twice what an island keeps unless somebody says otherwise: before that, nothing to speak of has been selected there. */
const leastCandidates = 32;
/** In all: so many keep the cores busy while most of them wait for their models. */
const mostLines = 6;
/** Of what a candidate takes, repairs and second attempts included. */
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
