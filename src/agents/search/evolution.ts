/**
 * The evolution of programs, for any problem that offers `program`: analyse, devise strategies, begin programs, let
 * islands work side by side until a limit, choose on unseen cases. This file is the algorithm from top to bottom; the
 * files beside it are its parts. Every decision is noted (src/notes/evolution.ts); no file is written.
 */
import type { Run } from '../../core/agent.ts';
import { defineAgent, type ProblemWith } from '../../core/define.ts';
import { UserError } from '../../core/errors.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { orAtLimit } from '../kit/limit.ts';
import { analyse } from './analysis.ts';
import { evolutionRoles } from './asking.ts';
import {
  admitOwn,
  confirmAnalysis,
  confirmFirst,
  confirmStart,
  keepGiven,
  populate,
  shareRoot,
  strategiesOf,
} from './beginning.ts';
import { admit, develop } from './candidate.ts';
import { evolutionSettings } from './evolution-settings.ts';
import { chooseFinal, finalistCount, handIn } from './final.ts';
import type { Slot } from './generations.ts';
import { initial } from './operators/initial.ts';
import type { Plan } from './operators/operator.ts';
import { planOf } from './operators/plan.ts';
import { repair, repairOf, repairsInRow } from './operators/repair.ts';
import {
  bestOf,
  givenThatFailed,
  type Island,
  migrate,
  type Program,
  programsOf,
  ranked,
  settle,
  standingOf,
} from './population.ts';
import { evolutionPrompts } from './prompts.ts';
import { evaluateOn, onCommonCases, splitCases } from './race.ts';
import { crown, end, lookAtClock, Search, scaleOf, sideBySide } from './search.ts';
import { decided, type EvolutionSettings } from './settings.ts';
import { devise } from './strategies.ts';
import { readMail, receiveMail, takeHint } from './talk/talk.ts';

export const evolution = defineAgent({
  name: 'evolution',
  settings: evolutionSettings,
  needs: ['program'],
  roles: evolutionRoles,
  usual: usualOf,
  decide: (settings, { problem, limits }) => decided(settings, problem.program, limits),
  prompts: evolutionPrompts,

  async solve(problem, run, settings) {
    const search = setUp(problem, run, settings);
    const evolve = async (): Promise<void> => {
      search.analysis = await analyse(run, problem, settings);
      await begin(search, run);
      await holdTrial(search, run);
      for (let round = 1; search.over === null; round += 1) {
        await runIslands(search, run, round);
        await concludeRound(search, run);
      }
    };
    await orAtLimit(evolve, (message) => end(search, message));
    const chosen = await chooseFinal(search, run);
    return handIn(search, run, chosen);
  },
});

function setUp(problem: ProblemWith<'program'>, run: Run, given: EvolutionSettings): Search {
  const { program: task } = problem;
  if (task.cases.length === 0) {
    throw new UserError({
      code: 'nothing-to-search',
      what: 'There is nothing to search on: the problem has no cases.',
      fix: 'Give it cases, or have them made.',
    });
  }
  const { settings } = decided(given, task, {});
  const { islands, room, populationSize, maxGenerations, timeLimitSeconds, plateauGenerations } = settings;
  const cases = splitCases(run, task, settings);
  write(run, 'setting', {
    ...{
      islands,
      beginnings: room.beginnings,
      populationSize,
      maxGenerations,
      timeLimitSeconds,
      plateauGenerations,
    },
    cases: cases.search.length,
  });
  return new Search(problem, task, settings, cases, run.limits);
}

/** In generations: leaders are run on fresh cases, so that a lucky program does not stay. */
const [migrationEvery, reevaluateEvery, freshCases] = [5, 3, 10];

/** Stands among the islands that begin, until their user has seen what they begin with. */
const confirming = 0;

/** What the search begins with. A step that its user rejects ends the search. */
async function begin(search: Search, run: Run): Promise<void> {
  await readMail(search, run);
  if (!(await confirmAnalysis(search, run))) return;
  const strategies = await strategiesOf(search, run);
  if (!strategies) return;
  populate(search, strategies);
  await admitOwn(search, run);
  if (search.settings.confirm && !(await confirmIslands(search, run))) return;
  closeFirst(search, run);
}

