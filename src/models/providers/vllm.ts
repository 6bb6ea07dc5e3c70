/** vLLM's server of models. */
import { localProvider } from '../local.ts';

export const vllm = localProvider({
  name: 'vllm',
  aliases: ['hosted_vllm'],
  title: 'vLLM',
  keys: ['VLLM_API_KEY'],
  baseUrlVariable: 'VLLM_BASE_URL',
  local: { port: 8000, route: '/version', sign: 'version' },
});
