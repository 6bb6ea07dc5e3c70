/** How a vote came out, in one or two sentences for people. Pure. */
import { answerText, type ClusterNote, type SampleNote } from '../../notes/ensemble.ts';
import type { EnsembleSettings } from './settings.ts';
import type { Count } from './vote.ts';

type Rules = Pick<EnsembleSettings, 'votesToWin' | 'weights' | 'ties'>;

export function explainVote(count: Count, rules: Rules, samples: readonly SampleNote[]): string {
  const { clusters, winner, isTie } = count;
  const unit = isWeighted(rules) ? 'weight' : 'votes';
  const needed = `${rules.votesToWin} ${rules.votesToWin === 1 ? 'is' : 'are'} needed`;
  const without = samples.filter(({ answer }) => answer === null).length;
  const silent = without === 0 ? '' : ` ${without} of ${samples.length} samples came to no answer.`;
  if (clusters.length === 0) return `There is no vote: none of ${samples.length} samples came to an answer.`;
  const all = clusters.map((each) => describe(each, samples, unit)).join('; ');
  const chained = clusters.some((each) => each.isChained)
    ? ' Some of the votes counted as one agree only through others.'
    : '';
  if (winner) {
    const tie = isTie
      ? ' It is tied at the top; the answer whose first vote stands first in the list is taken.'
      : '';
    return `${all}. ${quote(winner)} won, ${needed}.${tie}${silent}${chained}`;
  }
  const tie = isTie && reached(clusters, rules) ? ' It is tied at the top, and ties are left undecided.' : '';
  return `${all}. No answer won, ${needed}.${tie}${silent}${chained}`;
}

function describe(cluster: ClusterNote, samples: readonly SampleNote[], unit: 'weight' | 'votes'): string {
  const names = cluster.samples.map(
    (number) => samples.find((each) => each.number === number)?.name ?? `${number}`,
  );
  const size = unit === 'weight' ? `weight ${round(cluster.weight)}` : votes(cluster.samples.length);
  return `${quote(cluster)}: ${size} (${names.join(', ')})`;
}

function isWeighted({ weights }: Rules): boolean {
  return Object.values(weights).some((weight) => weight !== 1);
}

function reached([first]: readonly ClusterNote[], { votesToWin }: Rules): boolean {
  return first !== undefined && first.weight > votesToWin - 1e-9;
}

const longest = 60;

function quote({ answer }: ClusterNote): string {
  const text = answerText(answer).replaceAll(/\s+/g, ' ');
  return `"${text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text}"`;
}

const votes = (count: number): string => (count === 1 ? '1 vote' : `${count} votes`);
const round = (weight: number): number => Math.round(weight * 1000) / 1000;
