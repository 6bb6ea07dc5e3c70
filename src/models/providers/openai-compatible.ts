/** Any other server that speaks chat completions, at a base URL that its user names. */
import type { Provider } from '../provider.ts';

export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  aliases: ['custom'],
  title: 'any OpenAI-compatible server',
  settings: 'temperature, top_p, seed, max output tokens, effort',
  keys: ['OPENAI_COMPATIBLE_API_KEY'],
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  needsBaseUrl: true,
  silenceVariable: 'OPENAI_COMPATIBLE_SILENCE_SECONDS',
  async connect({ baseUrl = '', ...connection }) {
    // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
    const { openAiCompatibleModel } = await import('../openai-compatible.ts');
    return openAiCompatibleModel({ ...connection, baseUrl });
  },
  // Loaded here for the same reason.
  rules: async () => (await import('../openai-compatible.ts')).compatibleRules,
};
