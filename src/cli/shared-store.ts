/** Which store a command is for: whether several hosts share it, and `--store`, which any command takes. */
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
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
): { readonly words: readonly string[]; readonly shell: Shell; readonly refusal?: UserError } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const at = words.findIndex((word, place) => place < end && /^--store(?:=|$)/.test(word));
  const [, own] = words[at]?.split(/=(.*)/s) ?? [];
  const place = own ?? words[at + 1];
  if (at < 0 || place === undefined || at + (own === undefined ? 1 : 0) >= end) return { words, shell };
  if (isNoPlace(place)) return { words, shell, refusal: noPlace() };
  const { env, folder } = shell;
  const named = isPostgresAddress(place)
    ? { POLYA_STORE: place }
    : { POLYA_STORE: '', POLYA_HOME: resolve(folder, place) };
  const rest = [...words.slice(0, at), ...words.slice(at + (own === undefined ? 2 : 1))];
  return { words: rest, shell: { ...shell, env: { ...env, ...named } } };
}

/** An empty variable of a shell, or the address of something else: a folder of that name would be made, with its password. */
function isNoPlace(place: string): boolean {
  return place.trim() === '' || (/^[a-z][\w+.-]+:/i.test(place) && !isPostgresAddress(place));
}

function noPlace(): UserError {
  return new UserError({
    code: 'store-address-invalid',
    what: 'What `--store` names is neither a folder nor a Postgres; it is not repeated here, for it may hold a password.',
    fix: 'Name a folder, or postgres://USER@HOST/DATABASE. For a folder with such a name, write `./` before it.',
  });
}
