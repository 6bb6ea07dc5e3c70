/** Keeps secrets out of messages that are journaled and shown. Pure. */

const mark = '[redacted]';

/** Replaces every secret, also as a URL or JSON spells it, and what looks like a bearer token or a URL's password. */
export function redact(text: string, secrets: readonly string[]): string {
  return secretRemover(secrets)(text)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${mark}`)
    .replace(/(\/\/)[^/\s@]+@/g, `$1${mark}@`);
}

/** Replaces the secrets and nothing else. Longer ones go first, so that none leaves a tail. */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => spellings.reduce((rest, secret) => rest.replaceAll(secret, mark), text);
}
