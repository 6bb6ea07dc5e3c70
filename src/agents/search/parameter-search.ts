/** Searches the constants of a program without a model. The result counts only if it is better on unseen cases. */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { UserError } from '../../core/errors.ts';
import { type ProgramTask, programEvaluationIn } from '../../core/program.ts';
import { type Improvement, note, type TuningNotes } from '../../notes/tuning.ts';
import { orAtLimit } from '../kit/asking.ts';
import { type Constant, liftConstants, selectConstants } from './constants.ts';
import { changesText, holdOutCases, Race, type RaceEnd, testImprovement } from './tuning.ts';

const parameterWish = z
  .strictObject({
    name: z.string().min(1),
    low: z.number(),
    high: z.number(),
    scale: z.enum(['linear', 'log']).default('linear'),
  })
  .refine(({ low, high }) => low < high, 'its low end must be below its high end')
  .refine(({ low, scale }) => scale === 'linear' || low > 0, 'a logarithm needs a low end above 0');

const whole = (low: number, high: number, initial: number) => z.int().min(low).max(high).default(initial);

const parameterSearchSettings = z.strictObject({
  source: z.string().min(1).describe('The program.'),
  file: z
    .string()
    .default('main.cpp')
    .describe("For reports: the program's file, and the file for the tuned program."),
  writeTo: z
    .string()
    .nullable()
    .default(null)
    .describe('The file that a better program is written to; null: none.'),
  parameters: z
    .array(parameterWish)
    .max(64)
    .default([])
    .describe('Only these constants, with these ranges; empty: the marked ones, otherwise named constants.'),
  mostParameters: whole(1, 64, 8).describe('The most constants, if none is named or marked.'),
  cases: z
    .array(z.string())
    .min(2)
    .nullable()
    .default(null)
    .describe('Cases that the search looks at; null: all of the problem.'),
  unseenCases: whole(0, 10_000, 50).describe(
    'Cases for the final check. If the problem cannot make new ones, a third of its own is kept for it.',
  ),
  evaluations: whole(10, 100_000, 150).describe(
    'Calls of `run.evaluate` at most; each is one program on a few cases.',
  ),
  timeLimitSeconds: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('Seconds of the search, without the final check. Null: none.'),
});

export type ParameterSearchSettings = z.infer<typeof parameterSearchSettings>;

const level = 0.95;

export const parameterSearch = defineAgent({
  name: 'parameter-search',
  settings: parameterSearchSettings,
  needs: ['program'],
  roles: [],
  prompts: {},

  async solve(problem, run, settings) {
    const task = problem.program;
    const constants = selectParameters(settings);
    const cases = casesOf(run, task, settings);
    note(run, 'search', {
      constants: constants.map(({ start: _, end: __, text: ___, ...told }) => told),
      unit: unitOf(task),
      evaluations: settings.evaluations,
      cases: cases.searched.length,
      unseen: cases.unseen.length,
      areFresh: cases.areFresh,
    });
    const { compiled, message } = programEvaluationIn(await run.evaluate(settings.source, []));
    if (!compiled) return { end: 'gave-up', detail: `The program does not compile: ${message}` };
    const { race, because, trials } = await runSearch(run, { task, settings, constants, cases });
    const improvement = await proof(run, race, cases.unseen);
    const isBetter = improvement?.verdict === 'better';
    const values = isBetter ? race.best.values : race.original.values;
    note(run, 'tuned', {
      values,
      trials,
      evaluations: race.evaluations,
      gain: improvement,
      unit: unitOf(task),
      because,
    });
    const detail = isBetter ? changesText(constants, values) : 'No gain beyond noise: the program stays.';
    const source = isBetter ? race.best.source : settings.source;
    return { end: 'answered', answer: { type: 'source', language: task.language, source }, detail };
  },
});

