/**
 * Votes over answers that agree as mathematics. Who agrees with whom does not depend on the order in which answers come,
 * so the clusters, which are the connected components of it, do not either; where agreement is not transitive (roundings),
 * a chain of answers is one cluster, and says so. Samples have numbers, which break ties. Pure.
 */
import type { Answer } from '../../core/problem.ts';
import { answerText, type ClusterNote, type SampleNote } from '../../notes/ensemble.ts';
import { count, oneLine, truncate } from '../../text/format.ts';
import type { EnsembleSettings } from './settings.ts';

export type Ballot = { readonly number: number; readonly answer: Answer; readonly weight: number };

type Rules = { readonly toWin: number; readonly ties: EnsembleSettings['ties'] };

export type Count = {
  /** The heaviest first; of equally heavy ones that with the earliest sample. */
  readonly clusters: readonly ClusterNote[];
  readonly winner: ClusterNote | null;
  readonly isTie: boolean;
  /** Some votes of the winner say the same in another form, which a strict comparison tells apart. */
  readonly isByForms?: boolean;
};

type Equal = (a: Answer, b: Answer) => boolean;
/** In how many readings a grading would accept `reply`, were `gold` right. */
type Accepts = (gold: Answer, reply: Answer) => number;

/**
 * With `accepts`, the member that is handed in is the one that most gradings would accept; and where no answer wins, those
 * that each of two readings accepts in the other's place are votes for one.
 */
export function countVotes(
  ballots: readonly Ballot[],
  rules: Rules,
  equal: Equal,
  accepts: Accepts | null = null,
): Count {
  const strict = counted(ballots, rules, equal, accepts);
  if (strict.winner || !accepts) return strict;
  const areForms: Equal = (a, b) => equal(a, b) || (accepts(a, b) > 0 && accepts(b, a) > 0);
  const count = counted(ballots, rules, areForms, accepts);
  return count.winner ? { ...count, isByForms: true } : strict;
}

function counted(ballots: readonly Ballot[], rules: Rules, equal: Equal, accepts: Accepts | null): Count {
  const clusters = clusterAnswers(ballots, equal, accepts);
  const [first, second] = clusters;
  const isTie = first !== undefined && second !== undefined && areEqual(first.weight, second.weight);
  const hasWon = first !== undefined && reaches(first.weight, rules.toWin);
  const winner = hasWon && (!isTie || rules.ties === 'earliest') ? first : null;
  return { clusters, winner, isTie };
}

type Standing = ReturnType<typeof voteLead>;
type Rule = { readonly toWin: number; readonly certainty: number | null };

export function voteLead({ clusters }: Pick<Count, 'clusters'>) {
  const side = (from: number, to?: number) => {
    const part = clusters.slice(from, to);
    const votes = part.flatMap(({ samples }) => samples).length;
    return { votes, weight: sum(part.map(({ weight }) => weight)) };
  };
  return { leader: side(0, 1), second: side(1, 2), rest: side(2) };
}

/**
 * Whether the votes that are still out cannot change who wins: not even if all of them, and all that the others have, came
 * together, since an answer that comes can join clusters. With a certainty, also whether it is so likely that they leave
 * the leader before the second: stochastic curtailment. `outstanding` are their weights. Each is drawn from Pólya's urn, with a ball for the leader, the second and
 * all others to begin with, and one more for each vote: nothing is assumed of how good the voters are, nor how alike.
 */
export function isDecided(
  { leader, second, rest }: Standing,
  { toWin, certainty }: Rule,
  outstanding: readonly number[],
): boolean {
  if (leader.votes === 0 || !reaches(leader.weight, toWin)) return false;
  const isAhead = (own: number, other: number) => own > other && !areEqual(own, other);
  if (isAhead(leader.weight, second.weight + rest.weight + sum(outstanding))) return true;
  if (certainty === null || certainty === 1) return false;
  // Of votes that do not weigh the same, the lightest come to the leader, and the heaviest to the second.
  const weights = outstanding.toSorted((a, b) => a - b);
  const [forLeader, forSecond] = [leader.votes + 1, second.votes + 1];
  const ofTwo = urn(forLeader + forSecond, rest.votes + 1, outstanding.length);
  const chances = ofTwo.map((chance, sample) => {
    const leading = urn(forLeader, forSecond, sample).filter((_, joined) => {
      const improvement = sum(weights.slice(0, joined));
      const loss = sum(weights.slice(weights.length - sample + joined));
      return isAhead(leader.weight + improvement, second.weight + loss);
    });
    return chance * sum(leading);
  });
  return sum(chances) > certainty - 1e-9;
}

/** How likely 0, 1, 2, … of so many draws are of the first kind. */
function urn(first: number, otherCount: number, draws: number): readonly number[] {
  let chances = [1];
  for (let sample = 0; sample < draws; sample += 1) {
    chances = Array.from({ length: sample + 2 }, (_, joined) => {
      const came = (chances[joined - 1] ?? 0) * (first + joined - 1);
      return (came + (chances[joined] ?? 0) * (otherCount + sample - joined)) / (first + otherCount + sample);
    });
  }
  return chances;
}

