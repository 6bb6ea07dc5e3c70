/** The words for models, costs, outcomes and states: the same in every command. Pure. */
import type { Limits, OutcomeKind } from '../core/agent.ts';
import { exitCodes } from '../core/errors.ts';
import { type Header, type ModelHeader, modelsBehind, type RunEnd, type StopCause } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import type { ModelKind } from '../core/model.ts';
import { type Totals, totalSpend } from '../core/totals.ts';
import { cacheHitRate, highestRates, type Price, type Tokens } from '../core/usage.ts';
import { duration, formatDollars, grouped } from './format.ts';
import type { Tone } from './paint.ts';

/** What a result must say where no model was asked. */
export const kindLabels: Readonly<Record<ModelKind, string | null>> = {
  live: null,
  script: 'script: replies written ahead, no model was asked',
  person: 'person: replies typed by somebody, no model was asked',
};

export function labelOf(kind: string): string | null {
  return Object.entries(kindLabels).find(([known]) => known === kind)?.[1] ?? null;
}

/** `scripted/aoc-practice-day1 (script: …)`, by role where there are several. */
export function modelsText(models: Header['models']): string {
  const entries = Object.entries(models);
  return entries
    .map(([role, { spec, baseUrl, kind }]) => {
      const label = kindLabels[kind];
      const place = baseUrl === undefined ? '' : ` at ${baseUrl}`;
      return `${entries.length > 1 ? `${role}=` : ''}${spec}${place}${label ? ` (${label})` : ''}`;
    })
    .join(', ');
}

/** The models of the whole of a run, a fork's shared beginning included. */
export function allModels({ header }: RunView): Header['models'] {
  return header ? modelsBehind(header) : {};
}

/** The models that the shared beginning was paid to. */
export function inheritedModels(header: Header | null): Header['models'] {
  return Object.fromEntries((header?.fork?.models ?? []).map((model, index) => [String(index), model]));
}

/** Null where a provider is paid. */
export function freeReason(
  models: Readonly<Record<string, Pick<ModelHeader, 'kind'> & Partial<ModelHeader>>>,
): string | null {
  const kinds = new Set(
    Object.values(models).map(({ kind, price = null }) =>
      kind === 'live' && isZero(price) ? 'price 0' : kind,
    ),
  );
  return kinds.size > 0 && !kinds.has('live') ? `free (${[...kinds].join(', ')})` : null;
}

function isZero(price: Price | null): boolean {
  const rates = highestRates(price, Infinity);
  return rates?.input === 0 && rates.output === 0;
}

/** Unknown costs are called unknown and never count as nothing. */
export function costText(totals: Totals, models: Header['models']): string {
  const free = freeReason(models);
  const { costUsd, knownCostUsd } = totalSpend(totals);
  return free ?? partText(costUsd, knownCostUsd, formatDollars);
}

/** The sum, or the part of it that is known. */
export function partText(all: number | null, known: number | null, words: (value: number) => string): string {
  if (all !== null) return words(all);
  return known ? `at least ${words(known)}` : 'unknown';
}

export function tokensText(totals: Totals): string {
  const { tokens, knownTokens } = totalSpend(totals);
  return partText(tokens, knownTokens, grouped);
}

export function toolCallsOf(totals: Totals): number {
  return Object.values(totals.toolCalls).reduce((sum, calls) => sum + calls, 0);
}

const goodOutcomes: ReadonlySet<string> = new Set<OutcomeKind>(['solved', 'scored', 'answered', 'passed']);

export function outcomeTone(outcome: string | null): Tone {
  if (outcome !== null && goodOutcomes.has(outcome)) return 'good';
  return outcome === null || outcome === 'cancelled' || outcome === 'doubtful' ? 'warn' : 'bad';
}

