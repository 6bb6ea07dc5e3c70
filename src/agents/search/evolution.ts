/**
 * The evolution of programs, for any problem that offers `program`: analyse, devise strategies, begin one program on each
 * island, let the islands work side by side until a limit, and choose on cases that nobody has looked at. Everything that
 * it decides it notes (src/notes/evolution.ts); it writes no file.
 */

import type { Run, Solution } from '../../core/agent.ts';
import { defineAgent, type ProblemWith } from '../../core/define.ts';
import { LimitReached, UserError } from '../../core/errors.ts';
import { analyse } from './analysis.ts';
import { evolutionRoles } from './asking.ts';
import { begin } from './beginning.ts';
import { splitCases } from './case-split.ts';
import { chooseFinal } from './final.ts';
import { tell } from './generation-end.ts';
import { runIslands } from './islands.ts';
import { lookUpKnowledge } from './learned.ts';
import { readMail } from './mail.ts';
import { evolutionPrompts } from './prompts.ts';
import { decided } from './room.ts';
import { end, newSearch, type Search, write } from './search.ts';
import { type EvolutionSettings, evolutionSettings } from './settings.ts';
import { leftForGrading, lookAtClock } from './time.ts';
import { holdTrial } from './trial.ts';

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
    try {
      search.analysis = await analyse(run, problem, settings);
      await lookUpKnowledge(search, run);
      await begin(search, run);
      await holdTrial(search, run);
      for (let round = 1; search.over === null; round += 1) {
        await runIslands(search, run, round);
        await lookWhetherItGoesOn(search, run);
      }
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      end(search, error.message);
    }
    const chosen = await chooseFinal(search, run);
    return handIn(search, chosen, await leftForGrading(search, run));
  },
});

function setUp(problem: ProblemWith<'program'>, run: Run, given: EvolutionSettings): Search {
  const { program: task } = problem;
  if (task.cases.length === 0) {
    throw new UserError({
      code: 'nothing-search-on-problem-no',
      what: 'There is nothing to search on: the problem has no cases.',
      fix: 'Give it cases, or have them made.',
    });
  }
  const { settings } = decided(given, task, {});
  const cases = splitCases(run, task, settings);
  write(run, 'setting', {
    islands: settings.islands,
    beginnings: settings.beginnings,
    populationSize: settings.populationSize,
    maxGenerations: settings.maxGenerations,
    timeLimitSeconds: settings.timeLimitSeconds,
    plateauGenerations: settings.plateauGenerations,
    cases: cases.search.length,
  });
  return newSearch(problem, task, settings, cases);
}

/** A session that is to go on is a fork from the note on; it finds settings with more room in its mail. */
async function lookWhetherItGoesOn(search: Search, run: Run): Promise<void> {
  for (const generation of search.generations.end()) tell(search, run, generation);
  const because = search.over ?? '';
  write(run, 'search-over', { generation: search.generations.current, because });
  await readMail(search, run);
  if (search.settings === search.settingsAtEnd) return;
  search.over = null;
  search.stale = 0;
  await lookAtClock(search, run);
}

function handIn(search: Search, program: Search['champion'], gradeWithinMs: number): Solution {
  const because = search.over ?? '';
  if (!program) {
    return { end: 'gave-up', detail: `No program ran on all cases without a failure. ${because}`.trim() };
  }
  const { language } = search.task;
  const answer = { type: 'source', language, source: program.source } as const;
  return { end: 'answered', answer, detail: `${program.id}. ${because}`.trim(), gradeWithinMs };
}

/** Every fourth candidate takes a second call: what failed is repaired, what did not match is sent again. */
function usualOf({ maxGenerations, populationSize, islands, beginnings, given }: EvolutionSettings) {
  const first = 2 + Math.max(0, (beginnings ?? islands ?? 1) - given.length);
  const turns = first + Math.ceil(maxGenerations * populationSize * 1.25);
  return { turns, outputTokens: 4_000, carriedTokens: 6_000 };
}
