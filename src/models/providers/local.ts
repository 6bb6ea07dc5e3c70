/** Providers on the user's own machine. At a loopback address they are free, unless the model runs in a cloud. */
import type { Price } from '../../core/usage.ts';
import { type Connection, type Environment, isLoopback, type Provider } from '../provider.ts';
import { freePrice } from '../reply.ts';
import type { SettingRule } from '../settings-rules.ts';

type LocalProvider = Omit<Provider, 'settings' | 'local' | 'connect' | 'rules'> & {
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
      const existing = { ...connection, baseUrl: connection.baseUrl ?? baseUrl };
      const seen = await look?.({ ...existing, price });
      // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
      const { openAiCompatibleModel } = await import('../openai-compatible.ts');
      return openAiCompatibleModel({
        ...existing,
        price: price ?? priceAt(existing),
        ...(rules ? { rules } : {}),
        ...(seen ? { takes: { images: seen.images, tools: true } } : {}),
      });
    },
    // Loaded here for the same reason.
    rules: async () => rules ?? (await import('../openai-compatible.ts')).compatibleRules,
  };
}

/** The price of a model without a price of its own. */
export function priceAt({
  baseUrl,
  name,
}: {
  readonly baseUrl: string;
  readonly name: string;
}): Price | null {
  return isLoopback(baseUrl) && !/[:-]cloud$/.test(name) ? freePrice : null;
}

export const vllm = localProvider({
  name: 'vllm',
  aliases: ['hosted_vllm'],
  title: 'vLLM',
  keys: ['VLLM_API_KEY'],
  baseUrlVariable: 'VLLM_BASE_URL',
  local: { port: 8000, route: '/version', sign: 'version' },
});

export const lmStudio = localProvider({
  name: 'lm-studio',
  aliases: ['lm_studio', 'lmstudio'],
  title: 'LM Studio',
  keys: ['LM_STUDIO_API_KEY'],
  baseUrlVariable: 'LM_STUDIO_BASE_URL',
  local: { port: 1234, route: '/api/v0/models', sign: 'data' },
});

export const llamaCpp = localProvider({
  name: 'llama.cpp',
  aliases: ['llama-cpp', 'llamacpp', 'llama_cpp'],
  title: 'llama.cpp',
  keys: ['LLAMA_API_KEY'],
  baseUrlVariable: 'LLAMA_CPP_BASE_URL',
  local: { port: 8080, route: '/props', sign: 'model_path' },
});
