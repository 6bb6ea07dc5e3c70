/**
 * What the configuration says of a session: the agent's settings, how its files are kept, and the
 * `configuration_snapshot` that its session.json shows. A session that goes on keeps the values that it began with, except
 * those that have changed since. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { searchSettings } from '../../../notes/search-settings.ts';
import { shownValue } from '../workspace/edit.ts';

/** By the name of the agent's setting, its key in the configuration, where `null` leaves the setting unset. */
export const agentKeys: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(searchSettings).map(([name, { key }]) => [name, key]),
);

/** The settings of the search that the configuration names. */
export function settingsOf(config: Resolved): JsonObject {
  const configured = Object.entries(agentKeys).map(([name, key]) => [name, config.get(key)] as const);
  const settings = Object.fromEntries(configured.filter(([, value]) => value !== null)) as JsonObject;
  return { ...settings, ...crossing(settings) };
}

/** A user who words how programs are joined wants some programs joined. */
export function crossing({ crossoverPrompts }: JsonObject): JsonObject {
  const isWorded = Array.isArray(crossoverPrompts) && crossoverPrompts.length > 0;
  return isWorded ? { operators: { crossover: 0.15 } } : {};
}

/** How the files of a session are kept. */
export function filesKept(config: Resolved) {
  return {
    keepsFiles: config.get('workspace.keep_session_files') === true,
    maxLogBytes: Number(config.get('workspace.max_log_size_mb')) * 1024 * 1024,
    logsAreJson: config.get('logging.json') === true,
  };
}

/** Every key, its variables unexpanded. `settings`: the agent's, as they hold; `options`: what the command line chose. */
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

/** An option of `before` that `now` does not name stays. */
export function snapshotGoingOn(before: JsonObject, now: JsonObject, settings: JsonObject): JsonObject {
  return { ...now, ...keysOf(settings), options: joined(before.options, now.options) };
}

/** Settings by their keys, whether an option, `--set` or a file named them. */
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
