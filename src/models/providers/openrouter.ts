/** OpenRouter, over chat completions. It has a field of its own for effort or budget, and cache markers for Anthropic. */
import type { Provider } from '../provider.ts';
import { limitEfforts, range, type SettingRule } from '../settings-rules.ts';

const rules: readonly SettingRule[] = [
  range('temperature', 0, 2),
  range('topP', 0, 1),
  range('maxOutputTokens', 1, Number.MAX_SAFE_INTEGER),
  range('thinkingBudgetTokens', 0, Number.MAX_SAFE_INTEGER),
  limitEfforts(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
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

type Body = Record<string, unknown>;

function changeBody({ reasoning_effort: effort, thinking_budget: budget, ...rest }: Body): Body {
  const body = { ...(needsMarkers(rest.model) ? withMarkers(rest) : rest), usage: { include: true } };
  if (budget !== undefined) return { ...body, reasoning: { max_tokens: budget } };
  return effort === undefined ? body : { ...body, reasoning: { effort } };
}

const marker = { cache_control: { type: 'ephemeral' } } as const;

/** All but Anthropic's models keep what they have read without being told to. */
function needsMarkers(model: unknown): boolean {
  return /^~?anthropic\//.test(String(model));
}

/** As over Anthropic's own wire: after the instructions, and at the end, which moves with the conversation. */
function withMarkers({ messages, ...body }: Body): Body {
  const list: readonly Body[] = Array.isArray(messages) ? messages : [];
  const last = list.findIndex(({ role }) => role !== 'system') - 1;
  const bodies = list.map((message, index) =>
    index === last ? { ...message, content: [{ type: 'text', text: message.content, ...marker }] } : message,
  );
  return { ...body, messages: bodies, ...marker };
}
