/** Providers, the variables of their keys, and what a model takes, for people. It calls nothing and shows no key. */
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { networkOf } from '../io/network.ts';
import { splitId } from './catalogue.ts';
import { baseUrlIn, type Environment, isLoopback, keyVariableIn, type Provider } from './provider.ts';
import { providerOf, providers } from './providers/index.ts';
import { type SettingName, settingNames } from './settings-rules.ts';

export type ProviderDescription = {
  readonly name: string;
  readonly title: string;
  readonly form: string;
  /** The variables that may hold its key, and the one that does; null where none is set. */
  readonly keyVariables: readonly string[];
  readonly keyVariable: string | null;
  readonly needsKey: boolean;
  readonly baseUrlVariable: string;
  /** Null if it is the provider's usual address, or unknown. */
  readonly baseUrl: string | null;
  /** Whether its key and address are set, so that a model could be asked now. */
  readonly isReady: boolean;
  /** Whether its user has set a key or an address for it. */
  readonly isConfigured: boolean;
  readonly settings: string;
};

export function describeProviders(env: Environment): readonly ProviderDescription[] {
  return providers.map((provider) => describe(provider, env));
}

export type ModelDescription = {
  readonly model: string;
  readonly provider: ProviderDescription;
  /** By the name of each setting: what the model takes of it, in words. */
  readonly settings: Readonly<Record<SettingName, string>>;
};

export async function describeModel(id: string, env: Environment): Promise<ModelDescription> {
  const { word, name } = splitId(id);
  const provider = providerOf(word);
  if (!provider || !name) {
    throw new UserError({
      code: 'no-live-model',
      what: `"${id}" is no model of a provider.`,
      fix: `Write it as PROVIDER/NAME. There are: ${providers.map((each) => each.name).join(', ')}.`,
    });
  }
  const rules = await provider.rules(name);
  const claimed = Object.keys(settingNames).map((setting) => {
    const lines = rules.filter((rule) => rule.setting === setting).map(({ takes }) => takes);
    return [setting, lines.includes('no') ? 'no' : [...new Set(lines)].join('; ') || 'yes'];
  });
  return { model: id, provider: describe(provider, env), settings: Object.fromEntries(claimed) };
}

function describe(provider: Provider, env: Environment): ProviderDescription {
  const keyVariable = keyVariableIn(provider, env) ?? null;
  const baseUrl = baseUrlIn(provider, env) ?? provider.baseUrl ?? null;
  const isOwnServer = provider.needsBaseUrl && baseUrl !== null && isLoopback(baseUrl);
  const needsKey = !provider.keyIsOptional && !isOwnServer;
  return {
    name: provider.name,
    title: provider.title,
    form: `${provider.name}/NAME`,
    keyVariables: provider.keys,
    keyVariable,
    needsKey,
    baseUrlVariable: provider.baseUrlVariable,
    baseUrl,
    isReady: (keyVariable !== null || !needsKey) && (baseUrl !== null || !provider.needsBaseUrl),
    isConfigured: keyVariable !== null || Boolean(env[provider.baseUrlVariable]?.trim()),
    settings: provider.settings,
  };
}

export type LocalServer = {
  readonly provider: string;
  readonly url: string;
  readonly models: readonly string[];
};

const patienceMs = 10_000;

/** Servers of known kinds at their usual ports, and what answers at a loopback address that the user has set. */
export async function findLocalServers(env: Environment): Promise<readonly LocalServer[]> {
  const found = await Promise.all(providers.map((provider) => inspectLocalServer(provider, env)));
  return found.filter((server) => server !== null);
}

async function inspectLocalServer(provider: Provider, env: Environment): Promise<LocalServer | null> {
  const { local, name } = provider;
  const configured = baseUrlIn(provider, env);
  const baseUrl = configured ?? (local && provider.baseUrl);
  if (!baseUrl || !(local || isLoopback(baseUrl))) return null;
  if (local) {
    const sign = await get(`${baseUrl.replace(/\/v1$/, '')}${local.route}`, env);
    const fields = z.record(z.string(), z.unknown()).safeParse(sign);
    if (!fields.success || !Object.hasOwn(fields.data, local.sign)) return null;
  }
  const entry = modelsSchema.safeParse(await get(`${baseUrl}/models`, env));
  if (!local && !entry.success) return null;
  return { provider: name, url: baseUrl, models: entry.data?.data.map(({ id }) => id) ?? [] };
}

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

async function get(url: string, env: Environment): Promise<unknown> {
  try {
    const response = await networkOf(env).fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
