/** Providers in the cloud, each over an API of its own, and any server that speaks chat completions at a base URL. */
import { UserError } from '../../core/errors.ts';
import type { OpenAiOptions } from '../openai.ts';
import type { Environment, Provider } from '../provider.ts';
import { priceAt } from './local.ts';

export const openai: Provider = {
  name: 'openai',
  aliases: ['codex'],
  title: 'OpenAI (Responses API)',
  settings: 'effort, max output tokens; temperature and top_p where it does not reason',
  keys: ['OPENAI_API_KEY'],
  // Its models may think for an hour before they say a word.
  baseUrlVariable: 'OPENAI_BASE_URL',
  baseUrl: 'https://api.openai.com/v1',
  async connect(connection, env) {
    const reasoningSummary = summaryIn(env);
    // Loaded here because the provider costs 100 ms that scripts, replay and `--help` need not pay.
    const { openAiModel } = await import('../openai.ts');
    return openAiModel({ ...connection, reasoningSummary });
  },
  // Loaded here for the same reason.
  rules: async (name) => (await import('../openai.ts')).openAiRules(name),
};

type Summary = NonNullable<OpenAiOptions['reasoningSummary']>;
const summaries: readonly Summary[] = ['auto', 'concise', 'detailed', 'none'];

function summaryIn({ OPENAI_REASONING_SUMMARY: question }: Environment): Summary {
  const word = question?.trim() || 'auto';
  const found = summaries.find((each) => each === word);
  if (found) return found;
  throw new UserError({
    code: 'setting-value-invalid',
    what: `The variable OPENAI_REASONING_SUMMARY says "${word}".`,
    fix: `It must be one of ${summaries.join(', ')}; \`none\` is for accounts that may not see summaries.`,
  });
}

export const google: Provider = {
  name: 'google',
  aliases: ['gemini'],
  title: 'Google Gemini',
  settings: 'temperature, top_p, seed, max output tokens, thinking budget (2.5) or effort (from 3 on)',
  keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  // Its models may think for an hour before they say a word.
  baseUrlVariable: 'GEMINI_BASE_URL',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  // Loaded here because the provider costs 100 ms that scripts, replay and `--help` need not pay.
  connect: async (connection) => (await import('../google.ts')).googleModel(connection),
  // Loaded here for the same reason.
  rules: async (name) => (await import('../google.ts')).googleRules(name),
};

export const anthropic: Provider = {
  name: 'anthropic',
  aliases: ['claude'],
  title: 'Anthropic Claude',
  settings: 'max output tokens, thinking budget or effort; temperature or top_p without thinking',
  keys: ['ANTHROPIC_API_KEY'],
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  baseUrl: 'https://api.anthropic.com/v1',
  // Loaded here because the provider costs 100 ms that scripts, replay and `--help` need not pay.
  connect: async (connection) => (await import('../anthropic.ts')).anthropicModel(connection),
  // Loaded here for the same reason.
  rules: async (name) => (await import('../anthropic.ts')).anthropicRules(name),
};

export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  aliases: ['custom'],
  title: 'any OpenAI-compatible server',
  settings: 'temperature, top_p, seed, max output tokens, effort',
  keys: ['OPENAI_COMPATIBLE_API_KEY'],
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  needsBaseUrl: true,
  silenceVariable: 'OPENAI_COMPATIBLE_SILENCE_SECONDS',
  async connect({ baseUrl = '', price, ...connection }) {
    // Loaded here because the provider costs 170 ms that scripts, replay and `--help` need not pay.
    const { openAiCompatibleModel } = await import('../openai-compatible.ts');
    const { name } = connection;
    return openAiCompatibleModel({ ...connection, baseUrl, price: price ?? priceAt({ baseUrl, name }) });
  },
  // Loaded here for the same reason.
  rules: async () => (await import('../openai-compatible.ts')).compatibleRules,
};
