/**
 * The routes by which local servers are known: Ollama's list of models, LM Studio's, llama.cpp's properties, vLLM's
 * version, and the list that all OpenAI-compatible servers have. One server answers for all of them here.
 */
import { createdAtSeconds } from './said.ts';

export type LocalModel = { readonly name: string; readonly sees?: boolean };

type Route = (models: readonly LocalModel[], body: Readonly<Record<string, unknown>>) => unknown;

/** By method and path; undefined where the server knows nothing of it. */
export function localRoute(method: string, path: string): Route | undefined {
  return routes.find(({ at }) => at.test(`${method} ${path}`))?.route;
}

const routes: readonly { readonly at: RegExp; readonly route: Route }[] = [
  { at: /^GET \/api\/version$/, route: () => ({ version: '0.30.0' }) },
  {
    at: /^GET \/api\/tags$/,
    route: (models) => ({
      models: models.map(({ name }) => ({
        name,
        model: name,
        modified_at: '2031-01-01T00:00:00Z',
        size: 4_700_000_000,
        details: { family: 'llama', parameter_size: '8B', quantization_level: 'Q4_K_M' },
      })),
    }),
  },
  {
    at: /^POST \/api\/show$/,
    route: (models, { model }) => {
      const found = models.find(({ name }) => name === model || name === `${model}:latest`);
      if (!found) return null;
      return {
        details: { family: 'llama', parameter_size: '8B' },
        capabilities: ['completion', 'tools', ...(found.sees ? ['vision'] : [])],
      };
    },
  },
  {
    at: /^GET \/api\/v0\/models$/,
    route: (models) => ({
      object: 'list',
      data: models.map(({ name, sees }) => ({
        id: name,
        object: 'model',
        type: sees ? 'vlm' : 'llm',
        state: 'loaded',
      })),
    }),
  },
  {
    at: /^GET \/props$/,
    route: ([first]) => ({
      model_path: first?.name ?? '',
      modalities: { vision: first?.sees ?? false, audio: false },
    }),
  },
  { at: /^GET \/version$/, route: () => ({ version: '0.20.0' }) },
  {
    at: /^GET \/v1\/models$/,
    route: (models) => ({
      object: 'list',
      data: models.map(({ name }) => ({
        id: name,
        object: 'model',
        created: createdAtSeconds,
        owned_by: 'polya',
      })),
    }),
  },
];