export function outcomeText({
  outcome,
  limit,
  stoppedBy,
}: Pick<RunEnd, 'outcome' | 'limit' | 'stoppedBy'>): string {
  if (outcome === 'limit' && limit) return `limit (${limitNames[limit]})`;
  return outcome === 'cancelled' ? stopTexts[stoppedBy ?? 'user'] : outcome;
}

const stopTexts: Readonly<Record<StopCause, string>> = {
  user: 'stopped by its user',
  'set-budget': 'stopped by the budget of its run-set',
  'set-decided': 'stopped because another row of its group has decided',
  'set-stopped': 'stopped with its run-set',
};

/**
 * Why a run ended as it did; empty where nobody says. Without an answer, its agent says why before the grade says that
 * there is none.
 */
export function endReason({ error, grade, solution }: Pick<RunEnd, 'error' | 'grade' | 'solution'>): string {
  if (error) return error.message;
  if (solution?.answer) return grade?.explanation ?? solution.detail ?? '';
  const why = grade?.correct === true ? undefined : solution?.detail;
  return [why, grade?.explanation].filter(Boolean).join(' ');
}

/** For a row that the budget of its set ended: with a larger budget it goes on. */
export const sharedBudgetText = 'limit: the shared budget';

export const limitNames: Readonly<Record<NonNullable<RunEnd['limit']>, string>> = {
  toolCalls: 'tool calls',
  modelCalls: 'model calls',
  tokens: 'tokens',
  costUsd: 'budget',
  wallMs: 'time',
  context: 'context',
};

/** `20`, `$0.50`, `1 min` */
export function formatAmount(limit: keyof typeof limitNames, amount: number): string {
  if (limit === 'wallMs') return duration(amount);
  return limit === 'costUsd' ? formatDollars(amount) : grouped(amount);
}

/** `20 tool calls, $0.50` */
export function limitsText({ toolCalls, modelCalls, tokens, costUsd, wallMs }: Limits): string {
  const limits = [
    toolCalls === undefined ? '' : `${grouped(toolCalls)} tool calls`,
    modelCalls === undefined ? '' : `${grouped(modelCalls)} model calls`,
    tokens === undefined ? '' : `${grouped(tokens)} tokens`,
    costUsd === undefined ? '' : formatDollars(costUsd),
    wallMs === undefined ? '' : `${wallMs / 60_000} min`,
  ];
  return limits.filter(Boolean).join(', ') || 'none';
}

/** The exit code of a command that brought a run to its end; docs/exit-codes.md. */
export function exitCodeOf({ outcome, error }: Pick<RunEnd, 'outcome' | 'error'>): number {
  if (outcome === 'cancelled') return exitCodes.cancelled;
  if (outcome === 'error' && error?.unavailable) return exitCodes.unavailable;
  // A stack is kept only for a defect of Polya itself.
  if (outcome === 'error' && error?.stack && !error.model) return exitCodes.bug;
  if (outcome === 'doubtful') return exitCodes.doubtful;
  // To reject somebody's work is work done.
  return goodOutcomes.has(outcome) || outcome === 'rejected' ? exitCodes.ok : exitCodes.unsolved;
}

/** Empty where no provider said anything of a cache. */
export function cacheText({ input, cachedInput, cacheWriteInput = 0 }: Tokens): string {
  const rate = cacheHitRate({ input, cachedInput });
  if (rate === null || cachedInput + cacheWriteInput === 0) return '';
  const text = cacheWriteInput > 0 ? `; ${grouped(cacheWriteInput)} written to it` : '';
  return `${Math.round(rate * 100)} % of the input (${grouped(cachedInput)} of ${grouped(input)} tokens) came from the provider's cache${text}`;
}

/** A process that is gone has left its calls open: whether they were billed is not known. */
export function possiblyBilledCalls({ possiblyBilled, open }: RunView, state: string): number {
  if (state !== 'interrupted') return possiblyBilled;
  return possiblyBilled + open.filter(({ event }) => event.kind === 'model-request').length;
}
