/** A provider's address and key, as the environment has them. No key is shown; a missing one is told before any call. */
import { UserError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { Price } from '../core/usage.ts';
import { type Network, networkOf } from '../io/network.ts';
import type { SettingRule } from './settings-rules.ts';

/** How a model of a provider is reached. */
export type Connection = {
  /** The user's name for it: `openai/gpt-5`. */
  readonly id: string;
  /** The model's name there. */
  readonly name: string;
  /** Missing: the provider's usual address. */
  readonly baseUrl?: string;
  /** Any word for a server without keys. */
  readonly apiKey: string;
  readonly price: Price | null;
  /** False: ask for the whole reply at once. */
  readonly stream?: boolean;
  /** Ends a call with kind `timeout` after so long without a byte. 0 or missing: never. */
  readonly silenceTimeoutMs?: number;
  /** Missing: the one that the variables of this process describe. */
  readonly network?: Network;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Provider {
  /** The part before the `/` of a model's name. */
  readonly name: string;
  /** Other words for it, as other tools write them. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** The variables that may hold its key; the first one that is set counts. */
  readonly keys: readonly string[];
  /** Whether it answers without a key. */
  readonly keyIsOptional?: boolean;
  /** The variable that names another base URL. */
  readonly baseUrlVariable: string;
  /** From what the variable holds to a URL; missing: it holds one. */
  readonly readBaseUrl?: (text: string) => string;
  /** Only its user knows where it is. */
  readonly needsBaseUrl?: boolean;
  /** Where it is unless that variable says otherwise. */
  readonly baseUrl?: string;
  /** After how many seconds without a byte it is given up: a variable of its own, beside POLYA_SILENCE_SECONDS. */
  readonly silenceVariable?: string;
  /** A server on this machine, by the port it usually has, the route that only it knows, and a field of its answer. */
  readonly local?: { readonly port: number; readonly route: string; readonly sign: string };
  /** Which settings its models take, in a few words for people. */
  readonly settings: string;
  /** Throws where it is known not to have the model. Its file is loaded only now. */
  connect(connection: Connection, env: Environment): Promise<Model>;
  /** What one of its models takes; nothing is called. */
  rules(name: string): Promise<readonly SettingRule[]>;
}

/** `id` is the model that is asked for, to be named where something is missing. */
export function resolveConnection(
  provider: Provider,
  id: string,
  env: Environment,
): Pick<Connection, 'baseUrl' | 'apiKey' | 'silenceTimeoutMs' | 'network'> {
  const baseUrl = baseUrlIn(provider, env);
  if (!baseUrl && provider.needsBaseUrl) {
    throw missing(id, provider.baseUrlVariable, 'Set it to where the API is, often `…/v1`.');
  }
  const network = networkOf(env);
  const address = baseUrl ?? provider.baseUrl;
  // Throws here where the proxy of its variable cannot be used, before any call.
  if (address) network.route(address);
  return {
    baseUrl,
    apiKey: keyIn(provider, id, { env, baseUrl }),
    silenceTimeoutMs: readSilenceTimeout(provider, env),
    network,
  };
}

/** The variable that holds the key; undefined where none is set. */
export function keyVariableIn({ keys }: Pick<Provider, 'keys'>, env: Environment): string | undefined {
  return keys.find((variable) => env[variable]?.trim());
}

export function baseUrlIn(provider: Provider, env: Environment): string | undefined {
  const { baseUrlVariable: variable, readBaseUrl = (text) => text } = provider;
  const text = env[variable]?.trim();
  if (!text) return undefined;
  const url = readBaseUrl(text);
  if (isHttpUrl(url)) return url.replace(/\/+$/, '');
  throw new UserError({
    code: 'base-url-invalid',
    what: `The variable ${variable} is no usable address: "${withoutPassword(text)}".`,
    fix: 'It must begin with http:// or https://, and hold no user, password or query.',
  });
}

function keyIn(
  provider: Provider,
  id: string,
  { env, baseUrl }: { readonly env: Environment; readonly baseUrl: string | undefined },
): string {
  const variable = keyVariableIn(provider, env);
  const isOwnServer = provider.needsBaseUrl && baseUrl !== undefined && isLoopback(baseUrl);
  // A server without keys takes any word; the packages want one.
  if (!variable && (provider.keyIsOptional || isOwnServer)) return 'none';
  const [defaultValue = '', ...siblings] = provider.keys;
  if (!variable) {
    const also = siblings.length > 0 ? ` (or ${siblings.join(' or ')})` : '';
    const fix = provider.needsBaseUrl ? 'A server without keys takes any word.' : undefined;
    throw missing(id, `${defaultValue}${also}`, fix);
  }
  const key = env[variable]?.trim() ?? '';
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  throw new UserError({
    code: 'key-invalid',
    what: `The variable ${variable} is no usable key.`,
    why: 'It holds a line break or another character that no HTTP header can carry.',
    fix: 'Set it again, to the key alone, on one line.',
  });
}

/** A model may think for an hour and more before its first byte, and not every server streams. */
const usualSilenceSeconds = 2 * 60 * 60;
const longestSilenceSeconds = 24 * 60 * 60;

/** After how long without a byte a server is given up. */
export function readSilenceTimeout(
  { silenceVariable }: Pick<Provider, 'silenceVariable'>,
  env: Environment,
): number {
  const variable = [silenceVariable, 'POLYA_SILENCE_SECONDS'].find((each) => each && env[each]?.trim());
  if (!variable) return usualSilenceSeconds * 1000;
  const value = env[variable]?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : 0;
  if (seconds >= 1 && seconds <= longestSilenceSeconds) return seconds * 1000;
  throw new UserError({
    code: 'timeout-invalid',
    what: `The variable ${variable} is no usable time: "${value}".`,
    fix: `It must be a whole number of seconds from 1 to ${longestSilenceSeconds}; unset it for ${usualSilenceSeconds}.`,
  });
}

function missing(
  id: string,
  variable: string,
  fix = 'Set it to the key, in the environment or in a file `.env`. Without a key: `--model manual`, where you answer, or `--dry-run`, which calls nothing.',
): UserError {
  return new UserError({
    code: 'key-missing',
    what: `The model ${id} needs the environment variable ${variable}.`,
    fix,
  });
}

/** One that holds no user, password or query. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  const isPlain = url && ![url.username, url.password, url.search, url.hash].some(Boolean);
  return Boolean(isPlain) && /^https?:$/.test(url?.protocol ?? '');
}

/** A server of this machine. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}

export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)?[^/]*@/, '$1[redacted]@').replace(/\?.*$/s, '?[redacted]');
}