/** One island after the other, because a person looks at one thing at a time; false where the start is rejected. */
async function confirmIslands(search: Search, run: Run): Promise<boolean> {
  search.beginning.add(confirming);
  for (const island of search.islands) {
    for (let time = 1; island.wantsFirst && search.over === null; time += 1) {
      await run.branch(`first-${island.number}-${time}`, (here) => firstOf(search, island, here));
      await untilTaken(search, run, island);
    }
  }
  search.beginning.clear();
  if (await confirmStart(search, run)) return true;
  end(search, 'Its user did not have it start.');
  return false;
}

/** A rejected program is written anew, with the reason as a hint; an edited one is run and shown again. */
async function untilTaken(search: Search, run: Run, island: Island): Promise<void> {
  for (;;) {
    const reply = await confirmFirst(search, run, island);
    if (reply === 'taken') return;
    island.members = [];
    if ('reason' in reply) {
      if (reply.reason !== '') takeHint(search, run, { text: reply.reason });
      island.wantsFirst = true;
      return;
    }
    const edited = { operator: 'given', source: reply.edited, summary: 'edited by its user' } as const;
    await admit(search, island, edited, run);
  }
}

/** More strategies than islands begin side by side, each with a program and its repairs; the best become islands. */
async function holdTrial(search: Search, run: Run): Promise<void> {
  if (search.islands.length <= search.settings.islands || search.over !== null) return;
  const wanting = search.islands.filter(({ wantsFirst }) => wantsFirst);
  const nameOf = ({ number }: Island) => `trial-${number}`;
  await sideBySide(run, wanting, nameOf, (island, here) => firstOf(search, island, here));
  // Of equals, and where nothing works yet, the strategies that were named first.
  const best = search.islands.toSorted((a, b) => worthOf(search, b) - worthOf(search, a));
  const kept = best.slice(0, search.settings.islands);
  const leaving = search.islands.filter((island) => !kept.includes(island));
  search.islands = search.islands.filter((island) => kept.includes(island));
  keepFirst(search, leaving);
  // A hint of the user's waits for no candidate of an island that has ended.
  for (const { islands } of search.directed) for (const { number } of leaving) islands.delete(number);
  write(run, 'trial', { kept: numbersOf(search.islands), ended: numbersOf(leaving) });
}

/** What the others began with stays on the one island there is: it may be the better parent of a rewrite. */
function keepFirst(search: Search, leaving: readonly Island[]): void {
  const [only, ...others] = search.islands;
  if (!only || others.length > 0) return;
  for (const program of leaving.flatMap(programsOf)) {
    settle(only, program, scaleOf(search));
  }
}

const numbersOf = (islands: readonly Island[]): number[] => islands.map(({ number }) => number);

function worthOf(search: Search, island: Island): number {
  const scale = scaleOf(search);
  const best = bestOf(island, scale);
  return (best && standingOf(best, scale)) ?? Number.NEGATIVE_INFINITY;
}

/** Until nothing more is begun. An error on one island ends all of them. */
async function runIslands(search: Search, run: Run, round: number): Promise<void> {
  const suffix = round === 1 ? '' : `-again-${round}`;
  const nameOf = ({ number }: Island) => `island-${number}${suffix}`;
  await sideBySide(run, search.islands, nameOf, (island, here) => runIsland(search, island, here));
}

async function runIsland(search: Search, island: Island, run: Run): Promise<void> {
  if (island.wantsFirst && search.generations.over < 0) await firstOf(search, island, run);
  shareRoot(search, island);
  const lines = Array.from({ length: search.settings.linesPerIsland }, (_, at) => `line-${at + 1}`);
  await sideBySide(run, lines, String, (_, here) => workOn(search, island, here));
}

