/**
 * How many lines of search a session can feed, decided before anything is paid for. Lines that are apart divide what there
 * is room for: where that is little, each has a handful of programs and none builds on another for long. So there are
 * several only where each gets its share; where there is one, several strategies still begin, and the best goes on. Pure.
 */
import type { Decision, Limits } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';
import type { EvolutionSettings, SearchSettings } from './settings.ts';

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
