/**
 * Votes over answers that agree as mathematics. Who agrees with whom does not depend on the order in which answers come,
 * so the clusters, which are the connected components of it, do not either; where agreement is not transitive (roundings),
 * a chain of answers is one cluster, and says so. Samples have numbers, which break ties. Pure.
 */
import type { Answer } from '../../core/problem.ts';
import { answerText, type ClusterNote, type SampleNote } from '../../notes/ensemble.ts';
import type { EnsembleSettings } from './settings.ts';

export type Ballot = { readonly number: number; readonly answer: Answer; readonly weight: number };

type Rules = { readonly toWin: number; readonly ties: EnsembleSettings['ties'] };

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
export function isDecided({ clusters }: Count, toWin: number, outstanding: number): boolean {
  const [first, ...others] = clusters;
  if (!first || !reaches(first.weight, toWin)) return false;
  const rest = others.reduce((sum, { weight }) => sum + weight, 0);
  return first.weight > rest + outstanding && !areEqual(first.weight, rest + outstanding);
}

export function clustersOf(ballots: readonly Ballot[], equal: Equal): readonly ClusterNote[] {
  const sorted = ballots.toSorted((a, b) => a.number - b.number);
  const agree = agreementOf(sorted, equal);
  let groups: number[][] = [];
  for (const at of sorted.keys()) {
    const joined = groups.filter((group) => group.some((member) => agree(at, member)));
    const rest = groups.filter((group) => !joined.includes(group));
    groups = [...rest, [...joined.flat(), at].toSorted((a, b) => a - b)];
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
  const members = ballots.map((ballot, at) => ({ at, ...ballot })).filter(({ at }) => group.includes(at));
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

type VoteSettings = Pick<EnsembleSettings, 'votesToWin' | 'weights' | 'ties'>;

/** How a vote came out, in one or two sentences for people. */
export function explainVote(count: Count, rules: VoteSettings, samples: readonly SampleNote[]): string {
  const { clusters, winner, isTie } = count;
  const unit = Object.values(rules.weights).some((weight) => weight !== 1) ? 'weight' : 'votes';
  const needed = `${rules.votesToWin} ${rules.votesToWin === 1 ? 'is' : 'are'} needed`;
  const without = samples.filter(({ answer }) => answer === null).length;
  const silent = without === 0 ? '' : ` ${without} of ${samples.length} samples came to no answer.`;
  if (clusters.length === 0) return `There is no vote: none of ${samples.length} samples came to an answer.`;
  const all = clusters.map((each) => describe(each, samples, unit)).join('; ');
  const chained = clusters.some((each) => each.isChained)
    ? ' Some of the votes counted as one agree only through others.'
    : '';
  const hasWon = reaches(clusters[0]?.weight ?? 0, rules.votesToWin);
  const outcome = winner
    ? '; the answer whose first vote stands first in the list is taken.'
    : ', and ties are left undecided.';
  const tie = isTie && hasWon ? ` It is tied at the top${outcome}` : '';
  return `${all}. ${winner ? quote(winner) : 'No answer'} won, ${needed}.${tie}${silent}${chained}`;
}

function describe(cluster: ClusterNote, samples: readonly SampleNote[], unit: 'weight' | 'votes'): string {
  const names = cluster.samples.map(
    (number) => samples.find((each) => each.number === number)?.name ?? `${number}`,
  );
  const size = unit === 'weight' ? `weight ${round(cluster.weight)}` : votes(cluster.samples.length);
  return `${quote(cluster)}: ${size} (${names.join(', ')})`;
}

const longest = 60;

function quote({ answer }: ClusterNote): string {
  const text = answerText(answer).replaceAll(/\s+/g, ' ');
  return `"${text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text}"`;
}

const votes = (count: number): string => (count === 1 ? '1 vote' : `${count} votes`);
const round = (weight: number): number => Math.round(weight * 1000) / 1000;
