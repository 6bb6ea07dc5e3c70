/**
 * From the name that a user writes to a model: the one list of what there is. To add a provider, write a file that
 * makes a `Model` and give it a line in `providers`. Environment and prices come in as configuration; nothing here
 * reads the process.
 */
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { Price } from '../core/usage.ts';
import type { People } from './manual/manual.ts';
import { type Script, scriptedModel } from './scripted.ts';

export type ModelConfig = {
  /** Environment variables by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null where nobody knows it; `id` is what the user wrote, `baseUrl` tells whose wire a server of many speaks. */
  readonly priceOf: (id: string, baseUrl?: string) => Price | null;
  /** Scripts in TypeScript, for `scripted/NAME`. */
  readonly scripts?: Readonly<Record<string, Script>>;
  /** Who answers for `manual`; nobody where missing. */
  readonly people?: People;
  /** What the paths of script files are relative to; where missing, the working folder. */
  readonly folder?: string;
};

type Provider = {
  /** How its models are written, for people. */
  readonly form: string;
  readonly prefix: string;
  /** `name` is what follows the prefix. */
  resolve(name: string, id: string, config: ModelConfig): Promise<Model>;
};

const providers: readonly Provider[] = [
  { form: 'scripted:FILE', prefix: 'scripted:', resolve: scriptFile },
  { form: 'scripted/NAME', prefix: 'scripted/', resolve: namedScript },
  {
    form: 'manual, manual:FOLDER, manual:http[:PORT]',
    prefix: 'manual:',
    resolve: (_, id, config) => person(id, config),
  },
  { form: 'replay:FILE', prefix: 'replay:', resolve: cassette('order') },
  { form: 'replay-matched:FILE', prefix: 'replay-matched:', resolve: cassette('request') },
  { form: 'openai-compatible/NAME', prefix: 'openai-compatible/', resolve: openAiCompatible },
];

/** Every form of a model's name. */
export const modelForms: readonly string[] = providers.map(({ form }) => form);

/** Throws `UserError` where there is no such model, or where a key or a file for it is missing. */
export async function resolveModel(id: string, config: ModelConfig): Promise<Model> {
  if (id === 'manual') return person(id, config);
  const provider = providers.find(({ prefix }) => id.startsWith(prefix));
  const name = provider ? id.slice(provider.prefix.length).trim() : '';
  if (provider && name) return provider.resolve(name, id, config);
  throw new UserError({
    what: `There is no model "${id}".`,
    why: provider ? `Nothing follows "${provider.prefix}".` : 'Its provider is not known.',
    fix: `Models are written ${modelForms.join(', ')}.`,
  });
}

async function scriptFile(path: string, id: string, { folder }: ModelConfig): Promise<Model> {
  // Loaded here because the YAML parser and the schema cost 60 ms that only scripts from files need.
  const { loadScript } = await import('./script-file.ts');
  return scriptedModel({ id, script: await loadScript(folder ? resolve(folder, path) : path) });
}

async function namedScript(name: string, id: string, { scripts = {} }: ModelConfig): Promise<Model> {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script) return scriptedModel({ id, script });
  const names = Object.keys(scripts);
  throw new UserError({
    what: `There is no script "${name}".`,
    why: names.length ? `There are: ${names.join(', ')}.` : 'No scripts by name are given here.',
    fix: 'For a script in a file, write `scripted:FILE`.',
  });
}

function person(id: string, { people, folder = '.' }: ModelConfig): Promise<Model> {
  if (people) return people.model(id, id.slice('manual'.length), folder);
  throw new UserError({
    what: 'Nobody can be asked here.',
    why: 'Whoever opened Polya named no person who would answer.',
    fix: 'Give `openPolya` a `person`, or choose another model.',
  });
}

function cassette(match: 'order' | 'request'): Provider['resolve'] {
  return async (name, id, { folder }) => {
    // Loaded here because the schema costs time that only cassettes need.
    const { loadReplay } = await import('./cassette/replay.ts');
    return loadReplay({ id, path: folder ? resolve(folder, name) : name, match });
  };
}

async function openAiCompatible(name: string, id: string, config: ModelConfig): Promise<Model> {
  const baseUrl = required(
    'OPENAI_COMPATIBLE_BASE_URL',
    id,
    config,
    'Set it to where the API is, often `…/v1`.',
  );
  const apiKey = required('OPENAI_COMPATIBLE_API_KEY', id, config, 'A server without keys takes any word.');
  if (!isHttpUrl(baseUrl)) {
    throw new UserError({
      what: `The variable OPENAI_COMPATIBLE_BASE_URL is no usable address: "${withoutPassword(baseUrl)}".`,
      fix: 'It must begin with http:// or https://, and hold no user and password.',
    });
  }
  if (!/^[\x20-\x7e]+$/.test(apiKey)) {
    throw new UserError({
      what: 'The variable OPENAI_COMPATIBLE_API_KEY is no usable key.',
      why: 'It holds a line break or another character that no HTTP header can carry.',
      fix: 'Set it again, to the key alone, on one line.',
    });
  }
  const silenceTimeoutMs = silenceTimeoutMsIn(config);
  // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
  const { openAiCompatibleModel } = await import('./openai-compatible.ts');
  return openAiCompatibleModel({
    id,
    name,
    baseUrl,
    apiKey,
    price: config.priceOf(id, baseUrl),
    silenceTimeoutMs,
  });
}

/** A model may think for long before its first byte; hours are for those that stream. */
const defaultSilenceSeconds = 20 * 60;
const longestSilenceSeconds = 24 * 60 * 60;

/** After how long without a byte a server is given up. */
export function silenceTimeoutMsIn({ env }: Pick<ModelConfig, 'env'>): number {
  const variable = 'OPENAI_COMPATIBLE_SILENCE_SECONDS';
  const value = env[variable]?.trim() || String(defaultSilenceSeconds);
  const seconds = /^\d+$/.test(value) ? Number(value) : 0;
  if (seconds >= 1 && seconds <= longestSilenceSeconds) return seconds * 1000;
  throw new UserError({
    what: `The variable ${variable} is no usable time: "${value}".`,
    fix: `It must be a whole number of seconds from 1 to ${longestSilenceSeconds}; unset it for ${defaultSilenceSeconds}.`,
  });
}

function required(variable: string, id: string, { env }: ModelConfig, fix: string): string {
  const value = env[variable]?.trim();
  if (value) return value;
  throw new UserError({ what: `The model ${id} needs the environment variable ${variable}.`, fix });
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/]*@/, '//[redacted]@');
}
