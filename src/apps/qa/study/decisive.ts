/**
 * What decided a vote: the strategies without whose votes another answer would have won, or none. A strategy that voted
 * with the winner is not decisive where the others would have won without it. Pure.
 */
import type { EnsembleNotes, SampleNote } from '../../../notes/ensemble.ts';

export type Weights = Readonly<Record<string, number>>;

type Voted = Pick<EnsembleNotes, 'samples' | 'vote' | 'decision'>;

/** None where no vote was decided: by a self-correction, or not at all. */
export function decisiveStrategies(notes: Voted, weights: Weights): ReadonlySet<string> {
  const { vote, decision, samples } = notes;
  if (!vote || !decision || !['vote', 'plurality'].includes(decision.by)) return new Set();
  const needed = decision.by === 'vote' ? vote.toWin : 0;
  const winner = vote.winner ?? 0;
  const names = new Set(samples.map(({ strategy }) => strategy));
  return new Set([...names].filter((name) => winnerWithout(name, { notes, weights, needed }) !== winner));
}

type Rules = { readonly notes: Voted; readonly weights: Weights; readonly needed: number };

const tolerance = 1e-9;

/** Place of the cluster that would have won; null for none. Of equals the one with the earliest sample stands first. */
function winnerWithout(name: string, { notes, weights, needed }: Rules): number | null {
  const { vote, samples } = notes;
  const others = new Map(
    samples.filter(({ strategy }) => strategy !== name).map((each) => [each.number, each]),
  );
  let best: { readonly at: number; readonly weight: number } | null = null;
  for (const [at, cluster] of (vote?.clusters ?? []).entries()) {
    const left = cluster.samples.flatMap((number) => others.get(number) ?? []);
    const weight = left.reduce((sum, each) => sum + weightOf(each, weights), 0);
    if (weight > (best?.weight ?? 0) + tolerance) best = { at, weight };
  }
  return best && best.weight + tolerance >= needed ? best.at : null;
}

function weightOf({ strategy }: SampleNote, weights: Weights): number {
  return weights[strategy] ?? 1;
}
