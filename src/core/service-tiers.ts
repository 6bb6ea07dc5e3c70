/** What a call costs by the tier that served it. A tier whose price is not known makes the cost unknown, never the standard one. */
import { costOf, type Price, type Tokens } from './usage.ts';

/** Tiers at the listed price; servers that have no others repeat what they were asked for. */
const standard = new Set(['', 'default', 'standard', 'on_demand']);

/** By provider: how many times the listed price. OpenAI's priority tier has a price for each model. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  openai: { flex: 0.5, batch: 0.5 },
  anthropic: { batch: 0.5 },
  groq: { flex: 1, auto: 1 },
};

/** As `ModelSuccess.serviceTier` has it: undefined for the standard tier. */
export function namedTier(tier: unknown): string | undefined {
  return typeof tier === 'string' && !standard.has(tier.toLowerCase()) ? tier : undefined;
}

/** `spec` is the model as its user named it: `openai/gpt-5.1`. */
export function costOfTier(
  tokens: Tokens | null,
  price: Price | null,
  response: { readonly spec: string; readonly tier: string | undefined },
): number | null {
  const cost = costOf(tokens, price);
  const tier = namedTier(response.tier);
  if (cost === null || cost === 0 || tier === undefined) return cost;
  const [provider = ''] = response.spec.split('/', 1);
  const factor = factors[provider]?.[tier];
  return factor === undefined ? null : cost * factor;
}
