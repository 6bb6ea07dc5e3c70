/** The query of the list of runs, from an address. What is not understood has its default. */
import { facetNames, type RunQuery, sortNames } from '../notes/run-list.ts';
import { numberIn } from './guard.ts';

const mostRows = 1_000;

/** `valuesOf`: all values of a parameter. */
export function queryIn(valuesOf: (name: string) => readonly string[]): RunQuery {
  const one = (name: string): string | undefined => valuesOf(name)[0];
  const sinceHours = Number(one('sinceHours') ?? Number.NaN);
  return {
    words: one('words') ?? '',
    facets: Object.fromEntries(facetNames.map((name) => [name, valuesOf(name)])),
    sinceHours: sinceHours > 0 ? sinceHours : null,
    sort: sortNames.find((name) => name === one('sort')) ?? 'newest first',
    offset: numberIn(one('offset'), 0, Number.MAX_SAFE_INTEGER),
    limit: numberIn(one('limit'), 200, mostRows),
  };
}
