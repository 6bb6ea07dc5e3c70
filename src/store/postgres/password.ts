/**
 * The password where neither the address nor PGPASSWORD has one: from the file of passwords, as libpq reads it. `pg` would read
 * it with a warning on each command, and stay connected for a minute where it finds none.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';

type Place = Pick<Client, 'host' | 'port' | 'database' | 'user'>;

export class PasswordedClient extends Client {
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
  const wanted = [[host, host.startsWith('/') && 'localhost'], [String(port)], [database], [user]];
  for (const line of text.split(/\r?\n/)) {
    const fields = /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):(.*)$/.exec(
      line,
    );
    if (!fields || line.startsWith('#')) continue;
    const [, ...values] = fields.map((field) => field.replace(/\\(.)/g, '$1'));
    if (wanted.every((any, n) => ['*', ...any].includes(values[n]))) return values[4] ?? null;
  }
  return null;
}
