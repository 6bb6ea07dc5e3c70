/**
 * What became of each row of a set of questions, as its journal says: right or wrong, what it took, and of an ensemble
 * what each of its samples would have been worth alone. Answers of samples are graded here, by the problem itself; that
 * of the run was graded when it ended.
 */
import { z } from 'zod';
import { foldRun } from '../../../core/fold.ts';
import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Answer, Problem } from '../../../core/problem.ts';
import { answerText, type EnsembleNotes, ensembleNotesOf, type SampleNote } from '../../../notes/ensemble.ts';
import { readJournal } from '../../../run/load.ts';
import type { Runtime } from '../../../run/world.ts';
import { type RunSet, runIdOf } from '../../../studies/run-set/plan.ts';
import { stateOf } from '../../../studies/run-set/rows.ts';
import { endReason } from '../../../text/labels.ts';
import { type Spent, spentFromTotals, spentInBranch } from './spent.ts';

/** One sample of an ensemble, or the one of an agent that is a strategy. */
export type Member = Pick<
  SampleNote,
  'number' | 'name' | 'strategy' | 'failed' | 'cut' | 'repairs' | 'review'
> & {
  readonly answer: string | null;
  /** Null where the right answer is not known. */
  readonly isRight: boolean | null;
  readonly spent: Spent;
};

export type Measured = NonNullable<Awaited<ReturnType<typeof measureRun>>>;

/** Also how many rows have not ended, or were never begun. */
export async function measureSet(runtime: Runtime, set: RunSet) {
  const measured: Measured[] = [];
  for (const index of set.plan.rows.keys()) {
    const run = await measureRun(runtime, runIdOf(set, index), index);
    if (run) measured.push(run);
  }
  return { measured, open: set.plan.rows.length - measured.length };
}

/** `index`: place of its row in the set. Null where it has not ended. */
export async function measureRun(world: Runtime, runId: string, index = 0) {
  const row = await world.store.get(runId);
  if (!row) return null;
  const { events } = await readJournal(world.store, runId);
  const view = foldRun(events);
  if (stateOf(row, view.end) !== 'ended' || !view.header || !view.end) return null;
  const { problem: spec, agent, models } = view.header;
  const problem = (await world.family(spec.family)).open(spec);
  const notes = ensembleNotesOf(events);
  const answer = view.end.solution?.answer;
  const members: Member[] = [];
  for (const sample of notes.samples) {
    const { number, name, strategy, failed, cut, repairs, review } = sample;
    members.push({
      number,
      name,
      strategy,
      failed,
      cut,
      repairs,
      review,
      answer: sample.answer && answerText(sample.answer),
      isRight: await isRight(world, problem, runId, sample.answer),
      spent: spentInBranch(events, name),
    });
  }
  return {
    runId,
    index,
    agent: agent.name,
    settings: agent.settings,
    models,
    /** The same for all samples of a question, in whichever set they are. */
    question: spec.contentHash,
    problem: spec.id,
    title: spec.title,
    types: textsIn(spec.detail.types),
    gold: typeof spec.detail.gold === 'string' ? spec.detail.gold : null,
    outcome: view.end.outcome,
    answer: answer ? answerText(answer) : null,
    why: endReason(view.end),
    /** Null where it is not graded: there is no gold answer, or the run broke off. */
    isRight: view.end.grade?.correct ?? null,
    spent: spentFromTotals(view.totals, view.aliveMs),
    possiblyBilled: view.possiblyBilled,
    plan: notes.plan,
    members,
    vote: notes.vote,
    decision: notes.decision,
    decisive: findDecisive(notes, agent.settings.weights),
  };
}

/** Null where the right answer is not known. */
export async function isRight(
  { io }: Runtime,
  { grade }: Problem,
  runId: string,
  answer: Answer | null,
): Promise<boolean | null> {
  const { signal } = new AbortController();
  const context = { io, runId, stage: '', past: [], signal };
  return (await grade?.({ answer, stagesDone: [] }, context))?.correct ?? null;
}

export function findDecisive(notes: EnsembleNotes, weights: Json | undefined): readonly string[] {
  const known = z.record(z.string(), z.number().catch(1)).safeParse(weights).data ?? {};
  return [...decisiveStrategies(notes, known)];
}

function textsIn(value: Json | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
}

type Weights = Readonly<Record<string, number>>;

type Voted = Pick<EnsembleNotes, 'samples' | 'vote' | 'decision'>;

/** None where no vote was decided: by a self-correction, or not at all. */
export function decisiveStrategies(notes: Voted, weights: Weights): ReadonlySet<string> {
  const { vote, decision, samples } = notes;
  if (!vote || !decision || !['vote', 'plurality'].includes(decision.by)) return new Set();
  const needed = decision.by === 'vote' ? vote.toWin : 0;
  const winner = vote.winner ?? 0;
  const names = new Set(samples.map(({ strategy }) => strategy));
  return new Set([...names].filter((name) => winnerExcluding(name, { notes, weights, needed }) !== winner));
}

type Rules = { readonly notes: Voted; readonly weights: Weights; readonly needed: number };

const tolerance = 1e-9;

/** Place of the cluster that would have won; null for none. Of equals the one with the earliest sample stands first. */
function winnerExcluding(name: string, { notes, weights, needed }: Rules): number | null {
  const { vote, samples } = notes;
  const siblings = new Map(
    samples.filter(({ strategy }) => strategy !== name).map((each) => [each.number, each]),
  );
  let best: { readonly at: number; readonly weight: number } | null = null;
  for (const [at, cluster] of (vote?.clusters ?? []).entries()) {
    const left = cluster.samples.flatMap((number) => siblings.get(number) ?? []);
    const weight = left.reduce((sum, each) => sum + (weights[each.strategy] ?? 1), 0);
    if (weight > (best?.weight ?? 0) + tolerance) best = { at, weight };
  }
  return best && best.weight + tolerance >= needed ? best.at : null;
}
