/** The model that the configuration of contests names, in the words of the rest of Polya. Asks nobody. */
import type { ModelSettings } from '../core/model.ts';
import type { Resolved } from '../families/ahc/config/resolve.ts';
import { modelNameOf } from '../models/catalogue.ts';

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
    model:
      typeof model !== 'string' || typeof provider !== 'string'
        ? textOrNull(model)
        : modelNameOf({ provider, model }),
    settings: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(typeof room === 'number' ? { maxOutputTokens: room } : {}),
    },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
