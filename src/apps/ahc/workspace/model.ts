/** The model that the configuration of contests names, as the rest of Polya names models. Calls none. */
import type { ModelSettings } from '../../../core/model.ts';
import type { ConfigValue } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { modelNameOf } from '../../../models/catalogue.ts';

/** `provider` and a bare name make `provider/name`; throws `UserError` for a provider that there is not. */
export function modelOfConfig(config: Pick<Resolved, 'get'>): {
  readonly model: string | null;
  readonly settings: ModelSettings;
} {
  const model = config.get('llm.model');
  const provider = config.get('llm.provider');
  const temperature = config.get('llm.temperature');
  const room = config.get('llm.max_tokens');
  return {
    model: typeof model === 'string' ? wholeName(model, provider) : null,
    settings: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(typeof room === 'number' ? { maxOutputTokens: room } : {}),
    },
  };
}

/** A bare name, as in `config llm.model gpt-4o`, is one of OpenAI. */
function wholeName(model: string, provider: ConfigValue): string {
  if (typeof provider === 'string') return modelNameOf({ provider, model });
  const isBare = /^[^/:]+$/.test(model) && model !== 'manual';
  return isBare ? modelNameOf({ provider: 'openai', model }) : model;
}
