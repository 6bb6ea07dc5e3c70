/**
 * Which test and which attempt each grid of a reply is of: by the words above it and the headings above those, in either
 * order (`First guess` over `Test input 1`, or below it). A later grid for the same place replaces one that it corrects.
 */
import type { Grid } from '../core/problem.ts';
import { attemptNumberOf, isCorrection, isOfTraining, kindOfLabel, testNumberOf } from './labels.ts';
import { type Candidate, linesOf } from './parse-text.ts';

const maxAttempts = 2;

type Place = {
  readonly test: number | null;
  readonly attempt: number | null;
  readonly isTraining: boolean;
  readonly isCorrection: boolean;
};

const nowhere: Place = { test: null, attempt: null, isTraining: false, isCorrection: false };

type Placed = { readonly candidate: Candidate; readonly place: Place };

/** Without the grids of training pairs. */
export function placeGrids(text: string, found: readonly Candidate[]): readonly Placed[] {
  const places = placesIn(text, found);
  if (places.every((place) => place?.isTraining))
    return found.map((candidate) => ({ candidate, place: nowhere }));
  return found.flatMap((candidate, at) => {
    const place = places[at];
    return place && !place.isTraining ? [{ candidate, place }] : [];
  });
}

/** The attempts at each test; null where the labels do not tell all of it. */
export function assignByLabels(
  placed: readonly Placed[],
  tests: number,
): readonly (readonly Grid[])[] | null {
  const hasAnswer = placed.some(({ candidate }) => kindOfLabel(candidate.label) === 'answer');
  const kept = placed.filter(({ candidate: { label, isLoneRow }, place }, at) => {
    // Where no grid is called an output, `Test input 1` says which test it answers.
    const isNamed = attemptNumberOf(label) !== null || (!hasAnswer && testNumberOf(label) !== null);
    const isNewer = at > 0 && place.isCorrection;
    return !isLoneRow && (isNamed || isNewer || kindOfLabel(label) !== 'aside');
  });
  const isLabelled = kept.some(
    ({ place }, at) =>
      place.attempt !== null || (tests > 1 && place.test !== null) || (at > 0 && place.isCorrection),
  );
  const isFromZero = kept.some(({ place }) => place.test === 0);
  if (!isLabelled) return null;
  const attempts: Grid[][] = Array.from({ length: tests }, () => []);
  for (const { candidate, place } of kept) {
    const ofTest = attempts[tests === 1 ? 0 : (place.test ?? 0) - (isFromZero ? 0 : 1)];
    if (!ofTest || 'fault' in candidate) return null;
    const isReplaced = place.isCorrection && ofTest.length > 0;
    const attempt = (place.attempt ?? ofTest.length + (isReplaced ? 0 : 1)) - 1;
    if (attempt > ofTest.length || attempt >= maxAttempts || (ofTest[attempt] && !isReplaced)) return null;
    ofTest[attempt] = candidate.grid;
  }
  return attempts.every((each) => each.length > 0) ? attempts : null;
}

/** The place of each candidate, read from the top: what a heading says holds until another one says it anew. */
function placesIn(text: string, found: readonly Candidate[]): readonly (Place | undefined)[] {
  const places: Place[] = [];
  let [test, attempt, isTraining]: [number | null, number | null, boolean] = [null, null, false];
  let isTestOuter = false;
  let isCorrected = false;
  let next = 0;
  for (const { number, text: line } of linesOf(text)) {
    const candidate = found[next];
    const isOwn = number === candidate?.labelLine;
    const words = isOwn ? candidate.label : line.replaceAll(/[#*_>`|]/g, ' ').trim();
    const isLabel = candidate && (isOwn || isHeading(line, words));
    if (isLabel && number <= candidate.line) {
      const [ownTest, ownAttempt] = [testNumberOf(words), attemptNumberOf(words)];
      if (isOfTraining(words)) isTraining = true;
      else if (ownTest !== null || ownAttempt !== null || /\b(?:test|final|answer)\b/i.test(words))
        isTraining = false;
      if (test === null && attempt === null && ownTest !== null) isTestOuter = true;
      if (ownTest !== null && isTestOuter) attempt = null;
      if (ownAttempt !== null && !isTestOuter) test = null;
      isCorrected ||= isCorrection(words);
      test = ownTest ?? test;
      attempt = ownAttempt ?? attempt;
    }
    for (; found[next] && number >= (found[next]?.line ?? 0); next += 1) {
      places.push({ test, attempt, isTraining, isCorrection: isCorrected });
      isCorrected = false;
      if (isTestOuter) attempt = null;
    }
  }
  return places;
}

function isHeading(line: string, words: string): boolean {
  return (
    /^\s*(?:#{1,6}\s|\*\*)/.test(line) ||
    (words.length < 60 && /\p{L}/u.test(words) && !/[.!?]\s*$/.test(words))
  );
}