/** Throws `UserError` where there is none, where a mark cannot be read, and where a name is unknown. */
export function selectParameters({
  source,
  parameters,
  mostParameters,
}: Readonly<Pick<ParameterSearchSettings, 'source' | 'mostParameters'>> & {
  readonly parameters: readonly z.infer<typeof parameterWish>[];
}): (Constant & TuningNotes['search']['constants'][number])[] {
  const lifted = liftConstants(source);
  if (parameters.length > 0)
    return parameters.map((wish) => ({ ...named(lifted.constants, wish.name), ...wish }));
  if (lifted.complaints.length > 0) {
    throw new UserError({
      code: 'parameter-mark-invalid',
      what: 'A mark in the program cannot be read.',
      why: lifted.complaints.join(' '),
      fix: 'Correct it, or take it away.',
    });
  }
  const selected = selectConstants(lifted, mostParameters);
  if (selected.length > 0) return [...selected];
  throw new UserError({
    code: 'no-constants',
    what: 'The program has no constant that could be tuned.',
    why: 'Numbers are tuned that are marked, and named constants that are no size, seed or clock: others may be structure.',
    fix: 'Declare what is a choice as a constant, `const double START = 120;`, or mark it: `// tune: 10..1000 log`.',
  });
}

function named(constants: readonly Constant[], name: string): Constant {
  const found = constants.find((each) => each.name === name);
  if (found) return found;
  const names = constants.map((each) => each.name);
  throw new UserError({
    code: 'no-constants',
    what: `The program has no constant ${name} that could be tuned.`,
    why: names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none at all.',
    fix: 'Name one of them, or mark the number that you mean: `// tune: 10..1000 log`.',
  });
}

function casesOf(run: Run, task: ProgramTask, { cases: asked, unseenCases }: ParameterSearchSettings) {
  const cases = asked ?? task.cases;
  const unknown = cases.find((name) => !task.cases.includes(name));
  if (unknown !== undefined) {
    throw new UserError({
      code: 'no-such-case',
      what: `There is no case ${unknown}.`,
      fix: 'Name cases that the problem has.',
    });
  }
  const { searched, unseen } = holdOutCases(run, cases);
  if (!task.fresh || unseenCases === 0) return { searched, unseen, areFresh: false };
  const all = [...unseen, ...searched.filter((name) => !unseen.includes(name))];
  return { searched: all, unseen: task.fresh(0, unseenCases), areFresh: true };
}

function unitOf({ scoring }: ProgramTask): TuningNotes['search']['unit'] {
  return scoring === 'relative' ? 'share' : 'score';
}

type Search = {
  readonly task: ProgramTask;
  readonly settings: ParameterSearchSettings;
  readonly constants: readonly Constant[];
  readonly cases: ReturnType<typeof casesOf>;
};

/** A limit of the run ends the search like any other end of it: what was found until then counts. */
async function runSearch(run: Run, { task, settings, constants, cases }: Search) {
  const { source, evaluations, timeLimitSeconds } = settings;
  let trials = 0;
  const race: Race = new Race(run, {
    task,
    source,
    constants,
    evaluations,
    best: {},
    cases: cases.searched,
    mayGoOn: async () => timeLimitSeconds === null || (await run.alive()) <= timeLimitSeconds * 1000,
    onTrial(trial) {
      trials += 1;
      note(run, 'trial', { ...trial, unit: unitOf(task), evaluations: race.evaluations });
    },
  });
  const ending = await orAtLimit(
    () => race.search(),
    () => 'limit' as const,
  );
  return { race, because: endings[ending], trials };
}

const endings: Readonly<Record<RaceEnd | 'limit', string>> = {
  evaluations: 'The evaluations were used up.',
  exhausted: 'Nothing new was left to be tried.',
  stopped: 'The time was up.',
  limit: 'A limit of the run was reached.',
};

/** Null where there is nothing to be proved, or a limit left nothing for it: then nothing is believed. */
async function proof(run: Run, race: Race, unseen: readonly string[]): Promise<Improvement | null> {
  if (race.best === race.original) return null;
  return orAtLimit(
    () => testImprovement(run, race, unseen, level),
    () => null,
  );
}
