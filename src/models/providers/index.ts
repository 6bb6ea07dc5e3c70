/** Every provider of live models. A new one gets a description beside the others and a line here. */
import type { Provider } from '../provider.ts';
import { anthropic, google, openai, openaiCompatible } from './hosted.ts';
import { llamaCpp, lmStudio, vllm } from './local.ts';
import { ollama } from './ollama.ts';
import { openrouter } from './openrouter.ts';

export const providers: readonly Provider[] = [
  openai,
  google,
  anthropic,
  openrouter,
  ollama,
  vllm,
  lmStudio,
  llamaCpp,
  openaiCompatible,
];

export function providerOf(name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name || provider.aliases?.includes(name));
}
