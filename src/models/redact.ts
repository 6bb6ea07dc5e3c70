/** Keeps secrets out of messages that are journaled and shown. Pure. */

const mark = '[redacted]';

/** For errors. Replaces every secret, also as a URL, JSON, HTML, base64 or hexadecimal digits spell it, broken over lines or shortened, and what looks like a key of others, a bearer token or a URL's password. */
export function redact(text: string, secrets: readonly string[]): string {
  const clean = createSecretRedactor(secrets)(text)
    .replace(/(bearer(?:\s|\+|%20)+)(?!\[redacted\])[^\s"',]+/gi, `$1${mark}`)
    .replace(/(\/\/)[^/\s@]+@/g, `$1${mark}@`)
    .replace(keyShapes, mark)
    .replace(namedKeys, `$1${mark}`);
  return secrets.reduce(redactFragments, clean);
}

/** As OpenAI and many others, Google, GitHub, Hugging Face, Groq, xAI, Slack and AWS begin them; tokens of JSON. */
const keyShapes =
  /(?<![\w-])(?:(?:sk|pk|rk)[-_][\w-]{13,}|AIza[\w-]{16,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|hf_\w{16,}|gsk_\w{16,}|xai-\w{16,}|xox[abeprs]-[\w-]{12,}|AKIA[A-Z\d]{12,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g;
const namedKeys =
  /((?<![a-z])(?:key|token|secret|password|signature)["']?(?:=|%3D|"?:\s*["'])["']?)[\w.~+/%-]{16,}=*/gi;

/** A shortened or masked key shows most of it. */
const pieceLength = 8;

function redactFragments(text: string, secret: string): string {
  if (secret.length < long) return text;
  const parts = new Set<string>();
  for (let at = 0; at + pieceLength <= secret.length; at += 1) parts.add(secret.slice(at, at + pieceLength));
  let left = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (parts.has(text.slice(end, end + pieceLength))) end += 1;
    left += end > at ? mark : text[at];
    at = end > at ? end + pieceLength - 1 : at + 1;
  }
  return left;
}

/** Replaces the secrets and nothing else. Longer ones go first, so that none leaves a tail. */
export function createSecretRedactor(secrets: readonly string[]): (text: string) => string {
  const all = secrets.filter((secret) => secret !== '');
  const spellings = all.flatMap(secretEncodings).sort((a, b) => b.length - a.length);
  const corrupt = all
    .filter((secret) => secret.length >= long)
    .map((secret) => encodingPattern(secret, plainly));
  const brokenBase64 = all.filter((secret) => secret.length >= long).flatMap(base64Variants);
  const base64Lines = brokenBase64.map((form) => encodingPattern(form, plainly));
  const escaped = all.map((secret) => encodingPattern(secret, inAnyForm));
  return (text) => {
    const left = replaceAll(replaceAll(text, spellings), corrupt);
    const withoutBase64 = /\s/.test(left) ? replaceAll(left, base64Lines) : left;
    return hasEscapes.test(withoutBase64) ? replaceAll(withoutBase64, escaped) : withoutBase64;
  };
}

function replaceAll(text: string, patterns: readonly (string | RegExp)[]): string {
  return patterns.reduce<string>((left, pattern) => left.replaceAll(pattern, mark), text);
}

/** Shorter ones may be two words that stand side by side, or occur in other data by chance. */
const long = 16;

function secretEncodings(secret: string): readonly string[] {
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  if (secret.length < long) return plain;
  const hex = Buffer.from(secret).toString('hex');
  return [...plain, hex, hex.toUpperCase(), ...base64Variants(secret)];
}

/** What tells the secret alone, wherever in the encoded text it begins: `user:SECRET` is spelled unlike `SECRET`. */
function inBase64(secret: string, before: number): readonly string[] {
  const bytes = Buffer.from(' '.repeat(before) + secret);
  const [from, until] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
  return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(from, until));
}

function base64Variants(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => inBase64(secret, before));
}

/** How a character may stand in a text, as a pattern. */
type Encoding = (sign: string) => string;

/** A longer one may be broken as a page or a log breaks it: with blanks between its signs. */
function encodingPattern(secret: string, spelling: Encoding): RegExp {
  const signs = [...secret].map(spelling);
  return new RegExp(signs.join(secret.length >= long ? '\\s{0,4}' : ''), 'g');
}

const plainly: Encoding = (sign) =>
  [...Array(sign.length).keys()].map((at) => `\\u${hexOf(sign.charCodeAt(at), 4)}`).join('');

/** Where none of these is, no sign is escaped. */
const hasEscapes = /&#|&[a-z]+;|%[\da-f]{2}|\\[ux]/i;

const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '-': 'hyphen|dash',
  _: 'lowbar|UnderBar',
  '.': 'period',
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
  ':': 'colon',
};

/** As it is, as an entity of HTML, in percent-encoding, or as JSON and JavaScript escape it. */
const inAnyForm: Encoding = (sign) => {
  const code = sign.codePointAt(0) ?? 0;
  const entity = entities[sign] ? `${entities[sign]}|` : '';
  const percent = [...Buffer.from(sign)].map((byte) => `%${anyCase(hexOf(byte, 2))}`).join('');
  const html = `&(?:${entity}#0{0,6}${code}|#[xX]0{0,6}${anyCase(code.toString(16))});?`;
  const script = `\\\\(?:u${anyCase(hexOf(code, 4))}${code < 256 ? `|x${anyCase(hexOf(code, 2))}` : ''})`;
  return `(?:${plainly(sign)}|${html}|${percent}|${script})`;
};

function hexOf(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
