/**
 * What the configuration says of a session: the agent's settings, models with their settings, API key and timeout, how its
 * files are kept, and the `configuration_snapshot` that its session.json shows. A session that goes on keeps the values that
 * it began with, except those that have changed since. A key goes only to the provider that the configuration names with it.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { ModelSettings } from '../../../core/model.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import type { Environment } from '../../../io/home.ts';
import { providerOf, providers } from '../../../models/providers/index.ts';
import { searchSettings } from '../../../notes/search-settings.ts';
import { absoluteModelName } from '../../../open/models.ts';
import { modelOfConfig } from '../workspace/config.ts';
import { shownValue } from '../workspace/edit.ts';

/** By the name of the agent's setting, its key in the configuration, where `null` leaves the setting unset. */
export const agentKeys: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(searchSettings).map(([name, { key }]) => [name, key]),
);

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

export function filesKept(config: Pick<Resolved, 'get'>) {
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
  const plain = JSON.parse(JSON.stringify(options));
  return { ...Object.fromEntries(keys), ...keysOf(settings), options: plain };
}

/** An option of `before` that `now` does not name stays. */
export function snapshotGoingOn(before: JsonObject, now: JsonObject, settings: JsonObject): JsonObject {
  return { ...now, ...keysOf(settings), options: joined(before.options, now.options) };
}

/** Settings by their keys, whether an option, `--set` or a file named them. */
function keysOf(settings: JsonObject): JsonObject {
  const named = Object.entries(agentKeys).filter(([name]) => settings[name] !== undefined);
  return Object.fromEntries(named.map(([name, key]) => [key, settings[name]]));
}

/** Models and limits are named one by one. */
function joined(before: Json | undefined, now: Json | undefined): Json {
  if (!isJsonObject(before) || !isJsonObject(now)) return now ?? before ?? null;
  const inner = ['models', 'limits'].map((name) => [name, joined(before[name], now[name])] as const);
  return { ...before, ...now, ...Object.fromEntries(inner) };
}

type Models = Readonly<Record<string, string>>;

export type ModelChoices = {
  /** By role, as the command line names them. */
  readonly models: Models;
  readonly modelSettings: Readonly<Record<string, ModelSettings>>;
};

/** The models of the command line; where it names none for all roles, the one of the configuration serves the others. */
export function chosenModels(config: Resolved, modelChoices: ModelChoices, folder: string): ModelChoices {
  const { model, settings } = modelOfConfig(config);
  const isConfigured = modelChoices.models.default === undefined && model !== null;
  const models = isConfigured
    ? { default: absoluteModelName(model, folder), ...modelChoices.models }
    : modelChoices.models;
  return { models, modelSettings: withConfigured(config, settings, modelChoices.modelSettings) };
}

/** `--setting` overrides the configuration; the temperature of changes overrides that of all calls. */
function withConfigured(
  config: Resolved,
  settings: ModelSettings,
  input: ModelChoices['modelSettings'],
): ModelChoices['modelSettings'] {
  const all = { ...settings, ...input.default };
  const temperature = config.get('evolution.temperature');
  const isUsual = all.temperature !== undefined && input.default?.temperature === undefined;
  const solver = { ...(isUsual && typeof temperature === 'number' ? { temperature } : {}), ...input.solver };
  return {
    ...input,
    ...(Object.keys(all).length > 0 ? { default: all } : {}),
    ...(Object.keys(solver).length > 0 ? { solver } : {}),
  };
}

/** The environment with the configured key and timeout in the variables of its provider. */
export function modelEnvironment(config: Resolved, env: Environment, models: Models): Environment {
  return { ...env, ...keyFor(config, models), ...timeoutOf(config) };
}

/** Expanded only where a model of that provider is called. */
function keyFor(config: Resolved, models: Models): Record<string, string> {
  if (config.raw('llm.api_key').value === null) return {};
  const provider = configuredProvider(config);
  const [variable] = provider?.keys ?? [];
  if (variable === undefined || !providersOf(models).includes(provider)) return {};
  return { [variable]: String(config.get('llm.api_key')) };
}

function configuredProvider(config: Resolved) {
  const name = config.get('llm.provider');
  if (typeof name === 'string') return providerOf(name.trim().toLowerCase());
  const { model } = modelOfConfig(config);
  return model === null ? undefined : providerIn(model);
}

function providersOf(models: Models) {
  return Object.values(models).map(providerIn);
}

function providerIn(spec: string) {
  const [word = ''] = spec.split('/', 1);
  return word === spec ? undefined : providerOf(word);
}

/** In whole seconds, as these variables expect. */
function timeoutOf(config: Resolved): Record<string, string> {
  const seconds = config.get('llm.timeout');
  if (typeof seconds !== 'number') return {};
  const ofProviders = providers.flatMap(({ silenceVariable = [] }) => silenceVariable);
  const value = String(Math.max(1, Math.ceil(seconds)));
  return Object.fromEntries(['POLYA_SILENCE_SECONDS', ...ofProviders].map((name) => [name, value]));
}

/** Null unless no model that is called uses the configured key. */
export function unusedKeyWarning(config: Resolved, models: Models): string | null {
  if (config.raw('llm.api_key').value === null) return null;
  const provider = configuredProvider(config);
  const called = providersOf(models).filter((each) => each !== undefined);
  if (called.length === 0 || (provider && called.includes(provider))) return null;
  return provider
    ? `llm.api_key belongs to ${provider.name}, which is not asked; the keys of other providers come from the environment.`
    : 'llm.api_key is not used: neither llm.provider nor llm.model says whose key it is.';
}
