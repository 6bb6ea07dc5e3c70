/** Keeps secrets out of messages that are journaled and shown. Pure. */

const mark = '[redacted]';

/** Replaces every secret, also as a URL, JSON, base64 or hexadecimal digits spell it, or broken over lines, and what looks like a bearer token or a URL's password. */
export function redact(text: string, secrets: readonly string[]): string {
  return secretRemover(secrets)(text)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${mark}`)
    .replace(/(\/\/)[^/\s@]+@/g, `$1${mark}@`);
}

/** Replaces the secrets and nothing else. Longer ones go first, so that none leaves a tail. */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const all = secrets.filter((secret) => secret !== '');
  const spellings = all.flatMap(spellingsOf).sort((a, b) => b.length - a.length);
  const broken = all.filter((secret) => secret.length >= long).map(overLines);
  return (text) => {
    const rest = spellings.reduce((left, secret) => left.replaceAll(secret, mark), text);
    return broken.reduce((left, secret) => left.replaceAll(secret, mark), rest);
  };
}

/** Shorter ones may be two words that stand side by side, or occur in other data by chance. */
const long = 16;

function spellingsOf(secret: string): readonly string[] {
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  if (secret.length < long) return plain;
  const hex = Buffer.from(secret).toString('hex');
  return [...plain, hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => inBase64(secret, before))];
}

/** What tells the secret alone, wherever in the encoded text it begins: `user:SECRET` is spelled unlike `SECRET`. */
function inBase64(secret: string, before: number): readonly string[] {
  const bytes = Buffer.from(' '.repeat(before) + secret);
  const [from, until] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
  return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(from, until));
}

/** As a page or a log breaks it: with blanks between its signs. */
function overLines(secret: string): RegExp {
  const signs = secret.split('').map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return new RegExp(signs.join('\\s{0,4}'), 'g');
}
