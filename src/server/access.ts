/**
 * What opens the page: a token for scripts, links that work once, and a secret for each browser that came by a link.
 * Only hashes of links and browsers are kept, and of these the newest. Nothing here outlives the process.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type Access = {
  readonly token: string;
  isToken(input: string): boolean;
  /** The secret part of a link. */
  createLinkCode(): string;
  /** The secret of a new session; null for a code that was used, is unknown, or was replaced by newer ones. */
  redeemLinkCode(code: string): string | null;
  isSession(secret: string): boolean;
};

const maxKept = 100;

export function createAccess(): Access {
  const token = createSecret();
  const links = new Set<string>();
  const sessions = new Set<string>();
  return {
    token,
    isToken: (input) => timingSafeEqual(Buffer.from(hash(input)), Buffer.from(hash(token))),
    createLinkCode: () => createKept(links),
    redeemLinkCode: (code) => (links.delete(hash(code)) ? createKept(sessions) : null),
    isSession: (secret) => sessions.has(hash(secret)),
  };
}

function createKept(hashes: Set<string>): string {
  const secret = createSecret();
  hashes.add(hash(secret));
  const [oldest = ''] = hashes;
  if (hashes.size > maxKept) hashes.delete(oldest);
  return secret;
}

const createSecret = (): string => randomBytes(16).toString('hex');

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
