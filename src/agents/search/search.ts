/** The state of a search, and what all its parts share. Running the agent over its journal makes it again. */
import type { Limits, OfUse, Run } from '../../core/agent.ts';
import type { Problem } from '../../core/problem.ts';
import type { ProgramTask } from '../../core/program.ts';
import { type HintRange, write } from '../../notes/evolution.ts';
import type { ProblemAnalysis } from '../../notes/problem-analysis.ts';
import { orAtLimit } from '../kit/asking.ts';
import { minimalAnalysis } from './analysis.ts';
import { Generations } from './generations.ts';
import { Novelty } from './novelty.ts';
import { Points, type Rules } from './points.ts';
import { bestProgram, type Island, type Program, programRank, type Scale } from './population.ts';
import type { CaseSplit } from './race.ts';
import { candidatesFor, type SearchSettings } from './settings.ts';

export type Hint = {
  readonly number: number;
  readonly text: string;
  readonly range?: HintRange;
  /** From the library and past contests, as the problem's tools show them. */
  readonly sources: readonly { readonly name: string; readonly text: string }[];
};

/** `idea`: null until its model has answered. */
type InFlightWork = { readonly parent: string; idea: string | null };

/** The words in which a change or a crossover is asked for. */
export type Wording = {
  /** For credit: its place in the configuration, `mutation_prompts[0]`. */
  readonly name: string;
  readonly words: string;
};

/** All of it is public, because its parts are functions that take a search. */
export class Search {
  readonly problem: Problem;
  readonly task: ProgramTask;
  /** The user may change them during the search: read them only when they are used. */
  settings: SearchSettings;
  /** The settings with which the search ended. It goes on when its user has given others since. */
  settingsAtEnd: SearchSettings;
  readonly cases: CaseSplit;
  readonly points: Points;
  readonly novelty: Novelty;
  readonly generations = new Generations();
  analysis: ProblemAnalysis;
  islands: readonly Island[] = [];
  /** Numbers of the islands whose first program is not settled. */
  readonly beginning = new Set<number>();
  /** When a person was asked something, in time alive. The end of one that is still asked is infinite. */
  readonly waits: { readonly fromMs: number; readonly toMs: number }[] = [];
  /** Programs whose constants were searched. */
  readonly tuned = new Set<string>();
  readonly hints: Hint[] = [];
  /** Hints, each with the islands that have still to make a candidate for it. */
  readonly directed: { readonly hint: Hint; readonly islands: Set<number> }[] = [];
  /** What is asked for or evaluated at the moment, by candidate: calls side by side are told of one another. */
  readonly underway = new Map<string, InFlightWork>();
  /** Messages that needed a model; each has a branch of its own. */
  talks = 0;
  /** How many calls for changes were begun: proposers take turns by it. */
  proposals = 0;
  /** `case` from where no repair has made a program of the user's sound. */
  onFailure: Rules['onFailure'] = 'all';
  /** All that were evaluated, of all islands, with what they began with. */
  readonly programs: Program[] = [];
  /** Why no program was found in the last reply; empty where one was. */
  unusable = '';
  /** What the search began with: the first one that is worth anything. */
  root: Program | null = null;
  champion: Program | null = null;
  /** Generations since the best became a better one. */
  stale = 0;
  /** The reason why no candidate begins any more; null while the search is at work. */
  over: string | null = null;
  /** How long the run had been alive when the clock was last looked at. */
  aliveMs = 0;
  /** The number of planned candidates, without the user's own programs and the template. */
  planned = 0;
  /** Whether the tuning that the best is sure of was planned. */
  isTunedOnce = false;
  /** How many candidates the limit on model calls allows; null without such a limit. */
  readonly roomByCalls: number | null;

  constructor(
    problem: Problem,
    task: ProgramTask,
    settings: SearchSettings,
    cases: CaseSplit,
    limits: Limits = {},
  ) {
    this.roomByCalls = limits.modelCalls === undefined ? null : candidatesFor(limits.modelCalls);
    this.problem = problem;
    this.task = task;
    this.settings = settings;
    this.settingsAtEnd = settings;
    this.cases = cases;
    this.points = new Points(task);
    this.novelty = new Novelty(task.language);
    this.analysis = minimalAnalysis(problem);
  }
}

export function scaleOf({ points, onFailure }: Search): Scale {
  return { points, rules: { onFailure } };
}

/** Names a new best where there is one. */
export function setBest(search: Search, run: Pick<Run, 'note'>): void {
  const scale = scaleOf(search);
  const first = bestProgram(search.programs, scale);
  if (!first || first === search.champion) return;
  const before = search.champion && programRank(search.champion, scale);
  const now = programRank(first, scale);
  if (before !== null && now !== null && now <= before) return;
  search.champion = first;
  search.stale = 0;
  write(run, 'best', {
    id: first.id,
    generation: first.generation,
    score: search.points.scoreOf(first.outcomes),
    because: 'better than all others on the cases of the search',
  });
}

