/** The one hash of Polya (128 bits of SHA-256, 22 characters), and the ids of runs. */
import { createHash, hash as hashOf } from 'node:crypto';

export function hashText(text: string | Uint8Array): string {
  return hashOf('sha256', text, 'base64url').slice(0, 22);
}

/** Uniform in [0, 1), the same for the same key: 48 bits of its hash. */
export function randomFromKey(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

export function newRunId(nowMs: number, chance: { next(): number }): string {
  const digits = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '');
  const tail = Array.from({ length: 4 }, () => letters[Math.floor(chance.next() * letters.length)]).join('');
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${tail}`;
}
