/**
 * Votes over answers that agree as mathematics. Who agrees with whom does not depend on the order in which answers come,
 * so the clusters, which are the connected components of it, do not either; where agreement is not transitive (roundings),
 * a chain of answers is one cluster, and says so. Samples have numbers, which break ties. Pure.
 */

import type { Answer } from '../../core/problem.ts';
import { answerText, type ClusterNote } from '../../notes/ensemble.ts';

export type Ballot = { readonly number: number; readonly answer: Answer; readonly weight: number };

export type Rules = { readonly toWin: number; readonly ties: 'earliest' | 'undecided' };

export type Count = {
  /** The heaviest first; of equally heavy ones that with the earliest sample. */
  readonly clusters: readonly ClusterNote[];
  readonly winner: ClusterNote | null;
  readonly isTie: boolean;
};

type Equal = (a: Answer, b: Answer) => boolean;

export function countVotes(ballots: readonly Ballot[], rules: Rules, equal: Equal): Count {
  const clusters = clustersOf(ballots, equal);
  const [first, second] = clusters;
  const isTie = first !== undefined && second !== undefined && areEqual(first.weight, second.weight);
  const hasWon = first !== undefined && reaches(first.weight, rules.toWin);
  const winner = hasWon && (!isTie || rules.ties === 'earliest') ? first : null;
  return { clusters, winner, isTie };
}

/**
 * Whether the votes that are still out cannot change who wins: not even if all of them, and all that the others have,
 * came together. An answer that comes can join clusters, so the others' votes are counted as one.
 */
export function isDecided(
  { clusters }: Pick<Count, 'clusters'>,
  toWin: number,
  outstanding: number,
): boolean {
  const [first, ...others] = clusters;
  if (!first || !reaches(first.weight, toWin)) return false;
  const rest = others.reduce((sum, { weight }) => sum + weight, 0);
  return first.weight > rest + outstanding && !areEqual(first.weight, rest + outstanding);
}

export function clustersOf(ballots: readonly Ballot[], equal: Equal): readonly ClusterNote[] {
  const sorted = ballots.toSorted((a, b) => a.number - b.number);
  const agree = agreementOf(sorted, equal);
  const groups: number[][] = [];
  for (const at of sorted.keys()) {
    const joined = groups.filter((group) => group.some((member) => agree(at, member)));
    const rest = groups.filter((group) => !joined.includes(group));
    groups.splice(
      0,
      groups.length,
      ...rest,
      [...joined.flat(), at].toSorted((a, b) => a - b),
    );
  }
  return groups.map((group) => clusterOf(group, sorted, agree)).toSorted(byWeight);
}

/** Asked both ways and once: a problem's relation need not be symmetric. */
function agreementOf(ballots: readonly Ballot[], equal: Equal): (a: number, b: number) => boolean {
  const known = ballots.map((a, at) =>
    ballots.slice(0, at).map((b) => equal(a.answer, b.answer) || equal(b.answer, a.answer)),
  );
  return (a, b) => a === b || (known[Math.max(a, b)]?.[Math.min(a, b)] ?? false);
}

function clusterOf(
  group: readonly number[],
  ballots: readonly Ballot[],
  agree: (a: number, b: number) => boolean,
): ClusterNote {
  const members = group.flatMap((at) => {
    const ballot = ballots[at];
    return ballot ? [{ at, ...ballot }] : [];
  });
  const support = ({ at }: { at: number }) =>
    members.reduce((sum, other) => sum + (agree(at, other.at) ? other.weight : 0), 0);
  const [best] = members.toSorted(
    (a, b) => support(b) - support(a) || compareTexts(answerText(a.answer), answerText(b.answer)),
  );
  return {
    answer: best?.answer ?? { type: 'text', text: '' },
    samples: members.map(({ number }) => number),
    weight: members.reduce((sum, each) => sum + each.weight, 0),
    isChained: members.some((a) => members.some((b) => !agree(a.at, b.at))),
  };
}

/** The shorter one, then by its characters: `1/2` before `0.5000`. */
function compareTexts(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

function byWeight(a: ClusterNote, b: ClusterNote): number {
  if (!areEqual(a.weight, b.weight)) return b.weight - a.weight;
  return (a.samples[0] ?? 0) - (b.samples[0] ?? 0);
}

/** Weights are sums of fractions. */
const areEqual = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
const reaches = (weight: number, toWin: number): boolean => weight > toWin - 1e-9;
