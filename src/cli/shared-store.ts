/** Which store a command is for: whether several hosts share it, and `--store`, which any command takes. */
import { resolve } from 'node:path';
import { isPostgresAddress } from '../store/postgres/address.ts';
import type { Shell } from './contract.ts';

export function sharedStoreIn(env: Readonly<Record<string, string | undefined>>): boolean {
  return isPostgresAddress(env.POLYA_STORE ?? '');
}

export const storeFlags = '--store <url>';

/**
 * Takes it out of the words and does as `POLYA_STORE` and `POLYA_HOME` do. Words after `--`, and a last `--store`, which has
 * no value, stay as they are.
 */
export function atStore(
  words: readonly string[],
  shell: Shell,
): { readonly words: readonly string[]; readonly shell: Shell } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const at = words.findIndex((word, place) => place < end && /^--store(?:=|$)/.test(word));
  const [, own] = words[at]?.split(/=(.*)/s) ?? [];
  const place = own ?? words[at + 1];
  if (at < 0 || !place || at + (own === undefined ? 1 : 0) >= end) return { words, shell };
  const { env, folder } = shell;
  const named = isPostgresAddress(place)
    ? { POLYA_STORE: place }
    : { POLYA_STORE: '', POLYA_HOME: resolve(folder, place) };
  const rest = [...words.slice(0, at), ...words.slice(at + (own === undefined ? 2 : 1))];
  return { words: rest, shell: { ...shell, env: { ...env, ...named } } };
}
