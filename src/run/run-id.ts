/** Ids of runs: `20261121-083059-k3f9`, UTC; they sort by time and can be told on the telephone. */

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

export function newRunId(nowMs: number, chance: { next(): number }): string {
  const digits = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '');
  const tail = Array.from({ length: 4 }, () => letters[Math.floor(chance.next() * letters.length)]).join('');
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${tail}`;
}