/** The first program of an island, with its repairs: all of them are of generation 0. */
async function firstOf(search: Search, island: Island, run: Run): Promise<void> {
  island.wantsFirst = false;
  const given = givenThatFailed(island);
  let plan: Plan | null = given ? { operator: repair, parent: given } : { operator: initial, parent: null };
  for (let tries = 0; plan && search.over === null; tries += 1) {
    if (tries > 0 && !(await lookAtClock(search, run))) return leaveFirst(search, island, run);
    const slot = search.generations.beginFirst();
    search.planned += 1;
    const program: Program = await develop({ search, island, slot }, plan, run);
    plan = tries < repairsInRow ? repairOf(program) : null;
    if (!plan) {
      await keepGiven(search, run, island);
      leaveFirst(search, island, run);
    }
    await settleSlot(search, run, slot);
  }
}

function leaveFirst(search: Search, island: Island, run: Run): void {
  search.beginning.delete(island.number);
  closeFirst(search, run);
}

/** Generation 0 is complete when no island makes a first program any more. */
function closeFirst(search: Search, run: Run): void {
  if (search.beginning.size > 0) return;
  for (const generation of search.generations.closeFirst()) noteGeneration(search, run, generation);
}

/** One line of work: it takes the next candidate, carries it through, repairs what failed, and takes the next. */
async function workOn(search: Search, island: Island, run: Run): Promise<void> {
  let ailing: { readonly plan: Plan; readonly repairs: number } | null = null;
  const talks: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    for (;;) {
      talks.push(...(await receiveMail(search, run)));
      await lookAtClock(search, run);
      if (!mayBegin(search)) return;
      const slot = search.generations.begin(search.settings.populationSize);
      const plan: Plan = ailing?.plan ?? planOf(search, island, () => run.random());
      const program = await develop({ search, island, slot }, plan, run);
      const repairs: number = (ailing?.repairs ?? 0) + 1;
      const next = repairs <= repairsInRow ? repairOf(program) : null;
      ailing = next && { plan: next, repairs };
      await settleSlot(search, run, slot);
    }
  };
  await orAtLimit(work, (message) => end(search, message));
  // A talk with the user holds up no candidate, and is finished before the line ends.
  for (const talk of talks) await talk;
  write(run, 'doing', { island: island.number, what: '' });
}

function mayBegin(search: Search): boolean {
  const { maxGenerations, populationSize } = search.settings;
  if (search.over === null && search.generations.isExhausted(populationSize, maxGenerations)) {
    const few = ['No generation was asked for beyond the first programs.', 'Its one generation is begun.'];
    end(search, few[maxGenerations] ?? `All ${maxGenerations} generations are begun.`);
  }
  return search.over === null;
}

/** The line whose candidate completes a round does what is due after it. */
async function settleSlot(search: Search, run: Run, slot: Slot): Promise<void> {
  for (const generation of search.generations.settle(slot)) noteGeneration(search, run, generation);
  const round = search.generations.takeRound(search.settings.populationSize);
  // A search that is over is not steered any more.
  if (round !== null && search.over === null) await concludeGeneration(search, run, round);
}

/** Programs migrate, leaders are run on fresh cases, a search without progress changes its course and later ends. */
async function concludeGeneration(search: Search, run: Run, round: number): Promise<void> {
  if (round % migrationEvery === 0) {
    for (const { program, from, to } of migrate(search.islands, scaleOf(search))) {
      write(run, 'migration', { id: program.id, from, to });
    }
  }
  if (round % reevaluateEvery === 0) await reevaluate(search, run);
  if (search.over === null) await lookForPlateau(search, run);
}

function noteGeneration(search: Search, run: Run, generation: number): void {
  const { champion, points } = search;
  const score = champion && points.scoreOf(champion.outcomes);
  write(run, 'generation', { generation, best: champion?.id ?? null, score });
}

