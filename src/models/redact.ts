/** Keeps secrets out of messages that are journaled and shown. Pure. */

const mark = '[redacted]';

/**
 * Replaces every secret, also as it looks in a URL or in JSON, and whatever looks like a bearer token or a password
 * in a URL. Longer secrets go first, so that none leaves a tail.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  const withoutSecrets = spellings.reduce((rest, secret) => rest.replaceAll(secret, mark), text);
  return withoutSecrets
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${mark}`)
    .replace(/(\/\/)[^/\s@]+@/g, `$1${mark}@`);
}
