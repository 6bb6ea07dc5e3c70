/**
 * Settings of a search that are also keys of the configuration, some also options of `ahc solve`. Each is declared here
 * once, for the agent's schema, the keys, the options and the documentation.
 */
import { z } from 'zod';

const generations = z.int().min(0).max(1_000_000);
const wordings = z.array(z.string().trim().min(1, 'must not be empty')).max(100);

export const searchSettings = {
  maxGenerations: {
    key: 'evolution.max_generations',
    schema: generations,
    initial: 30,
    about: 'Generations of a session',
    option: { flags: '--max-generations <number>', about: 'of the session, in all' },
  },
  /** Of all islands together. */
  populationSize: {
    key: 'evolution.population_size',
    schema: z.int().min(1).max(10_000),
    initial: 10,
    about: 'Programs in a generation',
    option: { flags: '--population-size <number>', about: 'candidates in a generation' },
  },
  /** What has been begun is brought to its end. */
  timeLimitSeconds: {
    key: 'evolution.time_limit_seconds',
    schema: z.number().positive().max(31_536_000),
    initial: 1800,
    about: 'Seconds of a session, with all its continuations',
    option: { flags: '--time-limit <seconds>', about: 'of the session, with all its continuations' },
  },
  plateauGenerations: {
    key: 'evolution.score_plateau_generations',
    schema: generations,
    initial: 5,
    about: 'Generations without a better score after which a session ends; 0: never',
  },
  temperature: {
    key: 'evolution.temperature',
    schema: z.number().min(0).max(2),
    initial: null,
    about: 'For the calls that change programs. Unset: llm.temperature',
  },
  mutationPrompts: {
    key: 'evolution.mutation_prompts',
    schema: wordings,
    initial: [],
    about: 'Your own words for a change; places: {code_snippet} {function_code}',
  },
  crossoverPrompts: {
    key: 'evolution.crossover_prompts',
    schema: wordings,
    initial: [],
    about: 'Your own words for joining two; places: {code_A} {code_B}',
  },
} as const;
