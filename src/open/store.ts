/** Which store holds the journals: the file in the folder `.polya`, or the Postgres that `POLYA_STORE` names. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import { assertHomeIsNoLink, type Environment, findHome, makeHome } from '../io/home.ts';
import { lazyStore } from '../store/lazy.ts';
import { addressOf, isPostgresAddress } from '../store/postgres/address.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../store/sqlite.ts';

type Hooks = Omit<SqliteStoreOptions, 'file' | 'now' | 'beforeWriting'>;

export type StorePlace = {
  /** For a person: a folder, or an address without its password. */
  readonly name: string;
  /** Looking makes nothing. Of a server it is only known when it is asked. */
  readonly mayHaveRuns: boolean;
  /** The file of SQLite; null where it is a server. */
  readonly file: string | null;
  /** Opened by the first call. */
  open(now: () => number): Store;
};

/** `env` says where, else the folder: `POLYA_STORE`, `POLYA_HOME`. */
export function storeOf(folder: string, env: Environment): StorePlace {
  const address = env.POLYA_STORE?.trim();
  if (address) return serverAt(address, env);
  const home = findHome(resolve(folder), env).folder;
  return fileIn(home, () => storeTrustHooks(home, env));
}

/** The same store for what never writes into it. */
export function storeToRead(folder: string, env: Environment): StorePlace {
  const address = env.POLYA_STORE?.trim();
  return address ? serverAt(address, env) : fileIn(findHome(resolve(folder), env).folder);
}

/** The user's own runs may go on: the new store is recorded as trusted before it holds anything, and its log too. */
async function storeTrustHooks(home: string, env: Environment): Promise<Hooks> {
  // Loaded here because a command that only reads a store need not pay for it.
  const { trustNewLog, trustNewStore, trustRenewal } = await import('./trust/trust.ts');
  return {
    onCreated: () => trustNewStore(home, env),
    onLog: (identity) => trustNewLog(home, env, identity),
    onRenewal: (before, after) => trustRenewal(home, env, { before, after }),
  };
}

/** What a user names: an address of Postgres, else a folder for `POLYA_HOME`. */
export function storeNamed(name: string, folder: string, env: Environment): StorePlace {
  return isPostgresAddress(name) ? serverAt(name, env) : fileIn(resolve(folder, name));
}

/** The environment that leads to the store of this name (`StorePlace.name`) from anywhere; a password is none of a name. */
export function environmentOf(name: string, env: Environment): Environment {
  if (!isPostgresAddress(name))
    return existsSync(databaseIn(name)) ? { ...env, POLYA_HOME: name, POLYA_STORE: '' } : env;
  const here = env.POLYA_STORE?.trim() ?? '';
  const isHere = isPostgresAddress(here) && addressOf(here).name === name;
  return isHere ? env : { ...env, POLYA_STORE: name };
}

export function databaseIn(home: string): string {
  return join(home, 'polya.db');
}

/** A copy of other runs has no hooks: their author stays unknown. */
function fileIn(home: string, hooks?: () => Promise<Hooks>): StorePlace {
  const file = databaseIn(home);
  return {
    name: home,
    mayHaveRuns: existsSync(file),
    file,
    open: (now) =>
      lazyStore(async () => {
        assertHomeIsNoLink(home);
        return openSqliteStore({ file, now, beforeWriting: () => makeHome(home), ...(await hooks?.()) });
      }),
  };
}

function serverAt(url: string, env: Environment): StorePlace {
  const connections = connectionsIn(env);
  return {
    name: addressOf(url).name,
    mayHaveRuns: true,
    file: null,
    open: () =>
      lazyStore(async () => {
        // Loaded here because most stores are files, and they need not pay for a client of Postgres.
        const { openPostgresStore } = await import('../store/postgres/store.ts');
        return openPostgresStore({ url, connections });
      }),
  };
}

/** Of one process to a server; undefined: as usual. */
export function connectionsIn(env: Environment): number | undefined {
  const text = env.POLYA_STORE_CONNECTIONS?.trim();
  if (!text) return undefined;
  const connections = Number(text);
  if (Number.isInteger(connections) && connections >= 1 && connections <= 100) return connections;
  throw new UserError({
    code: 'store-connections-invalid',
    what: `POLYA_STORE_CONNECTIONS is no whole number from 1 to 100: ${text}.`,
    fix: 'Set how many connections one process may open to the store.',
  });
}
