/**
 * Chooses among accepted proofs by comparing them in pairs, each pair in both orders: a judge who prefers what it reads
 * first says nothing. The proof with the best score wins, of equals the one that beat the other, then the earlier one.
 */
import { z } from 'zod';
import type { BranchResult, Run } from '../../core/agent.ts';
import { EffectFailed } from '../../core/errors.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note } from '../../notes/proof.ts';
import { system } from '../kit/asking.ts';
import type { Draft } from './attempt.ts';
import { type Dialogue, formOf, requestForm, statementText, userAbout } from './dialogue.ts';
import type { VerifyLoopSettings } from './settings.ts';

export type Accepted = { readonly attempt: number; readonly draft: Draft };

type Pair = readonly [Accepted, Accepted];
type Compared = {
  readonly better: Accepted | null;
  readonly pair: Pair;
  readonly reasons: readonly string[];
};

export async function selectBest(
  run: Run,
  pool: readonly Accepted[],
  { spec, settings }: { spec: ProblemSpec; settings: VerifyLoopSettings },
): Promise<Accepted> {
  const pairs = pool.flatMap((first, at) => pool.slice(at + 1).map((second): Pair => [first, second]));
  const branches = Object.fromEntries(
    pairs.map((pair) => [
      `${pair[0].attempt}-${pair[1].attempt}`,
      (here: Run) => comparePair({ run: here, settings }, spec, pair),
    ]),
  );
  const results = await run.branch('selection', (here) => here.until(branches, () => false));
  const comparisons = inOrder(pairs, results);
  for (const { pair, better, reasons } of comparisons) {
    const attempts: [number, number] = [pair[0].attempt, pair[1].attempt];
    note(run, 'comparison', { attempts, better: better?.attempt ?? null, reasons: [...reasons] });
  }
  const scores = pool.map((each) => ({ each, score: scoreOf(each, comparisons) }));
  const chosen = chosenFrom(scores, comparisons);
  note(run, 'selection', {
    pool: scores.map(({ each, score }) => ({ attempt: each.attempt, score })),
    chosen: chosen.attempt,
    isComplete: comparisons.length === pairs.length,
  });
  return chosen;
}

/** A proof that was accepted is not lost to a comparison that failed, unless that can be made later. */
function inOrder(pairs: readonly Pair[], results: readonly BranchResult<Compared>[]): Compared[] {
  for (const result of results) {
    const isOutage =
      !result.ok && result.error instanceof EffectFailed && result.error.effectError.unavailable;
    if (!result.ok && isOutage) throw result.error;
  }
  const completed = results.flatMap((result) => (result.ok ? [result.value] : []));
  return pairs.flatMap((pair) => completed.find((each) => each.pair === pair) ?? []);
}

/** Both orders at once; the same words twice are the same proof, and no model is asked. */
async function comparePair(dialogue: Dialogue, spec: ProblemSpec, pair: Pair): Promise<Compared> {
  const [first, second] = pair;
  if (first.draft.text === second.draft.text) return { pair, better: null, reasons: [] };
  const [there, back] = await Promise.all([
    requestComparison(dialogue, spec, pair),
    requestComparison(dialogue, spec, [second, first]),
  ]);
  const better = there.better === back.better ? there.better : null;
  return { pair, better, reasons: [there.reason, back.reason] };
}

const form = formOf(
  'comparison',
  z.strictObject({ better: z.enum(['first', 'second', 'equal']), reason: z.string() }),
);

async function requestComparison(dialogue: Dialogue, spec: ProblemSpec, [first, second]: Pair) {
  const { run } = dialogue;
  const places = { problem: statementText(spec), first: first.draft.text, second: second.draft.text };
  const messages = [system(run.prompt('comparer')), userAbout(spec, run.prompt('compare', places))];
  const reply = await requestForm(dialogue, 'judge', messages, form);
  const better = { first, second, equal: null }[reply?.better ?? 'equal'];
  return { better, reason: reply?.reason ?? '' };
}

function scoreOf(each: Accepted, comparisons: readonly Compared[]): number {
  const own = comparisons.filter(({ pair }) => pair.includes(each));
  return own.reduce((sum, { better }) => sum + (better === null ? 0.5 : better === each ? 1 : 0), 0);
}

function chosenFrom(
  scores: readonly { each: Accepted; score: number }[],
  comparisons: readonly Compared[],
): Accepted {
  const top = Math.max(...scores.map(({ score }) => score));
  const equals = scores.filter(({ score }) => score === top).map(({ each }) => each);
  const among = comparisons.filter(({ pair }) => pair.every((each) => equals.includes(each)));
  const beaten = new Set(
    among.flatMap(({ pair, better }) => (better ? pair.filter((one) => one !== better) : [])),
  );
  const chosen = equals.find((each) => !beaten.has(each)) ?? equals[0];
  if (!chosen) throw new Error('There is no proof to choose from.');
  return chosen;
}
