/** The list of runs as the page holds it: what the server counts over all of them, and the window of rows that is seen. */
import { computed, signal } from '@preact/signals';
import type { RunItem } from '../notes/page-items.ts';
import {
  type FilterField,
  facetNames,
  type RunCounts,
  type RunList,
  type SortName,
} from '../notes/run-list.ts';
import { copyStart, get, listen } from './api.ts';

/** Of all runs; null until the server has said. */
export const counts = signal<RunCounts | null>(null);
/** The answer to the query; null until it is there. */
export const list = signal<RunList | null>(null);
/** Why the list cannot be shown; empty if it can. */
export const trouble = signal('');

export type Filter = { readonly facet: FilterField; readonly value: string };

export const words = signal('');
export const filters = signal<readonly Filter[]>([]);
/** Only runs that were begun, or went on, in the last so many hours. */
export const sinceHours = signal<number | null>(null);
export const sort = signal<SortName>('newest first');

/** Rows before and after those that are seen. */
const margin = 100;
/** Changes of the store within this time are asked for together. */
const gatherMs = 250;

let seen = { first: 0, last: 60 };
let isWanted = false;
let isAsking = false;
let isStale = false;
let isGathering = false;

const query = computed(() => {
  const parameters = new URLSearchParams({ sort: sort.value });
  if (words.value.trim() !== '') parameters.set('words', words.value.trim());
  if (sinceHours.value !== null) parameters.set('sinceHours', String(sinceHours.value));
  for (const name of facetNames)
    for (const { facet, value } of filters.value) if (facet === name) parameters.append(name, value);
  return parameters.toString();
});

/** The list is on the screen from now on; returns how to say that it is not. */
export function showList(): () => void {
  isWanted = true;
  const unsubscribe = query.subscribe(() => refresh());
  return () => {
    isWanted = false;
    unsubscribe();
  };
}

/** The rows that a person sees: what lies around them is fetched. */
export function loadRange(first: number, last: number): void {
  seen = { first, last };
  const { offset = 0, runs = [], totals } = list.value ?? {};
  const isHeld = first >= offset && Math.min(last, totals?.runs ?? 0) <= offset + runs.length;
  if (!isHeld) refresh();
}

/** The run at a place of the list; undefined while its row is fetched. */
export function runAt(place: number): RunItem | undefined {
  const { offset = 0, runs = [] } = list.value ?? {};
  return runs[place - offset];
}

/** Follows the store. */
export function watchRuns(): void {
  if (copyStart !== '') return;
  listen('/runs/stream', {
    changed: (change: Pick<RunList, 'version' | 'counts'>) => {
      counts.value = change.counts;
      if (isGathering || (list.value?.version ?? -1) >= change.version) return;
      isGathering = true;
      setTimeout(() => {
        isGathering = false;
        refresh();
      }, gatherMs);
    },
  });
}

/** One question after the other; what has changed while one is under way is asked for after it. */
async function refresh(): Promise<void> {
  isStale = true;
  if (isAsking || !isWanted) return;
  isAsking = true;
  while (isStale && isWanted) {
    isStale = false;
    const offset = Math.max(0, seen.first - margin);
    const window = `offset=${offset}&limit=${seen.last + margin - offset}`;
    try {
      list.value = await get<RunList>(`/runs?${query.value}&${window}`);
      counts.value = list.value.counts;
      trouble.value = '';
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : String(error);
    }
  }
  isAsking = false;
}
