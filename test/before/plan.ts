/** What a fixture of journals was recorded from: its `plan.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, ForkSpec, RunSpec } from './library.ts';

export const journals = join(import.meta.dirname, '../fixtures/journals');

/** When an event of this kind was written for the so manieth time, from 1. */
export type Moment = { readonly kind: Event['kind']; readonly number: number };

export type Plan = {
  readonly about: string;
  /** A contest that comes with Polya, as a workspace in the folder `contest`. */
  readonly contest?: string;
  readonly spec: Omit<RunSpec, 'id'>;
  /** The journal ends there, as if its process had been killed. */
  readonly cut: Moment;
  readonly fork: Omit<ForkSpec, 'id' | 'at'> & { readonly at: Moment };
  /** Programs tell their model how long they took, so that its requests have other lengths each time. */
  readonly measures?: true;
};

export function readPlan(name: string): Plan {
  return JSON.parse(readFileSync(join(journals, name, 'plan.json'), 'utf8'));
}

/** The event's number in the journal. */
export function momentIn(events: readonly Event[], { kind, number }: Moment): number {
  const event = events.filter((each) => each.kind === kind)[number - 1];
  if (!event) throw new Error(`There are fewer than ${number} events ${kind}.`);
  return event.seq;
}
