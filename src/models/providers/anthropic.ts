/** Anthropic: Claude over the Messages API. */
import type { Provider } from '../provider.ts';

export const anthropic: Provider = {
  name: 'anthropic',
  aliases: ['claude'],
  title: 'Anthropic Claude',
  settings: 'max output tokens, thinking budget or effort; temperature or top_p without thinking',
  keys: ['ANTHROPIC_API_KEY'],
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  // Loaded here because the provider costs 100 ms that scripts, replay and `--help` need not pay.
  connect: async (connection) => (await import('../anthropic.ts')).anthropicModel(connection),
  // Loaded here for the same reason.
  rules: async (name) => (await import('../anthropic.ts')).anthropicRules(name),
};
