/** OpenRouter: many providers behind one key, over chat completions; effort or budget go into its own field. */
import type { Provider } from '../provider.ts';
import { efforts, range, type SettingRule } from '../settings-rules.ts';

const rules: readonly SettingRule[] = [
  range('temperature', 0, 2),
  range('topP', 0, 1),
  range('maxOutputTokens', 1, Number.MAX_SAFE_INTEGER),
  range('thinkingBudgetTokens', 0, Number.MAX_SAFE_INTEGER),
  efforts(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
];

export const openrouter: Provider = {
  name: 'openrouter',
  title: 'OpenRouter',
  settings: 'temperature, top_p, seed, max output tokens, effort or thinking budget',
  keys: ['OPENROUTER_API_KEY'],
  baseUrlVariable: 'OPENROUTER_BASE_URL',
  baseUrl: 'https://openrouter.ai/api/v1',
  async connect({ baseUrl = 'https://openrouter.ai/api/v1', ...connection }) {
    // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
    const { openAiCompatibleModel } = await import('../openai-compatible.ts');
    return openAiCompatibleModel({
      ...connection,
      baseUrl,
      rules,
      headers: { 'X-Title': 'Polya' },
      keepsDetails: true,
      tellsCost: true,
      changeBody,
    });
  },
  rules: async () => rules,
};

function changeBody({
  reasoning_effort: effort,
  thinking_budget: budget,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  const body = { ...rest, usage: { include: true } };
  if (budget !== undefined) return { ...body, reasoning: { max_tokens: budget } };
  return effort === undefined ? body : { ...body, reasoning: { effort } };
}
