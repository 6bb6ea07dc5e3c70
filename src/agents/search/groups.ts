/** How a program does on like cases: groups by the numbers of their inputs, where these tell good from bad. Pure. */
import type { CaseOutcome } from '../../core/program.ts';

export type Group = {
  /** `N 10–30`. */
  readonly name: string;
  readonly cases: number;
  /** Mean share of the best known. */
  readonly share: number;
};

const featuresShown = 2;
const groupsOfFeature = 3;
/** Groups that do alike say nothing. */
const leastSpread = 0.005;

export function groupsOf(
  outcomes: readonly CaseOutcome[],
  shareOf: (outcome: CaseOutcome) => number,
): readonly Group[] {
  const names = [...new Set(outcomes.flatMap(({ features }) => Object.keys(features)))].sort();
  const found = names
    .map((name) => groupsBy(name, outcomes, shareOf))
    .filter((groups) => spreadOf(groups) >= leastSpread)
    .toSorted((a, b) => spreadOf(b) - spreadOf(a));
  return found.slice(0, featuresShown).flat();
}

/** Thirds of the cases by one number; cases of one value stay together. */
function groupsBy(
  name: string,
  outcomes: readonly CaseOutcome[],
  shareOf: (outcome: CaseOutcome) => number,
): readonly Group[] {
  const known = outcomes
    .flatMap((outcome) => {
      const value = outcome.features[name];
      return value === undefined ? [] : [{ value, share: shareOf(outcome) }];
    })
    .toSorted((a, b) => a.value - b.value);
  const parts = new Map<number, { value: number; share: number }[]>();
  for (const [at, each] of known.entries()) {
    const first = known.findIndex(({ value }) => value === each.value);
    const part = Math.floor((Math.min(first, at) * groupsOfFeature) / known.length);
    parts.set(part, [...(parts.get(part) ?? []), each]);
  }
  return [...parts.values()].map((part) => {
    const [low, high] = [part[0]?.value ?? 0, part.at(-1)?.value ?? 0];
    const share = part.reduce((sum, each) => sum + each.share, 0) / part.length;
    return { name: `${name} ${low === high ? low : `${low}–${high}`}`, cases: part.length, share };
  });
}

function spreadOf(groups: readonly Group[]): number {
  const shares = groups.map(({ share }) => share);
  return shares.length < 2 ? 0 : Math.max(...shares) - Math.min(...shares);
}
