/**
 * The last look before a cassette touches the disk: what has the form of a key, a token or a session cookie. Known
 * secrets are replaced before; what is found here was not known, and nothing is written. Pure.
 */
import { UserError } from '../../core/errors.ts';

const forms: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'an API key', pattern: /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{20,}/ },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{30,}/ },
  { name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/ },
  { name: 'a Slack token', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}/ },
  { name: 'an AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  {
    name: 'a signed token (JWT)',
    pattern: /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,}/,
  },
  { name: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  {
    name: 'a session cookie',
    pattern: /\b\w*session(?:id)?\s*[=:]\s*["']?[A-Za-z0-9%._-]{32,}/i,
  },
  { name: 'a session cookie', pattern: /\b53616c7465645f5f[0-9a-f]{32,}/i },
  {
    name: 'a cookie',
    pattern: /\b(?:Set-)?Cookie:\s*(?:[^\s=;"]{1,1000}=[^\s;"]*;\s*)*[^\s=;"]{1,1000}=[^\s;"]{8,}/i,
  },
  {
    name: 'a key in a header',
    pattern: /\b(?:x-api-key|x-goog-api-key|api-key)["']?\s*[:=]\s*["']?[A-Za-z0-9._-]{16,}/i,
  },
  { name: 'a basic authorization', pattern: /\bAuthorization:\s*Basic\s+[A-Za-z0-9+/=]{8,}/i },
  { name: 'an access token', pattern: /\b(?:hf_|npm_|gsk_|xai-|glpat-|r8_|pplx-)[A-Za-z0-9_-]{20,}/ },
  { name: 'a Stripe key', pattern: /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { name: 'a bearer token', pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{20,}/i },
];

/** Throws `UserError` that names the form and the line, and never the secret. */
export function refuseSecrets(text: string): void {
  const lines = text.split('\n');
  for (const { name, pattern } of forms) {
    const at = lines.findIndex((line) => pattern.test(line));
    if (at < 0) continue;
    throw new UserError({
      code: 'cassette-holds-secret',
      what: `The cassette was not written: line ${at + 1} would hold what looks like ${name}.`,
      why: 'A model or a program has said it in this run, and a cassette is made to be passed on.',
      fix: 'Set the environment variable that holds it (a name with KEY, TOKEN, SECRET, SESSION, COOKIE or PASSWORD in it), and it is replaced; or keep the run itself, which stays in .polya.',
    });
  }
}
