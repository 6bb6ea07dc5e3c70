/** Where a provider is and with which key, from the environment. No key is ever shown, and a missing one is told first. */
import { UserError } from '../core/errors.ts';
import type { Connection, Environment, Provider } from './provider.ts';

export type Reach = Pick<Connection, 'baseUrl' | 'apiKey' | 'silenceTimeoutMs'>;

/** `id` is the model that is asked for, to be named where something is missing. */
export function reachOf(provider: Provider, id: string, env: Environment): Reach {
  const baseUrl = baseUrlIn(provider, env);
  if (!baseUrl && provider.needsBaseUrl) {
    throw missing(id, provider.baseUrlVariable, 'Set it to where the API is, often `…/v1`.');
  }
  const apiKey = keyIn(provider, id, env);
  const silenceTimeoutMs = silenceTimeoutMsIn(provider, env);
  return { apiKey, silenceTimeoutMs, ...(baseUrl ? { baseUrl } : {}) };
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

function keyIn(provider: Provider, id: string, env: Environment): string {
  const variable = keyVariableIn(provider, env);
  // A server without keys takes any word; the packages want one.
  if (!variable && provider.keyIsOptional) return 'none';
  const [usual = '', ...others] = provider.keys;
  if (!variable) {
    const also = others.length > 0 ? ` (or ${others.join(' or ')})` : '';
    throw missing(
      id,
      `${usual}${also}`,
      provider.needsBaseUrl ? 'A server without keys takes any word.' : '',
    );
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
export function silenceTimeoutMsIn(
  { silenceVariable }: Pick<Provider, 'silenceVariable'>,
  env: Environment,
): number {
  const names = [...(silenceVariable ? [silenceVariable] : []), 'POLYA_SILENCE_SECONDS'];
  const variable = names.find((each) => env[each]?.trim());
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

function missing(id: string, variable: string, fix: string): UserError {
  return new UserError({
    code: 'key-missing',
    what: `The model ${id} needs the environment variable ${variable}.`,
    fix: fix || 'Set it to the key, in the environment or in a file `.env`.',
  });
}

/** One that holds no user, password or query. */
export function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  );
}

export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)?[^/]*@/, '$1[redacted]@').replace(/\?.*$/s, '?[redacted]');
}
