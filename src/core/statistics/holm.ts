/** Holm's correction: p-values of several tests made together, so that each holds at its level. */

/** In the order in which they were given. */
export function holm(pValues: readonly number[]): readonly number[] {
  const corrected = pValues.map(() => 1);
  const byValue = pValues.map((p, at) => ({ p, at })).toSorted((a, b) => a.p - b.p);
  let largest = 0;
  for (const [rank, { p, at }] of byValue.entries()) {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - rank)));
    corrected[at] = largest;
  }
  return corrected;
}