async function reevaluate(search: Search, run: Run): Promise<void> {
  const leaders = leadersOf(search);
  const cases = search.cases.fresh(search.luck.begin(), freshCases);
  // One alone has nothing to be compared with.
  if (cases.length === 0 || leaders.length < 2) return;
  write(run, 'doing', { island: 0, what: `runs ${leaders.length} leaders on ${cases.length} fresh cases` });
  const found = [];
  for (const leader of leaders) {
    if (!(await lookAtClock(search, run))) return;
    const evaluation = await evaluateOn(run, leader.source, cases);
    search.points.learn(evaluation.cases);
    write(run, 'more-cases', { id: leader.id, evaluation, why: 'luck' });
    found.push({ leader, outcomes: evaluation.cases });
  }
  search.luck.add(onCommonCases(found).map(({ leader, outcomes }) => ({ leader, fresh: outcomes })));
  crown(search, run, 'luck');
}

/** Of all islands together: each one's best, and as many more as there are to be finalists. */
function leadersOf(search: Search): readonly Program[] {
  const scale = scaleOf(search);
  const own = search.islands.map((island) => bestOf(island, scale)).filter((each) => each !== null);
  const first = ranked(search.programs, scale).slice(0, finalistCount);
  return [...new Set([...first, ...own])];
}

async function lookForPlateau(search: Search, run: Run): Promise<void> {
  search.stale += 1;
  const { plateauGenerations } = search.settings;
  if (plateauGenerations === 0 || search.stale < plateauGenerations) return;
  if (search.isBold) {
    const generations = search.stale === 1 ? 'a generation' : `${search.stale} generations`;
    return end(search, `No better program in ${generations}, the course having been changed.`);
  }
  search.isBold = true;
  search.stale = 0;
  await changeCourse(search, run);
}

/** The weakest island begins anew with an untried strategy; `isBold` makes later plans bolder (operators/plan.ts). */
async function changeCourse(search: Search, run: Run): Promise<void> {
  const island = weakest(search);
  const strategy = island && (await newStrategy(search, run));
  if (island && strategy) beginAnew(search, island, strategy);
  const anew = island && strategy ? { island: island.number, strategy: strategy.name } : undefined;
  const line = anew ? `line ${anew.island} begins anew with: ${anew.strategy}; ` : '';
  const change = `${line}more whole programs, bolder choice of parents`;
  // Generations can have begun since the round that made it due: leaders may have been run in between.
  write(run, 'course', { generation: search.generations.current, change, anew });
}

/** Never the island of the best program, unless there is no other. */
function weakest(search: Search): Island | null {
  const others = search.islands.filter(
    ({ members }) => !members.some(({ program }) => program === search.champion),
  );
  const able = others.length > 0 ? others : search.islands;
  return able.toSorted((a, b) => worthOf(search, a) - worthOf(search, b))[0] ?? null;
}

async function newStrategy(search: Search, run: Run): Promise<Strategy | null> {
  const spare = search.spare.shift();
  if (spare) return spare;
  const { problem, analysis, settings, strategies } = search;
  const [devised] = await devise(run, problem, analysis, { settings, count: 1, known: strategies });
  if (devised) search.strategies.push(devised);
  return devised ?? null;
}

/** Its programs would be chosen before any that is new: they stay only where there is no other island. */
function beginAnew(search: Search, island: Island, strategy: Strategy): void {
  island.strategy = strategy;
  island.wantsFirst = true;
  if (search.islands.length > 1) island.members = [];
}

/** To continue a session after its end, it is forked at this note; it finds settings with more room in its mail. */
async function concludeRound(search: Search, run: Run): Promise<void> {
  for (const generation of search.generations.end()) noteGeneration(search, run, generation);
  const because = search.over ?? '';
  write(run, 'search-over', { generation: search.generations.current, because });
  await readMail(search, run);
  if (search.settings === search.settingsAtEnd) return;
  search.over = null;
  search.stale = 0;
  await lookAtClock(search, run);
}

/** Every fourth candidate takes a second call: what failed is repaired, what did not match is sent again. */
function usualOf({ maxGenerations, populationSize, islands, room, given }: EvolutionSettings) {
  const first = 2 + Math.max(0, (room?.beginnings ?? islands ?? 1) - given.length);
  const turns = first + Math.ceil(maxGenerations * populationSize * 1.25);
  return { turns, outputTokens: 4_000, carriedTokens: 6_000 };
}
