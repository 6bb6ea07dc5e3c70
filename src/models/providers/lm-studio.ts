/** LM Studio's server of models. */
import { localProvider } from '../local.ts';

export const lmStudio = localProvider({
  name: 'lm-studio',
  aliases: ['lm_studio', 'lmstudio'],
  title: 'LM Studio',
  keys: ['LM_STUDIO_API_KEY'],
  baseUrlVariable: 'LM_STUDIO_BASE_URL',
  local: { port: 1234, route: '/api/v0/models', sign: 'data' },
});
