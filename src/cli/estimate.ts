/** An estimate of a run's cost before the first paid call. It guesses how often a model will call a tool. Pure. */
import type { Agent, TypicalRun } from '../core/agent.ts';
import { estimateInputTokens } from '../core/bound.ts';
import type { Header, RunEnd } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelRequest } from '../core/model.ts';
import { costOf } from '../core/usage.ts';
import { count, formatDollars, grouped } from '../text/format.ts';
import { freeReason, outcomeText } from '../text/labels.ts';

export type Estimate = ReturnType<typeof estimate>;

/** The usual number of turns of an agent, if known. */
export type Usual = {
  readonly turns?: Agent['usualTurns'];
  readonly of?: (settings: JsonObject) => TypicalRun;
};

export function usualOf(agent: Pick<Agent, 'usualTurns' | 'usual'>): Usual {
  return { turns: agent.usualTurns, of: agent.usual?.bind(agent) };
}

/** Of an agent that does not say; a turn is a reply and what its tools said. */
const usualTurns = 12;
const outputTokensPerTurn = 700;
const toolTokensPerTurn = 400;

type First = { readonly role: string; readonly request: ModelRequest };
type Planned = Pick<Header, 'models' | 'limits'> & Partial<Pick<Header, 'agent'>>;

export function estimate(header: Planned, first: First, defaults: Usual = {}) {
  const { price = null } = header.models[first.role] ?? header.models.default ?? {};
  const firstRequestTokens = estimateInputTokens(first.request);
  const { turns, input, output } =
    defaults.of && header.agent
      ? flatTokens(header, first, defaults.of(header.agent.settings))
      : growingTokens(header, first, turnsOf(header, defaults));
  return {
    /** Why it costs nothing; null where a provider is paid. */
    free: freeReason(header.models),
    firstRequestTokens,
    turns,
    tokens: input + output,
    /** Without the cache's discount, which not every provider gives; null where the price is not known. */
    costUsd: costOf({ input, cachedInput: 0, output, reasoning: 0 }, price),
  };
}

function turnsOf({ agent }: Planned, { turns = usualTurns }: Usual): number {
  if (typeof turns === 'number') return turns;
  return agent ? turns(agent.settings) : usualTurns;
}

/** Each request holds all that was said before it. */
function growingTokens({ limits }: Planned, { request }: First, defaultValue: number) {
  const turns = Math.min(defaultValue, limits.toolCalls ?? defaultValue);
  const growth = (outputTokensPerTurn + toolTokensPerTurn) * ((turns * (turns - 1)) / 2);
  return { turns, input: turns * estimateInputTokens(request) + growth, output: turns * outputTokensPerTurn };
}

/** Each request is made afresh, and no reply is longer than its user allows. */
function flatTokens(
  { models, limits }: Planned,
  { role, request }: First,
  { turns: usual, outputTokens, carriedTokens }: TypicalRun,
) {
  const turns = Math.min(usual, limits.modelCalls ?? usual);
  const own = (models[role] ?? models.default)?.settings?.maxOutputTokens;
  const most = own ?? request.settings?.maxOutputTokens ?? outputTokens;
  const input = turns * estimateInputTokens(request) + (turns - 1) * carriedTokens;
  return { turns, input, output: turns * Math.min(outputTokens, most) };
}

export function estimateText({ free, firstRequestTokens, turns, tokens, costUsd }: Estimate): string {
  if (free) return free;
  const cost =
    costUsd === null
      ? 'cost unknown (no price is known for this model at its address)'
      : `about ${formatDollars(costUsd)}`;
  return `${cost}, about ${grouped(tokens)} tokens if it takes ${count(turns, 'turn')}; the first request has about ${grouped(firstRequestTokens)}`;
}

/** The estimate of many runs; `share`: how many times as many there are. */
export function estimatesText(estimates: readonly Estimate[], share: number): string {
  const paid = estimates.filter(({ free }) => free === null);
  if (paid.length === 0) return estimates[0]?.free ?? 'no model is asked';
  const tokens = share * paid.reduce((sum, each) => sum + each.tokens, 0);
  const known = formatDollars(share * paid.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0));
  const isUnknown = paid.some(({ costUsd }) => costUsd === null);
  const cost = isUnknown ? `${known} + unknown (a price is not known)` : `about ${known}`;
  return `${cost}, about ${grouped(tokens)} tokens in all`;
}

/** The text for a run that ends before it asks a model. */
export function nobodyAskedText(end: Pick<RunEnd, 'outcome' | 'limit'>): string {
  if (end.outcome === 'cancelled') return 'unknown, because the agent asked no model within 10 s';
  if (end.outcome !== 'limit') return 'no model is asked';
  const isSum = end.limit === 'costUsd' || end.limit === 'tokens';
  const remedy = isSum ? '; a shorter reply needs less: `--setting max_output_tokens=200`' : '';
  return `no model is asked: the first call might take more than the ${outcomeText(end)} has room for${remedy}`;
}

/** Of a run that goes on: what it has cost so far is the best that is known of what is to come. */
export function restText({ header, totals }: Pick<RunView, 'header' | 'totals'>): string {
  const free = header && freeReason(header.models);
  if (free) return free;
  const { modelCalls, costUsd, callsOfUnknownCost } = totals;
  if (modelCalls === 0) return 'it has asked no model yet';
  const calls = count(modelCalls, 'model call');
  if (callsOfUnknownCost > 0) return `cost unknown; so far it took ${calls}`;
  return `about ${formatDollars(costUsd / modelCalls)} a call; so far it took ${calls} and ${formatDollars(costUsd)}`;
}
