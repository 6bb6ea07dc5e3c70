/**
 * The best of N that build on nothing: what any search and any pattern has to beat at equal cost. Of a contest it draws
 * programs, repairs them where they fail and runs them on all cases; it is made of the parts of the search and writes its
 * notes. Other problems are `best-answer.ts`.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { write } from '../../notes/evolution.ts';
import { orAtLimit, user } from '../kit/asking.ts';
import { firstMessages, openingPrompt } from './asking.ts';
import { plainStrategy } from './beginning.ts';
import { bestAnswer, bestAnswerPrompts } from './best-answer.ts';
import { develop } from './candidate.ts';
import { evolutionSettings } from './evolution-settings.ts';
import { chooseFinal, submitBest } from './final.ts';
import { initial, startingText } from './operators/initial.ts';
import type { Operator, Plan } from './operators/operator.ts';
import { propose, proposePrompts } from './operators/propose.ts';
import { repair, repairOf, repairsInRow } from './operators/repair.ts';
import { islandOf } from './population.ts';
import { splitCases } from './race.ts';
import { checkClock, end, Search, sideBySide } from './search.ts';
import { decideSettings, heldOutCases, searchCases, temperatureOfCalls, timeLimit } from './settings.ts';
import { usualStrategies } from './strategies.ts';

const prompts: Readonly<Record<string, string>> = {
  ...openingPrompt,
  startingProgram: initial.prompts.startingProgram ?? '',
  noProgram: initial.prompts.noProgram ?? '',
  drawn: `Write the best program for this that you can, whole. {{draft}}{{start}}

Begin with one line that says what its approach is:

IDEA: …

Then give the whole program in one fenced block of code.`,
  ...repair.prompts,
  ...proposePrompts,
  ...bestAnswerPrompts,
};

const settingsOfBest = z.strictObject({
  programs: z
    .int()
    .min(1)
    .max(100_000)
    .default(16)
    .describe('Programs, or answers, that are asked for, without repairs.'),
  atOnce: z.int().min(1).max(32).default(4).describe('How many are worked on side by side.'),
  searchCases,
  heldOutCases,
  timeLimitSeconds: timeLimit,
  temperature: temperatureOfCalls,
});

export const bestOfN = defineAgent({
  name: 'best-of-n',
  settings: settingsOfBest,
  needsOneOf: ['program', 'samples', 'check'],
  prompts,
  usual: ({ programs }) => ({ turns: Math.ceil(programs * 1.25), outputTokens: 4_000, carriedTokens: 0 }),

  async solve(problem, run, { programs, atOnce, ...shared }) {
    const { program: task } = problem;
    if (!task) return bestAnswer(problem, run, { programs, atOnce, temperature: shared.temperature });
    const { settings } = decideSettings(evolutionSettings.parse(shared), task, {});
    const cases = splitCases(run, task, settings);
    write(run, 'setting', {
      islands: 1,
      beginnings: programs,
      populationSize: programs,
      maxGenerations: 0,
      timeLimitSeconds: settings.timeLimitSeconds,
      plateauGenerations: 0,
      cases: cases.search.length,
    });
    const search = new Search(problem, task, settings, cases, run.limits);
    const island = islandOf(1, plainStrategy);
    let [sample, requested] = [0, 0];
    // A call that is refused would break off what the others still run.
    const mayAsk = () =>
      search.over === null && requested < (run.limits.modelCalls ?? Number.POSITIVE_INFINITY);
    const drawOne = async (here: Run): Promise<void> => {
      sample += 1;
      let plan: Plan | null = { operator: nthOperator(sample), parent: null };
      for (let tries = 0; plan && mayAsk(); tries += 1) {
        requested += 1;
        const slot = search.generations.beginFirst();
        const program = await develop({ search, island, slot }, plan, here);
        requested += Math.max(0, program.calls - 1);
        search.generations.settle(slot);
        plan = tries < repairsInRow ? repairOf(program) : null;
      }
    };
    const drawAll = async (here: Run): Promise<void> => {
      while (sample < programs && mayAsk()) {
        if (sample > 0 && !(await checkClock(search, here))) return;
        await drawOne(here);
      }
    };
    const lines = Array.from({ length: atOnce }, (_, at) => `draw-${at + 1}`);
    await sideBySide(run, lines, String, (_, here) =>
      orAtLimit(
        () => drawAll(here),
        (message) => end(search, message),
      ),
    );
    return submitBest(search, run, await chooseFinal(search, run));
  },
});

/** The first as its author likes best; to each of the others another approach is named, or they would be the first again. */
function nthOperator(number: number): Operator {
  const defaults = number > 1 ? usualStrategies[(number - 2) % usualStrategies.length] : undefined;
  const draft = defaults
    ? `Others write one beside you; yours is of this kind, unless it fits badly: ${defaults.name}. ${defaults.idea}`
    : '';
  return {
    name: 'draw',
    asks: 'first',
    prompts: {},
    propose(work) {
      const { search, run, doing } = work;
      doing('asks for a program');
      const question = run.prompt('drawn', { draft, start: startingText(run, search.task.template) });
      return propose(work, {
        messages: [...firstMessages(run, search.problem), user(question)],
        base: null,
        summary: `program ${number}`,
        prompt: 'drawn',
      });
    },
  };
}
