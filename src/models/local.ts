/**
 * Providers that run on one's own machine: what they share, but for their ports. Nothing is paid to one at a loopback
 * address, unless its model runs elsewhere all the same.
 */
import type { Price } from '../core/usage.ts';
import { freePrice } from './free.ts';
import type { Connection, Environment, Provider } from './provider.ts';
import type { SettingRule } from './settings-rules.ts';

export type LocalProvider = Pick<
  Provider,
  'name' | 'aliases' | 'title' | 'keys' | 'baseUrlVariable' | 'readBaseUrl'
> & {
  readonly local: NonNullable<Provider['local']>;
  readonly rules?: readonly SettingRule[];
  /** Asks the server about a model before the first call; throws where it does not have it. */
  readonly look?: (
    connection: Connection & { readonly baseUrl: string },
  ) => Promise<{ readonly images: boolean }>;
};

export function localProvider({ rules, look, ...description }: LocalProvider): Provider {
  const baseUrl = `http://127.0.0.1:${description.local.port}/v1`;
  return {
    ...description,
    keyIsOptional: true,
    settings: 'temperature, top_p, seed, max output tokens, effort',
    baseUrl,
    async connect({ price, ...connection }: Connection, _env: Environment) {
      const there = { ...connection, baseUrl: connection.baseUrl ?? baseUrl };
      const seen = await look?.({ ...there, price });
      // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
      const { openAiCompatibleModel } = await import('./openai-compatible.ts');
      return openAiCompatibleModel({
        ...there,
        price: price ?? priceAt(there),
        ...(rules ? { rules } : {}),
        ...(seen ? { takes: { images: seen.images, tools: true } } : {}),
      });
    },
    // Loaded here for the same reason.
    rules: async () => rules ?? (await import('./openai-compatible.ts')).compatibleRules,
  };
}

function priceAt({ baseUrl, name }: { readonly baseUrl: string; readonly name: string }): Price | null {
  const { hostname } = new URL(baseUrl);
  const isHere = /^(localhost|127\.|\[::1\])/.test(hostname);
  return isHere && !/[:-]cloud$/.test(name) ? freePrice : null;
}
