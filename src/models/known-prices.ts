/** Prices from the package genai-prices, whose tables are large: loaded only where the user gave none. None is guessed. */
import { calcPrice, findProvider, type ModelPrice } from '@pydantic/genai-prices';
import type { Price, Rates } from '../core/usage.ts';

/** Our names of providers, where the package has others. */
const providerNames: Readonly<Record<string, string>> = { gemini: 'google', codex: 'openai', xai: 'x-ai' };

export type PriceQuestion = {
  /** The user's name for the model: `provider/name`. */
  readonly id: string;
  /** Where a server of many providers' wire is; it tells whose prices hold. */
  readonly baseUrl?: string | undefined;
  readonly atMs: number;
};

export function knownPrice({ id, baseUrl, atMs }: PriceQuestion): Price | null {
  const slash = id.indexOf('/');
  const providerId = slash > 0 ? providerOf(id.slice(0, slash), baseUrl) : null;
  if (!providerId) return null;
  const name = id.slice(slash + 1);
  // Some are cheaper at night. A run may last, so it is told the price of the dearest hour of its day.
  const prices = Array.from({ length: 48 }, (_, index) => {
    const timestamp = new Date(atMs + index * halfHourMs);
    const known = calcPrice(someUsage, name, { providerId, timestamp });
    return known && toPrice(known.model_price);
  });
  if (!prices.every((price) => price !== null)) return null;
  const [dearest = null] = prices.toSorted((a, b) => b.outputUsdPerMillion - a.outputUsdPerMillion);
  return dearest;
}

/** The package also takes what only resembles a name; a wrong price is worse than none. */
function providerOf(prefix: string, baseUrl: string | undefined): string | null {
  if (baseUrl) return findProvider({ providerApiUrl: baseUrl })?.id ?? null;
  const providerId = providerNames[prefix] ?? prefix;
  return findProvider({ providerId })?.id === providerId ? providerId : null;
}

/** The price depends on it in no way. */
const someUsage = { input_tokens: 1, output_tokens: 1 };
const halfHourMs = 30 * 60_000;

/** Null for what is not charged by the token alone. */
function toPrice(model: ModelPrice): Price | null {
  if (model.input_mtok === undefined || model.output_mtok === undefined) return null;
  if (model.requests_kcount !== undefined) return null;
  const starts = new Set(Object.values(model).flatMap(startsOf));
  const tiers = [...starts]
    .sort((a, b) => a - b)
    .map((start) => ({ aboveInputTokens: start, ...ratesForInput(model, start + 1) }));
  return { ...ratesForInput(model, 0), ...(tiers.length > 0 ? { tiers } : {}) };
}

function ratesForInput(model: ModelPrice, inputTokens: number): Rates {
  const rate = (name: string): number | undefined => rateAt(model[name], inputTokens);
  const input = rate('input_mtok') ?? 0;
  const cacheWrite = rate('cache_write_mtok');
  const reasoning = rate('output_reasoning_mtok');
  return {
    inputUsdPerMillion: input,
    cachedInputUsdPerMillion: rate('cache_read_mtok') ?? input,
    ...(cacheWrite === undefined ? {} : { cacheWriteInputUsdPerMillion: cacheWrite }),
    outputUsdPerMillion: rate('output_mtok') ?? 0,
    ...(reasoning === undefined ? {} : { reasoningUsdPerMillion: reasoning }),
  };
}

type Charge = ModelPrice[string];

function rateAt(charge: Charge, inputTokens: number): number | undefined {
  if (typeof charge !== 'object') return charge;
  return charge.tiers.findLast(({ start }) => inputTokens > start)?.price ?? charge.base;
}

function startsOf(charge: Charge): number[] {
  return typeof charge === 'object' ? charge.tiers.map(({ start }) => start) : [];
}
