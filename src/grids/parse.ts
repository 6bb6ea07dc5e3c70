/**
 * Finds the grids in what a model really writes: fences, spaces, commas, solid digits, tables, JSON and Python lists,
 * one grid or several, with talk before and behind. Never silently a wrong shape: what can be read in two ways, breaks
 * off or is ragged comes back as a fault that names its line.
 */
import type { Grid } from '../core/problem.ts';
import { findLists } from './parse-lists.ts';
import { findBlocks } from './parse-rows.ts';
import type { Candidate } from './parse-text.ts';

type ParsedGrids =
  | { readonly ok: true; readonly grids: readonly Grid[] }
  | { readonly ok: false; readonly fault: string };

/** Everything that is a grid or was meant to be one, in the order of the text. */
export function findGrids(text: string): readonly Candidate[] {
  const plain = normalised(text);
  const lists = findLists(plain);
  return [...lists.found, ...findBlocks(lists.rest)].toSorted((a, b) => a.line - b.line);
}
/** Exactly so many grids, in their order: all that are there, or all that are in fences. */
export function parseGrids(text: string, count: number): ParsedGrids {
  const found = findGrids(text);
  const clear = found.filter(({ isLoneRow }) => !isLoneRow);
  const readings = [clear.length === 0 ? found : clear, found.filter(({ fenced }) => fenced)];
  const reading = readings.find(({ length }) => length === count);
  if (!reading || (reading === readings[0] && hasDoubtfulRow(found, clear, count))) {
    return { ok: false, fault: countFault(found, count) };
  }
  const broken = reading.find((each) => 'fault' in each);
  if (broken) return { ok: false, fault: faultText(broken) };
  return { ok: true, grids: reading.flatMap((each) => ('grid' in each ? [each.grid] : [])) };
}

/** One answer of several is a single row: with it there would be as many as are asked for, without it too. */
function hasDoubtfulRow(found: readonly Candidate[], clear: readonly Candidate[], count: number): boolean {
  const last = found.at(-1);
  return clear.length > 0 && clear.length < found.length && count > 0 && last?.isLoneRow === true;
}

function countFault(found: readonly Candidate[], count: number): string {
  const expected = `expected ${count === 1 ? 'is 1 grid' : `are ${count} grids`}`;
  if (found.length === 0) return `There is no grid in the reply; ${expected}.`;
  const broken = found.find((each) => 'fault' in each);
  const lines = found.map(({ line }) => line).join(', ');
  const where = found.length === 1 ? `at line ${lines}` : `at lines ${lines}`;
  const told = `The reply has ${found.length === 1 ? '1 grid' : `${found.length} grids`} (${where}); ${expected}.`;
  return broken ? `${told} ${faultText(broken)}` : told;
}

function faultText(found: Candidate): string {
  const label = found.label ? ` (${found.label})` : '';
  return `The grid at line ${found.line}${label} cannot be read: ${'fault' in found ? found.fault : ''}.`;
}

/** Spaces, digits and line ends in other guises; the numbers of lines stay. */
function normalised(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replaceAll(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30));
}
