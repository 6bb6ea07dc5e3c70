/** Processes of this machine, found by a word in their command line that no other test uses. */
import { readdirSync, readFileSync } from 'node:fs';

let markers = 0;

export function uniqueMarker(name: string): string {
  markers += 1;
  return `${name}-${process.pid}-${markers}-${Math.trunc(performance.now() * 1000)}`;
}

/** Ourselves left out. */
export function processesWith(marker: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}