/** How many of the votes that are out could decide it, if all of them were for the leader; all, where none could. */
export function minVotesToDecide(standing: Standing, rule: Rule, outstanding: readonly number[]): number {
  const { votes, weight } = standing.leader;
  for (let requested = 1; requested < outstanding.length; requested += 1) {
    const leader = { votes: votes + requested, weight: weight + sum(outstanding.slice(0, requested)) };
    if (isDecided({ ...standing, leader }, rule, outstanding.slice(requested))) return requested;
  }
  return outstanding.length;
}

export function clusterAnswers(
  ballots: readonly Ballot[],
  equal: Equal,
  accepts: Accepts | null = null,
): readonly ClusterNote[] {
  const sorted = ballots.toSorted((a, b) => a.number - b.number);
  const agree = createAgreement(sorted, equal);
  // Who agrees with most comes first: an answer between two others is counted with one of them and does not join them.
  const degrees = sorted.map((_, at) => sorted.filter((__, other) => agree(at, other)).length);
  const order = [...sorted.keys()].toSorted((x, y) => (degrees[y] ?? 0) - (degrees[x] ?? 0) || x - y);
  const groups: number[][] = [];
  for (const at of order) {
    const group = groups.find((members) => members.every((member) => agree(at, member)));
    if (group) group.push(at);
    else groups.push([at]);
  }
  return groups.map((group) => clusterOf(group, sorted, agree, accepts)).toSorted(byWeight);
}

/** Asked both ways and once: a problem's relation need not be symmetric. */
function createAgreement(ballots: readonly Ballot[], equal: Equal): (a: number, b: number) => boolean {
  const known = ballots.map((a, at) =>
    ballots.slice(0, at).map((b) => equal(a.answer, b.answer) || equal(b.answer, a.answer)),
  );
  return (a, b) => a === b || (known[Math.max(a, b)]?.[Math.min(a, b)] ?? false);
}

function clusterOf(
  group: readonly number[],
  ballots: readonly Ballot[],
  agree: (a: number, b: number) => boolean,
  accepts: Accepts | null,
): ClusterNote {
  const members = ballots.map((ballot, at) => ({ at, ...ballot })).filter(({ at }) => group.includes(at));
  const support = (of: (typeof members)[number]) =>
    sum(
      members.map(({ at, answer, weight }) => {
        return weight * (accepts ? accepts(answer, of.answer) : Number(agree(of.at, at)));
      }),
    );
  const [best] = members
    .map((member) => ({ ...member, support: support(member) }))
    .toSorted((a, b) => {
      if (!areEqual(a.support, b.support)) return b.support - a.support;
      return accepts ? a.number - b.number : compareTexts(answerText(a.answer), answerText(b.answer));
    });
  return {
    answer: best?.answer ?? { type: 'text', text: '' },
    samples: members.map(({ number }) => number),
    weight: sum(members.map(({ weight }) => weight)),
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
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
const reaches = (weight: number, toWin: number): boolean => weight > toWin - 1e-9;

/** How a vote came out, in one or two sentences for people. */
export function explainVote(
  { clusters, winner, isTie, isByForms }: Count,
  rules: Pick<EnsembleSettings, 'votesToWin' | 'weights'>,
  samples: readonly SampleNote[],
): string {
  const unit = Object.values(rules.weights).some((weight) => weight !== 1) ? 'weight' : 'votes';
  const needed = `${rules.votesToWin} ${rules.votesToWin === 1 ? 'is' : 'are'} needed`;
  const without = samples.filter(({ answer }) => answer === null).length;
  const cut = samples.filter(({ failed }) => failed === 'cut-off').length;
  const cuts = cut === 0 ? '' : ` (cut off: ${cut})`;
  const silent = without === 0 ? '' : ` ${without} of ${samples.length} samples came to no answer${cuts}.`;
  if (clusters.length === 0)
    return `There is no vote: none of ${samples.length} samples came to an answer${cuts}.`;
  const all = clusters.map((each) => describe(each, samples, unit)).join('; ');
  const hasWon = reaches(clusters[0]?.weight ?? 0, rules.votesToWin);
  const outcome = winner
    ? '; the answer whose first vote stands first in the list is taken.'
    : ', and ties are left undecided.';
  const tie = isTie && hasWon ? ` It is tied at the top${outcome}` : '';
  const forms = isByForms ? ' Its votes differ in their form alone.' : '';
  return `${all}. ${winner ? quote(winner) : 'No answer'} won, ${needed}.${tie}${silent}${forms}`;
}

function describe(cluster: ClusterNote, samples: readonly SampleNote[], unit: 'weight' | 'votes'): string {
  const names = cluster.samples.map(
    (number) => samples.find((each) => each.number === number)?.name ?? `${number}`,
  );
  const size = unit === 'weight' ? `weight ${round(cluster.weight)}` : count(cluster.samples.length, 'vote');
  return `${quote(cluster)}: ${size} (${names.join(', ')})`;
}

const quote = ({ answer }: ClusterNote): string => `"${truncate(oneLine(answerText(answer)), 60)}"`;
const round = (weight: number): number => Math.round(weight * 1000) / 1000;
