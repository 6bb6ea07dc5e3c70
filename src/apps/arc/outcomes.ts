/**
 * What became of the tasks of a run-set of ARC tasks, as their journals say: the hypotheses with their steps, the
 * attempts, the grade, and what each node cost. Folds alone; nothing is counted on the side.
 */
import type { Event } from '../../core/event.ts';
import { foldRun, type RunView } from '../../core/fold.ts';
import { canReopen } from '../../core/history.ts';
import { addTokens, noTokens, totalTokens } from '../../core/usage.ts';
import { foldInduction, type InductionView } from '../../notes/induction.ts';
import type { RowResult } from '../../studies/run-set/rows.ts';

type Place = Pick<RowResult, 'index' | 'plan' | 'runId'>;

/** Null: it was not begun. */
type TaskStatus = 'running' | 'completed' | 'failed' | 'failed_max_steps' | null;

export type TaskOutcome = ReturnType<typeof taskOutcome>;

export function taskOutcome({ index, plan, runId }: Place, events: readonly Event[]) {
  return { index, task: plan.name, runId, ...outcomeOf(events) };
}

/** The outcome of a run, in a set or alone. */
export function outcomeOf(events: readonly Event[]) {
  const view = events.length > 0 ? foldRun(events) : null;
  const induction = foldInduction(events);
  const answer = view?.end?.solution?.answer;
  return {
    // A cancelled run is not ended: a resume would continue it.
    isEnded: view?.end ? !canReopen(view.end) : false,
    status: statusOf(view, induction),
    view,
    induction,
    /** For each test input; empty if there are none. */
    attempts: answer?.type === 'grids' ? answer.attempts : [],
    right: rightIn(view),
  };
}

/** What sums and tables need of a task that is told: its steps as a count, the attempts as they are. */
export function withoutGrids(outcome: TaskOutcome): TaskOutcome {
  const { lines, ...rest } = outcome.induction;
  const slim = lines.map((line) => ({
    ...line,
    steps: line.steps.map((step) => ({ ...step, program: null, train: [], test: [], errors: [] })),
  }));
  return { ...outcome, induction: { lines: slim, ...rest } };
}

/** The best that one of its hypotheses came to. */
function statusOf(view: RunView | null, { lines }: InductionView): TaskStatus {
  if (!view) return null;
  if (!view.end || canReopen(view.end)) return 'running';
  const found = new Set(lines.map(({ status }) => status));
  if (found.has('completed')) return 'completed';
  return found.has('failed_max_steps') ? 'failed_max_steps' : 'failed';
}

/** Of each test pair the attempt that is right, from 1; null where it is not graded. */
function rightIn(view: RunView | null): readonly (number | null)[] | null {
  const attempts = view?.end?.grade?.data?.attempts;
  if (!Array.isArray(attempts)) return null;
  return attempts.map((attempt) => (typeof attempt === 'number' ? attempt : null));
}

/** The nodes that ask models are the roles; nodes that ask none are listed too. */
export function nodeUsage(outcomes: readonly Pick<TaskOutcome, 'view' | 'induction'>[]): NodeUsage[] {
  const nodes = new Map<string, NodeUsage>();
  for (const { view, induction } of outcomes) {
    for (const [node, totals] of Object.entries(view?.byRole ?? {})) {
      const before = nodes.get(node) ?? emptyNode(node);
      const tokens = addTokens(before.tokens, totals.tokens);
      const isKnown = before.costUsd !== null && totals.callsOfUnknownCost === 0;
      nodes.set(node, {
        node,
        calls: before.calls + totals.modelCalls,
        tokens,
        total: totalTokens(tokens),
        costUsd: isKnown ? (before.costUsd ?? 0) + totals.costUsd : null,
      });
    }
    const { lines } = induction;
    if (lines.some(({ form }) => form === 'program')) nodes.set('execution', emptyNode('execution'));
    if (lines.length > 0) nodes.set('verifier', emptyNode('verifier'));
  }
  const order = ['instruction', 'generator', 'programmer', 'execution', 'verifier'];
  return [...nodes.values()].sort((a, b) => order.indexOf(a.node) - order.indexOf(b.node));
}

function emptyNode(node: string) {
  return { node, calls: 0, tokens: noTokens, total: 0, costUsd: 0 };
}

export type NodeUsage = Omit<ReturnType<typeof emptyNode>, 'costUsd'> & { readonly costUsd: number | null };

export type Tally = ReturnType<typeof tallyOf>;

export function tallyOf(outcomes: readonly TaskOutcome[], isGraded: boolean) {
  const ended = outcomes.filter(({ isEnded }) => isEnded);
  const completed = ended.filter(({ status }) => status === 'completed').length;
  const graded = ended.flatMap(({ right }) => (right ? [right] : []));
  const isSolved = (right: readonly (number | null)[]) => right.every((attempt) => attempt !== null);
  const solved = graded.filter(isSolved).length;
  const isGood = ({ right, status }: TaskOutcome) => (right ? isSolved(right) : status === 'completed');
  const right = graded.flat().filter((attempt) => attempt !== null).length;
  const runViews = outcomes.flatMap(({ view }) => view ?? []);
  return {
    tasks: outcomes.length,
    /** Begun, with any outcome. */
    run: runViews.length,
    /** The train pairs are reproduced. */
    completed,
    /** Every test pair is right; null without solutions. */
    solved: isGraded ? solved : null,
    /** Ended without that: without reproduced train pairs, or with a wrong test output. */
    failed: ended.filter((outcome) => !isGood(outcome)).length,
    /** Test pairs with a right attempt, and those without; null without solutions. */
    right: isGraded ? right : null,
    wrong: isGraded ? graded.flat().length - right : null,
    costUsd: runViews.reduce((sum, { totals }) => sum + totals.costUsd, 0),
    isCostKnown: runViews.every(({ totals }) => totals.callsOfUnknownCost === 0),
  };
}
