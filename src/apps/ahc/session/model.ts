/**
 * What the configuration says of models, for the process that calls them: names, settings, API key and timeout. A key goes
 * only to the provider that the configuration names with it. It is read here and written nowhere.
 */
import type { ModelSettings } from '../../../core/model.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import type { Environment } from '../../../io/home.ts';
import { providerOf, providers } from '../../../models/providers/index.ts';
import { lastingModelName } from '../../../open/models.ts';
import { modelOfConfig } from '../workspace/model.ts';

export type ModelChoices = {
  /** By role, as the command line names them. */
  readonly models: Readonly<Record<string, string>>;
  readonly modelSettings: Readonly<Record<string, ModelSettings>>;
};

/** The models of the command line; where it names none for all roles, the one of the configuration serves the others. */
export function chosenModels(config: Resolved, given: ModelChoices, folder: string): ModelChoices {
  const { model, settings } = modelOfConfig(config);
  const models =
    given.models.default !== undefined || model === null
      ? given.models
      : { default: lastingModelName(model, folder), ...given.models };
  return { models, modelSettings: withConfigured(config, settings, given.modelSettings) };
}

/** `--setting` overrides the configuration; the temperature of changes overrides that of all calls. */
function withConfigured(
  config: Resolved,
  settings: ModelSettings,
  given: ModelChoices['modelSettings'],
): ModelChoices['modelSettings'] {
  const all = { ...settings, ...given.default };
  const temperature = config.get('evolution.temperature');
  const ofSolver =
    typeof temperature === 'number' &&
    all.temperature !== undefined &&
    given.default?.temperature === undefined
      ? { temperature }
      : {};
  const solver = { ...ofSolver, ...given.solver };
  return {
    ...given,
    ...(Object.keys(all).length > 0 ? { default: all } : {}),
    ...(Object.keys(solver).length > 0 ? { solver } : {}),
  };
}

/** The environment with the configured key and timeout in the variables of its provider. */
export function modelEnvironment(
  config: Resolved,
  env: Environment,
  models: Readonly<Record<string, string>>,
): Environment {
  return { ...env, ...keyFor(config, models), ...timeoutOf(config) };
}

/** Expanded only where a model of that provider is called. */
function keyFor(config: Resolved, models: Readonly<Record<string, string>>): Record<string, string> {
  if (config.raw('llm.api_key').value === null) return {};
  const provider = configuredProvider(config);
  const isCalled = Object.values(models).some((spec) => provider && providerIn(spec) === provider);
  const variable = provider?.keys[0];
  if (!isCalled || variable === undefined) return {};
  return { [variable]: String(config.get('llm.api_key')) };
}

function configuredProvider(config: Resolved) {
  const name = config.get('llm.provider');
  if (typeof name === 'string') return providerOf(name.trim().toLowerCase());
  const { model } = modelOfConfig(config);
  return model === null ? undefined : providerIn(model);
}

function providerIn(spec: string) {
  const [word = ''] = spec.split('/', 1);
  return word === spec ? undefined : providerOf(word);
}

/** In whole seconds, as these variables expect. */
function timeoutOf(config: Resolved): Record<string, string> {
  const seconds = config.get('llm.timeout');
  if (typeof seconds !== 'number') return {};
  const variables = [
    'POLYA_SILENCE_SECONDS',
    ...providers.flatMap(({ silenceVariable = [] }) => silenceVariable),
  ];
  return Object.fromEntries(variables.map((name) => [name, String(Math.max(1, Math.ceil(seconds)))]));
}

/** Null unless no model that is called uses the configured key. */
export function unusedKeyWarning(config: Resolved, models: Readonly<Record<string, string>>): string | null {
  if (config.raw('llm.api_key').value === null) return null;
  const provider = configuredProvider(config);
  if (provider && Object.values(models).some((spec) => providerIn(spec) === provider)) return null;
  if (!Object.values(models).some((spec) => providerIn(spec))) return null;
  return provider
    ? `llm.api_key belongs to ${provider.name}, which is not asked; the keys of other providers come from the environment.`
    : 'llm.api_key is not used: neither llm.provider nor llm.model says whose key it is.';
}
