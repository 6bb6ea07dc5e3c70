/** What a server says of tokens and cost, wherever it says it and under whatever name. Counts what is unknown as unknown. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Tokens } from '../../core/usage.ts';
import { tokenCount } from '../collected.ts';

type Fields = JsonObject;

/** The counts of one account, as its server names them; missing where it does not say. */
type Account = {
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
  readonly cached?: number;
  readonly written?: number;
  readonly reasoning?: number;
};

/** Collects accounts: of each count the last one that is not zero holds. */
export class UsageCollector {
  #account: Account = {};
  /** llama.cpp's own, for where there is no other. */
  #timings: Account = {};
  costUsd: number | undefined;

  add(chunk: unknown): void {
    const top = fieldsIn(chunk);
    const [first] = Array.isArray(top.choices) ? top.choices : [];
    const choice = fieldsIn(first);
    // Most servers say nothing in most of their chunks.
    for (const jsonObject of [
      top,
      choice,
      fieldsIn(top.x_groq),
      fieldsIn(choice.message),
      fieldsIn(choice.delta),
    ]) {
      if (jsonObject.usage) this.#read(fieldsIn(jsonObject.usage));
    }
    if (top.eval_count !== undefined) this.#read(top);
    if (top.timings) this.#timings = mergeUsage(this.#timings, usageFromTimings(fieldsIn(top.timings)));
  }

  #read(usage: Fields): void {
    this.#account = mergeUsage(this.#account, accountOf(usage));
    // With a key of the user's own, `cost` is what the gateway takes, and its provider bills the rest.
    const billed = numberOf(fieldsIn(usage.cost_details).upstream_inference_cost) ?? Number.NaN;
    const cost = (numberOf(usage.cost) ?? Number.NaN) + (usage.is_byok === true ? billed : 0);
    if (cost >= 0 && cost < 1e9) this.costUsd = cost;
  }

  get tokens(): Tokens | null {
    const reported = tokensOf(this.#account);
    const isCounted = reported !== null && reported.input + reported.output > 0;
    return isCounted ? reported : (tokensOf(this.#timings) ?? reported);
  }
}

function fieldsIn(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function mergeUsage(before: Account, more: Account): Account {
  const counts = Object.entries(more).filter(([, count]) => count !== undefined && count !== 0);
  const zeros = Object.entries(more).filter(([, count]) => count === 0);
  return { ...Object.fromEntries(zeros), ...before, ...Object.fromEntries(counts) };
}

function accountOf(usage: Fields): Account {
  const inputDetails = fieldsIn(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const outputDetails = fieldsIn(usage.completion_tokens_details ?? usage.output_tokens_details);
  const cached = firstCount(
    inputDetails.cached_tokens,
    inputDetails.cache_read_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.cached_prompt_tokens,
    usage.cached_input_tokens,
    usage.cache_read_input_tokens,
  );
  const count = firstCount(
    inputDetails.cache_write_tokens,
    inputDetails.cache_creation_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_write_tokens,
  );
  const output = firstCount(usage.completion_tokens, usage.output_tokens, usage.eval_count);
  const total = countOf(usage.total_tokens);
  return {
    input: inputOf(usage, { cached, written: count, output, total }),
    output,
    total,
    cached,
    written: count,
    reasoning: firstCount(outputDetails.reasoning_tokens, usage.reasoning_tokens),
  };
}

function inputOf(usage: Fields, { cached, written, output, total }: Account): number | undefined {
  const counted = firstCount(usage.prompt_tokens, usage.input_tokens, usage.prompt_eval_count);
  if (counted === undefined) {
    const [hit, miss] = [countOf(usage.prompt_cache_hit_tokens), countOf(usage.prompt_cache_miss_tokens)];
    return hit !== undefined && miss !== undefined ? hit + miss : undefined;
  }
  // Anthropic counts what its cache held beside `input_tokens`, and so do some gateways before it.
  if (usage.cache_read_input_tokens === undefined) return counted;
  const isPart = usage.prompt_tokens !== undefined || total === counted + (output ?? 0);
  if (isPart && (cached ?? 0) <= counted) return counted;
  return counted + (cached ?? 0) + (written ?? 0);
}

function usageFromTimings({ prompt_n, cache_n, predicted_n }: Fields): Account {
  const [processed, cached] = [countOf(prompt_n), countOf(cache_n)];
  return {
    input: processed === undefined ? undefined : processed + (cached ?? 0),
    output: countOf(predicted_n),
    cached,
  };
}

/** A count that is missing is what the total leaves for it. */
function tokensOf({ total, cached = 0, written = 0, ...account }: Account): Tokens | null {
  const { reasoning: named = 0 } = account;
  const input = account.input ?? difference(total, account.output);
  const visible = account.output ?? difference(total, account.input);
  if (input === undefined || visible === undefined) return null;
  // Reasoning beside the other output (xAI, Gemini) shows in the total, named or not. More of it than of all output was
  // counted beside it, too.
  const beside = total !== undefined && total > input + visible ? total - input - visible : 0;
  const isAdjacent = named > visible || (beside > 0 && (named === 0 || beside === named));
  const reasoning = named || beside;
  const output = visible + (isAdjacent ? reasoning : 0);
  const cachedInput = Math.min(cached, input);
  const cacheWriteInput = Math.min(written, input - cachedInput);
  return { input, cachedInput, ...(cacheWriteInput > 0 ? { cacheWriteInput } : {}), output, reasoning };
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total !== undefined && part !== undefined && total >= part ? total - part : undefined;
}

/** The first that is not zero; zero where all that are there are. */
function firstCount(...values: readonly unknown[]): number | undefined {
  const counts = values.flatMap((value) => countOf(value) ?? []);
  return counts.find((count) => count > 0) ?? counts[0];
}

function countOf(value: unknown): number | undefined {
  return tokenCount(numberOf(value));
}

/** Some write their numbers as strings. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}
