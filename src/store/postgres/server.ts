/**
 * The way to the server: a pool of few connections, one transaction, and what is tried again while the trouble may pass.
 * It knows no table of ours.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult, types } from 'pg';
import type { Address } from './address.ts';
import { explainError, isTransient } from './errors.ts';

/** `name`: it is prepared once a connection. `patienceMs`: when it is given up; default as for reading. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly patienceMs?: number;
};
export type Result = QueryResult<Record<string, unknown>>;
export type Query = (statement: Statement) => Promise<Result>;

type ServerOptions = {
  readonly address: Address;
  /** The most connections of this process. */
  readonly connections: number;
  /** How long trouble that may pass is tried again. */
  readonly patienceMs: number;
};

const readWithinMs = 30_000;
const connectWithinMs = 5_000;
/** For what is small and asked for often. One that takes longer is lost, and holds a connection that others need. */
export const briefMs = 3_000;
const [firstWaitMs, longestWaitMs] = [20, 500];
/** A server that has lost us lets go of our locks: after 2 s of silence it asks thrice, or after 5 s without a receipt. */
const watched =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 -c tcp_user_timeout=5000 ' +
  // A process that is paused within a transaction must not keep its locks.
  '-c idle_in_transaction_session_timeout=2000';

/** What is asked often is planned once: it finds its rows by their keys, whatever the values are. */
const planned = '-c plan_cache_mode=force_generic_plan';

export class Server {
  readonly address: Address;
  readonly #timeoutMs: number;
  readonly #pool: Pool;

  constructor({ address, connections, patienceMs }: ServerOptions) {
    this.address = address;
    this.#timeoutMs = patienceMs;
    const options = { ...clientOptions(address), Client: PasswordClient };
    this.#pool = new Pool({ ...options, max: connections, allowExitOnIdle: true });
    // One that breaks is replaced by the next that is asked for. A statement that was under way is told by itself.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** One statement, which is a transaction of its own. */
  readonly ask: Query = async (statement) => {
    const client = await this.#pool.connect();
    try {
      const result = await queryWith(client)(statement);
      client.release();
      return result;
    } catch (error) {
      client.release(isTransient(error));
      throw error;
    }
  };

  /** Several statements in one transaction. */
  async transaction<T>(work: (request: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      const request = queryWith(client);
      await request({ text: 'BEGIN' });
      const result = await work(request);
      await request({ text: 'COMMIT' });
      client.release();
      return result;
    } catch (error) {
      const rolledBack = await client.query('ROLLBACK').then(
        () => true,
        () => false,
      );
      client.release(!rolledBack || isTransient(error));
      throw error;
    }
  }

  /**
   * Does the work, again and again while what hinders it may pass, for `patienceMs` or as long as `isWorthIt`. Throws what a
   * person can read. `attempt` counts from 1: what came before may have been done, its receipt alone be lost.
   */
  async withRetries<T>(work: (attempt: number) => Promise<T>, isWorthIt?: () => boolean): Promise<T> {
    const end = performance.now() + this.#timeoutMs;
    const goesOn = isWorthIt ?? (() => performance.now() < end);
    for (let [attempt, waitMs] = [1, firstWaitMs]; ; attempt += 1) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!isTransient(error) || !goesOn()) throw explainError(error, this.address);
        await sleep(waitMs);
        waitMs = Math.min(2 * waitMs, longestWaitMs);
      }
    }
  }

  /** Hears what the server tells unasked, on one of the connections, until that is lost or `signal` is aborted. */
  async listen(onBegin: () => void, report: (topic: string) => void, signal: AbortSignal): Promise<void> {
    const client = await this.#pool.connect();
    const lostRun = new Promise((resolve) => {
      client.once('error', resolve);
      client.once('end', resolve);
      signal.addEventListener('abort', resolve, { once: true });
    });
    client.on('notification', ({ payload = '' }) => report(payload));
    try {
      await client.query(`LISTEN ${this.address.schema}`);
      onBegin();
      if (!signal.aborted) await lostRun;
    } finally {
      client.release(true);
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended && !this.#pool.ending) await this.#pool.end();
  }
}

function queryWith(client: PoolClient): Query {
  return ({ name, text, values = [], patienceMs = readWithinMs }) => {
    const query = { name, text, values: [...values], query_timeout: patienceMs };
    return client.query<Record<string, unknown>>(query);
  };
}

/** `bigint` as a number: times in ms, keys and sums are below 2^53. */
const int8 = 20;

function clientOptions({ connectionString }: Address) {
  const url = new URLSearchParams(connectionString.slice(connectionString.indexOf('?') + 1));
  url.set('options', `${watched} ${planned} ${url.get('options')}`);
  return {
    connectionString: `${connectionString.slice(0, connectionString.indexOf('?'))}?${url}`,
    fallback_application_name: 'polya',
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: readWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 2_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  };
}

type Place = Pick<Client, 'host' | 'port' | 'database' | 'user'>;

export class PasswordClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const password = (): string => {
      try {
        return passwordFor(this);
      } catch (error) {
        this.connection.stream.destroy();
        throw error;
      }
    };
    // Asked for only if the server demands one.
    if ((this.password ?? null) === null) Object.assign(this, { password });
  }
}

function passwordFor(place: Place): string {
  const file = process.env.PGPASSFILE || join(homedir(), '.pgpass');
  const none = `a password must be given, and none stands in the address or in PGPASSWORD; ${file}`;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) throw new Error(`${none} is not there`);
  if ((mode & 0o077) !== 0) throw new Error(`${none} is not read, for others can read it (chmod 600)`);
  const found = passwordIn(readFileSync(file, 'utf8'), place);
  if (found === null) throw new Error(`${none} has none for this host, port, database and user`);
  return found;
}

/** Lines `HOST:PORT:DATABASE:USER:PASSWORD`, `*` for any; `:` and `\` in one are written `\:` and `\\`. The first that fits. */
export function passwordIn(text: string, { host, port, database, user }: Place): string | null {
  const requested = [[host, host.startsWith('/') && 'localhost'], [String(port)], [database], [user]];
  for (const line of text.split(/\r?\n/)) {
    const fields = /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):(.*)$/.exec(
      line,
    );
    if (!fields || line.startsWith('#')) continue;
    const [, ...values] = fields.map((field) => field.replace(/\\(.)/g, '$1'));
    if (requested.every((any, n) => ['*', ...any].includes(values[n]))) return values[4] ?? null;
  }
  return null;
}
