/**
 * A run as files for others: its export, and its conversation as a cassette.
 */
import type { Event } from '../core/event.ts';
import { type ExportedFiles, exportRun } from '../families/aoc/export.ts';
import { siteTextsIn } from '../families/aoc/redact.ts';
import type { Environment } from '../io/home.ts';
import { recordCassette } from '../models/cassette/record.ts';
import { hashText } from '../run/hash.ts';

/** A run as files: relative path → text. Null where it is not an Advent of Code run. */
export function exportAocRun(
  events: readonly Event[],
  options: { readonly withPuzzle: boolean },
): ExportedFiles | null {
  return exportRun(events, { ...options, hashText });
}

/** A run's conversation with its models as a cassette, to be played by `replay:FILE`. */
export function recordRun(
  events: readonly Event[],
  { withPuzzle, env = process.env }: { readonly withPuzzle: boolean; readonly env?: Environment },
): string {
  return recordCassette(events, { env, hidden: withPuzzle ? [] : siteTextsIn(events) });
}
