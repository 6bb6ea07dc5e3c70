/** The report on runs of questions for programs: JSON and CSV. */
import { csvField } from '../../cli/set-report.ts';
import { labelOf } from '../../text/labels.ts';
import type { Measured } from './study/measure.ts';
import { type Placed, type Report, type SystemReport, specsOf } from './study/report.ts';
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

/** Unknown costs and tokens are null; the known part has fields of its own. */
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
    models: Object.entries(models).map(([role, { spec, kind }]) => {
      return { role, model: spec, kind, label: labelOf(kind) };
    }),
    spent: spentJson(spent),
    groups: groups.map((group) => ({ ...group, spent: spentJson(group.spent) })),
    strategies: strategies.map((strategy) => ({ ...strategy, spent: spentJson(strategy.spent) })),
    vote: vote && { ...vote, beside: spentJson(vote.beside) },
  };
}

function runJson(origin: string, run: Measured) {
  const { spent, members, decision, vote, plan, models, ...rest } = run;
  return {
    origin,
    ...rest,
    models: specsOf(models),
    problemType: plan?.problemType ?? null,
    recommendation: plan?.recommendation ?? null,
    decidedBy: decision?.by ?? null,
    savedTokensEstimate: vote?.savedTokensEstimate ?? null,
    members: members.map((member) => ({ ...member, spent: spentJson(member.spent) })),
    spent: spentJson(spent),
  };
}

export function scoreCsv(placed: readonly Placed[]): string {
  const names = Object.keys(columns);
  const lines = placed.map((each) => {
    const spent = spentJson(each.run.spent);
    return Object.values(columns).map((cellOf) => csvField(cellOf(each, spent)));
  });
  return [names, ...lines].map((line) => `${line.join(',')}\n`).join('');
}

type Column = (placed: Placed, spent: ReturnType<typeof spentJson>) => unknown;

/** Unknown tokens and costs are said to be so: an empty cell would be read as zero. */
const columns: Readonly<Record<string, Column>> = {
  origin: ({ origin }) => origin,
  run: ({ run }) => run.runId,
  agent: ({ run }) => run.agent,
  models: ({ run }) => specsOf(run.models).join(' '),
  settings: ({ run }) => JSON.stringify(run.settings),
  problem: ({ run }) => run.problem,
  types: ({ run }) =>
    Object.entries(run.types)
      .map((pair) => pair.join('='))
      .join('; '),
  outcome: ({ run }) => run.outcome,
  right: ({ run }) => run.isRight,
  answer: ({ run }) => run.answer,
  gold: ({ run }) => run.gold,
  model_calls: (_, spent) => spent.modelCalls,
  tokens: (_, spent) => spent.tokens ?? 'unknown',
  cost_usd: (_, spent) => spent.costUsd ?? 'unknown',
  time_ms: (_, spent) => spent.timeMs,
  problem_type: ({ run }) => run.plan?.problemType,
  decided_by: ({ run }) => run.decision?.by,
  decisive: ({ run }) => run.decisive.join(' '),
};
