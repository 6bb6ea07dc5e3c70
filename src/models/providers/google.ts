/** Google: Gemini and Gemma over the Gemini API. */
import type { Provider } from '../provider.ts';

export const google: Provider = {
  name: 'google',
  aliases: ['gemini'],
  title: 'Google Gemini',
  settings: 'temperature, top_p, seed, max output tokens, thinking budget (2.5) or effort (from 3 on)',
  keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  // Its models may think for an hour before they say a word.
  baseUrlVariable: 'GEMINI_BASE_URL',
  // Loaded here because the provider costs 100 ms that scripts, replay and `--help` need not pay.
  connect: async (connection) => (await import('../google.ts')).googleModel(connection),
  // Loaded here for the same reason.
  rules: async (name) => (await import('../google.ts')).googleRules(name),
};
