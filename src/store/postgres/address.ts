/** The address of a store on Postgres: `postgres://USER:PASSWORD@HOST/DATABASE?schema=…`, and its name without the secret. */
import { UserError } from '../../core/errors.ts';

export type Address = {
  /** For `pg`. */
  readonly connectionString: string;
  readonly schema: string;
  /** For a person: without password. */
  readonly name: string;
  /** Takes out of a text what must not be told. */
  hide(text: string): string;
};

export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:/i.test(text.trim());
}

/** Throws `UserError`, which does not repeat what it was given: there may be a password in it. */
export function addressOf(input: string): Address {
  const text = input.trim();
  const [base = '', query = ''] = cut(text, '?');
  const params = new URLSearchParams(query);
  const schema = params.get('schema') ?? 'polya';
  params.delete('schema');
  const url = urlOf(base);
  if (/^[^/]*,/.test(base.slice(base.lastIndexOf('@') + 1).replace(/^\w+:\/\//, '')))
    throw invalid('It names several hosts: name the one place that leads to the server which takes writes.');
  if (!isPostgresAddress(text) || url === null)
    throw invalid(
      'A store on Postgres is named by postgres://USER@HOST/DATABASE, and a folder by `--store FOLDER` or POLYA_HOME.',
    );
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw invalid('The schema must be lower-case letters, digits and underscores.');
  const options = [params.get('options'), `-c search_path=${schema}`].filter(Boolean).join(' ');
  params.set('options', options);
  // `pg` verifies for these as well, with a warning of six lines that it will not for ever.
  if (/^(?:prefer|require|verify-ca)$/.test(params.get('sslmode') ?? '') && !params.has('uselibpqcompat'))
    params.set('sslmode', 'verify-full');
  const secrets = addressSecrets(text, params.get('password'));
  const host = params.get('host') ?? (url.hostname === '' ? 'localhost' : url.host);
  const user = params.get('user') ?? decodeURIComponent(url.username);
  const isSocket = host.startsWith('/');
  const more = [...(isSocket ? [`host=${host}`] : []), ...(schema === 'polya' ? [] : [`schema=${schema}`])];
  const place = `${isSocket ? '' : host}${url.pathname}${more.length > 0 ? `?${more.join('&')}` : ''}`;
  return {
    connectionString: `${base}?${params}`,
    schema,
    name: `postgres://${user === '' ? '' : `${user}@`}${place}`,
    hide: (message) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), message),
  };
}

/** Null where nobody can read it. A socket has no host: what `pg` takes for one is no URL to Node. */
function urlOf(base: string): URL | null {
  const url = URL.parse(base.replace('@/', '@localhost/'));
  try {
    decodeURIComponent(url?.username ?? '');
    decodeURIComponent(url?.password ?? '');
    return url;
  } catch {
    return null;
  }
}

/** However the password is spelled, wherever it stands; longer ones first, so that none leaves a tail. */
function addressSecrets(text: string, param: string | null): readonly string[] {
  const after = text.slice(text.indexOf('//') + 2);
  const [authority = ''] = after.split(/[/?#]/);
  const passwords = [authority, after].flatMap((place) => {
    const end = place.lastIndexOf('@');
    return end < 0 ? [] : [cut(place.slice(0, end), ':')[1] ?? ''];
  });
  const found = [...passwords, ...(param === null ? [] : [param])].flatMap((password) => [
    password,
    decoded(password),
    encodeURIComponent(decoded(password)),
  ]);
  return [...new Set(found)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cut(text: string, at: string): [string] | [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function invalid(why: string): UserError {
  return new UserError({
    code: 'store-address-invalid',
    what: 'The address of the store cannot be read; it is not repeated here, for it may hold a password.',
    why,
    fix: 'Write special characters of a password as %XX (`/` is %2F, `@` is %40), or keep it in ~/.pgpass.',
  });
}