/** Each in a branch of its own, the values in the order of the items; the first error breaks off the others. */
export async function sideBySide<Item, Value>(
  run: Run,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (item: Item, here: Run) => Promise<Value>,
): Promise<Value[]> {
  const branches = items.map((item) => [nameOf(item), (here: Run) => work(item, here)] as const);
  const ended = await run.until(Object.fromEntries(branches), (results) => results.some(({ ok }) => !ok));
  const values = new Map<string, Value>();
  for (const result of ended) {
    if (!result.ok) throw result.error;
    values.set(result.name, result.value);
  }
  return items.flatMap((item) => values.get(nameOf(item)) ?? []);
}

/** The first reason counts. */
export function end(search: Search, reason: string): void {
  if (search.over !== null) return;
  search.over = reason;
  search.settingsAtEnd = search.settings;
}

const hintsInForce = 12;

/** The latest: what was asked for long ago has been tried, and prompts do not grow for ever. */
export const hintsOf = ({ hints }: Search): readonly Hint[] => hints.slice(-hintsInForce);

/** Whether time is left; if not, the search is over. */
export async function checkClock(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  if ((await aliveIn(search, run)) < limitMs(search)) return true;
  end(search, `The time limit of ${search.settings.timeLimitSeconds} s is over.`);
  return false;
}

/** How many candidates there is still room for, by generations, calls, and the time that candidates took so far. */
export function remainingCapacity(search: Search): number {
  const { settings, planned, aliveMs, roomByCalls } = search;
  const rooms = [settings.maxGenerations * settings.populationSize - planned];
  if (roomByCalls !== null) rooms.push(roomByCalls - planned);
  if (planned > 0 && aliveMs > 0) rooms.push(((limitMs(search) - aliveMs) / aliveMs) * planned);
  return Math.max(0, Math.min(...rooms));
}

/** A proposal is of use until the time is over: later it could only be dropped. Without any program, always. */
export function ofUseIn(search: Search): OfUse {
  return { untilAliveMs: () => (search.programs.length === 0 ? null : limitMs(search)) };
}

/** Near the end the clock is looked at more often: a stage of many long cases would overrun it by far. */
export function mostCasesAtOnce(search: Search): number {
  return search.aliveMs < limitMs(search) * nearEnd ? Number.POSITIVE_INFINITY : fewAtOnce;
}

const nearEnd = 0.8;
const fewAtOnce = 5;

/** By how much the final choice, and then the grading, may overrun the limit, as parts of it. */
const mostOverrun = { choice: 0.05, grading: 0.1 };

/** Whether the final choice may go on to further cases. */
export async function canRunPastLimit(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  return (await aliveIn(search, run)) < limitMs(search) * (1 + mostOverrun.choice);
}

/** How long the grading may take: what the search did not use, and the little that it may overrun. */
export async function leftForGrading(search: Search, run: Pick<Run, 'alive'>): Promise<number> {
  // Where a limit makes the clock unreadable, the last value is used.
  await orAtLimit(
    () => aliveIn(search, run),
    () => null,
  );
  return Math.max(0, Math.round(limitMs(search) * (1 + mostOverrun.grading) - search.aliveMs));
}

const limitMs = ({ settings, waits }: Search): number =>
  settings.timeLimitSeconds * 1000 + totalWaitMs(waits);

/** The time in which a person answers for a model does not count as the search's. */
export function answeredBy<T>(search: Search, run: Run, role: string, work: () => Promise<T>): Promise<T> {
  return run.isPerson(role) ? withClockPaused(search, run, work) : work();
}

/** Nor does the time in which the user looks at what is to be confirmed. */
export async function withClockPaused<T>(search: Search, run: Run, work: () => Promise<T>): Promise<T> {
  const open = { fromMs: await run.alive(), toMs: Number.POSITIVE_INFINITY };
  search.waits.push(open);
  try {
    const reply = await work();
    search.waits.push({ fromMs: open.fromMs, toMs: await run.alive() });
    return reply;
  } finally {
    search.waits.splice(search.waits.indexOf(open), 1);
    write(run, 'waited', { ms: totalWaitMs(search.waits.filter(({ toMs }) => Number.isFinite(toMs))) });
  }
}

/** Several may be asked at once: what overlaps is counted once. */
export function totalWaitMs(delays: Search['waits']): number {
  let total = 0;
  let end = 0;
  for (const { fromMs, toMs } of delays.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (toMs <= end) continue;
    total += toMs - Math.max(fromMs, end);
    end = toMs;
  }
  return total;
}

async function aliveIn(search: Search, run: Pick<Run, 'alive'>): Promise<number> {
  const aliveMs = await run.alive();
  search.aliveMs = Math.max(search.aliveMs, aliveMs);
  return aliveMs;
}
