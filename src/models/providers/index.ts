/** Every provider of live models. A new one gets a file beside this one and a line here. */
import type { Provider } from '../provider.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { llamaCpp, lmStudio, vllm } from './local.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';
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
