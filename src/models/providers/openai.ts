/** OpenAI: every model over the Responses API, Codex included. */
import { UserError } from '../../core/errors.ts';
import type { OpenAiOptions } from '../openai.ts';
import type { Environment, Provider } from '../provider.ts';

export const openai: Provider = {
  name: 'openai',
  aliases: ['codex'],
  title: 'OpenAI (Responses API)',
  settings: 'effort, max output tokens; temperature and top_p where it does not reason',
  keys: ['OPENAI_API_KEY'],
  // Its models may think for an hour before they say a word.
  baseUrlVariable: 'OPENAI_BASE_URL',
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

function summaryIn({ OPENAI_REASONING_SUMMARY: asked }: Environment): Summary {
  const word = asked?.trim() || 'auto';
  const found = summaries.find((each) => each === word);
  if (found) return found;
  throw new UserError({
    code: 'setting-value-invalid',
    what: `The variable OPENAI_REASONING_SUMMARY says "${word}".`,
    fix: `It must be one of ${summaries.join(', ')}; \`none\` is for accounts that may not see summaries.`,
  });
}
