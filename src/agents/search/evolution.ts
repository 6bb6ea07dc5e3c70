/**
 * The evolution of programs, for any problem that offers `program`: analyse, devise strategies, begin programs, let
 * islands work side by side until a limit, choose on unseen cases. This file is the algorithm from top to bottom; the
 * files beside it are its parts. Every decision is noted (src/notes/evolution.ts); no file is written.
 */
import type { Run } from '../../core/agent.ts';
import { defineAgent, type ProblemWith } from '../../core/define.ts';
import { UserError } from '../../core/errors.ts';
import { write } from '../../notes/evolution.ts';
import { orAtLimit } from '../kit/asking.ts';
import { analyse } from './analysis.ts';
import { evolutionRoles } from './asking.ts';
import { begin, firstOf, runTrialEvaluation, shareRoot } from './beginning.ts';
import { develop } from './candidate.ts';
import { evolutionSettings } from './evolution-settings.ts';
import { chooseFinal, submitBest } from './final.ts';
import type { Plan } from './operators/operator.ts';
import { planOf } from './operators/plan.ts';
import { repairOf, repairsInRow } from './operators/repair.ts';
import type { Island } from './population.ts';
import { evolutionPrompts } from './prompts.ts';
import { splitCases } from './race.ts';
import { answeredBy, checkClock, end, Search, sideBySide } from './search.ts';
import { decideSettings, type EvolutionSettings } from './settings.ts';
import { noteGeneration, settleSlot } from './stock.ts';
import { readInbox, receiveMessages } from './talk/talk.ts';

export const evolution = defineAgent({
  name: 'evolution',
  settings: evolutionSettings,
  needs: ['program'],
  roles: evolutionRoles,
  usual: typicalCalls,
  decide: (settings, { problem, limits }) => decideSettings(settings, problem.program, limits),
  prompts: evolutionPrompts,

  async solve(problem, run, settings) {
    const search = setUp(problem, run, settings);
    const evolve = async (): Promise<void> => {
      search.analysis = await answeredBy(search, run, 'analyst', () => analyse(run, problem, settings));
      await begin(search, run);
      await runTrialEvaluation(search, run);
      for (let round = 1; search.over === null; round += 1) {
        await runIslands(search, run, round);
        await finishRound(search, run);
      }
    };
    await orAtLimit(evolve, (message) => end(search, message));
    const program = await chooseFinal(search, run);
    return submitBest(search, run, program);
  },
});

function setUp(problem: ProblemWith<'program'>, run: Run, input: EvolutionSettings): Search {
  const { program: task } = problem;
  if (task.cases.length === 0) {
    throw new UserError({
      code: 'nothing-to-search',
      what: 'There is nothing to search on: the problem has no cases.',
      fix: 'Give it cases, or have them made.',
    });
  }
  const { settings } = decideSettings(input, task, {});
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

/** One line of work: it takes the next candidate, carries it through, repairs what failed, and takes the next. */
async function workOn(search: Search, island: Island, run: Run): Promise<void> {
  let ailing: { readonly plan: Plan; readonly repairs: number } | null = null;
  const talks: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    for (;;) {
      talks.push(...(await receiveMessages(search, run)));
      await checkClock(search, run);
      if (!canStart(search)) return;
      const slot = search.generations.begin(search.settings.populationSize);
      const plan: Plan = ailing?.plan ?? planOf(search, island, () => run.random());
      const program = await develop({ search, island, slot }, plan, run);
      const repairs: number = (ailing?.repairs ?? 0) + 1;
      const next = repairs <= repairsInRow ? repairOf(program) : null;
      ailing = next && { plan: next, repairs };
      settleSlot(search, run, slot);
    }
  };
  await orAtLimit(work, (message) => end(search, message));
  // A talk with the user holds up no candidate, and is finished before the line ends.
  for (const dialogue of talks) await dialogue;
  write(run, 'doing', { island: island.number, what: '' });
}

function canStart(search: Search): boolean {
  const { maxGenerations, populationSize } = search.settings;
  if (search.over === null && search.generations.isExhausted(populationSize, maxGenerations)) {
    const few = ['No generation was asked for beyond the first programs.', 'Its one generation is begun.'];
    end(search, few[maxGenerations] ?? `All ${maxGenerations} generations are begun.`);
  }
  return search.over === null;
}

/** To continue a session after its end, it is forked at this note; it finds settings with more room in its mail. */
async function finishRound(search: Search, run: Run): Promise<void> {
  for (const generation of search.generations.end()) noteGeneration(search, run, generation);
  const reason = search.over ?? '';
  write(run, 'search-over', { generation: search.generations.current, because: reason });
  await readInbox(search, run);
  if (search.settings === search.settingsAtEnd) return;
  search.over = null;
  search.stale = 0;
  await checkClock(search, run);
}

/** Every fourth candidate takes a second call: what failed is repaired, what did not match is sent again. */
function typicalCalls({ maxGenerations, populationSize, islands, room, given }: EvolutionSettings) {
  const first = 2 + Math.max(0, (room?.beginnings ?? islands ?? 1) - given.length);
  const turns = first + Math.ceil(maxGenerations * populationSize * 1.25);
  return { turns, outputTokens: 4_000, carriedTokens: 6_000 };
}
