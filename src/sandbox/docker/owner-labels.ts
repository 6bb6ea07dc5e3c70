/**
 * Whose a container is, as labels on it. Engines serve several machines and several sets of process numbers, so an
 * owner is named with the place in which its number means something. Of owners elsewhere nobody can tell here whether
 * they live; but what has ended serves none.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isDeadOwner, ownerName } from '../owner.ts';

export const ownerLabel = 'polya.owner';
const placeLabel = 'polya.place';
/** Longer than an owner takes between making a container and starting it, or between its end and removing it. */
const forgottenMs = 600_000;

export type Sighting = {
  readonly labels: Readonly<Record<string, string>>;
  /** `created`, `running`, `exited` … */
  readonly state: string;
  readonly createdMs: number;
};

export function ownerLabels(): Readonly<Record<string, string>> {
  return { [ownerLabel]: ownerName(), [placeLabel]: place() };
}

export function isForsaken({ labels, state, createdMs }: Sighting, nowMs: number): boolean {
  const owner = labels[ownerLabel];
  if (owner === undefined) return false;
  if (labels[placeLabel] === place()) return isDeadOwner(owner);
  return state !== 'running' && nowMs - createdMs > forgottenMs;
}

/** This start of this machine, and this set of process numbers in it. */
function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
