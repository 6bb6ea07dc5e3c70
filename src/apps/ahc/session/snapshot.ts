/**
 * `configuration_snapshot` of a session: every key as it holds, its variables as they stand, and beside them what the
 * command line chose. A session that goes on keeps what it was begun with but for what is another now. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { shownValue } from '../workspace/edit.ts';

/** Settings of the agent by the keys of the configuration; `null` there says nothing. */
export const agentKeys: Readonly<Record<string, string>> = {
  maxGenerations: 'evolution.max_generations',
  populationSize: 'evolution.population_size',
  timeLimitSeconds: 'evolution.time_limit_seconds',
  plateauGenerations: 'evolution.score_plateau_generations',
  temperature: 'evolution.temperature',
  mutationPrompts: 'evolution.mutation_prompts',
  crossoverPrompts: 'evolution.crossover_prompts',
};

/** `settings`: the agent's, as they hold; `options`: what the command line chose. */
export function snapshotOf(config: Resolved, settings: JsonObject, options: object): JsonObject {
  const keys = configKeys.map(({ path, isSecret }) => {
    const { value } = config.raw(path);
    return [path, isSecret && value !== null ? shownValue(value, true) : (value as Json)];
  });
  return {
    ...Object.fromEntries(keys),
    ...keysOf(settings),
    options: JSON.parse(JSON.stringify(options)),
  };
}

/** What `before` names and `now` does not stays as it was. */
export function snapshotGoingOn(before: JsonObject, now: JsonObject, settings: JsonObject): JsonObject {
  return { ...now, ...keysOf(settings), options: joined(before.options, now.options) };
}

/** However it was set: by an option of its own, as a setting, or in a file. */
function keysOf(settings: JsonObject): JsonObject {
  const named = Object.entries(agentKeys).flatMap(([name, key]) =>
    settings[name] === undefined ? [] : [[key, settings[name]] as const],
  );
  return Object.fromEntries(named);
}

/** Models and limits are named one by one. */
function joined(before: Json | undefined, now: Json | undefined): Json {
  if (!isJsonObject(before) || !isJsonObject(now)) return now ?? before ?? null;
  const inner = ['models', 'limits'].map((name) => [name, joined(before[name], now[name])] as const);
  return { ...before, ...now, ...Object.fromEntries(inner) };
}
