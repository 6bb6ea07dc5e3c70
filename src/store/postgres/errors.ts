/** What the errors of Postgres and of the way to it mean to a person, and which of them pass. No password gets into one. */
import { ExplainedError, errorOf, JournalError, UnavailableError } from '../../core/errors.ts';
import type { Address } from './address.ts';

type ErrorExplanation = {
  readonly code: string;
  readonly what: (store: string) => string;
  readonly fix: string;
  /** The same may succeed soon. */
  readonly passes?: boolean;
};

const wholeBefore = 'what was journaled before is whole';

const kinds = {
  unreachable: {
    code: 'database-unreachable',
    what: (store) => `The Postgres at ${store} cannot be reached.`,
    fix: 'Start it, or correct host and port of the store (`POLYA_STORE`).',
    passes: true,
  },
  lost: {
    code: 'database-lost',
    what: (store) => `The connection to ${store} was lost; ${wholeBefore}.`,
    fix: 'See that the server runs and can be reached, then go on with `polya resume`.',
    passes: true,
  },
  slow: {
    code: 'database-slow',
    what: (store) => `${store} did not answer in time; ${wholeBefore}.`,
    fix: 'See what the server is busy with (`pg_stat_activity`), then try again.',
    passes: true,
  },
  full: {
    code: 'database-connections',
    what: (store) => `${store} takes no more connections.`,
    fix: 'Let each process open fewer (`POLYA_STORE_CONNECTIONS`), or raise `max_connections` of the server.',
    passes: true,
  },
  login: {
    code: 'database-login-refused',
    what: (store) => `${store} refuses this user or password.`,
    fix: 'Correct user and password: in `POLYA_STORE`, PGPASSWORD or ~/.pgpass.',
  },
  missing: {
    code: 'database-missing',
    what: (store) => `There is no database ${store}.`,
    fix: 'Make it with `createdb`, or name another one in `POLYA_STORE`.',
  },
  rights: {
    code: 'database-no-rights',
    what: (store) => `The user of ${store} may not do this.`,
    fix: 'docs/fleet.md says which rights are needed; tables are made by the user who may, on the first call.',
  },
  readOnly: {
    code: 'database-read-only',
    what: (store) => `${store} can be read here, and not written.`,
    fix: 'It is a standby, or its user is read-only: name the server that takes writes.',
  },
  tls: {
    code: 'database-tls',
    what: (store) => `There is no trusted TLS connection to ${store}.`,
    fix: 'Name the host as its certificate does, and the file of the authority that signed it: `sslmode=verify-full&sslrootcert=FILE` (docs/fleet.md).',
  },
  old: {
    code: 'database-too-old',
    what: (store) => `${store} does not know a setting that it is asked for.`,
    fix: 'Polya needs Postgres 12 or a newer one; if it is one, correct `options` in the address of the store.',
  },
  disk: {
    code: 'disk-full',
    what: (store) => `The disk of ${store} is full; ${wholeBefore}.`,
    fix: 'Make room on the server, then go on with `polya resume`.',
  },
  failedDisk: {
    code: 'disk-failed',
    what: (store) => `The disk of ${store} cannot be written or read; ${wholeBefore}.`,
    fix: 'See to the server, then go on with `polya resume`.',
  },
  failed: {
    code: 'database-failed',
    what: (store) => `${store} could not do this; ${wholeBefore}.`,
    fix: 'See the log of the server, then go on with `polya resume`.',
  },
} satisfies Record<string, ErrorExplanation>;

/** By the code that Postgres gives (SQLSTATE) or Node; of some a class. */
const byCode: readonly (readonly [RegExp, ErrorExplanation])[] = [
  [/^(?:ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|57P03)$/, kinds.unreachable],
  [/^(?:08...|57P0[12]|ECONNRESET|EPIPE|ETIMEDOUT|EADDRNOTAVAIL)$/, kinds.lost],
  [/^(?:57014|55P03|25P03)$/, kinds.slow],
  [/^(?:53300|53400)$/, kinds.full],
  [/^28...$/, kinds.login],
  [/^3D000$/, kinds.missing],
  // The second: it may not even look into the schema.
  [/^(?:42501|3F000)$/, kinds.rights],
  [/^42704$/, kinds.old],
  [/^25006$/, kinds.readOnly],
  [/^53100$/, kinds.disk],
  [/^(?:58030|58P01)$/, kinds.failedDisk],
  [/^(?:5[3-8]...|XX000)$/, kinds.failed],
  [/^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS|ERR_SSL|EPROTO)/, kinds.tls],
];

/** `pg` gives these no code. */
const byMessage: readonly (readonly [RegExp, ErrorExplanation])[] = [
  [/SSL|certificate/i, kinds.tls],
  [/SASL|password must be/i, kinds.login],
  [/terminated|not queryable|Connection ended/i, kinds.lost],
  [/timeout expired|timeout exceeded/i, kinds.unreachable],
  [/Query read timeout/i, kinds.slow],
];

function explainPostgresError(error: Error): ErrorExplanation | null {
  // The file of an authority, and a server that lets nobody in without TLS.
  if (('syscall' in error && error.syscall === 'open') || /no encryption$/.test(error.message))
    return kinds.tls;
  const code = codeOf(error);
  const found = byCode.find(([pattern]) => pattern.test(code)) ?? null;
  if (found) return found[1];
  return (code === '' && byMessage.find(([pattern]) => pattern.test(error.message))?.[1]) || null;
}

/** SQLSTATE of Postgres, or the code of Node; empty where there is none. Of several addresses that were tried, the first. */
function codeOf(error: Error): string {
  if (error instanceof AggregateError) return codeOf(errorOf(error.errors[0]));
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The connection is broken or was refused, or two got into each other's way: the same may succeed soon. */
export function isTransient(error: unknown): boolean {
  const found = errorOf(error);
  return explainPostgresError(found)?.passes === true || /^40(?:001|P01)$/.test(codeOf(found));
}

/** Pages of the database or rows are not what was written. */
export function isCorruption(error: unknown): boolean {
  const found = errorOf(error);
  return found.name === 'ZodError' || found instanceof SyntaxError || /^XX00[12]$/.test(codeOf(found));
}

export function isCode(error: unknown, code: string): boolean {
  return codeOf(errorOf(error)) === code;
}

/** Other errors stay as they are, without their secrets. */
export function explainError(thrown: unknown, { name, hide }: Address): unknown {
  if (thrown instanceof ExplainedError) return thrown;
  const error = errorOf(thrown);
  const text = hide(error instanceof AggregateError ? errorOf(error.errors[0]).message : error.message);
  const errorExplanation = explainPostgresError(error);
  const why = `It says: ${text.split('\n')[0]}.`;
  if (errorExplanation)
    return new UnavailableError({
      code: errorExplanation.code,
      what: errorExplanation.what(name),
      why,
      fix: errorExplanation.fix,
    });
  if (isCorruption(error) || /^42(?:P0[17]|701|703)$/.test(codeOf(error)))
    return new JournalError({
      code: 'database-damaged',
      what: `The store ${name} is damaged: ${text.split('\n')[0]}.`,
      fix: '`polya store check` says what is whole, `polya store check --salvage FOLDER` copies it.',
    });
  if (text === error.message) return error;
  return new Error(text);
}
