/** Prints a score: tables for people, or JSON, or CSV. */

import type { Shell } from '../../cli/contract.ts';
import { seededChance } from '../../io/chance.ts';
import { count, harmlessJson, oneLine } from '../../text/format.ts';
import { type Source, scoreCsv, scoreJson } from './score-data.ts';
import { scoreText } from './score-text.ts';
import { type Placed, reportOn } from './study/report.ts';

/** The same journals give the same intervals. */
const chances = () => seededChance('qa score').next;

export function tellScore(
  { out, err }: Shell,
  sources: readonly Source[],
  placed: readonly Placed[],
  { json, csv }: { readonly json?: boolean; readonly csv?: boolean },
): void {
  for (const source of sources) err.write(sourceText(source));
  if (csv) {
    out.write(scoreCsv(placed));
    return;
  }
  const report = reportOn(placed, chances);
  if (json) out.write(`${harmlessJson(scoreJson(sources, report, placed), 2)}\n`);
  else if (placed.length === 0) out.write('No run has ended yet.\n');
  else out.write(scoreText(out, report));
}

function sourceText({ name, open, missing }: Source): string {
  if (open > 0) return `${oneLine(name)}: ${count(open, 'row')} not ended, and not in the score.\n`;
  return missing > 0
    ? `${oneLine(name)}: ${count(missing, 'question')} without a prediction, counted as wrong.\n`
    : '';
}
