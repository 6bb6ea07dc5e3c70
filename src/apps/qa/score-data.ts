/** The report on runs of questions for programs: JSON with every run in it, and CSV, a line a run. Pure. */

import { csvField } from '../../cli/set-report.ts';
import { labelOf } from '../../text/labels.ts';
import type { Measured } from './study/measure.ts';
import type { Placed, Report, SystemReport } from './study/report.ts';
import type { Spent } from './study/spent.ts';

/** What was looked at: a run-set, or a file of predictions. */
export type Source = {
  readonly name: string;
  readonly kind: 'run-set' | 'predictions';
  /** Rows of a set that have not ended. */
  readonly open: number;
  /** Questions of which a file says nothing: they are counted as wrong. */
  readonly missing: number;
};

export function scoreJson(sources: readonly Source[], report: Report, placed: readonly Placed[]) {
  return {
    sources,
    systems: report.systems.map(systemJson),
    comparisons: report.comparisons,
    runs: placed.map(({ origin, run }) => runJson(origin, run)),
  };
}

/** Costs and tokens that nobody knows are null; what is known of them stands beside. */
function spentJson({ calls, tokens, callsOfUnknownTokens, costUsd, callsOfUnknownCost, timeMs }: Spent) {
  return {
    modelCalls: calls,
    tokens: callsOfUnknownTokens === 0 ? tokens : null,
    knownTokens: tokens,
    costUsd: callsOfUnknownCost === 0 ? costUsd : null,
    knownCostUsd: costUsd,
    timeMs,
  };
}

function systemJson({ models, spent, groups, strategies, vote, ...system }: SystemReport) {
  return {
    ...system,
    models: Object.entries(models).map(([role, { spec, kind }]) => ({
      role,
      model: spec,
      kind,
      label: labelOf(kind),
    })),
    spent: spentJson(spent),
    groups: groups.map((group) => ({ ...group, spent: spentJson(group.spent) })),
    strategies: strategies.map((strategy) => ({ ...strategy, spent: spentJson(strategy.spent) })),
    vote: vote && { ...vote, beside: spentJson(vote.beside) },
  };
}

function runJson(origin: string, run: Measured) {
  const { spent, members, decision, vote, plan, models: _, ...rest } = run;
  return {
    origin,
    ...rest,
    problemType: plan?.problemType ?? null,
    recommendation: plan?.recommendation ?? null,
    decidedBy: decision?.by ?? null,
    savedTokensEstimate: vote?.savedTokensEstimate ?? null,
    members: members.map((member) => ({ ...member, spent: spentJson(member.spent) })),
    spent: spentJson(spent),
  };
}

const columns = [
  ...[
    'origin',
    'run',
    'agent',
    'problem',
    'types',
    'outcome',
    'right',
    'answer',
    'gold',
    'model_calls',
    'tokens',
  ],
  ...['cost_usd', 'time_ms', 'problem_type', 'decided_by', 'decisive'],
] as const;

export function scoreCsv(placed: readonly Placed[]): string {
  const lines = placed.map(({ origin, run }) => {
    const fields = fieldsOf(origin, run);
    return columns.map((column) => csvField(fields[column])).join(',');
  });
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

function fieldsOf(origin: string, run: Measured): Readonly<Record<string, unknown>> {
  const { tokens, costUsd, modelCalls, timeMs } = spentJson(run.spent);
  return {
    origin,
    run: run.runId,
    agent: run.agent,
    problem: run.problem,
    types: Object.entries(run.types)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
    outcome: run.outcome,
    right: run.isRight,
    answer: run.answer,
    gold: run.gold,
    model_calls: modelCalls,
    // An empty cell would be read as zero.
    tokens: tokens ?? 'unknown',
    cost_usd: costUsd ?? 'unknown',
    time_ms: timeMs,
    problem_type: run.plan?.problemType,
    decided_by: run.decision?.by,
    decisive: run.decisive.join(' '),
  };
}
